"""The JSON Claude Code takes as an answer, spelt exactly as it spells it.

A wrong type, a wrong word or a hookEventName that is not the event's voids the whole answer, so replies are built from
these structs and nothing else; the JSON Schema people see is derived from the same structs.
"""

import json
from typing import Any, Literal, cast

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from assent.harnesses import encoding
from assent.harnesses.base import UNJUDGED, Replies, Unreachable
from assent.protocol.permission import Grant

# The client puts longer texts into a file and shows its name instead. It counts UTF-16 units, up to 10,000.
TEXT_LIMIT = 9_500


class Whole(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """A reply spelt alike on every event that honours it."""


class Specific(Whole, frozen=True, kw_only=True, tag_field="hookEventName"):
    """A reply for one event, which it names; it travels inside ``hookSpecificOutput``."""


class Blocked(Whole, frozen=True, kw_only=True, tag_field="decision", tag="block"):
    reason: str


class Halted(Whole, frozen=True, kw_only=True):
    continue_: Literal[False] = field(name="continue")
    stop_reason: str


class Note(Specific, frozen=True, kw_only=True):
    """A text for the model, beside what happens anyway."""

    additional_context: str


NOTES: dict[str, type[Note]] = {
    name: cast("type[Note]", msgspec.defstruct(f"{name}Note", [], bases=(Note,), tag=name, frozen=True))
    for name in (
        "SessionStart",
        "UserPromptSubmit",
        "UserPromptExpansion",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "SubagentStart",
        "SubagentStop",
        "Stop",
    )
}


# A refusal that the model is told more about.
BLOCKED_WITH_NOTE: dict[str, Any] = {
    name: msgspec.defstruct(
        f"{name}BlockedWithNote",
        [("hook_specific_output", NOTES[name])],
        bases=(Blocked,),
        tag="block",
        frozen=True,
        kw_only=True,
    )
    for name in ("UserPromptSubmit", "PostToolUse", "PostToolUseFailure")
}


class Changed(Specific, frozen=True, kw_only=True, tag="PreToolUse"):
    """Other input for a call that is then asked about, or not, as without us."""

    updated_input: dict[str, Any]
    additional_context: str | UnsetType = UNSET


class Result(Specific, frozen=True, kw_only=True, tag="PostToolUse"):
    """What the model reads in place of the tool's result. The first must have the shape of that tool's own results."""

    updated_tool_output: Any = UNSET
    updated_mcp_tool_output: Any = field(default=UNSET, name="updatedMCPToolOutput")
    additional_context: str | UnsetType = UNSET


class CallDecision(Specific, frozen=True, kw_only=True, tag="PreToolUse"):
    permission_decision: Literal["allow", "deny", "ask", "defer"]
    permission_decision_reason: str | UnsetType = UNSET
    updated_input: dict[str, Any] | UnsetType = UNSET
    additional_context: str | UnsetType = UNSET


class DeniedAndHalted(Halted, frozen=True, kw_only=True):
    """A call that does not run, and no turn after it."""

    hook_specific_output: CallDecision


class SwitchDecision(Specific, frozen=True, kw_only=True, tag="PreModelSwitch"):
    permission_decision: Literal["allow", "deny", "ask"]
    permission_decision_reason: str | UnsetType = UNSET


class Permitted(Whole, frozen=True, kw_only=True, tag_field="behavior", tag="allow"):
    updated_input: dict[str, Any] | UnsetType = UNSET
    updated_permissions: tuple[Grant, ...] | UnsetType = UNSET


class Refused(Whole, frozen=True, kw_only=True, tag_field="behavior", tag="deny"):
    # With ``reason`` in its place the call is still denied, but the model never sees the text.
    message: str
    interrupt: Literal[True] | UnsetType = UNSET


class PermissionDecision(Specific, frozen=True, kw_only=True, tag="PermissionRequest"):
    decision: Permitted | Refused


class Retry(Specific, frozen=True, kw_only=True, tag="PermissionDenied"):
    """Whether the model is told that it may make the refused call again. By itself that lets nothing run."""

    retry: bool


class FormAnswer(Specific, frozen=True, kw_only=True, tag="Elicitation"):
    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | UnsetType = UNSET


class FormOverride(FormAnswer, frozen=True, kw_only=True, tag="ElicitationResult"):
    """Replaces what the person answered."""


class Beside(Whole, frozen=True, kw_only=True):
    """What may stand beside every reply: words for the person at the terminal, never for the model."""

    system_message: str | UnsetType = UNSET
    # Taken, and without effect in the client these facts were measured on.
    suppress_output: bool | UnsetType = UNSET


# What is written on each event. On the others nothing is ever printed.
REPLIES: dict[str, tuple[type[Whole], ...]] = {
    "SessionStart": (NOTES["SessionStart"],),
    "UserPromptSubmit": (NOTES["UserPromptSubmit"], Blocked, BLOCKED_WITH_NOTE["UserPromptSubmit"], Halted),
    "UserPromptExpansion": (NOTES["UserPromptExpansion"], Blocked),
    "PreToolUse": (CallDecision, NOTES["PreToolUse"], Changed, DeniedAndHalted),
    "PermissionRequest": (PermissionDecision,),
    "PermissionDenied": (Retry,),
    "PostToolUse": (NOTES["PostToolUse"], Result, Blocked, BLOCKED_WITH_NOTE["PostToolUse"], Halted),
    "PostToolUseFailure": (NOTES["PostToolUseFailure"], Blocked, BLOCKED_WITH_NOTE["PostToolUseFailure"]),
    "PostToolBatch": (NOTES["PostToolBatch"], Blocked, Halted),
    "SubagentStart": (NOTES["SubagentStart"],),
    "SubagentStop": (NOTES["SubagentStop"], Blocked, Halted),
    "Stop": (NOTES["Stop"], Blocked, Halted),
    "TaskCreated": (Blocked,),
    "TaskCompleted": (Blocked,),
    "TeammateIdle": (Blocked,),
    "PreCompact": (Blocked,),
    "ConfigChange": (Blocked,),
    "PreModelSwitch": (SwitchDecision,),
    "Elicitation": (FormAnswer,),
    "ElicitationResult": (FormOverride,),
}


def to_json(reply: Whole) -> dict[str, Any]:
    body: dict[str, Any] = msgspec.to_builtins(reply)
    return {"hookSpecificOutput": body} if isinstance(reply, Specific) else body


def text(words: str) -> str:
    """What can be sent of a text."""
    return encoding.sendable(words, TEXT_LIMIT)


# How the payload says that tools run unasked: this key with this value, both as they stand in JSON.
BYPASS = (b'"permission_mode"', b'"bypassPermissions"')

WHY = UNJUDGED
WAYS_OUT = (
    "In bypassPermissions it would have run unjudged, so it was denied. Three ways out, for the user to choose: "
    "assent up starts Assent, assent down works without it, or leave bypassPermissions."
)
STOPPED = "Assent was stopped with assent down: nothing is judged and nobody is asked until assent up."


def _call(decision: str, reason: str) -> bytes:
    return _json(
        {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": decision,
                "permissionDecisionReason": reason,
            }
        }
    )


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


