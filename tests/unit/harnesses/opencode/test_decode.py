"""What the plugin in opencode 1.18.33 sends, around payloads captured from the client, as Assent's events."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assent.harnesses.base import UnreadableError
from assent.harnesses.opencode import SUBSCRIPTIONS, decode, may_drop_prompts, operation
from assent.protocol import events, modes
from assent.protocol.events import AnsweredThere
from assent.protocol.operations import (
    Asked,
    Choice,
    Edit,
    Fetch,
    FileChange,
    Mcp,
    Operation,
    Other,
    Patch,
    Question,
    Read,
    Replacement,
    Search,
    Shell,
    Subagent,
    Write,
)

SENT = Path(__file__).parents[3] / "fixtures" / "opencode"
# Of the client's own names; it stays in what is recorded.
UNUSED = {"agent", "event", "asks", "use"}


def sent(name: str) -> bytes:
    return (SENT / f"{name}.json").read_bytes()


def read(name: str) -> events.Event:
    return decode(sent(name), event_name=name.partition("-")[0])


@pytest.mark.parametrize("name", sorted(file.stem for file in SENT.glob("*.json")))
def test_everything_sent_is_read_with_no_field_left_over(name: str) -> None:
    """What has no field of ours is on the list above, so that a new one is noticed."""
    event = read(name)
    known = {field.encode_name for field in msgspec.structs.fields(type(event))} | {"hook_event_name"}
    # An answer at the terminal names its call.
    assert event.raw.keys() - known - UNUSED - {"tool_use_id"} == set()
    assert event.client.harness == "opencode"
    assert event.client.project == "/home/dev/project"
    assert event.client.attended is True


def test_every_event_of_the_plugin_has_a_sample() -> None:
    assert {file.stem.partition("-")[0] for file in SENT.glob("*.json")} == set(SUBSCRIPTIONS)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("tool.execute.before-bash", events.PreToolUse),
        ("permission.asked", events.PermissionRequest),
        ("question.asked", events.PermissionRequest),
        ("permission.replied", events.Notification),
        ("tool.execute.after-bash", events.PostToolUse),
        ("message.part.updated-read", events.PostToolUseFailure),
        ("chat.message", events.UserPromptSubmit),
        ("session.created", events.SessionStart),
        ("session.created-child", events.SubagentStart),
        ("session.idle", events.Stop),
        ("session.idle-child", events.SubagentStop),
        ("session.error", events.StopFailure),
        ("session.compacted", events.PostCompact),
        ("session.deleted", events.SessionEnd),
        ("dispose", events.SessionEnd),
    ],
)
def test_event_becomes_ours(name: str, kind: type[events.Event]) -> None:
    """By the name that the plugin sends it for."""
    assert isinstance(read(name), kind)


def test_sub_agent_is_an_agent_of_its_parents_session() -> None:
    """The client gives it a session of its own; when that goes, its parent's goes on."""
    started, parent = read("session.created-child"), read("session.created")
    assert started.session_id == parent.session_id
    assert (started.agent_id, started.agent_type) == ("ses_child", "general")
    gone = decode(b'{"session_id": "s", "agent_id": "child"}', event_name="session.deleted")
    assert isinstance(gone, events.UnknownEvent)


def test_permission_request_is_about_the_call_before_it() -> None:
    """By the client's id of the call."""
    asked = read("permission.asked")
    assert isinstance(asked, events.PermissionRequest)
    assert asked.tool_use_id == asked.raw["event"]["tool"]["callID"]
    assert asked.decoded_operation == Shell(command="touch ran")


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"reply": "once"}, "allowed at the terminal"),
        ({"reply": "always"}, "allowed at the terminal, and from now on until opencode ends"),
        ({"reply": "reject"}, "denied at the terminal"),
        ({"answers": [["blue"]]}, "answered in its terminal"),
        ({}, "denied at the terminal"),
        (None, "denied at the terminal"),
    ],
)
def test_answer_in_the_client_is_told(told: Any, words: str) -> None:
    """So that the ask elsewhere ends, and says how."""
    payload = json.dumps({"session_id": "s", "use": "call_1", "event": told}).encode()
    event = decode(payload, event_name="permission.replied")
    assert event.answered_there == AnsweredThere(call="call_1", words=words)


