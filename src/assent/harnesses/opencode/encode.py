"""Encoder of decisions for opencode: what its plugin does, and nothing that the client would not honour."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from assent.harnesses import encoding
from assent.harnesses.base import UNJUDGED, Encoded, NotHonouredError, Replies, Unreachable
from assent.protocol import events
from assent.protocol.decision import Allow, Answered, Block, Decision, Deny, Halt, NoOpinion, Proceed, Prompt
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event
from assent.protocol.operations import Asked, Question

_SPEAKS: dict[type[Event], tuple[type[Decision], ...]] = {
    events.PreToolUse: (Allow, Deny, Prompt, Proceed),
    events.PermissionRequest: (Allow, Deny, Answered),
    events.UserPromptSubmit: (Block, Proceed),
    events.PostToolUse: (Proceed,),
    events.Stop: (Block, Proceed),
}
_EVERY_KIND: tuple[type[Event], ...] = (*events.EVENTS.values(), events.UnknownEvent)
HONOURED: Mapping[type[Event], frozenset[type[Decision]]] = {
    kind: frozenset((NoOpinion, *_SPEAKS.get(kind, ()))) for kind in _EVERY_KIND
}
# Longer texts were not tried.
TEXT_LIMIT = 9_500
BETWEEN = ", "


def encode(event: Event, decision: Decision) -> Output:
    """Raise NotHonouredError where the client would ignore this decision, or a part of it."""
    if type(decision) not in HONOURED.get(type(event), ()):
        raise NotHonouredError(f"opencode does not honour {decision.word} on {event.name}")
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
    if _question(event) is not None:
        raise NotHonouredError("opencode keeps asking a question until it is given the answers")
    if allow.grants:
        raise NotHonouredError("opencode forgets a permission when it ends, and gives more than one call needs")
    if isinstance(event, events.PermissionRequest):
        if allow.updated_input is not None or allow.context is not None:
            raise NotHonouredError("opencode takes nothing beside an allow of its permission request")
        return {"decision": "allow"}
    return {"decision": "allow", **_args(allow.updated_input), **_note(allow.context)}


def _deny(event: Event, deny: Deny) -> dict[str, Any]:
    if deny.context is not None:
        raise NotHonouredError("opencode takes no note beside a deny")
    if deny.interrupt and not isinstance(event, events.PermissionRequest):
        raise NotHonouredError("opencode cannot end the turn before a call")
    return _judged("deny", deny.reason, stop=deny.interrupt)


def _judged(word: str, reason: str, *, stop: bool = False) -> dict[str, Any]:
    return {"decision": word, "reason": text(reason), **({"stop": True} if stop else {})}


def _prompt(event: Event, prompt: Prompt) -> dict[str, Any]:
    if event.raw.get("asks") is not True:
        raise NotHonouredError("opencode would run this call without asking")
    return {**_judged("prompt", prompt.reason), **_note(prompt.context)}


def _proceed(event: Event, proceed: Proceed) -> dict[str, Any]:
    if proceed.updated_input is not None and not isinstance(event, events.PreToolUse):
        raise NotHonouredError(f"opencode takes no changed input on {event.name}")
    result = proceed.updated_result
    if result is not None and not (isinstance(event, events.PostToolUse) and isinstance(result, str)):
        raise NotHonouredError(f"opencode takes no such result on {event.name}")
    if isinstance(event, events.Stop):
        return _judged("block", proceed.context)
    return {
        "decision": "proceed",
        **_args(proceed.updated_input),
        **({} if result is None else {"result": result}),
        **_note(proceed.context or None),
    }


def _block(event: Event, block: Block) -> dict[str, Any]:
    if block.context is not None:
        raise NotHonouredError(f"opencode takes no note beside a block on {event.name}")
    return _judged("block", block.reason)


def _question(event: Event) -> Question | None:
    made = event.decoded_operation if isinstance(event, events.ToolEvent) else None
    return made if isinstance(made, Question) else None


def _answered(event: Event, answered: Answered) -> dict[str, Any]:
    question = _question(event)
    asked = question.questions if question is not None else ()
    if not asked or {each.question for each in asked} != answered.answers.keys():
        raise NotHonouredError("opencode takes answers to the questions that it asked, and to all of them")
    return {"answers": [_labels(each, answered.answers[each.question]) for each in asked]}


def _labels(asked: Asked, answer: str) -> list[str]:
    """The labels that were chosen, where several may be; any other text is one answer."""
    if not asked.takes_several:
        return [answer]
    chosen, rest = [], answer
    longest_first = sorted((choice.label for choice in asked.choices), key=len, reverse=True)
    while rest:
        label = next((each for each in longest_first if rest == each or rest.startswith(each + BETWEEN)), None)
        if label is None:
            return [answer]
        chosen.append(label)
        rest = rest[len(label) :].removeprefix(BETWEEN)
    return chosen or [answer]


_WRITERS: dict[type[Decision], Callable[[Any, Any], dict[str, Any]]] = {
    Allow: _allow,
    Deny: _deny,
    Prompt: _prompt,
    Proceed: _proceed,
    Block: _block,
    Answered: _answered,
}


def _args(changed: dict[str, Any] | None) -> dict[str, Any]:
    return {} if changed is None else {"args": changed}


def _note(context: str | None) -> dict[str, str]:
    """For a call it stands below the result."""
    return {} if context is None else {"note": text(context)}


def text(words: str) -> str:
    return encoding.sendable(words, TEXT_LIMIT)


def _trimmed(event: Event, decision: Decision, dropped: list[str]) -> Decision:
    """The decision without the parts this event ignores. Changed input is never such a part: the allow hangs on it."""
    if isinstance(decision, Deny) and decision.interrupt and not isinstance(event, events.PermissionRequest):
        dropped.append(f"opencode cannot interrupt on {event.name}; the deny goes without it.")
        decision = replace(decision, interrupt=False)
    if isinstance(decision, Allow) and decision.grants:
        dropped.append("A lasting permission was not given to opencode: it would forget it when it ends.")
        decision = replace(decision, grants=())
    takes_note = isinstance(event, events.PreToolUse) and isinstance(decision, Allow | Prompt)
    if isinstance(decision, Allow | Deny | Prompt | Block) and decision.context is not None and not takes_note:
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
        # The client's own dialog is open.
        return None if isinstance(decision, Prompt) else Deny(decision.reason, isinstance(decision, Halt))
    return Block(decision.reason) if isinstance(event, events.UserPromptSubmit) else None


def unreadable(
    event_name: str,
    why: str,
    *,
    cause: Literal["bad_input", "too_large"] = "bad_input",
    may_drop_prompts: bool = False,
) -> tuple[Decision, Output]:
    """An unreadable tool call goes to the person at the terminal where one is asked; for the rest silence changes
    nothing."""
    if event_name != "tool.execute.before":
        return NoOpinion(cause), SILENT
    reason = f"Assent could not read this tool call: {why}."
    decision: Decision = Deny(reason) if may_drop_prompts else Prompt(reason)
    word = "deny" if may_drop_prompts else "prompt"
    return decision, Output(action="json_output", stdout_json=_judged(word, reason))


# --- without a hub


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


ASK = _json(_judged("prompt", UNJUDGED))
DENY = _json(_judged("deny", UNJUDGED))


def replies(unreachable: Unreachable) -> Replies:
    """Silence leaves a call to the client's own rules, by which the plugin has it ask. Where it would not ask, no
    prompt can be had, so the call is denied."""
    always = DENY if unreachable == "deny" else b""
    unasked = b"" if unreachable == "no_opinion" else DENY
    return {
        "tool.execute.before": {
            "unreachable": always,
            "unreachable_bypass": unasked,
            "held": always or ASK,
            "held_bypass": DENY,
            **dict.fromkeys(("run", "run_bypass"), DENY),
        },
        "permission.asked": {
            **dict.fromkeys(("unreachable", "unreachable_bypass", "held", "held_bypass"), always),
            **dict.fromkeys(("run", "run_bypass"), DENY),
        },
    }
