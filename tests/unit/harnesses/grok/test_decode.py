"""Payloads captured from the real Grok CLI 1.0.41, as Assent's events."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assent.harnesses.base import UnreadableError
from assent.harnesses.grok import decode, is_own, main_field, may_drop_prompts, operation
from assent.protocol import events, modes
from assent.protocol.operations import (
    Asked,
    Choice,
    Edit,
    Fetch,
    Mcp,
    Operation,
    Other,
    Plan,
    Question,
    Read,
    Replacement,
    Search,
    Shell,
    Subagent,
    Write,
)

CAPTURED = Path(__file__).parents[3] / "fixtures" / "grok"
OF_CLAUDE_CODE = Path(__file__).parents[3] / "fixtures" / "claude_code"
# Told by the client, and of no use to us; it stays in what is recorded.
UNUSED = {
    "timestamp",
    "workspaceRoot",
    "toolInputTruncated",
    "toolResultTruncated",
    "isBackgrounded",
    "description",
    "phase",
    "reason",
    "cancelledBy",
    "cancelTrigger",
    "reasonDetails",
    "level",
}


def captured(name: str) -> bytes:
    return (CAPTURED / f"{name}.json").read_bytes()


def read(name: str, **env: str) -> events.Event:
    return decode(captured(name), event_name=name.partition("-")[0], env=env)


def changed(name: str, **fields: Any) -> bytes:
    return json.dumps({**json.loads(captured(name)), **fields}).encode()


@pytest.mark.parametrize("name", sorted(file.stem for file in CAPTURED.glob("*.json")))
def test_every_captured_payload_is_read_with_no_field_left_over(name: str) -> None:
    """Those that it writes in two spellings are taken once. The rest is on the list above, so that a new one is
    noticed."""
    event = read(name)
    known = {field.encode_name for field in msgspec.structs.fields(type(event))} | {"hook_event_name"}
    if isinstance(event, events.UnknownEvent):
        known |= {"stop_hook_active"}
    assert event.raw.keys() - known - UNUSED == set()
    assert event.client.harness == "grok"
    assert event.client.project == "/home/dev/project"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("PreToolUse-run_terminal_command", events.PreToolUse),
        ("PermissionDenied-run_terminal_command", events.PermissionDenied),
        ("Stop-end_turn", events.Stop),
        ("Stop-shutdown", events.UnknownEvent),
        ("StopCancelled-user_interrupt", events.StopFailure),
        ("SubagentStop", events.SubagentStop),
        ("Notification", events.Notification),
        ("UserPromptSubmit", events.UserPromptSubmit),
    ],
)
def test_event_becomes_ours(name: str, kind: type[events.Event]) -> None:
    """A turn ends once: what comes when the session ends is no second end."""
    assert type(read(name)) is kind


def test_fields_of_its_own_spelling_are_ours() -> None:
    """Of those it writes in that spelling alone."""
    ended, told = read("Stop-end_turn"), read("Notification")
    assert isinstance(ended, events.Stop)
    assert (ended.last_assistant_message, ended.stop_hook_active) == ("finished", False)
    assert isinstance(told, events.Notification)
    assert told.notification_type == "permission_prompt"


def test_its_modes_are_ours() -> None:
    assert read("PreToolUse-run_terminal_command").permission_mode == modes.BYPASS
    assert read("PermissionDenied-run_terminal_command").permission_mode == modes.DEFAULT


def test_task_of_a_sub_agent_is_no_prompt_of_a_person() -> None:
    """Its parent wrote it, and the client says so."""
    event = decode(changed("UserPromptSubmit", subagentType="explore"), event_name="UserPromptSubmit")
    assert isinstance(event, events.UnknownEvent)


def test_cancelled_turn_says_why() -> None:
    """In words for people."""
    event = read("StopCancelled-user_interrupt")
    assert isinstance(event, events.StopFailure)
    assert event.error == "stopped at the terminal"


def test_call_whose_input_was_cut_is_not_judged_by_its_beginning() -> None:
    """What is missing may do anything."""
    with pytest.raises(UnreadableError):
        decode(changed("PreToolUse-read_file", toolInputTruncated=True), event_name="PreToolUse")


@pytest.mark.parametrize(
    ("payload", "event_name"), [(b"[]", "PreToolUse"), (b"{", "PreToolUse"), (b"{}", "PreToolUse"), (b"{}", "")]
)
def test_what_cannot_be_read_is_said(payload: bytes, event_name: str) -> None:
    with pytest.raises(UnreadableError):
        decode(payload, event_name=event_name)


@pytest.mark.parametrize("name", sorted(file.stem for file in CAPTURED.glob("*.json")))
def test_its_payloads_are_known_through_hooks_of_others(name: str) -> None:
    """It runs those of Claude Code's settings, too."""
    assert is_own(captured(name))


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b'{"hook_event_name": "PreToolUse", "tool_input": {"command": "echo \\"hookEventName\\""}}',
        b'"hookEventName"',
    ],
)
def test_payloads_of_others_are_not_its_own(payload: bytes) -> None:
    """Whatever stands in their calls."""
    assert not is_own(payload)


