"""Encoder of decisions for Grok CLI: objects in the shape of its hooks, and nothing that is not honoured there.

An allow lets a call run only in the mode that asks for nothing. A prompt must not be sent there, because the client
answers it with yes, nor in auto mode, where it goes to a classifier."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from assent.harnesses import encoding
from assent.harnesses.base import UNJUDGED, Encoded, NotHonouredError, Replies, Unreachable
from assent.harnesses.grok.facts import FACTS, SUBSCRIPTIONS
from assent.protocol import events, modes
from assent.protocol.decision import Allow, Block, Decision, Deny, Halt, NoOpinion, Proceed, Prompt
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event

_SPEAKS: dict[type[Event], tuple[type[Decision], ...]] = {
    events.PreToolUse: (Allow, Deny, Prompt, Proceed),
    events.UserPromptSubmit: (Block,),
    events.PostToolUse: (Proceed,),
    events.Stop: (Block, Proceed),
    events.SubagentStop: (Block, Proceed),
}
_EVERY_KIND: tuple[type[Event], ...] = (*events.EVENTS.values(), events.UnknownEvent)
HONOURED: Mapping[type[Event], frozenset[type[Decision]]] = {
    kind: frozenset((NoOpinion, *_SPEAKS.get(kind, ()))) for kind in _EVERY_KIND
}
# Longer texts were not tried.
TEXT_LIMIT = 9_500
_NOT_CHANGED = "It was to run with another input, which cannot be passed on. Make the call again."
# Where a prompt opens its dialog. A run without a terminal is cancelled by it, but nothing runs.
_PROMPTED_IN = frozenset({modes.DEFAULT, modes.PLAN})


def encode(event: Event, decision: Decision) -> Output:
    """Raise NotHonouredError where the client would ignore this decision, or a part of it."""
    if type(decision) not in HONOURED.get(type(event), ()):
        raise NotHonouredError(f"Grok does not honour {decision.word} on {event.name}")
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


def _judged(word: str, reason: str = "", **more: Any) -> dict[str, Any]:
    why = {"permissionDecisionReason": text(reason)} if reason else {}
    return _specific("PreToolUse", permissionDecision=word, **why, **more)


def _allow(event: Event, allow: Allow) -> dict[str, Any]:
    if event.permission_mode not in (FACTS.allows_in or ()):
        raise NotHonouredError("Grok asks by itself where it would ask, whatever a hook allows")
    if allow.grants:
        raise NotHonouredError("Grok cannot be told to remember a permission")
    return _judged("allow", **_changed(allow.updated_input), **_note(allow.context))


def _deny(_event: Event, deny: Deny) -> dict[str, Any]:
    if deny.interrupt or deny.context is not None:
        raise NotHonouredError("Grok takes nothing beside a deny")
    return _judged("deny", text(deny.reason))


def _prompt(event: Event, prompt: Prompt) -> dict[str, Any]:
    if event.permission_mode not in _PROMPTED_IN or event.client.attended is False:
        raise NotHonouredError("Grok would answer this prompt itself, or end the run")
    if prompt.context is not None:
        raise NotHonouredError("Grok takes no note beside a prompt")
    return _judged("ask", text(prompt.reason))


def _proceed(event: Event, proceed: Proceed) -> dict[str, Any]:
    if isinstance(event, events.TurnEnd):
        # Words at the end of a turn keep it going.
        return _block(event, Block(proceed.context))
    if proceed.updated_result is not None or (proceed.updated_input is not None and event.name != "PreToolUse"):
        raise NotHonouredError(f"Grok takes no other input or result on {event.name}")
    if proceed.updated_input is not None:
        # Which says no more than that nothing is against it.
        return _judged("allow", **_changed(proceed.updated_input), **_note(proceed.context or None))
    return _specific(event.name, **_note(proceed.context)) if proceed.context else {}


def _changed(given: dict[str, Any] | None) -> dict[str, Any]:
    return {} if given is None else {"updatedInput": given}


def _note(context: str | None) -> dict[str, str]:
    return {} if context is None else {"additionalContext": text(context)}


def _block(event: Event, block: Block) -> dict[str, Any]:
    if block.context is not None:
        raise NotHonouredError(f"Grok takes no note beside a block on {event.name}")
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
        dropped.append("Grok cannot be interrupted by a hook; the deny goes without it.")
        decision = replace(decision, interrupt=False)
    if isinstance(decision, Allow) and decision.grants:
        dropped.append("A lasting permission was not given: Grok cannot be told to remember one.")
        decision = replace(decision, grants=())
    if isinstance(decision, Deny | Prompt | Block) and decision.context is not None:
        dropped.append(f"A note was not passed on: {event.name} takes none beside {decision.word}.")
        decision = replace(decision, context=None)
    return decision


def _stand_in(event: Event, decision: Decision) -> Decision | None:
    """A refusal in the words this event knows. Not at the end of a turn: there a block would keep the agent going."""
    if isinstance(event, events.PreToolUse):
        if isinstance(decision, Allow | Proceed):
            # Silence would run the call with the input it has.
            return Deny(_NOT_CHANGED) if decision.updated_input is not None else None
        return Deny(decision.reason) if isinstance(decision, Deny | Prompt | Block | Halt) else None
    if isinstance(event, events.UserPromptSubmit) and isinstance(decision, Deny | Prompt | Block | Halt):
        return Block(decision.reason)
    return None


def unreadable(
    event_name: str,
    why: str,
    *,
    cause: Literal["bad_input", "too_large"] = "bad_input",
    may_drop_prompts: bool = False,  # noqa: ARG001 - no prompt is sent where the mode is not known
) -> tuple[Decision, Output]:
    """An unreadable tool call is denied: in some modes a prompt would be answered by the client itself."""
    if event_name != "PreToolUse":
        return NoOpinion(cause), SILENT
    decision = Deny(f"Assent could not read this tool call: {why}.")
    return decision, Output(action="json_output", stdout_json=_judged("deny", text(decision.reason)))


# --- without a hub


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


DENY = _json(_judged("deny", UNJUDGED))


def replies(unreachable: Unreachable) -> Replies:
    """Silence leaves a call to the client, which runs it unasked in one mode. Never a prompt: the mode may be auto."""
    elsewhere = DENY if unreachable == "deny" else b""
    in_bypass = b"" if unreachable == "no_opinion" else DENY
    return {
        "PreToolUse": {
            "unreachable": elsewhere,
            "unreachable_bypass": in_bypass,
            **dict.fromkeys(("held", "held_bypass", "run", "run_bypass"), DENY),
        },
    }


assert replies("deny").keys() <= SUBSCRIPTIONS.keys()
