"""When a rule holds."""

from pathlib import Path

import pytest

from assent.policy.call import Scene
from assent.policy.rules.coverage import Cover
from assent.policy.rules.rule import Rule
from tests.unit.policy.calls import SCENE, call, rules


def rule(decision: str, when: str, match: str = "Bash(git push *)") -> Rule:
    (only,) = rules(f'[[rule]]\nmatch = "{match}"\ndecision = "{decision}"\nreason = "x"\nwhen = {when}')
    return only


@pytest.mark.parametrize(
    ("when", "mode", "holds"),
    [
        ('{ mode = "auto" }', "auto", True),
        ('{ mode = "auto" }', "default", False),
        ('{ mode = ["auto", "plan"] }', "plan", True),
        ('{ risk = ">=care" }', "default", True),
        ('{ risk = ">care" }', "default", False),
        ('{ risk = ">=care", mode = "auto" }', "default", False),
    ],
)
def test_rule_holds_when_all_its_conditions_do(when: str, mode: str, holds: bool) -> None:
    """A shell command is Care here."""
    pushed = call("Bash", command="git push", mode=mode)
    assert bool(rule("deny", when).restricts(pushed, SCENE)) is holds
    assert bool(rule("allow", when).covers(pushed, SCENE)) is holds


def test_rule_with_an_unknown_mode_restricts_and_does_not_allow() -> None:
    """What cannot be told counts against the call."""
    pushed = call("Bash", command="git push", mode=None)
    assert rule("deny", '{ mode = "auto" }').restricts(pushed, SCENE)
    assert rule("allow", '{ mode = "auto" }').covers(pushed, SCENE) is Cover.NO


@pytest.mark.parametrize(
    ("head", "restricts", "allows"),
    [
        ("ref: refs/heads/main", True, True),
        ("ref: refs/heads/release/1", True, True),
        ("ref: refs/heads/topic", False, False),
        ("5c2e0f1", False, False),
        ("", True, False),
    ],
)
def test_rule_looks_at_the_branch(tmp_path: Path, head: str, restricts: bool, allows: bool) -> None:
    """By name or wildcard; a branch that cannot be read counts against the call."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text(head)
    pushed, scene = call("Bash", command="git push"), Scene(tmp_path)
    when = '{ branch = ["main", "release/*"] }'
    assert bool(rule("ask", when).restricts(pushed, scene)) is restricts
    assert bool(rule("allow", when).covers(pushed, scene)) is allows


def test_rule_covers_a_line_by_several_of_its_patterns() -> None:
    """One rule may name all that belongs together; it is only as exact as its widest part."""
    (only,) = rules('[[rule]]\nmatch = ["Bash(git status)", "Bash(npm *)"]\ndecision = "allow"')
    assert only.covers(call("Bash", command="git status && git status"), SCENE) is Cover.EXACT
    assert only.covers(call("Bash", command="git status && npm test"), SCENE) is Cover.WIDE
    assert only.covers(call("Bash", command="git status && rm x"), SCENE) is Cover.NO


def test_rule_for_another_tool_matches_no_other_tool() -> None:
    """What Monitor may watch, Bash may not run."""
    (only,) = rules('[[rule]]\nmatch = ["Bash(ls)", "Monitor(tail *)"]\ndecision = "allow"')
    assert only.covers(call("Bash", command="ls; tail -f x"), SCENE) is Cover.NO


def test_rule_with_a_base_reads_relative_paths_from_there() -> None:
    """A repository's rules mean the repository, wherever below it the session started."""
    (only,) = rules('[[rule]]\nmatch = "Edit(src/**)"\ndecision = "deny"\nreason = "x"')
    based = Rule("project", 1, only.patterns, "deny", base="/srv")
    edit = call("Edit", file_path="/srv/src/x")
    assert based.restricts(edit, SCENE)
    assert not only.restricts(edit, SCENE)
