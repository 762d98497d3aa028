"""Encoder of decisions for Copilot CLI: flat objects, and nothing that is not honoured on that event."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from assent.harnesses import encoding
from assent.harnesses.base import UNJUDGED, Encoded, NotHonouredError, Replies, Unreachable
from assent.harnesses.copilot.facts import SUBSCRIPTIONS
from assent.protocol import events
from assent.protocol.decision import Allow, Block, Decision, Deny, Halt, NoOpinion, Proceed, Prompt
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event

_SPEAKS: dict[type[Event], tuple[type[Decision], ...]] = {
    events.PreToolUse: (Allow, Deny, Prompt, Proceed),
    events.PermissionRequest: (Allow, Deny),
    events.UserPromptSubmit: (Block, Proceed),
    events.PostToolUse: (Proceed,),
    events.PostToolUseFailure: (Proceed,),
    events.Stop: (Block, Proceed),
    events.SubagentStop: (Block, Proceed),
    events.SessionStart: (Proceed,),
    events.SubagentStart: (Proceed,),
}
_EVERY_KIND: tuple[type[Event], ...] = (*events.EVENTS.values(), events.UnknownEvent)
HONOURED: Mapping[type[Event], frozenset[type[Decision]]] = {
    kind: frozenset((NoOpinion, *_SPEAKS.get(kind, ()))) for kind in _EVERY_KIND
}
# Longer texts were not tried.
TEXT_LIMIT = 9_500


def encode(event: Event, decision: Decision) -> Output:
    """Raise NotHonouredError where the client would ignore this decision, or a part of it."""
    if type(decision) not in HONOURED.get(type(event), ()):
        raise NotHonouredError(f"Copilot does not honour {decision.word} on {event.name}")
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


def _allow(event: Event, allow: Allow) -> dict[str, Any]:
    if allow.grants:
        raise NotHonouredError("Copilot cannot be told to remember a permission")
    if isinstance(event, events.PermissionRequest):
        if allow.updated_input is not None or allow.context is not None:
            raise NotHonouredError("Copilot takes nothing beside an allow of its permission request")
        return {"behavior": "allow"}
    return {
        "permissionDecision": "allow",
        **({} if allow.updated_input is None else {"modifiedArgs": allow.updated_input}),
        **_note(allow.context),
    }


def _deny(event: Event, deny: Deny) -> dict[str, Any]:
    if isinstance(event, events.PermissionRequest):
        if deny.context is not None:
            raise NotHonouredError("Copilot takes no note beside a deny of its permission request")
        return {"behavior": "deny", "message": text(deny.reason), **({"interrupt": True} if deny.interrupt else {})}
    if deny.interrupt:
        raise NotHonouredError("Copilot cannot end the turn before a call")
    return _judged("deny", deny.reason, deny.context)


def _judged(word: str, reason: str, context: str | None) -> dict[str, Any]:
    return {"permissionDecision": word, "permissionDecisionReason": text(reason), **_note(context)}


def _proceed(event: Event, proceed: Proceed) -> dict[str, Any]:
    if isinstance(event, events.TurnEnd):
        # Words at the end of a turn keep it going.
        return _block(event, Block(proceed.context))
    if proceed.updated_input is not None and not isinstance(event, events.PreToolUse):
        raise NotHonouredError(f"Copilot takes no changed input on {event.name}")
    if proceed.updated_result is not None and not isinstance(event, events.PostToolUse):
        raise NotHonouredError(f"Copilot takes no other result on {event.name}")
    return {
        **({} if proceed.updated_input is None else {"modifiedArgs": proceed.updated_input}),
        **({} if proceed.updated_result is None else {"modifiedResult": proceed.updated_result}),
        **_note(proceed.context or None),
    }


def _block(event: Event, block: Block) -> dict[str, Any]:
    if block.context is not None:
        raise NotHonouredError(f"Copilot takes no note beside a block on {event.name}")
    return {"decision": "block", "reason": text(block.reason)}


_WRITERS: dict[type[Decision], Callable[[Any, Any], dict[str, Any]]] = {
    Allow: _allow,
    Deny: _deny,
    Prompt: lambda _, prompt: _judged("ask", prompt.reason, prompt.context),
    Proceed: _proceed,
    Block: _block,
}


def _note(context: str | None) -> dict[str, str]:
    return {} if context is None else {"additionalContext": text(context)}


def text(words: str) -> str:
    return encoding.sendable(words, TEXT_LIMIT)


def _trimmed(event: Event, decision: Decision, dropped: list[str]) -> Decision:
    """The decision without the parts this event ignores. Changed input is never such a part: the allow hangs on it."""
    if isinstance(decision, Deny) and decision.interrupt and not isinstance(event, events.PermissionRequest):
        dropped.append(f"Copilot cannot interrupt on {event.name}; the deny goes without it.")
        decision = replace(decision, interrupt=False)
    if isinstance(decision, Allow) and decision.grants:
        dropped.append("A lasting permission was not given: Copilot cannot be told to remember one.")
        decision = replace(decision, grants=())
    if (
        isinstance(decision, Allow | Deny | Prompt | Block)
        and decision.context is not None
        and not isinstance(event, events.PreToolUse)
    ):
        dropped.append(f"A note was not passed on: {event.name} takes none beside {decision.word}.")
        decision = replace(decision, context=None)
    return decision


def _stand_in(event: Event, decision: Decision) -> Decision | None:
    """A refusal in the words this event knows. Not at the end of a turn: there a block would keep the agent going."""
    if not isinstance(decision, Deny | Prompt | Block | Halt):
        return None
    if isinstance(event, events.PreToolUse):
        return Deny(decision.reason)
    if isinstance(event, events.PermissionRequest):
        # Silence opens the client's own dialog, or denies where it could not be seen.
        return None if isinstance(decision, Prompt) else Deny(decision.reason, isinstance(decision, Halt))
    return Block(decision.reason) if isinstance(event, events.UserPromptSubmit) else None


def unreadable(
    event_name: str,
    why: str,
    *,
    cause: Literal["bad_input", "too_large"] = "bad_input",
    may_drop_prompts: bool = False,  # noqa: ARG001 - a prompt is never dropped here
) -> tuple[Decision, Output]:
    """An unreadable tool call goes to the person at the terminal; for the rest silence changes nothing."""
    if event_name != "preToolUse":
        return NoOpinion(cause), SILENT
    decision = Prompt(f"Assent could not read this tool call: {why}.")
    return decision, Output(action="json_output", stdout_json=_judged("ask", decision.reason, None))


# --- without a hub


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


ASK = _json(_judged("ask", UNJUDGED, None))
DENY = _json(_judged("deny", UNJUDGED, None))
REFUSE = _json({"behavior": "deny", "message": UNJUDGED})


def replies(unreachable: Unreachable) -> Replies:
    """No payload tells whether tools run unasked, so wherever that counts a person is asked: the client's own dialog
    opens with --allow-all-tools, too, and a run without a person is denied the call."""
    before = {"no_opinion": b"", "prompt_in_bypass": ASK, "deny_in_bypass": ASK, "deny": DENY}[unreachable]
    refused = REFUSE if unreachable == "deny" else b""
    return {
        "preToolUse": {
            **dict.fromkeys(("unreachable", "unreachable_bypass"), before),
            **dict.fromkeys(("held", "held_bypass"), before or ASK),
            **dict.fromkeys(("run", "run_bypass"), DENY),
        },
        "permissionRequest": {
            **dict.fromkeys(("unreachable", "unreachable_bypass", "held", "held_bypass"), refused),
            **dict.fromkeys(("run", "run_bypass"), REFUSE),
        },
    }


assert replies("deny").keys() <= SUBSCRIPTIONS.keys()
