"""When a rule holds."""

from datetime import time
from pathlib import Path
from typing import Any

import pytest

from assent.policy.call import Call, Scene
from assent.policy.rules import rule
from assent.policy.rules.coverage import Cover
from assent.policy.rules.rule import RiskTest
from assent.protocol.decision import Risk
from tests.unit.policy.calls import PROJECT, SCENE, call, pre, rules


def holds(condition: str, what: Call, scene: Scene = SCENE) -> tuple[bool, bool]:
    """Whether a rule that restricts speaks, and whether one that allows does."""
    match = "Bash" if what.command is not None else what.tool
    text = '[[rule]]\nmatch = "{}"\ndecision = "{}"\nreason = "x"\nwhen = {{ {} }}'
    (deny,) = rules(text.format(match, "deny", condition))
    (allow,) = rules(text.format(match, "allow", condition))
    return deny.restricts(what, scene) is not None, allow.covers(what, scene) is not Cover.NO


def bash(command: str, **fields: Any) -> Call:
    return call("Bash", command=command, **fields)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        (">=care", [Risk.CARE, Risk.DANGER]),
        (">care", [Risk.DANGER]),
        ("<=change", [Risk.LOOK, Risk.CHANGE]),
        ("< change", [Risk.LOOK]),
        ("=care", [Risk.CARE]),
        ("care", [Risk.CARE]),
    ],
)
def test_risk_test_compares(text: str, holds: list[Risk]) -> None:
    """With every sign people write."""
    test = RiskTest.parse(text)
    assert [risk for risk in Risk if test.holds(risk)] == holds


@pytest.mark.parametrize("text", ["", ">=", "careful", "=>care", "Care!"])
def test_risk_test_refuses_other_text(text: str) -> None:
    """The four words, and no others."""
    with pytest.raises(ValueError, match="look, change, care, danger"):
        RiskTest.parse(text)


@pytest.mark.parametrize(
    ("condition", "command", "restricts", "allows"),
    [
        ('effect = "delete"', "rm build/x", True, True),
        ('effect = "delete"', "ls", False, False),
        ('effect = "delete"', "ls src; rm build/x", True, False),
        ('effect = ["read", "delete"]', "ls src; rm build/x", True, True),
        ('effect = "fetch"', "bash -c 'curl https://example.com'", True, True),
        ('path = "src/**"', "rm src/a", True, True),
        ('path = "src/**"', "rm src/a test/b", True, False),
        ('path = "src/**"', "rm test/b", False, False),
        ('path = "src/**"', "cd src && rm a", True, True),
        ('path = "src/**"', "rm $X", True, False),
        ('path = "//etc/**"', "cat /etc/hosts", True, True),
        ('path = ["docs/**", "src/**"]', "cp src/a docs/b", True, True),
        ('path = "src/**"', "ls", False, False),
    ],
)
def test_when_looks_at_what_a_line_does(condition: str, command: str, restricts: bool, allows: bool) -> None:
    """Any part of it is enough to restrict; to allow, every part must fit and nothing be unknown."""
    assert holds(condition, bash(command)) == (restricts, allows)


def test_when_looks_at_what_other_tools_do() -> None:
    """The unknown restricts and does not allow."""
    edit = call("Edit", file_path=f"{PROJECT}/src/a")
    assert holds('effect = "write"', edit) == (True, True)
    assert holds('effect = "read"', edit) == (False, False)
    assert holds('path = "src/**"', edit) == (True, True)
    assert holds('path = "docs/**"', edit) == (False, False)
    assert holds('effect = "read"', call("mcp__a__b")) == (True, False)


@pytest.mark.parametrize(
    ("cwd", "expected"), [(f"{PROJECT}/infra", True), (f"{PROJECT}/infra/prod", True), (PROJECT, False), ("/x", False)]
)
def test_when_looks_at_the_working_directory(cwd: str, expected: bool) -> None:
    """The folder and all below it."""
    assert holds('cwd = "/infra"', bash("ls", cwd=cwd)) == (expected, expected)


@pytest.mark.parametrize(
    ("agent", "expected"),
    [("main", (False, False)), ("Explore", (True, True)), ("Explorer", (False, False)), (None, (True, False))],
)
def test_when_looks_at_the_agent(agent: str | None, expected: tuple[bool, bool]) -> None:
    """By the sub-agent's kind, with wildcards; the one people talk to is "main"."""
    assert holds('agent = ["Explore", "re*"]', Call("Bash", {"command": "ls"}, "/", "default", agent)) == expected


def test_agent_is_told_by_its_id() -> None:
    """A session may be started as an agent of some type and is still the main one."""
    event = pre("Bash", command="ls")
    made = Call.of(event)
    assert made is not None
    assert made.agent == "main"


@pytest.mark.parametrize(
    ("harness", "expected"), [("claude-code", (True, True)), ("codex", (False, False)), (None, (True, False))]
)
def test_when_looks_at_the_harness(harness: str | None, expected: tuple[bool, bool]) -> None:
    """Which coding agent it is."""
    assert holds('harness = "claude-code"', bash("ls"), Scene(PROJECT, harness=harness)) == expected


@pytest.mark.parametrize(
    ("now", "expected"), [(time(23), True), (time(6, 59), True), (time(7), False), (time(12), False)]
)
def test_when_looks_at_the_clock(monkeypatch: pytest.MonkeyPatch, now: time, expected: bool) -> None:
    """Hours may go past midnight."""
    monkeypatch.setattr(rule, "_now", lambda: now)
    assert holds('time = "22:00-07:00"', bash("ls")) == (expected, expected)


def test_when_is_told_in_words() -> None:
    """As it is written in the file, with "or" between what is listed."""
    (rule,) = rules(
        '[[rule]]\nmatch = "Bash"\ndecision = "ask"\nreason = "Late."\n'
        'when = { risk = ">=care", time = "22:00-07:00", path = ["src/**", "~/x"] }'
    )
    assert rule.in_words() == "ask Bash when risk >=care and path src/** or ~/x and time 22:00-07:00: Late."


def test_rule_about_the_home(home: Path) -> None:
    """A tilde is the home of the hub's user."""
    assert holds('path = "~/notes/**"', bash(f"cat {home}/notes/a")) == (True, True)
