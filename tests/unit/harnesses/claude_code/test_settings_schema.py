"""What the client accepts in a settings file."""

from typing import Any

import pytest

from assent.harnesses.claude_code import SUBSCRIPTIONS
from assent.harnesses.claude_code import hooks as entries
from assent.harnesses.claude_code.settings_schema import faults, voided
from assent.harnesses.site import find
from assent.protocol.events import EVENTS

COMMAND = {"type": "command", "command": "true"}
HTTP = {"type": "http", "url": "http://127.0.0.1:1/x"}


def hooks(*entries: Any, event: str = "PreToolUse", **group: Any) -> dict[str, Any]:
    return {"hooks": {event: [{"hooks": list(entries), **group}]}}


def places(settings: Any) -> list[str]:
    return [fault.place for fault in faults(settings)]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"hooks": {}},
        {"hooks": {"Stop": []}},
        hooks(COMMAND),
        hooks(COMMAND, matcher="*"),
        hooks(COMMAND, matcher=""),
        hooks(COMMAND, matcher="mcp__.*__write"),
        hooks(COMMAND, matcher="Bash|Write", note="an unknown field"),
        hooks({**COMMAND, "args": ["a"], "if": "Bash(rm *)", "timeout": 0.5, "shell": "bash", "async": True}),
        hooks({**COMMAND, "onFailure": "continue", "statusMessage": "x", "once": False, "unknown": None}),
        hooks({**HTTP, "headers": {"A": "b"}, "allowedEnvVars": [], "onFailure": "block"}),
        hooks({"type": "prompt", "prompt": "x", "model": "m"}, {"type": "agent", "prompt": "x"}),
        hooks({"type": "mcp_tool", "server": "s", "tool": "t", "input": {"a": 1}}),
        {"permissions": {"allow": [], "deny": ["Bash"], "ask": [5], "defaultMode": "plan"}},
        {"env": {"A": 5}, "somethingNew": 5, "disableAllHooks": False, "model": "x"},
    ],
)
def test_settings_the_client_accepts_have_no_fault(settings: Any) -> None:
    """Unknown fields are accepted."""
    assert list(faults(settings)) == []


@pytest.mark.parametrize("unreachable", entries.UNREACHABLE)
def test_entries_of_ours_have_no_fault(unreachable: str) -> None:
    """Of every form."""
    for event, subscription in SUBSCRIPTIONS.items():
        for entry in (
            entries.local_entry(subscription, find().paths, unreachable),
            entries.shared_entry(subscription),
            entries.http_entry(subscription, 1, "x", unreachable),
        ):
            assert list(faults(hooks(entry, event=event))) == []


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({**COMMAND, "timeout": -1}, "timeout"),
        ({**COMMAND, "timeout": 0}, "timeout"),
        ({**COMMAND, "timeout": "10"}, "timeout"),
        ({**COMMAND, "timeout": None}, "timeout"),
        ({**COMMAND, "timeout": True}, "timeout"),
        ({**COMMAND, "onFailure": "deny"}, "onFailure"),
        ({**COMMAND, "shell": "fish"}, "shell"),
        ({**COMMAND, "async": "no"}, "async"),
        ({**COMMAND, "if": 5}, "if"),
        ({**COMMAND, "statusMessage": 5}, "statusMessage"),
        ({**COMMAND, "args": "x"}, "args"),
        ({**COMMAND, "args": [1]}, "args"),
        ({**COMMAND, "type": "shell"}, "type"),
        ({"command": "true"}, "type"),
        ({"type": "command"}, "command"),
        ({"type": "http"}, "url"),
        ({"type": "http", "url": "nope"}, "url"),
        ({**HTTP, "headers": {"a": 1}}, "headers"),
        ({"type": "prompt"}, "prompt"),
        ({"type": "mcp_tool", "server": "s"}, "tool"),
    ],
)
def test_wrong_field_voids_the_hooks_of_its_event(entry: dict[str, Any], field: str) -> None:
    """Those beside it too, and those of no other event."""
    settings = hooks(COMMAND, entry)
    assert places(settings) == [f"hooks.PreToolUse[0].hooks[1].{field}"]
    assert voided(settings) == {"PreToolUse"}


@pytest.mark.parametrize(
    ("groups", "place"),
    [
        ([None], "[0]"),
        ([COMMAND], "[0].hooks"),
        ([{"hooks": [COMMAND]}, {"matcher": "x"}], "[1].hooks"),
        ([{"hooks": COMMAND}], "[0].hooks"),
        ([{"matcher": 5, "hooks": [COMMAND]}], "[0].matcher"),
        ([{"matcher": None, "hooks": [COMMAND]}], "[0].matcher"),
        ([{"hooks": ["true"]}], "[0].hooks[0]"),
        ({"hooks": [COMMAND]}, ""),
        (None, ""),
    ],
)
def test_wrong_shape_voids_the_hooks_of_its_event(groups: Any, place: str) -> None:
    """Wherever it breaks."""
    settings = {"hooks": {"Stop": groups}}
    assert places(settings) == [f"hooks.Stop{place}"]
    assert voided(settings) == {"Stop"}


def test_matcher_that_is_no_expression_matches_nothing() -> None:
    """It costs its own group only."""
    settings = hooks(COMMAND, matcher="[")
    assert places(settings) == ["hooks.PreToolUse[0].matcher"]
    assert voided(settings) == frozenset()
    assert places(hooks(COMMAND, matcher="(?<name>Bash)")) == []


def test_unknown_event_is_named() -> None:
    """A misspelt event never fires; the others are not touched."""
    settings = {"hooks": {"PreToolUze": [{"hooks": [COMMAND]}], **hooks(COMMAND)["hooks"]}}
    assert places(settings) == ["hooks.PreToolUze"]
    assert "PreToolUse" not in voided(settings)


@pytest.mark.parametrize(
    ("setting", "place"),
    [
        ({"model": 5}, "model"),
        ({"model": None}, "model"),
        ({"disableAllHooks": "true"}, "disableAllHooks"),
        ({"disableAllHooks": 1}, "disableAllHooks"),
        ({"permissions": []}, "permissions"),
        ({"permissions": {"allow": "Bash"}}, "permissions.allow"),
        ({"permissions": {"defaultMode": "yolo"}}, "permissions.defaultMode"),
        ({"permissions": {"additionalDirectories": "x"}}, "permissions.additionalDirectories"),
        ({"env": []}, "env"),
        ({"cleanupPeriodDays": "x"}, "cleanupPeriodDays"),
        ({"allowedHttpHookUrls": "x"}, "allowedHttpHookUrls"),
        ({"hooks": "x"}, "hooks"),
        ({"$schema": 5}, "$schema"),
    ],
)
def test_setting_of_a_wrong_type_voids_the_whole_file(setting: dict[str, Any], place: str) -> None:
    """Every hook in it, of every event."""
    settings = {**hooks(COMMAND), **setting}
    assert places(settings) == [place]
    assert voided(settings) == frozenset(EVENTS)
