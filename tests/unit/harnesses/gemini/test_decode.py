"""Payloads captured from the real Gemini CLI 0.61.0, as Assent's events."""

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assent.harnesses.base import UnreadableError
from assent.harnesses.gemini import decode, main_field, operation
from assent.protocol import events
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

CAPTURED = Path(__file__).parents[3] / "fixtures" / "gemini"
# Told by the client, and of no use to us; it stays in what is recorded.
UNUSED = {"timestamp", "details", "mcp_context", "original_request_name"}
# Of a turn's end, the prompt that began it; of a failure, what the tool gave all the same.
UNUSED_IN: dict[type[events.Event], set[str]] = {
    events.Stop: {"prompt"},
    events.UnknownEvent: {"prompt"},
    events.PostToolUseFailure: {"tool_response"},
}


def captured(name: str) -> bytes:
    return (CAPTURED / f"{name}.json").read_bytes()


def read(name: str, **env: str) -> events.Event:
    return decode(captured(name), event_name=name.partition("-")[0], env=env)


def call(tool: str, given: dict[str, Any], **more: Any) -> events.PreToolUse:
    payload = {"session_id": "s", "hook_event_name": "BeforeTool", "tool_name": tool, "tool_input": given, **more}
    event = decode(json.dumps(payload).encode(), event_name="BeforeTool")
    assert isinstance(event, events.PreToolUse)
    return event


@pytest.mark.parametrize("name", sorted(file.stem for file in CAPTURED.glob("*.json")))
def test_every_captured_payload_is_read_with_no_field_left_over(name: str) -> None:
    """What has no field of ours is on the lists above, so that a new one is noticed."""
    event = read(name)
    known = {field.encode_name for field in msgspec.structs.fields(type(event))} | {"hook_event_name"}
    assert event.raw.keys() - known - UNUSED - UNUSED_IN.get(type(event), set()) == set()
    assert event.client.harness == "gemini"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("BeforeTool-run_shell_command", events.PreToolUse),
        ("AfterTool-run_shell_command", events.PostToolUse),
        ("AfterTool-read_file", events.PostToolUseFailure),
        ("SessionStart-startup", events.SessionStart),
        ("BeforeAgent", events.UserPromptSubmit),
        ("AfterAgent", events.Stop),
        ("Notification-ToolPermission", events.Notification),
        ("SessionEnd-exit", events.SessionEnd),
    ],
)
def test_event_becomes_ours(name: str, kind: type[events.Event]) -> None:
    assert isinstance(read(name), kind)


def test_words_that_kept_a_turn_going_are_no_prompt_of_a_person() -> None:
    """The client sends them back as the next prompt."""
    assert isinstance(read("BeforeAgent-continuation"), events.UnknownEvent)


def test_end_of_a_turn_has_the_agents_last_words() -> None:
    first, second = read("AfterAgent"), read("AfterAgent-after_block")
    assert isinstance(first, events.Stop)
    assert isinstance(second, events.Stop)
    assert (first.last_assistant_message, first.stop_hook_active) == ("finished", False)
    assert second.stop_hook_active


def test_open_dialog_is_told_as_one() -> None:
    event = read("Notification-ToolPermission")
    assert isinstance(event, events.Notification)
    assert event.notification_type == "permission_prompt"


def test_failure_says_what_went_wrong() -> None:
    """There is one event for results; a failure is known by its error."""
    event = read("AfterTool-read_file")
    assert isinstance(event, events.PostToolUseFailure)
    assert event.error == "File not found: /src/shop/nope.txt"


def test_tool_of_a_server_is_named_by_server_and_tool() -> None:
    """In the client's own name nothing tells where the server's ends."""
    before, after = read("BeforeTool-mcp_lab_shout"), read("AfterTool-mcp_lab_shout")
    assert isinstance(before, events.PreToolUse)
    assert isinstance(after, events.PostToolUse)
    assert before.decoded_operation == Mcp(server="lab", tool="shout")
    assert before.tool_name == after.tool_name == "mcp__lab__shout"


def test_command_is_judged_where_it_runs() -> None:
    """It may name a folder beside its command."""
    assert call("run_shell_command", {"command": "ls", "dir_path": "../other"}, cwd="/src/shop").cwd == "/src/other"
    assert call("run_shell_command", {"command": "ls", "dir_path": "/etc"}, cwd="/src/shop").cwd == "/etc"
    assert call("list_directory", {"dir_path": "sub"}, cwd="/src/shop").cwd == "/src/shop"


