"""Decode what the proxy says of the messages between an editor and its agent into Assent's events."""

from collections.abc import Mapping
from typing import Any

from assent.harnesses import payload as payloads
from assent.harnesses.acp import tools
from assent.harnesses.acp.facts import CALLED, ENDED_CALL, ENDED_TURN, NAME, PERMISSION, SUBSCRIPTIONS, TERMINAL, WRITE
from assent.harnesses.acp.tools import main_field, operation
from assent.harnesses.base import UnreadableError
from assent.protocol.events import Event, ToolEvent, with_client, with_operation
from assent.protocol.record import Client

__all__ = ["decode", "main_field", "may_drop_prompts", "operation"]

_NOTHING: Mapping[str, str] = {}
# What the proxy writes of every event, in the names of the events.
_PLAIN = ("session_id", "cwd", "permission_mode", "source", "prompt", "last_assistant_message", "error", "reason")
_REPORTED = (PERMISSION, CALLED, ENDED_CALL)
_ASKED_OF_EDITOR = (WRITE, TERMINAL)
_FAILED = "failed"


def decode(payload: bytes, *, event_name: str, env: Mapping[str, str] = _NOTHING) -> Event:  # noqa: ARG001
    sent = payloads.read_object(payload)
    subscription = SUBSCRIPTIONS.get(event_name)
    if subscription is None or not isinstance(sent.get("session_id"), str):
        raise UnreadableError("it names no session" if subscription else "it does not name its event")
    agent = sent.get("agent") if isinstance(sent.get("agent"), str) else ""
    raw = {name: sent[name] for name in _PLAIN if isinstance(sent.get(name), str)}
    raw["hook_event_name"] = subscription.becomes
    if event_name in _REPORTED:
        _reported(raw, sent, event_name, agent or "")
    elif event_name in _ASKED_OF_EDITOR:
        _asked_of_editor(raw, sent, event_name)
    elif event_name == ENDED_TURN and "error" in raw:
        raw["hook_event_name"] = "StopFailure"
    elif subscription.becomes == "Notification":
        raw["notification_type"] = "permission_prompt"
    event = payloads.event(raw["hook_event_name"], raw)
    if isinstance(event, ToolEvent):
        with_operation(event, operation(event.tool_name, event.tool_input))
    project = sent.get("project")
    harness = f"{NAME}:{agent}" if agent else NAME
    return with_client(event, Client(harness=harness, project=project if isinstance(project, str) else ""))


def _reported(raw: dict[str, Any], sent: dict[str, Any], event_name: str, agent: str) -> None:
    """A call of which the agent tells. Only a permission request waits for what is said about it."""
    call = sent.get("tool_call")
    if not isinstance(call, dict):
        raise UnreadableError("it names no call")
    raw["tool_name"], raw["tool_input"] = tools.named(call), tools.given(call, agent)
    if isinstance(name := call.get("toolCallId"), str):
        raw["tool_use_id"] = name
    _in_folder(raw, tools.folder(call, raw["tool_input"]))
    raw["is_reported"] = event_name != PERMISSION
    if event_name == ENDED_CALL:
        told = "\n".join(tools.texts(sent.get("content")))
        if call.get("status") == _FAILED:
            raw["hook_event_name"], raw["error"] = "PostToolUseFailure", told
        else:
            raw["tool_response"] = told


def _asked_of_editor(raw: dict[str, Any], sent: dict[str, Any], event_name: str) -> None:
    params = sent.get("params")
    if not isinstance(params, dict):
        raise UnreadableError("it has no parameters")
    made = {name: value for name, value in params.items() if name != "sessionId"}
    raw["tool_name"], raw["tool_input"] = event_name, made
    _in_folder(raw, made["cwd"] if event_name == TERMINAL and isinstance(made.get("cwd"), str) else "")


def _in_folder(raw: dict[str, Any], folder: str) -> None:
    if folder:
        raw["cwd"] = folder if folder.startswith("/") else f"{raw.get('cwd', '').rstrip('/')}/{folder}"


def may_drop_prompts(_payload: bytes) -> bool:
    """A prompt is the proxy's own question to the editor, whatever mode the agent is in."""
    return False