@pytest.mark.parametrize(
    ("fields", "mode"),
    [
        ({"asks": True, "agent": "build"}, modes.DEFAULT),
        ({"asks": False, "agent": "build"}, modes.BYPASS),
        ({"asks": False, "agent": "plan"}, modes.PLAN),
        ({}, modes.DEFAULT),
    ],
)
def test_mode_is_whether_the_client_would_ask(fields: dict[str, Any], mode: str) -> None:
    payload = json.dumps({"session_id": "s", "tool": "bash", "args": {}, **fields}).encode()
    assert decode(payload, event_name="tool.execute.before").permission_mode == mode


def test_payload_that_does_not_say_that_it_asks_may_drop_prompts() -> None:
    """Nothing runs because it could not be read."""
    assert may_drop_prompts(b"{")
    assert not may_drop_prompts(b'{"asks":true')


@pytest.mark.parametrize(
    ("payload", "event_name"),
    [(b"[]", "tool.execute.before"), (b"{", "tool.execute.before"), (b"{}", "tool.execute.before"), (b"{}", "")],
)
def test_what_cannot_be_read_is_said(payload: bytes, event_name: str) -> None:
    with pytest.raises(UnreadableError):
        decode(payload, event_name=event_name)


PATCH = "*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch"
RED = {"label": "red", "description": "r"}


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("bash", {"command": "ls"}, Shell(command="ls")),
        ("bash", {}, Shell(command=None)),
        ("write", {"filePath": "/p/b", "content": "x"}, Write(path="/p/b", content="x")),
        ("read", {"filePath": "/p/b"}, Read(path="/p/b")),
        (
            "edit",
            {"filePath": "/b", "oldString": "a", "newString": "b", "replaceAll": True},
            Edit(path="/b", replacements=(Replacement(old="a", new="b", everywhere=True),)),
        ),
        ("edit", {"filePath": "/b"}, Edit(path="/b")),
        ("apply_patch", {"patchText": PATCH}, Patch(files=(FileChange(path="a.txt", new="x\n"),))),
        ("apply_patch", {}, Patch(files=())),
        ("grep", {"pattern": "x", "include": "*.py"}, Search(kind="content", pattern="x", files="*.py")),
        ("glob", {"pattern": "*"}, Search(kind="names", pattern="*")),
        ("webfetch", {"url": "https://a.example"}, Fetch(url="https://a.example")),
        ("websearch", {"query": "q"}, Fetch(query="q")),
        ("task", {"prompt": "p", "subagent_type": "explore"}, Subagent(prompt="p", kind="explore")),
        (
            "question",
            {"questions": [{"question": "Which?", "header": "h", "options": [RED, 1], "multiple": True}]},
            Question(
                questions=(
                    Asked(
                        question="Which?",
                        header="h",
                        choices=(Choice(label="red", description="r"),),
                        takes_several=True,
                    ),
                )
            ),
        ),
        ("question", {"questions": [{"question": "Which?"}, {}]}, Question()),
        ("mcp__files__read", {}, Mcp(server="files", tool="read")),
        ("skill", {"name": "pdf"}, Other(is_described=True, names=("pdf",), words="Use the skill pdf")),
        ("todowrite", {}, Other(does="bookkeeping")),
        ("teleport", {}, Other()),
    ],
)
def test_tool_is_known_by_what_it_does(tool: str, given: dict[str, Any], expected: Operation) -> None:
    """So that policy, cards and rules need no name of the client's."""
    assert operation(tool, given) == expected