def test_recorded_payload_is_read_again() -> None:
    """It has Assent's names already, and is changed no further."""
    event = call("run_shell_command", {"command": "ls", "dir_path": "sub"}, cwd="/src/shop")
    again = decode(msgspec.json.encode(event.raw), event_name="PreToolUse")
    assert isinstance(again, events.PreToolUse)
    assert (again.cwd, again.decoded_operation) == ("/src/shop/sub", Shell(command="ls"))


def test_client_comes_from_the_environment() -> None:
    """Of a process that cannot be looked at it is not known whether a person sits there."""
    client = read("BeforeTool-read_file", GEMINI_PROJECT_DIR="/src/shop", ASSENT_GEMINI_PID="0").client
    assert (client.project, client.pid, client.attended) == ("/src/shop", 0, None)
    assert read("BeforeTool-read_file", ASSENT_GEMINI_PID="no").client.pid is None
    assert read("BeforeTool-read_file", ASSENT_GEMINI_PID=str(os.getpid())).client.pid == os.getpid()


@pytest.mark.parametrize(
    ("payload", "event_name"),
    [
        (b"[]", "BeforeTool"),
        (b"{", "BeforeTool"),
        (b"{}", "BeforeTool"),
        (b'{"hook_event_name": "BeforeTool"}', "BeforeTool"),
        (b'{"hook_event_name": "AfterTool", "session_id": "s"}', "BeforeTool"),
    ],
)
def test_what_cannot_be_read_is_said(payload: bytes, event_name: str) -> None:
    with pytest.raises(UnreadableError):
        decode(payload, event_name=event_name)


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("run_shell_command", {"command": "ls"}, Shell(command="ls")),
        ("run_shell_command", {}, Shell(command=None)),
        ("write_file", {"file_path": "b", "content": "x"}, Write(path="b", content="x")),
        (
            "replace",
            {"file_path": "b", "old_string": "x", "new_string": "y", "allow_multiple": True},
            Edit(path="b", replacements=(Replacement(old="x", new="y", everywhere=True),)),
        ),
        ("replace", {"file_path": "b", "old_string": "", "new_string": "y"}, Write(path="b", content="y")),
        ("replace", {"file_path": "b"}, Edit(path="b")),
        ("read_file", {"file_path": "b"}, Read(path="b")),
        ("list_directory", {"dir_path": "."}, Search(kind="list", path=".")),
        ("glob", {"pattern": "*.py"}, Search(kind="names", pattern="*.py")),
        (
            "grep_search",
            {"pattern": "x", "dir_path": "src", "include_pattern": "*.py"},
            Search(kind="content", path="src", pattern="x", files="*.py"),
        ),
        ("web_fetch", {"prompt": "Read https://a.example/x and sum it up."}, Fetch(url="https://a.example/x")),
        ("web_fetch", {"prompt": "https://a.example https://b.example"}, Fetch(url=None)),
        ("google_web_search", {"query": "x"}, Fetch(query="x")),
        ("invoke_agent", {"agent_name": "generalist", "prompt": "p"}, Subagent(prompt="p", kind="generalist")),
        (
            "ask_user",
            {"questions": [{"question": "Which?", "header": "H", "options": [{"label": "red"}, 1]}, 2]},
            Question(questions=(Asked(question="Which?", header="H", choices=(Choice(label="red"),)),)),
        ),
        ("exit_plan_mode", {"plan_filename": "plan.md"}, Plan(file="plan.md")),
        ("activate_skill", {"name": "pdf"}, Other(is_described=True, names=("pdf",))),
        ("write_todos", {}, Other(does="bookkeeping")),
        ("mcp_lab_shout", {}, Mcp(server="lab", tool="shout")),
        ("teleport", {}, Other()),
    ],
)
def test_tool_is_known_by_what_it_does(tool: str, given: dict[str, Any], expected: Operation) -> None:
    """So that policy, cards and rules need no name of the client's."""
    assert operation(tool, given) == expected


def test_main_field_is_what_a_call_is_about() -> None:
    assert main_field("run_shell_command") == "command"
    assert main_field("teleport") is None
