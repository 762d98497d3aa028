"""``assent trust``."""

import json
import stat
from pathlib import Path

import pytest

from assent.cli import output
from assent.paths import Paths
from tests.unit.cli.conftest import Run

ALLOW = """
[[rule]]
match = "Bash(make *)"
decision = "allow"
[[rule]]
match = "Bash(rm *)"
decision = "deny"
reason = "No."
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".assent").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".assent/rules.toml").write_text(ALLOW)
    return folder


@pytest.fixture
def says_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "is_interactive", lambda: True)
    monkeypatch.setattr(output, "confirmed", lambda *_: True)


def listed(assent: Run) -> list[str]:
    return [each["state"] for each in json.loads(assent("trust", "--list", "--json").out)["trusted"]]


@pytest.mark.usefixtures("says_yes")
def test_trust_shows_what_would_gain_force_and_pins_it(assent: Run, paths: Paths, project: Path) -> None:
    """Only what allows; the rest holds anyway. Other users cannot read or write the list."""
    shown = assent("trust", str(project))
    assert shown.code == 0
    assert "1  allow Bash(make *)" in shown.out
    assert "rm" not in shown.out
    assert listed(assent) == ["trusted"]
    assert stat.S_IMODE(paths.trust.stat().st_mode) == 0o600
    assert "already" in assent("trust", str(project)).out


@pytest.mark.usefixtures("says_yes")
def test_trust_is_lost_by_one_byte_and_can_be_given_again(assent: Run, project: Path) -> None:
    """And with the file itself."""
    assent("trust", str(project))
    (project / ".assent/rules.toml").write_text(ALLOW + "\n")
    assert listed(assent) == ["changed"]
    assert "changed since you trusted it" in assent("trust", str(project)).out
    assert listed(assent) == ["trusted"]
    (project / ".assent/rules.toml").unlink()
    assert listed(assent) == ["gone"]
    assert assent("trust", "--revoke", str(project)).code == 0
    assert listed(assent) == []


@pytest.mark.usefixtures("says_yes")
def test_trust_is_found_from_below_and_taken_back(assent: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The project around the folder you are in."""
    (project / "src").mkdir()
    monkeypatch.chdir(project / "src")
    assert assent("trust").code == 0
    assert assent("trust", "--revoke").code == 0
    assert "You trust no project's rules." in assent("trust", "--list").out
    assert assent("trust", "--revoke").code == 1


def test_trust_needs_a_person(assent: Run, paths: Paths, project: Path) -> None:
    """Without a terminal nothing is trusted, and there is no option that says otherwise."""
    refused = assent("trust", str(project))
    assert refused.code == 2
    assert "at a terminal, of a person" in refused.err
    assert not paths.trust.exists()
    assert assent("trust", "--yes", str(project)).code == 2


@pytest.mark.usefixtures("says_yes")
@pytest.mark.parametrize("text", [None, "", '[[rule]]\nmatch = "Bash"\ndecision = "deny"\nreason = "x"\n', "[[rule]\n"])
def test_trust_refuses_what_allows_nothing(assent: Run, paths: Paths, project: Path, text: str | None) -> None:
    """No file, no rules, none that allow, none that can be read."""
    file = project / ".assent/rules.toml"
    file.unlink()
    if text is not None:
        file.write_text(text)
    assert assent("trust", str(project)).code == 2
    assert not paths.trust.exists()
