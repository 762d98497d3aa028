"""Encoder of decisions for Gemini CLI.

An allow of ours approves nothing there: it lets the call go on to the client's own check, which runs it or opens its
dialog."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from assent.harnesses import encoding
from assent.harnesses.base import UNJUDGED, Encoded, NotHonouredError, Replies, Unreachable
from assent.harnesses.gemini.facts import GO_ON, SUBSCRIPTIONS
from assent.protocol import events
from assent.protocol.decision import Allow, Block, Decision, Deny, Halt, NoOpinion, Proceed, Prompt
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event

_SPEAKS: dict[type[Event], tuple[type[Decision], ...]] = {
    events.PreToolUse: (Allow, Deny, Prompt, Proceed, Halt),
    events.PostToolUse: (Proceed, Halt),
    events.PostToolUseFailure: (Proceed, Halt),
    events.UserPromptSubmit: (Block, Proceed, Halt),
    events.Stop: (Block, Proceed, Halt),
    events.SessionStart: (Proceed,),
}
_EVERY_KIND: tuple[type[Event], ...] = (*events.EVENTS.values(), events.UnknownEvent)
HONOURED: Mapping[type[Event], frozenset[type[Decision]]] = {
    kind: frozenset((NoOpinion, *_SPEAKS.get(kind, ()))) for kind in _EVERY_KIND
}
# Longer texts were not tried.
TEXT_LIMIT = 9_500
_NO_DIALOG = "A person would have to decide this, and none can be asked here."


def encode(event: Event, decision: Decision) -> Output:
    """Raise NotHonouredError where the client would ignore this decision, or a part of it."""
    if type(decision) not in HONOURED.get(type(event), ()):
        raise NotHonouredError(f"Gemini CLI does not honour {decision.word} on {event.name}")
    if isinstance(decision, NoOpinion):
        return SILENT
    written = _WRITERS[type(decision)](event, decision)
    if not encoding.is_json(written):
        raise NotHonouredError("What is not JSON cannot be sent")
    return Output(action="json_output", stdout_json=written)


def encode_safely(event: Event, decision: Decision) -> Encoded:
    """The nearest thing the client honours that allows no more, and sentences about what was left out."""
    dropped: list[str] = []
    candidates = (_trimmed(event, decision, dropped), _stand_in(event, decision))
    return encoding.first_honoured(encode, event, candidates, dropped)


def _allow(_event: Event, allow: Allow) -> dict[str, Any]:
    if allow.grants:
        raise NotHonouredError("Gemini CLI cannot be told to remember a permission")
    if allow.context is not None:
        raise NotHonouredError("Gemini CLI takes no note before a call")
    return {"decision": "allow", **_changed(allow.updated_input)}


def _deny(_event: Event, deny: Deny) -> dict[str, Any]:
    if deny.context is not None:
        raise NotHonouredError("Gemini CLI takes no note before a call")
    reason = text(deny.reason)
    return {**_refused(reason), **(_halted(reason) if deny.interrupt else {})}


def _prompt(event: Event, prompt: Prompt) -> dict[str, Any]:
    if event.client.attended is not True:
        raise NotHonouredError("Gemini CLI would wait for ever for a dialog that is not shown")
    if prompt.context is not None:
        raise NotHonouredError("Gemini CLI takes no note before a call")
    reason = text(prompt.reason)
    return {"decision": "ask", "reason": reason, "systemMessage": reason}


def _proceed(event: Event, proceed: Proceed) -> dict[str, Any]:
    if proceed.updated_result is not None:
        raise NotHonouredError("Gemini CLI takes no other result")
    if proceed.updated_input is not None and not isinstance(event, events.PreToolUse):
        raise NotHonouredError(f"Gemini CLI takes no other input on {event.name}")
    if isinstance(event, events.Stop):
        return _go_on(proceed.context)
    if isinstance(event, events.PreToolUse):
        if proceed.context:
            raise NotHonouredError("Gemini CLI takes no note before a call")
        return _changed(proceed.updated_input)
    names = {each.becomes: each.event for each in SUBSCRIPTIONS.values()} | {"PostToolUseFailure": "AfterTool"}
    said = {"hookEventName": names[event.name], "additionalContext": text(proceed.context)}
    return {"hookSpecificOutput": said} if proceed.context else {}


def _block(event: Event, block: Block) -> dict[str, Any]:
    if block.context is not None:
        raise NotHonouredError(f"Gemini CLI takes no note beside a block on {event.name}")
    return _go_on(block.reason) if isinstance(event, events.Stop) else _refused(text(block.reason))


def _go_on(words: str) -> dict[str, Any]:
    return _refused(GO_ON + text(words))


def _refused(reason: str) -> dict[str, Any]:
    return {"decision": "deny", "reason": reason}


def _halted(reason: str) -> dict[str, Any]:
    return {"continue": False, "stopReason": reason}


def _changed(updated_input: dict[str, Any] | None) -> dict[str, Any]:
    """The whole input: the client builds the call anew from what is sent."""
    if updated_input is None:
        return {}
    return {"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": updated_input}}


_WRITERS: dict[type[Decision], Callable[[Any, Any], dict[str, Any]]] = {
    Allow: _allow,
    Deny: _deny,
    Prompt: _prompt,
    Proceed: _proceed,
    Block: _block,
    Halt: lambda _, halt: _halted(text(halt.reason)),
}


def text(words: str) -> str:
    return encoding.sendable(words, TEXT_LIMIT)


def _trimmed(event: Event, decision: Decision, dropped: list[str]) -> Decision:
    """The decision without the parts this event ignores. Changed input is never such a part: the allow hangs on it."""
    if isinstance(decision, Allow) and decision.grants:
        dropped.append("A lasting permission was not given: Gemini CLI cannot be told to remember one.")
        decision = replace(decision, grants=())
    if isinstance(decision, Allow | Deny | Prompt | Block) and decision.context is not None:
        dropped.append(f"A note was not passed on: {event.name} takes none beside {decision.word}.")
        decision = replace(decision, context=None)
    if isinstance(decision, Proceed) and decision.context and isinstance(event, events.PreToolUse):
        dropped.append("A note was not passed on: Gemini CLI takes none before a call.")
        decision = replace(decision, context="")
    return decision


def _stand_in(event: Event, decision: Decision) -> Decision | None:
    """A refusal in the words this event knows. Not at the end of a turn: there a block would keep the agent going."""
    if not isinstance(decision, Deny | Prompt | Block | Halt):
        return None
    if isinstance(event, events.PreToolUse):
        return Deny(f"{decision.reason} {_NO_DIALOG}" if isinstance(decision, Prompt) else decision.reason)
    return Block(decision.reason) if isinstance(event, events.UserPromptSubmit) else None


def unreadable(
    event_name: str,
    why: str,
    *,
    cause: Literal["bad_input", "too_large"] = "bad_input",
    may_drop_prompts: bool = False,  # noqa: ARG001 - no prompt is asked for here
) -> tuple[Decision, Output]:
    """An unreadable tool call is denied: silence may run it, and whether a dialog would be seen is not known."""
    if event_name != "BeforeTool":
        return NoOpinion(cause), SILENT
    decision = Deny(f"Assent could not read this tool call: {why}.")
    return decision, Output(action="json_output", stdout_json=_refused(text(decision.reason)))


# --- without a hub

DENY = json.dumps(_refused(UNJUDGED), separators=(",", ":")).encode()


def replies(unreachable: Unreachable) -> Replies:
    """No payload tells whether tools run unasked or whether a dialog would be seen, so wherever that counts the call is
    denied."""
    before = b"" if unreachable == "no_opinion" else DENY
    return {
        "BeforeTool": {
            **dict.fromkeys(("unreachable", "unreachable_bypass"), before),
            **dict.fromkeys(("held", "held_bypass", "run", "run_bypass"), DENY),
        }
    }


assert replies("deny").keys() <= SUBSCRIPTIONS.keys()
