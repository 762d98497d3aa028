"""Permission requests captured from six agents, and the proxy's other events, as Assent's events."""

import json
from pathlib import Path
from typing import Any

import pytest

from assent.harnesses.acp import SUBSCRIPTIONS, decode, mode
from assent.harnesses.base import UnreadableError
from assent.protocol import events
from assent.protocol.operations import Operation, Other, Shell, Write

CAPTURED = Path(__file__).parents[3] / "fixtures" / "acp"
AGENTS = {"gemini": "gemini-cli", "qwen": "qwen-code", "opencode": "OpenCode"}


def sent(event: str, **more: Any) -> events.Event:
    payload = {"session_id": "s", "cwd": "/srv/p", "project": "/srv/p", "agent": "gemini-cli", **more}
    return decode(json.dumps(payload).encode(), event_name=event)


def asked(name: str) -> events.Event:
    """A captured request, as the proxy tells the hub of it."""
    params = json.loads((CAPTURED / f"{name}.json").read_text())["params"]
    payload = {"tool_call": params["toolCall"], "session_id": params["sessionId"], "agent": AGENTS.get(name, name)}
    return sent("session/request_permission", **payload)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("copilot", Shell(command="touch ran")),
        ("gemini", Shell(command="touch ran")),
        ("opencode", Shell(command="touch ran")),
        ("qwen", Shell(command="touch ran")),
        # These give a title that need not be the whole command, or nothing: a person decides.
        ("kimi", Other()),
        ("vibe", Other()),
    ],
)
def test_captured_request_is_read(name: str, expected: Operation) -> None:
    event = asked(name)
    assert isinstance(event, events.PermissionRequest)
    assert event.decoded_operation == expected
    assert event.tool_use_id
    assert event.client.harness == f"acp:{AGENTS.get(name, name)}"


def test_every_captured_request_is_tested() -> None:
    assert {file.stem for file in CAPTURED.glob("*.json")} == {"copilot", "gemini", "kimi", "opencode", "qwen", "vibe"}


def test_title_is_no_command_of_an_agent_that_is_not_known() -> None:
    """It may be a part of the command, or words about it: what is judged would not be what runs."""
    call = {"toolCallId": "1", "kind": "execute", "title": "ls"}
    event = sent("session/request_permission", agent="new", tool_call=call)
    assert isinstance(event, events.ToolEvent)
    assert event.decoded_operation == Shell(command=None)
    assert event.tool_input == {"title": "ls"}


@pytest.mark.parametrize(
    ("call", "folder"),
    [
        ({"kind": "execute", "rawInput": {"command": "ls", "workdir": "/other"}}, "/other"),
        ({"kind": "execute", "rawInput": {"command": "ls", "directory": "lib"}}, "/srv/p/lib"),
        (
            {"kind": "execute", "title": "ls", "content": [{"content": {"type": "text", "text": "[in lib]"}}]},
            "/srv/p/lib",
        ),
        ({"kind": "execute", "rawInput": {"command": "ls"}}, "/srv/p"),
    ],
)
def test_call_is_judged_in_the_folder_it_names(call: dict[str, Any], folder: str) -> None:
    assert sent("session/request_permission", tool_call=call).cwd == folder


def test_events_become_ours() -> None:
    """Each with what the session's table and its asks need."""
    assert sent("session/new", source="startup", permission_mode="bypass") == events.SessionStart(
        session_id="s", cwd="/srv/p", source="startup", permission_mode="bypass"
    )
    assert sent("session/prompt", prompt="go") == events.UserPromptSubmit(session_id="s", cwd="/srv/p", prompt="go")
    assert sent("prompt_result", last_assistant_message="Done.") == events.Stop(
        session_id="s", cwd="/srv/p", last_assistant_message="Done."
    )
    assert isinstance(sent("prompt_result", error="quota"), events.StopFailure)
    assert isinstance(sent("session_end", reason="other"), events.SessionEnd)
    notice = sent("dialog")
    assert isinstance(notice, events.Notification)
    assert notice.notification_type == "permission_prompt"


def test_results_have_the_id_of_their_call() -> None:
    """A failure is told apart by its status."""
    call = {"toolCallId": "7", "kind": "execute", "rawInput": {"command": "ls"}, "status": "completed"}
    content = [{"type": "content", "content": {"type": "text", "text": "README.md"}}]
    done = sent("tool_call_update", tool_call=call, content=content)
    assert isinstance(done, events.PostToolUse)
    assert (done.tool_use_id, done.tool_response) == ("7", "README.md")
    failed = sent("tool_call_update", tool_call={**call, "status": "failed"}, content=content)
    assert isinstance(failed, events.PostToolUseFailure)
    assert failed.error == "README.md"


def test_what_the_editor_is_asked_to_do_is_read() -> None:
    write = sent("fs/write_text_file", params={"sessionId": "s", "path": "/srv/p/a", "content": "x"})
    assert isinstance(write, events.PreToolUse)
    assert write.decoded_operation == Write(path="/srv/p/a", content="x")
    run = sent("terminal/create", params={"sessionId": "s", "command": "npm", "args": ["test"], "cwd": "/srv/p/lib"})
    assert isinstance(run, events.PreToolUse)
    assert run.decoded_operation == Shell(command="npm test")
    assert run.cwd == "/srv/p/lib"


@pytest.mark.parametrize("payload", [b"", b"[]", b"{}", b'{"session_id": 1}', b'{"session_id":"s"}'])
def test_what_cannot_be_read_is_told(payload: bytes) -> None:
    with pytest.raises(UnreadableError):
        decode(payload, event_name="session/request_permission")


def test_event_that_is_not_known_is_told() -> None:
    with pytest.raises(UnreadableError):
        decode(b'{"session_id":"s"}', event_name="session/unheard_of")


def test_every_event_of_the_proxy_is_decoded() -> None:
    more = {"tool_call": {"kind": "other"}, "params": {}}
    for name, subscription in SUBSCRIPTIONS.items():
        assert sent(name, **more).name == subscription.becomes


@pytest.mark.parametrize(
    ("wire", "ours"),
    [
        ("default", "default"),
        ("yolo", "bypass"),
        ("bypassPermissions", "bypass"),
        ("auto-edit", "accept_edits"),
        ("autoEdit", "accept_edits"),
        ("https://agentclientprotocol.com/protocol/session-modes#plan", "plan"),
        ("build", "build"),
    ],
)
def test_modes_have_our_words(wire: str, ours: str) -> None:
    """A mode that is not known keeps its own."""
    assert mode(wire) == ours