PROMPT = _call("ask", WHY)
DENY = _call("deny", WHY)
DENY_IN_BYPASS = _call("deny", f"{WHY} {WAYS_OUT}")
REFUSE = _json(
    {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "message": WHY}}}
)
NOTICE = _json({"systemMessage": STOPPED})
# The events on which the client shows a hook's message to the person.
NOTICED_ON = ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop")

_IN_BYPASS: dict[Unreachable, bytes] = {
    "no_opinion": b"",
    "prompt_in_bypass": PROMPT,
    "deny_in_bypass": DENY_IN_BYPASS,
    "deny": DENY_IN_BYPASS,
}


def replies(unreachable: Unreachable) -> Replies:
    """By event and situation; what is not named is silence, and exit code 0 always."""
    elsewhere = DENY if unreachable == "deny" else b""
    in_bypass = _IN_BYPASS[unreachable]
    refused = REFUSE if unreachable == "deny" else b""
    table: Replies = {event: {"stopped": NOTICE, "stopped_bypass": NOTICE} for event in NOTICED_ON}
    table["PreToolUse"] |= {
        "unreachable": elsewhere,
        "unreachable_bypass": in_bypass,
        # A hub that kept the call waiting for a person had promised at least a prompt: under an allow rule of the
        # client's, silence would run it.
        "held": elsewhere or PROMPT,
        "held_bypass": in_bypass or PROMPT,
        "run": DENY,
        "run_bypass": DENY,
    }
    table["PermissionRequest"] = {
        "unreachable": refused,
        "unreachable_bypass": refused,
        "held": refused,
        "held_bypass": refused,
        "run": REFUSE,
        "run_bypass": REFUSE,
    }
    return table
