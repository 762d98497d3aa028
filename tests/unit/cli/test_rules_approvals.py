"""What `assent rules` and `assent try` say of approvals."""

import json
from pathlib import Path

import pytest

from assent.paths import Paths
from tests.unit.cli.conftest import Run

RULES = """
[[approval]]
match = "effect:production risk:>=danger"
from = ["group:sre-oncall"]
count = 2
not_owner = true
wait = "15m"
reason = "Production is changed by two."

[[approval.test]]
command = "kubectl --context prod delete pod web-1"
expect = "needed"

[[approval.test]]
command = "ls"
expect = "needed"
"""
PRODUCTION = "kubectl --context prod delete pod web-1"


@pytest.fixture(autouse=True)
def rules(paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    paths.config_dir.mkdir(parents=True)
    paths.rules.write_text(RULES)
    return paths.rules


def test_check_counts_them_and_says_which_wait_too_long(assent: Run, rules: Path) -> None:
    """A client ends a hook that waits for longer than it lets it run."""
    shown = assent("rules", "check")
    assert shown.out.splitlines() == [
        f"good  {rules}: 0 rules, 1 approval, 2 tests",
        "      approval 1: effect:production risk:>=danger needs 2 of group:sre-oncall, not the owner: "
        "Production is changed by two.",
    ]
    assert "Approval 1 waits for 15m, longer than Claude Code lets a hook run: its asks end after 10m." in shown.err


def test_check_points_at_a_mistake(assent: Run, rules: Path) -> None:
    """With the line, and the word that was meant."""
    rules.write_text('[[approval]]\nmatch = "effects:production"\nfrom = "owner"\n')
    shown = assent("rules", "check")
    assert shown.code == 1
    assert f"{rules}:2" in shown.err
    assert "did you mean effect:?" in shown.err


def test_list_shows_whose_yes_is_needed(assent: Run) -> None:
    """Below the rules, and to programs."""
    assert "  1  needs effect:production risk:>=danger needs 2 of group:sre-oncall" in assent("rules", "list").out
    (listed,) = (json.loads(line) for line in assent("rules", "list", "--json").out.splitlines())
    assert (listed["match"], listed["approval"]["count"]) == ("effect:production risk:>=danger", 2)


def test_tests_of_approvals_are_run(assent: Run) -> None:
    """One that expects too much fails."""
    shown = assent("rules", "test")
    assert shown.code == 1
    out = shown.out
    assert "good    approval 1   needed" in out
    assert "expected needed, got not_needed" in out


def test_trial_says_which_approval_applies(assent: Run) -> None:
    """Whose yes, and what becomes of the call without it."""
    out = " ".join(assent("try", PRODUCTION).out.split())
    assert "Decision ask, by your approval 1 Needs 2 of sre-oncall, not you: Production is changed by two." in out
    assert "Without that the call is denied." in out
    assert "Needs 2 of sre-oncall" in assent("rules", "explain", PRODUCTION).out.replace("Needs     ", "Needs ")
    assert json.loads(assent("try", "--json", PRODUCTION).out)["approval"]["count"] == 2
    assert "Needs" not in assent("try", "ls").out
