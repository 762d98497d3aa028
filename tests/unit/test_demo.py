"""The recorded session is one the real client could have sent."""

from typing import Any

import msgspec

from assent import demo
from assent.harnesses import claude_code
from assent.harnesses.claude_code.tools import OtherTool, parse
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import EVENTS, Event, ToolEvent, UnknownEvent


def events() -> list[Event]:
    return [
        claude_code.decode(msgspec.json.encode(step.payload), event_name=step.event) for step in demo.steps("0a1b2c3d")
    ]


def test_recording_decodes_as_known_events() -> None:
    """No payload is unknown, and no tool input falls through to the open fallback."""
    for event in events():
        assert not isinstance(event, UnknownEvent)
        assert event.name in EVENTS
        if isinstance(event, ToolEvent):
            assert not isinstance(parse(event.tool_name, event.tool_input), OtherTool), event


def test_recording_has_no_field_the_events_do_not_know() -> None:
    """Everything in it is spelt as the client spells it: nothing is left over after decoding."""
    for event in events():
        assert set(event.raw) <= set(msgspec.structs.asdict(event)) | {"hook_event_name"}, event.name


def test_recording_tells_a_whole_story() -> None:
    """Start, prompt, a sub-agent, a failure, a question, a catastrophe, an end."""
    names = [step.event for step in demo.steps()]
    assert names[:3] == ["SessionStart", "InstructionsLoaded", "UserPromptSubmit"]
    assert names[-1] == "SessionEnd"
    wanted = {"SubagentStart", "SubagentStop", "PermissionRequest", "PostToolUseFailure", "Notification", "Stop"}
    assert wanted <= set(names)
    assert [step.payload["tool_input"]["command"] for step in demo.steps() if step.call == "wipe"] == ["rm -rf ~"]


def test_recording_opens_and_closes_each_call() -> None:
    """Each PreToolUse has its result, but for the call the floor denies."""
    opened: dict[str, Any] = {}
    for step in demo.steps():
        call = str(step.payload.get("tool_use_id"))
        if step.event == "PreToolUse":
            opened[call] = step.call
        elif step.event in ("PostToolUse", "PostToolUseFailure"):
            assert opened.pop(call) == step.call
    assert list(opened.values()) == ["wipe"]


def test_recording_lasts_about_forty_seconds() -> None:
    """Slow enough to watch, short enough to wait for."""
    assert 30 <= sum(step.wait for step in demo.steps()) <= 45


def test_recording_has_ids_of_its_own_each_time() -> None:
    """Two replays are two sessions with separate calls, both told from real ones by their id."""
    first, second = demo.steps(), demo.steps()
    ids = [{step.payload["session_id"] for step in steps} for steps in (first, second)]
    assert all(len(one) == 1 and min(one).startswith("demo-") for one in ids)
    assert ids[0] != ids[1]
    calls = [{step.payload.get("tool_use_id") for step in steps} - {None} for steps in (first, second)]
    assert not calls[0] & calls[1]
    assert "$" + "RUN" not in str(first)


def test_answer_reads_what_the_client_would() -> None:
    """A word and a reason, whatever the event's own shape of reply."""
    specific = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "No."}
    asked = {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "message": "No."}}
    assert demo.answer(SILENT) == ("no opinion", "")
    for each in ({"hookSpecificOutput": specific}, {"hookSpecificOutput": asked}):
        assert demo.answer(Output(action="json_output", stdout_json=each)) == ("deny", "No.")
    blocked = Output(action="json_output", stdout_json={"decision": "block", "reason": "Go on."})
    assert demo.answer(blocked) == ("block", "Go on.")
    assert demo.answer(Output(action="block_with_stderr", stderr="No.")) == ("block", "No.")
