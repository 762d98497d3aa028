"""Encoder of decisions for Qwen Code: objects in the shape of its hooks, and nothing that is not honoured there.

PreToolUse comes once a call is approved, so whatever is not refused there runs: with the input it has."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from assent.harnesses import encoding
from assent.harnesses.base import UNJUDGED, Encoded, NotHonouredError, Replies, Unreachable
from assent.harnesses.qwen.facts import SUBSCRIPTIONS
from assent.protocol import events
from assent.protocol.decision import Allow, Block, Decision, Deny, Halt, NoOpinion, Proceed, Prompt
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event

_SPEAKS: dict[type[Event], tuple[type[Decision], ...]] = {
    events.PreToolUse: (Allow, Deny, Prompt),
    events.PermissionRequest: (Allow, Deny),
    events.UserPromptSubmit: (Block, Proceed),
    events.PostToolUse: (Proceed,),
    events.SessionStart: (Proceed,),
    events.Stop: (Block, Proceed),
}
_EVERY_KIND: tuple[type[Event], ...] = (*events.EVENTS.values(), events.UnknownEvent)
HONOURED: Mapping[type[Event], frozenset[type[Decision]]] = {
    kind: frozenset((NoOpinion, *_SPEAKS.get(kind, ()))) for kind in _EVERY_KIND
}
# Longer texts were not tried.
TEXT_LIMIT = 9_500
_NOT_CHANGED = "It was to run with another input, and Qwen Code takes none here. Make the call again."


def encode(event: Event, decision: Decision) -> Output:
    """Raise NotHonouredError where the client would ignore this decision, or a part of it."""
    if type(decision) not in HONOURED.get(type(event), ()):
        raise NotHonouredError(f"Qwen Code does not honour {decision.word} on {event.name}")
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


def _specific(event: str, **said: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **said}}


def _judged(word: str, reason: str = "") -> dict[str, Any]:
    why = {"permissionDecisionReason": text(reason)} if reason else {}
    return _specific("PreToolUse", permissionDecision=word, **why)


def _allow(event: Event, allow: Allow) -> dict[str, Any]:
    if allow.grants:
        raise NotHonouredError("Qwen Code cannot be told to remember a permission")
    if allow.context is not None:
        raise NotHonouredError("Qwen Code takes no note beside an allow")
    if isinstance(event, events.PermissionRequest):
        changed = {} if allow.updated_input is None else {"updatedInput": allow.updated_input}
        return _specific(event.name, decision={"behavior": "allow", **changed})
    if allow.updated_input is not None:
        raise NotHonouredError("Qwen Code takes no other input right before a call")
    return _judged("allow")


def _deny(event: Event, deny: Deny) -> dict[str, Any]:
    if deny.interrupt or deny.context is not None:
        raise NotHonouredError("Qwen Code takes nothing beside a deny")
    if isinstance(event, events.PermissionRequest):
        return _specific(event.name, decision={"behavior": "deny", "message": text(deny.reason)})
    return _judged("deny", text(deny.reason))


def _prompt(_event: Event, prompt: Prompt) -> dict[str, Any]:
    if prompt.context is not None:
        raise NotHonouredError("Qwen Code takes no note beside a prompt")
    return _judged("ask", text(prompt.reason))


def _proceed(event: Event, proceed: Proceed) -> dict[str, Any]:
    if isinstance(event, events.TurnEnd):
        # Words at the end of a turn keep it going.
        return _block(event, Block(proceed.context))
    if proceed.updated_input is not None or proceed.updated_result is not None:
        raise NotHonouredError(f"Qwen Code takes no other input or result on {event.name}")
    return _specific(event.name, additionalContext=text(proceed.context)) if proceed.context else {}


def _block(event: Event, block: Block) -> dict[str, Any]:
    if block.context is not None:
        raise NotHonouredError(f"Qwen Code takes no note beside a block on {event.name}")
    return {"decision": "block", "reason": text(block.reason)}


_WRITERS: dict[type[Decision], Callable[[Any, Any], dict[str, Any]]] = {
    Allow: _allow,
    Deny: _deny,
    Prompt: _prompt,
    Proceed: _proceed,
    Block: _block,
}


def text(words: str) -> str:
    return encoding.sendable(words, TEXT_LIMIT)


def _trimmed(event: Event, decision: Decision, dropped: list[str]) -> Decision:
    """The decision without the parts this event ignores. Changed input is never such a part: the allow hangs on it."""
    if isinstance(decision, Deny) and decision.interrupt:
        dropped.append("Qwen Code cannot be interrupted by a hook; the deny goes without it.")
        decision = replace(decision, interrupt=False)
    if isinstance(decision, Allow) and decision.grants:
        dropped.append("A lasting permission was not given: Qwen Code cannot be told to remember one.")
        decision = replace(decision, grants=())
    if isinstance(decision, Allow | Deny | Prompt | Block) and decision.context is not None:
        dropped.append(f"A note was not passed on: {event.name} takes none beside {decision.word}.")
        decision = replace(decision, context=None)
    return decision


def _stand_in(event: Event, decision: Decision) -> Decision | None:
    """A refusal in the words this event knows. Not at the end of a turn: there a block would keep the agent going."""
    if isinstance(event, events.PreToolUse) and isinstance(decision, Allow | Proceed):
        # Silence would run the call with the input it has.
        return Deny(_NOT_CHANGED) if decision.updated_input is not None else None
    if not isinstance(decision, Deny | Prompt | Block | Halt):
        return None
    if isinstance(event, events.PreToolUse):
        return Deny(decision.reason)
    if isinstance(event, events.PermissionRequest):
        # Silence opens the client's own dialog.
        return None if isinstance(decision, Prompt) else Deny(decision.reason)
    return Block(decision.reason) if isinstance(event, events.UserPromptSubmit) else None


def unreadable(
    event_name: str,
    why: str,
    *,
    cause: Literal["bad_input", "too_large"] = "bad_input",
    may_drop_prompts: bool = False,  # noqa: ARG001 - a prompt is never dropped here
) -> tuple[Decision, Output]:
    """An unreadable tool call goes to the person at the terminal; for the rest silence changes nothing."""
    if event_name != "PreToolUse":
        return NoOpinion(cause), SILENT
    decision = Prompt(f"Assent could not read this tool call: {why}.")
    return decision, Output(action="json_output", stdout_json=_judged("ask", text(decision.reason)))


# --- without a hub


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


ASK = _json(_judged("ask", UNJUDGED))
DENY = _json(_judged("deny", UNJUDGED))
REFUSE = _json(_specific("PermissionRequest", decision={"behavior": "deny", "message": UNJUDGED}))


def replies(unreachable: Unreachable) -> Replies:
    """Silence opens the dialog where a permission is asked for. Right before a call it runs the call, which only in one
    mode comes there unasked."""
    elsewhere, refused = (DENY, REFUSE) if unreachable == "deny" else (b"", b"")
    in_bypass = {"no_opinion": b"", "prompt_in_bypass": ASK, "deny_in_bypass": DENY, "deny": DENY}[unreachable]
    return {
        "PreToolUse": {
            "unreachable": elsewhere,
            "unreachable_bypass": in_bypass,
            "held": elsewhere or ASK,
            "held_bypass": in_bypass or ASK,
            **dict.fromkeys(("run", "run_bypass"), DENY),
        },
        "PermissionRequest": {
            **dict.fromkeys(("unreachable", "unreachable_bypass", "held", "held_bypass"), refused),
            **dict.fromkeys(("run", "run_bypass"), REFUSE),
        },
    }


assert replies("deny").keys() <= SUBSCRIPTIONS.keys()
