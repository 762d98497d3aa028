"""The story of one call, as people read it."""

import json
from collections.abc import Callable
from typing import Any

from tests.unit.cli.conftest import Run

STORY: list[dict[str, Any]] = [
    {
        "seq": 4,
        "at": 90_000_000,
        "kind": "event",
        "session": "s1",
        "call": "c1",
        "line": "PreToolUse Bash git push",
        "body": {
            "event": "PreToolUse",
            "harness": "claude-code",
            "project": "/src/shop",
            "payload": {"tool_input": {"command": "git push\x1b[31m", "timeout": None}},
        },
    },
    {
        "seq": 5,
        "at": 90_000_002,
        "kind": "decision",
        "decision": "prompt",
        "risk": "care",
        "by": "rule:user#1",
        "line": "→ prompt PreToolUse Bash by rule:user#1: Pushes are reviewed.",
        "body": {
            "trace": [
                {"by": "rule:user#1", "says": "prompt", "why": "Pushes are reviewed.", "evidence": "Bash(git push *)"},
                {"by": "stance:balanced", "says": "no_opinion", "why": "risk care"},
            ]
        },
    },
    {
        "seq": 9,
        "at": 90_004_500,
        "kind": "event",
        "line": "PostToolUseFailure Bash rejected",
        "body": {
            "event": "PostToolUseFailure",
            "payload": {"tool_input": {"command": "git push"}, "error": "rejected"},
        },
    },
]


def test_show_tells_what_was_wanted_decided_and_done(
    assent: Run, answers: Callable[..., None], clock: Callable[[float], None]
) -> None:
    """The input once, every voice with its reason, the result, and when; nothing in it steers the terminal."""
    clock(100_000.0)
    answers(story=STORY)
    assert assent("log", "show", "4").out == (
        "call      c1\n"
        "session   s1\n"
        "project   /src/shop\n"
        "harness   claude-code\n"
        "\n"
        "PreToolUse Bash git push  #4, 1970-01-02 01:00:00\n"
        "    command: git push⟨U+001B⟩[31m\n"
        "\n"
        "→ prompt PreToolUse Bash by rule:user#1: Pushes are reviewed.  #5, +0.002 s\n"
        "    risk: care\n"
        "    your rule 1 said prompt: Pushes are reviewed. (Bash(git push *))\n"
        "    the stance balanced said no opinion: risk care\n"
        "\n"
        "PostToolUseFailure Bash rejected  #9, +4.500 s\n"
        "    error: rejected\n"
    )


def test_show_json_is_the_records(assent: Run, answers: Callable[..., None]) -> None:
    """One object a line."""
    answers(story=STORY)
    assert [json.loads(line) for line in assent("log", "show", "c1", "--json").out.splitlines()] == STORY


def test_show_needs_an_id(assent: Run) -> None:
    """Without one there is nothing to show."""
    assert assent("log", "show").code == 2


def shown(assent: Run, answers: Callable[..., None], kind: str, **body: Any) -> list[str]:
    """The lines under the one that names the record."""
    answers(story=[{"seq": 1, "at": 90_000_000, "kind": kind, "line": kind, "body": body}])
    return [line.strip() for line in assent("log", "show", "1").out.splitlines()[1:]]


def test_show_tells_what_changed_in_rules_and_settings(
    assent: Run, answers: Callable[..., None], clock: Callable[[float], None]
) -> None:
    """Each rule and each setting on a line of its own, with its value before and after."""
    clock(100_000.0)
    rules = shown(
        assent, answers, "rules", file="rules.toml", added=["deny Write", "ask \x1b[2J"], removed=["ask Read"]
    )
    assert rules == ["file: rules.toml", "added: deny Write", "added: ask ⟨U+001B⟩[2J", "removed: ask Read"]
    config = shown(
        assent, answers, "config", file="config.toml", changed={"stance": ["balanced", "strict"], "x": ["", "1"]}
    )
    assert config == ["file: config.toml", "stance: balanced → strict", "x: unset → 1"]


def test_show_tells_what_people_said_and_what_was_removed(
    assent: Run, answers: Callable[..., None], clock: Callable[[float], None]
) -> None:
    """An answer's message and its lasting permissions; a checkpoint's reach."""
    clock(100_000.0)
    said = shown(assent, answers, "answer", choice="allow", message="go", grants=["Bash(make)"])
    assert said == ["message: go", "grants: Bash(make)"]
    assert shown(assent, answers, "ask", what="plan", deadline=90_600_000) == ["waits until: 1970-01-02 01:10:00"]
    removed = shown(assent, answers, "checkpoint", through=40, removed=38, kept=2, until=86_400_000)
    assert removed == ["through: 40", "removed: 38", "kept: 2", "newest removed: 1970-01-02 00:00:00"]


def test_show_survives_odd_bodies(assent: Run, answers: Callable[..., None]) -> None:
    """A body of another form is shown without an error."""
    assert shown(assent, answers, "config", file=["a"], changed={"x": 7}) == ["file: a", "x: ? → ?"]


def test_show_tells_an_input_once_and_what_was_not_kept(
    assent: Run, answers: Callable[..., None], clock: Callable[[float], None]
) -> None:
    """A permission request repeats its call's input; a result is recorded as size and fingerprint."""
    clock(100_000.0)
    payload = {"tool_input": {"command": "make"}, "tool_response": {"size": 1863, "fingerprint": "1399e567"}}
    names = ("PreToolUse", "PermissionRequest", "PostToolUse")
    env = {"CLAUDE_PROJECT_DIR": "/src/shop"}
    answers(
        story=[
            {
                "seq": 1,
                "at": 90_000_000,
                "kind": "event",
                "line": name,
                "body": {"event": name, "payload": payload, "env": env},
            }
            for name in names
        ]
    )
    assert [line.strip() for line in assent("log", "show", "1").out.splitlines() if line] == [
        "project   /src/shop",
        "PreToolUse  #1, 1970-01-02 01:00:00",
        "command: make",
        "PermissionRequest  #1, +0.000 s",
        "PostToolUse  #1, +0.000 s",
        "tool_response: 1,863 bytes, not kept (fingerprint 1399e567)",
    ]
