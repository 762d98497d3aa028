"""Payloads captured from the real Copilot CLI 1.0.102, as Assent's events."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assent.harnesses.base import UnreadableError
from assent.harnesses.copilot import decode, operation
from assent.protocol import events
from assent.protocol.operations import (
    Asked,
    Choice,
    Edit,
    FileChange,
    Operation,
    Other,
    Patch,
    Plan,
    Question,
    Read,
    Replacement,
    Shell,
    Subagent,
    Write,
)

CAPTURED = Path(__file__).parents[3] / "fixtures" / "copilot"
# Told by the client, and of no use to us; it stays in what is recorded.
UNUSED = {
    "timestamp",
    "hookName",
    "initialPrompt",
    "stopReason",
    "parentAgentId",
    "agentName",
    "errorContext",
    "recoverable",
    "transformedPrompt",
    "response",
    "background_agents",
}


DELETES = "*** Begin Patch\n*** Delete File: a\n*** End Patch"


def captured(name: str) -> bytes:
    return (CAPTURED / f"{name}.json").read_bytes()


def read(name: str, **env: str) -> events.Event:
    return decode(captured(name), event_name=name.partition("-")[0], env=env)


@pytest.mark.parametrize("name", sorted(file.stem for file in CAPTURED.glob("*.json")))
def test_every_captured_payload_is_read_with_no_field_left_over(name: str) -> None:
    """What has no field of ours is on the list above, so that a new one is noticed."""
    event = read(name)
    known = {field.encode_name for field in msgspec.structs.fields(type(event))} | {"hook_event_name"}
    if isinstance(event, events.UnknownEvent):
        known.add("prompt")
    assert event.raw.keys() - known - UNUSED == set()
    assert event.client.harness == "copilot"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("preToolUse-bash", events.PreToolUse),
        ("permissionRequest-edit", events.PermissionRequest),
        ("postToolUse-bash", events.PostToolUse),
        ("postToolUseFailure-view", events.PostToolUseFailure),
        ("sessionStart-new", events.SessionStart),
        ("userPromptSubmitted", events.UserPromptSubmit),
        ("agentStop", events.Stop),
        ("agentStop-in_subagent", events.SubagentStop),
        ("notification-permission_prompt", events.Notification),
        ("errorOccurred", events.StopFailure),
        ("sessionEnd-complete", events.SessionEnd),
    ],
)
def test_event_becomes_ours(name: str, kind: type[events.Event]) -> None:
    """By the name that the hook was started for: most payloads name no event."""
    assert isinstance(read(name), kind)


def test_sub_agent_is_an_agent_of_its_parents_session() -> None:
    """The client gives it a session of its own."""
    stopped, started = read("agentStop-in_subagent"), read("subagentStart")
    assert stopped.session_id == started.session_id
    assert stopped.agent_id == started.agent_id != stopped.session_id


def test_task_of_a_sub_agent_is_no_prompt_of_a_person() -> None:
    """Its parent wrote it."""
    assert isinstance(read("userPromptSubmitted-in_subagent"), events.UnknownEvent)


def test_project_comes_from_the_environment() -> None:
    """As for every harness."""
    assert read("preToolUse-bash", COPILOT_PROJECT_DIR="/src/shop").client.project == "/src/shop"


@pytest.mark.parametrize(
    ("payload", "event_name"), [(b"[]", "preToolUse"), (b"{", "preToolUse"), (b"{}", "preToolUse"), (b"{}", "")]
)
def test_what_cannot_be_read_is_said(payload: bytes, event_name: str) -> None:
    with pytest.raises(UnreadableError):
        decode(payload, event_name=event_name)


def test_arguments_as_a_text_of_json_are_read() -> None:
    """As the client's documentation has them."""
    payload = json.dumps({"sessionId": "s", "toolName": "bash", "toolArgs": '{"command": "ls"}'}).encode()
    event = decode(payload, event_name="preToolUse")
    assert isinstance(event, events.PreToolUse)
    assert event.decoded_operation == Shell(command="ls")


NEW_FILE = "\ndiff --git a/p/b.txt b/p/b.txt\n--- a/dev/null\n+++ b/p/b.txt\n@@ -1,0 +1,1 @@\n+hello\n"
CHANGED = "--- a/p/b.txt\n+++ b/p/b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("bash", {"command": "ls"}, Shell(command="ls")),
        ("bash", {}, Shell(command=None)),
        ("create", {"path": "/p/b", "file_text": "x"}, Write(path="/p/b", content="x")),
        ("view", {"path": "/p/b"}, Read(path="/p/b")),
        (
            "edit",
            {"path": "/b", "old_str": "a", "new_str": "b"},
            Edit(path="/b", replacements=(Replacement(old="a", new="b"),)),
        ),
        ("edit", {"file_path": "/p/b.txt", "diff": NEW_FILE}, Write(path="/p/b.txt", content="hello\n")),
        ("edit", {"file_path": "/p/b.txt", "diff": "no diff"}, Edit(path="/p/b.txt")),
        ("str_replace_editor", {"command": "view", "path": "/b"}, Read(path="/b")),
        ("apply_patch", {"patch": DELETES}, Patch(files=(FileChange(path="a"),))),
        ("apply_patch", {"input": DELETES}, Patch(files=())),
        ("task", {"prompt": "p", "agent_type": "explore"}, Subagent(prompt="p", kind="explore")),
        (
            "ask_user",
            {"question": "Which?", "choices": ["red", 1]},
            Question(questions=(Asked(question="Which?", choices=(Choice(label="red"),)),)),
        ),
        ("exit_plan_mode", {"summary": "the plan"}, Plan(text="the plan")),
        ("report_intent", {}, Other(does="bookkeeping")),
        ("teleport", {}, Other()),
    ],
)
def test_tool_is_known_by_what_it_does(tool: str, given: dict[str, Any], expected: Operation) -> None:
    """So that policy, cards and rules need no name of the client's."""
    assert operation(tool, given) == expected


def test_change_comes_with_the_parts_around_it() -> None:
    """As the client shows it where it asks."""
    made = operation("edit", {"file_path": "/p/b.txt", "diff": CHANGED})
    assert isinstance(made, Patch)
    assert [(file.path, file.old, file.new) for file in made.files] == [("/p/b.txt", "one\ntwo\n", "one\nthree\n")]


def test_call_with_two_inputs_is_not_read() -> None:
    """One would be judged, and the other done."""
    sent = {**json.loads(captured("preToolUse-bash")), "tool_input": {"command": "ls"}}
    with pytest.raises(UnreadableError):
        decode(json.dumps(sent).encode(), event_name="preToolUse")


def test_patch_is_sent_as_a_text() -> None:
    """Of no other tool."""
    sent = {"sessionId": "s", "cwd": "/p", "toolName": "apply_patch", "toolArgs": DELETES}
    event = decode(json.dumps(sent).encode(), event_name="preToolUse")
    assert isinstance(event, events.PreToolUse)
    assert event.decoded_operation == Patch(files=(FileChange(path="a"),))
    with pytest.raises(UnreadableError):
        decode(json.dumps({**sent, "toolName": "bash"}).encode(), event_name="preToolUse")