def test_no_payload_of_claude_code_is_its_own() -> None:
    files = [file for file in OF_CLAUDE_CODE.rglob("*.json*") if file.is_file()]
    assert files
    assert not any(is_own(file.read_bytes()) for file in files)


def test_mode_in_which_it_answers_its_own_prompts_is_seen() -> None:
    assert may_drop_prompts(captured("PreToolUse-read_file"))
    assert not may_drop_prompts(captured("PermissionDenied-run_terminal_command"))


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("run_terminal_command", {"command": "ls"}, Shell(command="ls")),
        ("run_terminal_command", {}, Shell(command=None)),
        ("write", {"file_path": "/p/b", "content": "x"}, Write(path="/p/b", content="x")),
        ("read_file", {"target_file": "/p/b"}, Read(path="/p/b")),
        (
            "search_replace",
            {"file_path": "/b", "old_string": "a", "new_string": "b"},
            Edit(path="/b", replacements=(Replacement(old="a", new="b"),)),
        ),
        ("search_replace", {"file_path": "/b", "old_string": "", "new_string": "b"}, Write(path="/b", content="b")),
        ("search_replace", {"file_path": "/b"}, Edit(path="/b")),
        ("grep", {"pattern": "x", "path": None}, Search(kind="content", pattern="x")),
        ("list_dir", {"target_directory": "/p"}, Search(kind="list", path="/p")),
        ("web_search", {"query": "q"}, Fetch(query="q")),
        ("spawn_subagent", {"prompt": "p", "subagent_type": "explore"}, Subagent(prompt="p", kind="explore")),
        ("github__get_issue", {}, Mcp(server="github", tool="get_issue")),
        ("use_tool", {"tool_name": "github__get_issue"}, Mcp(server="github", tool="get_issue")),
        ("use_tool", {}, Other()),
        (
            "ask_user_question",
            {"questions": [{"question": "Which?", "options": [{"label": "red"}, 1]}, 2]},
            Question(questions=(Asked(question="Which?", choices=(Choice(label="red"),)),)),
        ),
        ("exit_plan_mode", {}, Plan()),
        ("scheduler_list", {}, Other(does="bookkeeping")),
        ("teleport", {}, Other()),
    ],
)
def test_tool_is_known_by_what_it_does(tool: str, given: dict[str, Any], expected: Operation) -> None:
    """So that policy, cards and rules need no name of the client's."""
    assert operation(tool, given) == expected


def test_main_field_is_the_text_a_call_is_about() -> None:
    assert main_field("run_terminal_command") == "command"
    assert main_field("teleport") is None


def test_call_with_two_inputs_is_not_read() -> None:
    """One would be judged, and the other done."""
    sent = {**json.loads(captured("PreToolUse-run_terminal_command")), "toolInput": {"command": "ls"}}
    with pytest.raises(UnreadableError):
        decode(json.dumps(sent).encode(), event_name="PreToolUse")
