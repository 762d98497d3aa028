"""Encoder of decisions for the proxy: a small object of which it makes an answer to the agent.

{"outcome": "allow"}    {"outcome": "deny", "reason": …}    {"outcome": "ask", "reason": …}
"""

import json
from collections.abc import Mapping
from typing import Any, Literal

from msgspec.structs import replace

from assent.harnesses import encoding
from assent.harnesses.acp.facts import PERMISSION, SUBSCRIPTIONS, TERMINAL, WRITE
from assent.harnesses.base import UNJUDGED, Encoded, NotHonouredError, Replies, Unreachable
from assent.protocol import events
from assent.protocol.decision import Allow, Block, Decision, Deny, Halt, NoOpinion, Prompt
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event

_SPEAKS: dict[type[Event], tuple[type[Decision], ...]] = {
    events.PermissionRequest: (Allow, Deny),
    # Of what the agent has the editor do. A call that it only reports takes no answer.
    events.PreToolUse: (Deny, Prompt),
}
_EVERY_KIND: tuple[type[Event], ...] = (*events.EVENTS.values(), events.UnknownEvent)
HONOURED: Mapping[type[Event], frozenset[type[Decision]]] = {
    kind: frozenset((NoOpinion, *_SPEAKS.get(kind, ()))) for kind in _EVERY_KIND
}
TEXT_LIMIT = 9_500
_ALLOW, _DENY, _ASK = "allow", "deny", "ask"


def is_reported(event: Event) -> bool:
    """Whether the agent only tells of this call, and waits for nothing."""
    return isinstance(event, events.PreToolUse) and event.raw.get("is_reported") is True


def encode(event: Event, decision: Decision) -> Output:
    """Raise NotHonouredError where the proxy could not make an answer of it, or of a part of it."""
    if isinstance(decision, NoOpinion):
        return SILENT
    if type(decision) not in HONOURED.get(type(event), ()) or is_reported(event):
        raise NotHonouredError(f"An ACP agent cannot be told {decision.word} on {event.name}")
    match decision:
        case Allow(updated_input=None, grants=(), context=None):
            return _told({"outcome": _ALLOW})
        case Allow():
            raise NotHonouredError("An ACP agent takes nothing beside an allow")
        case Deny(reason=reason, interrupt=False, context=None):
            return _told(_because(_DENY, reason))
        case Prompt(reason=reason, context=None):
            return _told(_because(_ASK, reason))
    raise NotHonouredError(f"An ACP agent takes a reason beside {decision.word}, and nothing else")


def encode_safely(event: Event, decision: Decision) -> Encoded:
    """The nearest thing the proxy can answer that allows no more, and sentences about what was left out."""
    if is_reported(event):
        # It runs, or ran, whatever is decided: that is no decision, and is not recorded as one.
        return Encoded(SILENT, unheard=True)
    dropped: list[str] = []
    return encoding.first_honoured(encode, event, (_trimmed(decision, dropped), _stand_in(event, decision)), dropped)


def _trimmed(decision: Decision, dropped: list[str]) -> Decision:
    """Without the parts that no answer carries. Changed input is never such a part: the allow hangs on it."""
    if isinstance(decision, Allow) and decision.grants:
        dropped.append("A lasting permission was not given: an ACP agent cannot be told to remember one.")
        decision = replace(decision, grants=())
    if isinstance(decision, Deny) and decision.interrupt:
        dropped.append("An ACP agent cannot be told to end its turn; the deny goes without it.")
        decision = replace(decision, interrupt=False)
    if isinstance(decision, Allow | Deny | Prompt) and decision.context is not None:
        dropped.append(f"A note was not passed on: an ACP agent takes none beside {decision.word}.")
        decision = replace(decision, context=None)
    return decision


def _stand_in(event: Event, decision: Decision) -> Decision | None:
    if not isinstance(decision, Deny | Block | Halt):
        # Silence at a permission request opens the editor's dialog.
        return None
    return Deny(decision.reason) if isinstance(event, events.PermissionRequest | events.PreToolUse) else None


def _told(reply: dict[str, Any]) -> Output:
    return Output(action="json_output", stdout_json=reply)


def _because(outcome: str, reason: str) -> dict[str, Any]:
    return {"outcome": outcome, "reason": encoding.sendable(reason, TEXT_LIMIT)}


def unreadable(
    event_name: str,
    why: str,
    *,
    cause: Literal["bad_input", "too_large"] = "bad_input",
    may_drop_prompts: bool = False,  # noqa: ARG001 - the proxy asks by itself
) -> tuple[Decision, Output]:
    """What the agent has the editor do goes to the person there; a permission request does so by itself."""
    if event_name not in (WRITE, TERMINAL):
        return NoOpinion(cause), SILENT
    decision = Prompt(f"Assent could not read this call: {why}.")
    return decision, _told(_because(_ASK, decision.reason))


# --- without a hub


def _json(outcome: str) -> bytes:
    return json.dumps(_because(outcome, UNJUDGED), separators=(",", ":")).encode()


ASK, DENY = _json(_ASK), _json(_DENY)


def replies(unreachable: Unreachable) -> Replies:
    """Silence leaves a permission request to the editor. What the agent has the editor do would run in silence, so a
    mode that asks nothing counts there."""
    refused = DENY if unreachable == "deny" else b""
    in_bypass = {"no_opinion": b"", "prompt_in_bypass": ASK, "deny_in_bypass": DENY, "deny": DENY}[unreachable]
    asked_of_editor: dict[Any, bytes] = {
        "unreachable": refused,
        "unreachable_bypass": in_bypass,
        "held": refused or ASK,
        "held_bypass": in_bypass or ASK,
        **dict.fromkeys(("run", "run_bypass"), DENY),
    }
    permission: dict[Any, bytes] = {
        **dict.fromkeys(("unreachable", "unreachable_bypass", "held", "held_bypass"), refused),
        **dict.fromkeys(("run", "run_bypass"), DENY),
    }
    return {PERMISSION: permission, WRITE: dict(asked_of_editor), TERMINAL: dict(asked_of_editor)}


assert replies("deny").keys() <= SUBSCRIPTIONS.keys()
