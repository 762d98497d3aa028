"""The schemas against captured payloads and golden replies."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from assent.errors import UsageError
from assent.harnesses import schema
from assent.harnesses.claude_code.reply import REPLIES
from assent.harnesses.claude_code.tools import TOOLS
from assent.protocol.events import EVENTS
from tests.captured import payloads


def errors(name: str, instance: Any) -> list[str]:
    return [error.message for error in Draft202012Validator(schema.schema(name)).iter_errors(instance)]


def test_names_are_every_event_tool_and_reply() -> None:
    """Whatever crosses a boundary has a schema."""
    expected = {*EVENTS, *(f"{name}.reply" for name in REPLIES), *(f"{name}.input" for name in TOOLS)}
    assert schema.names() == sorted(expected)


@pytest.mark.parametrize("name", schema.names())
def test_schema_is_valid_draft_2020_12(name: str) -> None:
    """Each schema is one a validator accepts."""
    made = schema.schema(name)
    assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert made["title"] == name
    Draft202012Validator.check_schema(made)


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_event_schema_accepts_every_captured_payload(name: str) -> None:
    """What the real client sends is valid, tool inputs included."""
    for raw in payloads():
        if raw["hook_event_name"] == name:
            assert errors(name, raw) == []
            if raw.get("tool_name") in TOOLS:
                assert errors(f"{raw['tool_name']}.input", raw["tool_input"]) == []


def test_event_schema_refuses_another_event() -> None:
    """A payload is valid for the event it is, and no other."""
    assert errors("Stop", {"hook_event_name": "SubagentStop", "session_id": "s"})
    assert errors("PreToolUse", {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash"})


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("PreToolUse.reply", {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "maybe"}}),
        ("PreToolUse.reply", {"hookSpecificOutput": {"hookEventName": "Stop", "permissionDecision": "allow"}}),
        ("PreToolUse.reply", {"hookSpecificOutput": {"permissionDecision": "allow"}}),
        ("PreToolUse.reply", {}),
        ("Stop.reply", {"reason": "no decision beside it"}),
        (
            "PermissionRequest.reply",
            {
                "hookSpecificOutput": {
                    "hookEventName": "PermissionRequest",
                    "decision": {"behavior": "deny", "reason": "r"},
                }
            },
        ),
    ],
)
def test_reply_schema_refuses_what_the_client_would_void(name: str, wrong: dict[str, Any]) -> None:
    """The mistakes that cost a whole answer are mistakes by the schema too."""
    assert errors(name, wrong)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("PreToolUs", "did you mean PreToolUse?"),
        ("bash.input", "did you mean Bash.input?"),
        ("%%", "assent schema lists every name"),
    ],
)
def test_unknown_name_is_a_usage_error_with_the_nearest(name: str, hint: str) -> None:
    """A misspelt name is answered with the one that was meant."""
    with pytest.raises(UsageError) as caught:
        schema.schema(name)
    assert caught.value.hint == hint
