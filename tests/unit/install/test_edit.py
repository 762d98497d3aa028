"""One careful change of one file."""

import json
from pathlib import Path

import pytest

from assent import paths as locations
from assent.files import RefusedError
from assent.harnesses import registry
from assent.harnesses.claude_code.settings import own_file
from assent.harnesses.site import Site
from assent.install.edit import Edit, allow_in_settings

RULE = "Bash(git commit:*)"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    paths = locations.find({"ASSENT_HOME": str(tmp_path / "assent")})
    return Site(paths=paths, home=tmp_path / "home", project=tmp_path / "project")


def settings(site: Site, text: str) -> Path:
    path = own_file(site, "user")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "before",
    ["", "{}", '{\n    "model": "x"\n}\n', '{"permissions":{"deny":["Read"]}}', '{"permissions":{"allow":["Read"]}}'],
)
def test_rule_is_added_and_nothing_else_changes(site: Site, before: str) -> None:
    """Whatever else the file says, it says still."""
    settings(site, before)
    edit = allow_in_settings(registry.default(), site, "user", RULE)
    expected = json.loads(before or "{}")
    expected.setdefault("permissions", {}).setdefault("allow", []).append(RULE)
    assert json.loads(edit.after) == expected
    assert f"{RULE}" in edit.diff


def test_rule_that_stands_there_is_not_added_again(site: Site) -> None:
    """Nothing changes, and the diff says so."""
    settings(site, f'{{"permissions": {{"allow": ["{RULE}"]}}}}')
    edit = allow_in_settings(registry.default(), site, "user", RULE)
    assert (edit.before, edit.diff) == (edit.after, "")


def test_missing_file_is_made(site: Site) -> None:
    """With this one rule in it, readable by its owner alone."""
    edit = allow_in_settings(registry.default(), site, "local", RULE)
    assert edit.carry_out(site.paths, "x") is None
    path = own_file(site, "local")
    assert json.loads(path.read_text()) == {"permissions": {"allow": [RULE]}}
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ('{"model": }', "1:11"),
        ("[]", "object of settings"),
        ('{"permissions": []}', "expected an object"),
        ('{"permissions": {"allow": {}}}', "should be a list"),
    ],
)
def test_file_of_another_shape_is_refused(site: Site, before: str, said: str) -> None:
    """Where it breaks is said, and nothing is changed."""
    path = settings(site, before)
    with pytest.raises(RefusedError, match=said):
        allow_in_settings(registry.default(), site, "user", RULE)
    assert path.read_text() == before


def test_bytes_before_are_kept(site: Site) -> None:
    """The backup is what undo needs."""
    path = settings(site, '{"model": "x"}')
    backup = allow_in_settings(registry.default(), site, "user", RULE).carry_out(site.paths, "agent-settings.json")
    assert backup is not None
    assert backup.read_text() == '{"model": "x"}'
    assert json.loads(path.read_text())["permissions"] == {"allow": [RULE]}


def test_change_by_another_program_is_not_written_over(site: Site) -> None:
    """What was shown is what is written, or nothing."""
    path = settings(site, "{}")
    edit = allow_in_settings(registry.default(), site, "user", RULE)
    path.write_text('{"model": "y"}')
    with pytest.raises(RefusedError, match="changed meanwhile"):
        edit.carry_out(site.paths, "x")
    assert path.read_text() == '{"model": "y"}'
    assert not site.paths.backup.exists()


def test_backup_that_cannot_be_kept_stops_the_change(site: Site) -> None:
    """No change without a way back."""
    path = settings(site, "{}")
    site.paths.state.parent.mkdir(parents=True)
    site.paths.state.write_text("in the way")
    with pytest.raises(RefusedError, match="Nothing was changed"):
        Edit(path, b"{}", b"[]").carry_out(site.paths, "x")
    assert path.read_text() == "{}"
