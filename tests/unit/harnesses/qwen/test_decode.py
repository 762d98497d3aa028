"""Payloads captured from the real Qwen Code 0.24.4, as Assent's events."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assent.harnesses.base import UnreadableError
from assent.harnesses.qwen import decode, main_field, operation
from assent.protocol import events, modes
from assent.protocol.operations import (
    Asked,
    Cell,
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

CAPTURED = Path(__file__).parents[3] / "fixtures" / "qwen"
# Told by the client, and of no use to us; it stays in what is recorded.
UNUSED = {
    "timestamp",
    "tool_call_id",
    "submitted_prompt",
    "context_usage",
    "context_limit",
    "input_tokens",
    "displayed_text",
    "is_final",
}


def captured(name: str) -> bytes:
    return (CAPTURED / f"{name}.json").read_bytes()


def read(name: str, **env: str) -> events.Event:
    return decode(captured(name), event_name=name.partition("-")[0], env=env)


@pytest.mark.parametrize("name", sorted(file.stem for file in CAPTURED.glob("*.json")))
def test_every_captured_payload_is_read_with_no_field_left_over(name: str) -> None:
    """What has no field of ours is on the list above, so that a new one is noticed."""
    event = read(name)
    assert isinstance(event, events.EVENTS[name.partition("-")[0]])
    known = {field.encode_name for field in msgspec.structs.fields(type(event))} | {"hook_event_name"}
    assert event.raw.keys() - known - UNUSED == set()
    assert event.client.harness == "qwen"


@pytest.mark.parametrize(
    ("sent", "mode"),
    [
        ("yolo", modes.BYPASS),
        ("auto_edit", modes.ACCEPT_EDITS),
        ("auto", modes.AUTO),
        ("plan", modes.PLAN),
        ("default", modes.DEFAULT),
        ("later", "later"),
    ],
)
def test_its_modes_are_ours(sent: str, mode: str) -> None:
    """One that is not known stays as it is."""
    payload = {**json.loads(captured("PreToolUse-read_file")), "permission_mode": sent}
    assert decode(json.dumps(payload).encode(), event_name="PreToolUse").permission_mode == mode


@pytest.mark.parametrize("extra", [{"prompt": ""}, {"prompt": "result", "submitted_prompt": ""}, {"prompt": None}])
def test_prompt_that_comes_with_results_is_no_prompt_of_a_person(extra: dict[str, Any]) -> None:
    """It comes again with every round of tools."""
    payload = json.loads(captured("UserPromptSubmit"))
    del payload["submitted_prompt"]
    event = decode(json.dumps({**payload, **extra}).encode(), event_name="UserPromptSubmit")
    assert isinstance(event, events.UnknownEvent)


def test_sub_agent_is_an_agent_of_its_parents_session() -> None:
    """The client marks its events."""
    started, stopped = read("SubagentStart"), read("SubagentStop")
    assert (started.session_id, started.agent_id) == (stopped.session_id, stopped.agent_id)
    assert started.agent_id


def test_project_comes_from_the_environment() -> None:
    """As for every harness."""
    assert read("PreToolUse-read_file", QWEN_PROJECT_DIR="/src/shop").client.project == "/src/shop"


@pytest.mark.parametrize(
    ("payload", "event_name"), [(b"[]", "PreToolUse"), (b"{", "PreToolUse"), (b"{}", "PreToolUse"), (b"{}", "")]
)
def test_what_cannot_be_read_is_said(payload: bytes, event_name: str) -> None:
    with pytest.raises(UnreadableError):
        decode(payload, event_name=event_name)


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("run_shell_command", {"command": "ls"}, Shell(command="ls")),
        ("run_shell_command", {"command": 1}, Shell(command=None)),
        ("write_file", {"file_path": "/p/b", "content": "x"}, Write(path="/p/b", content="x")),
        ("read_file", {"file_path": "/p/b"}, Read(path="/p/b")),
        (
            "edit",
            {"file_path": "/b", "old_string": "a", "new_string": "b", "replace_all": True},
            Edit(path="/b", replacements=(Replacement(old="a", new="b", everywhere=True),)),
        ),
        ("edit", {"file_path": "/b", "old_string": "", "new_string": "b"}, Write(path="/b", content="b")),
        ("edit", {"file_path": "/b"}, Edit(path="/b")),
        (
            "notebook_edit",
            {"notebook_path": "/n", "new_source": "1", "edit_mode": "insert"},
            Edit(path="/n", cell=Cell(id=None, source="1", change="insert")),
        ),
        ("notebook_edit", {"notebook_path": "/n"}, Edit(path="/n")),
        ("grep_search", {"pattern": "x", "path": 1}, Search(kind="content", path="", pattern="x")),
        ("glob", {"pattern": "*.py"}, Search(kind="names", pattern="*.py")),
        ("web_fetch", {"url": "https://a.example"}, Fetch(url="https://a.example")),
        ("agent", {"prompt": "p", "subagent_type": "explore"}, Subagent(prompt="p", kind="explore")),
        ("mcp__github__get_issue", {}, Mcp(server="github", tool="get_issue")),
        (
            "ask_user_question",
            {"questions": [{"question": "Which?", "multiSelect": True, "options": [{"label": "red"}, 1]}, 2]},
            Question(questions=(Asked(question="Which?", choices=(Choice(label="red"),), takes_several=True),)),
        ),
        ("ask_user_question", {}, Question()),
        ("exit_plan_mode", {"plan": "the plan"}, Plan(text="the plan")),
        ("task_list", {}, Other(does="bookkeeping")),
        ("teleport", {}, Other()),
    ],
)
def test_tool_is_known_by_what_it_does(tool: str, given: dict[str, Any], expected: Operation) -> None:
    """So that policy, cards and rules need no name of the client's."""
    assert operation(tool, given) == expected


def test_main_field_is_the_text_a_call_is_about() -> None:
    assert main_field("run_shell_command") == "command"
    assert main_field("teleport") is None
