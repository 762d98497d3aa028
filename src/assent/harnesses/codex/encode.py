"""Encoder of decisions for Codex. One key that it does not know, or an empty reason, voids the whole reply, and a void
reply is silence, in which a call runs: so nothing is written that was not seen to be honoured."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from assent.harnesses import encoding
from assent.harnesses.base import UNJUDGED, Encoded, NotHonouredError, Replies, Unreachable
from assent.harnesses.codex.facts import SUBSCRIPTIONS
from assent.protocol import events
from assent.protocol.decision import Allow, Block, Decision, Deny, Halt, NoOpinion, Proceed, Prompt
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event

# There is no Prompt: no hook can make it ask.
_SPEAKS: dict[type[Event], tuple[type[Decision], ...]] = {
    events.PreToolUse: (Allow, Deny, Proceed),
    events.PermissionRequest: (Allow, Deny),
    events.PostToolUse: (Block, Proceed),
    events.UserPromptSubmit: (Block, Proceed, Halt),
    events.SessionStart: (Proceed, Halt),
    events.SubagentStart: (Proceed,),
    events.Stop: (Block, Proceed, Halt),
    events.SubagentStop: (Block, Proceed),
    events.PreCompact: (Halt,),
}
_EVERY_KIND: tuple[type[Event], ...] = (*events.EVENTS.values(), events.UnknownEvent)
HONOURED: Mapping[type[Event], frozenset[type[Decision]]] = {
    kind: frozenset((NoOpinion, *_SPEAKS.get(kind, ()))) for kind in _EVERY_KIND
}
# Of longer notes the model is shown the beginning, and the name of a file that holds the rest.
TEXT_LIMIT = 7_500
NOT_ASKED = (
    "Somebody has to agree to this first, and Codex cannot be made to ask. Go on without it, or tell your user that it "
    "is needed."
)


def encode(event: Event, decision: Decision) -> Output:
    """Raise NotHonouredError where the client would ignore or void this decision, or a part of it."""
    if type(decision) not in HONOURED.get(type(event), ()):
        raise NotHonouredError(f"Codex does not honour {decision.word} on {event.name}")
    if isinstance(decision, NoOpinion):
        return SILENT
    written = _WRITERS[type(decision)](event, decision)
    if not encoding.is_json(written):
        raise NotHonouredError("What is not JSON cannot be sent")
    return Output(action="json_output", stdout_json=written) if written else SILENT


def encode_safely(event: Event, decision: Decision) -> Encoded:
    """The nearest thing the client honours that allows no more, and sentences about what was left out."""
    dropped: list[str] = []
    candidates = (_trimmed(event, decision, dropped), _stand_in(event, decision))
    return encoding.first_honoured(encode, event, candidates, dropped)


def _specific(event_name: str, **fields: Any) -> dict[str, Any]:
    told = {name: value for name, value in fields.items() if value is not None}
    return {"hookSpecificOutput": {"hookEventName": event_name, **told}} if told else {}


def _allow(event: Event, allow: Allow) -> dict[str, Any]:
    """Before a call a plain allow is silence. It counts again when the client asks about the same call."""
    if allow.grants:
        raise NotHonouredError("Codex cannot be told to remember a permission")
    if isinstance(event, events.PermissionRequest):
        if allow.updated_input is not None or allow.context is not None:
            raise NotHonouredError("Codex takes nothing beside an allow of its permission request")
        return _specific("PermissionRequest", decision={"behavior": "allow"})
    if allow.updated_input is None:
        return _specific("PreToolUse", additionalContext=_note(allow.context))
    return _specific(
        "PreToolUse",
        permissionDecision="allow",
        updatedInput=allow.updated_input,
        additionalContext=_note(allow.context),
    )


def _deny(event: Event, deny: Deny) -> dict[str, Any]:
    if deny.interrupt:
        raise NotHonouredError("Codex cannot end the turn with a deny")
    if isinstance(event, events.PermissionRequest):
        if deny.context is not None:
            raise NotHonouredError("Codex takes no note beside a deny of its permission request")
        return _specific("PermissionRequest", decision={"behavior": "deny", "message": text(deny.reason)})
    return _denied(deny.reason, deny.context)


def _denied(reason: str, context: str | None = None) -> dict[str, Any]:
    return _specific(
        "PreToolUse",
        permissionDecision="deny",
        permissionDecisionReason=text(reason),
        additionalContext=_note(context),
    )


def _proceed(event: Event, proceed: Proceed) -> dict[str, Any]:
    if isinstance(event, events.TurnEnd):
        # Words at the end of a turn keep it going.
        return _block(event, Block(proceed.context))
    if proceed.updated_result is not None:
        raise NotHonouredError(f"Codex takes no other result on {event.name}")
    if proceed.updated_input is None:
        return _specific(event.name, additionalContext=_note(proceed.context or None))
    if not isinstance(event, events.PreToolUse):
        raise NotHonouredError(f"Codex takes no changed input on {event.name}")
    return _allow(event, Allow(proceed.updated_input, context=proceed.context or None))


def _block(event: Event, block: Block) -> dict[str, Any]:
    if block.context is not None:
        raise NotHonouredError(f"Codex takes no note beside a block on {event.name}")
    return {"decision": "block", "reason": text(block.reason)}


_WRITERS: dict[type[Decision], Callable[[Any, Any], dict[str, Any]]] = {
    Allow: _allow,
    Deny: _deny,
    Proceed: _proceed,
    Block: _block,
    Halt: lambda _, halt: {"continue": False, "stopReason": text(halt.reason)},
}


def _note(context: str | None) -> str | None:
    return None if context is None else text(context)


def text(words: str) -> str:
    return encoding.sendable(words, TEXT_LIMIT)


def _trimmed(event: Event, decision: Decision, dropped: list[str]) -> Decision:
    """The decision without the parts this event ignores. Changed input is never such a part: the allow hangs on it."""
    if isinstance(decision, Deny) and decision.interrupt:
        dropped.append("Codex cannot end the turn with a deny; it goes without that.")
        decision = replace(decision, interrupt=False)
    if isinstance(decision, Allow) and decision.grants:
        dropped.append("A lasting permission was not given: Codex cannot be told to remember one.")
        decision = replace(decision, grants=())
    if (
        isinstance(decision, Allow | Deny | Block)
        and decision.context is not None
        and not isinstance(event, events.PreToolUse)
    ):
        dropped.append(f"A note was not passed on: {event.name} takes none beside {decision.word}.")
        decision = replace(decision, context=None)
    return decision


def _stand_in(event: Event, decision: Decision) -> Decision | None:
    """A refusal in the words this event knows. Not at the end of a turn: there a block would keep the agent going."""
    if isinstance(event, events.PreToolUse):
        match decision:
            case Prompt(reason=reason):
                return Deny(f"{reason} {NOT_ASKED}")
            case Deny(reason=reason) | Block(reason=reason) | Halt(reason=reason):
                return Deny(reason)
            case Allow(updated_input=changed) | Proceed(updated_input=changed) if changed is not None:
                # Silence would run the call as it was.
                return Deny("The call was to run otherwise, and Codex could not be told how.")
        return None
    if isinstance(event, events.PermissionRequest):
        # Silence opens the client's own dialog.
        return Deny(decision.reason) if isinstance(decision, Deny | Block | Halt) else None
    if isinstance(event, events.UserPromptSubmit) and isinstance(decision, Deny | Prompt | Block | Halt):
        return Block(decision.reason)
    return None


def unreadable(
    event_name: str,
    why: str,
    *,
    cause: Literal["bad_input", "too_large"] = "bad_input",
    may_drop_prompts: bool = False,  # noqa: ARG001 - there are no prompts
) -> tuple[Decision, Output]:
    """An unreadable tool call is denied, because silence may run it; its permission request opens the client's own
    dialog, and for the rest silence changes nothing."""
    if event_name != "PreToolUse":
        return NoOpinion(cause), SILENT
    decision = Deny(f"Assent could not read this tool call: {why}.")
    return decision, Output(action="json_output", stdout_json=_denied(decision.reason))


# --- without a hub


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


IN_BYPASS = (
    "Codex asks nothing here, so it would have run unjudged and was denied. Ways out, for the user to choose: assent "
    "up starts Assent, assent down works without it."
)
DENY = _json(_denied(UNJUDGED))
DENY_IN_BYPASS = _json(_denied(f"{UNJUDGED} {IN_BYPASS}"))
REFUSE = _json(_specific("PermissionRequest", decision={"behavior": "deny", "message": UNJUDGED}))


def replies(unreachable: Unreachable) -> Replies:
    """Where nothing is asked, a prompt that is wanted can only be a deny. A hub that held a call had promised that a
    person would see it."""
    elsewhere = DENY if unreachable == "deny" else b""
    in_bypass = b"" if unreachable == "no_opinion" else DENY_IN_BYPASS
    refused = REFUSE if unreachable == "deny" else b""
    return {
        "PreToolUse": {
            "unreachable": elsewhere,
            "unreachable_bypass": in_bypass,
            **dict.fromkeys(("held", "held_bypass", "run", "run_bypass"), DENY),
        },
        "PermissionRequest": {
            **dict.fromkeys(("unreachable", "unreachable_bypass", "held", "held_bypass"), refused),
            **dict.fromkeys(("run", "run_bypass"), REFUSE),
        },
    }


assert replies("deny").keys() <= SUBSCRIPTIONS.keys()
