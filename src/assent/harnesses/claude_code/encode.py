"""Encoder of decisions for Claude Code: which it honours on which event, and substitutes for the others."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from assent.harnesses import encoding
from assent.harnesses.base import Encoded, NotHonouredError
from assent.harnesses.claude_code import grants, reply
from assent.harnesses.claude_code.decode import operation
from assent.protocol import events, modes
from assent.protocol.decision import (
    Allow,
    Answered,
    Block,
    Decision,
    Defer,
    Deny,
    Filled,
    Halt,
    NoOpinion,
    Proceed,
    Prompt,
)
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event
from assent.protocol.operations import Mcp, Question

# Only what was seen to work. The documentation also promises additionalContext on Setup (reaches no model request) and
# PostModelSwitch (not seen), and continue:false on PostToolUseFailure and SessionStart (ignored) and on PreToolUse
# (counts only beside a deny). For TeammateIdle it knows an exit code alone, by which the model reads our command line.
_SPEAKS: dict[type[Event], tuple[type[Decision], ...]] = {
    events.PreToolUse: (Allow, Deny, Prompt, Defer, Proceed, Answered),
    events.PermissionRequest: (Allow, Deny, Answered),
    events.PermissionDenied: (Allow, Deny),
    events.PreModelSwitch: (Allow, Deny, Prompt),
    events.Elicitation: (Filled,),
    events.ElicitationResult: (Filled,),
    events.UserPromptSubmit: (Block, Proceed, Halt),
    events.UserPromptExpansion: (Block, Proceed),
    events.PostToolUse: (Block, Proceed, Halt),
    events.PostToolUseFailure: (Block, Proceed),
    events.PostToolBatch: (Block, Proceed, Halt),
    events.Stop: (Block, Proceed, Halt),
    events.SubagentStop: (Block, Proceed, Halt),
    events.SessionStart: (Proceed,),
    events.SubagentStart: (Proceed,),
    events.TaskCreated: (Block,),
    events.TaskCompleted: (Block,),
    events.PreCompact: (Block,),
    events.ConfigChange: (Block,),
    events.TeammateIdle: (Block,),
}
# Where the client shows a hook's words to the person; elsewhere it drops them.
_SHOWS_NOTICES = (
    events.SessionStart,
    events.UserPromptSubmit,
    events.PreToolUse,
    events.PostToolUse,
    events.PostToolBatch,
    events.Stop,
)
_EVERY_KIND: tuple[type[Event], ...] = (*events.EVENTS.values(), events.UnknownEvent)
HONOURED: Mapping[type[Event], frozenset[type[Decision]]] = {
    kind: frozenset((NoOpinion, *_SPEAKS.get(kind, ()))) for kind in _EVERY_KIND
}


def encode(event: Event, decision: Decision) -> Output:
    """Raise NotHonouredError where the client would ignore or void this decision."""
    if type(decision) not in HONOURED.get(type(event), ()):
        raise NotHonouredError(f"Claude Code does not honour {decision.word} on {event.name}")
    if isinstance(decision, NoOpinion):
        return SILENT
    return Output(action="json_output", stdout_json=reply.to_json(_WRITERS[type(decision)](event, decision)))


def encode_safely(event: Event, decision: Decision) -> Encoded:
    """The nearest thing the client honours that allows no more, and sentences about what was left out."""
    dropped: list[str] = []
    candidates = (_trimmed(event, decision, dropped), _stand_in(event, decision))
    return encoding.first_honoured(encode, event, candidates, dropped)


def with_notice(event: Event, output: Output, words: str) -> Output:
    """The client shows it below the call once that is over, below the prompt or the answer, and never to the model."""
    if not words or output.stdout_json is None or not isinstance(event, _SHOWS_NOTICES):
        return output
    beside: dict[str, Any] = msgspec.to_builtins(reply.Beside(system_message=reply.text(words)))
    return replace(output, stdout_json={**beside, **output.stdout_json})


def _allow(event: Event, allow: Allow) -> reply.Specific:
    if isinstance(event, events.PreModelSwitch):
        _refuse(
            allow.updated_input is not None or bool(allow.grants or allow.context), event, "anything beside an allow"
        )
        return reply.SwitchDecision(permission_decision="allow")
    assert isinstance(event, events.ToolEvent)
    if isinstance(event, events.PermissionDenied):
        _refuse(allow.updated_input is not None or bool(allow.grants or allow.context), event, "more than a retry")
        return reply.Retry(retry=True)
    # The client keeps asking unless it is given the answers, and those have a decision of their own.
    _refuse(event.tool_name == "AskUserQuestion", event, "a plain allow of a question")
    if isinstance(event, events.PreToolUse):
        _refuse(not encoding.is_json(allow.updated_input), event, "input that is not JSON")
        _refuse(bool(allow.grants), event, "grants")
        # With input it would approve the plan unseen, so that has to be asked for in so many words.
        _refuse(event.tool_name == "ExitPlanMode" and allow.updated_input is None, event, "a plain allow of a plan")
        return reply.CallDecision(
            permission_decision="allow",
            updated_input=_or_unset(allow.updated_input),
            additional_context=_noted(allow.context),
        )
    _refuse(allow.context is not None, event, "a note beside an allow")
    for grant in allow.grants:
        if why := grants.fault(grant):
            raise NotHonouredError(f"A grant must not be sent: {why}")
    updated = allow.updated_input
    if updated is None and event.tool_name == "ExitPlanMode":
        updated = event.tool_input  # an allow without input leaves the dialog open
    _refuse(not encoding.is_json(updated), event, "input that is not JSON")
    written = tuple(map(grants.written, allow.grants))
    return _permission(reply.Permitted(updated_input=_or_unset(updated), updated_permissions=written or UNSET))


def _deny(event: Event, deny: Deny) -> reply.Whole:
    if isinstance(event, events.PermissionRequest):
        _refuse(deny.context is not None, event, "a note beside a deny")
        return _permission(reply.Refused(message=reply.text(deny.reason), interrupt=True if deny.interrupt else UNSET))
    if isinstance(event, events.PermissionDenied):
        _refuse(deny.interrupt or deny.context is not None, event, "more than a no")
        return reply.Retry(retry=False)
    judged = _judged(event, "deny", deny)
    if not deny.interrupt:
        return judged
    if not isinstance(judged, reply.CallDecision):
        raise NotHonouredError(f"Claude Code does not honour an interrupt beside a deny on {event.name}")
    return reply.DeniedAndHalted(continue_=False, stop_reason=reply.text(deny.reason), hook_specific_output=judged)


def _answered(event: Event, answered: Answered) -> reply.Specific:
    assert isinstance(event, events.ToolEvent)
    question = event.decoded_operation or operation(event.tool_name, event.tool_input)
    if not isinstance(question, Question) or not question.questions:
        raise NotHonouredError(f"Claude Code takes answers only for a question, not for {event.name} of another tool")
    asked = {each.question for each in question.questions}
    _refuse(not asked or asked != answered.answers.keys(), event, "answers to other questions than were asked")
    updated = {"questions": event.tool_input["questions"], "answers": answered.answers}
    _refuse(not encoding.is_json(updated), event, "answers that are not JSON")
    if isinstance(event, events.PreToolUse):
        return reply.CallDecision(permission_decision="allow", updated_input=updated)
    return _permission(reply.Permitted(updated_input=updated))


def _filled(event: Event, filled: Filled) -> reply.Specific:
    _refuse(not encoding.is_json(filled.content), event, "content that is not JSON")
    form = reply.FormAnswer if isinstance(event, events.Elicitation) else reply.FormOverride
    return form(action=filled.action, content=_or_unset(filled.content))


def _judged(event: Event, word: Literal["deny", "ask"], said: Deny | Prompt) -> reply.Specific:
    if isinstance(event, events.PreToolUse):
        return reply.CallDecision(
            permission_decision=word,
            permission_decision_reason=reply.text(said.reason),
            additional_context=_noted(said.context),
        )
    _refuse(said.context is not None, event, f"a note beside {said.word}")
    return reply.SwitchDecision(permission_decision=word, permission_decision_reason=reply.text(said.reason))


def _block(event: Event, block: Block) -> reply.Whole:
    if block.context is None:
        return reply.Blocked(reason=reply.text(block.reason))
    form = reply.BLOCKED_WITH_NOTE.get(event.name)
    if form is None:
        raise NotHonouredError(f"Claude Code does not honour a note beside a block on {event.name}")
    note = reply.NOTES[event.name](additional_context=reply.text(block.context))
    written: reply.Whole = form(reason=reply.text(block.reason), hook_specific_output=note)
    return written


def _proceed(event: Event, proceed: Proceed) -> reply.Specific:
    """A note, other input before a call, or another result after it."""
    note = reply.text(proceed.context) if proceed.context else UNSET
    if proceed.updated_input is not None:
        _refuse(not isinstance(event, events.PreToolUse), event, "changed input")
        # There the client's check has seen the call as it was: it refuses this one and those beside it.
        _refuse(event.permission_mode == modes.AUTO, event, "changed input without an allow in auto mode")
        _refuse(not encoding.is_json(proceed.updated_input), event, "input that is not JSON")
    if proceed.updated_result is not None:
        _refuse(not isinstance(event, events.PostToolUse), event, "another result")
        _refuse(not encoding.is_json({"result": proceed.updated_result}), event, "a result that is not JSON")
    if isinstance(event, events.PreToolUse) and proceed.updated_input is not None:
        return reply.Changed(updated_input=proceed.updated_input, additional_context=note)
    if isinstance(event, events.PostToolUse) and proceed.updated_result is not None:
        if isinstance(event.decoded_operation or operation(event.tool_name, event.tool_input), Mcp):
            return reply.Result(updated_mcp_tool_output=proceed.updated_result, additional_context=note)
        return reply.Result(updated_tool_output=proceed.updated_result, additional_context=note)
    return reply.NOTES[event.name](additional_context=reply.text(proceed.context))


def _permission(decision: reply.Permitted | reply.Refused) -> reply.Specific:
    return reply.PermissionDecision(decision=decision)


# Which of these an event may reach is HONOURED's to say.
_WRITERS: dict[type[Decision], Callable[[Any, Any], reply.Whole]] = {
    Allow: _allow,
    Deny: _deny,
    Answered: _answered,
    Filled: _filled,
    Prompt: lambda event, prompt: _judged(event, "ask", prompt),
    Defer: lambda _, __: reply.CallDecision(permission_decision="defer"),
    Proceed: _proceed,
    Block: _block,
    Halt: lambda _, halt: reply.Halted(continue_=False, stop_reason=reply.text(halt.reason)),
}


def _noted(context: str | None) -> str | UnsetType:
    return UNSET if context is None else reply.text(context)


def _or_unset(value: dict[str, Any] | None) -> dict[str, Any] | UnsetType:
    return UNSET if value is None else value


def _refuse(unhonoured: bool, event: Event, part: str) -> None:
    if unhonoured:
        raise NotHonouredError(f"Claude Code does not honour {part} on {event.name}")


def _takes_note(event: Event, decision: Deny | Prompt | Block) -> bool:
    if isinstance(decision, Block):
        return event.name in reply.BLOCKED_WITH_NOTE
    return isinstance(event, events.PreToolUse)


# A deny cannot end the turn there.
_NEVER_STOPPED = (events.PreModelSwitch, events.PermissionDenied)


def _trimmed(event: Event, decision: Decision, dropped: list[str]) -> Decision:
    """The decision without the parts this event ignores. Changed input is never such a part: the allow hangs on it."""
    if isinstance(decision, Deny) and decision.interrupt and isinstance(event, _NEVER_STOPPED):
        dropped.append(f"Claude Code cannot interrupt on {event.name}; the deny goes without it.")
        decision = replace(decision, interrupt=False)
    if (
        isinstance(decision, Deny | Prompt | Block)
        and decision.context is not None
        and not _takes_note(event, decision)
    ):
        dropped.append(f"A note was not passed on: {event.name} takes none beside {decision.word}.")
        return replace(decision, context=None)
    if not isinstance(decision, Allow) or (not decision.grants and decision.context is None):
        return decision
    takes_grants = isinstance(event, events.PermissionRequest)
    good = []
    for grant in decision.grants:
        why = grants.fault(grant) if takes_grants else f"{event.name} takes no grants"
        if why is None:
            good.append(grant)
        else:
            dropped.append(f"A lasting permission was not given: {why}.")
    context = decision.context
    if context is not None and not isinstance(event, events.PreToolUse):
        dropped.append(f"A note was not passed on: {event.name} takes none beside an allow.")
        context = None
    return replace(decision, grants=tuple(good), context=context)


# What says no on an event. Not Stop, SubagentStop and TeammateIdle: there a block keeps the agent going, and silence
# lets it rest, which is the stricter of the two.
_NO: dict[type[Event], Callable[[str, bool], Decision]] = {
    events.PreToolUse: Deny,
    events.PermissionRequest: Deny,
    events.PreModelSwitch: lambda reason, _: Deny(reason),
    **dict.fromkeys((events.Elicitation, events.ElicitationResult), lambda _, __: Filled("decline")),
    **dict.fromkeys(
        (events.UserPromptSubmit, events.PostToolUse, events.PostToolBatch),
        lambda reason, stop: Halt(reason) if stop else Block(reason),
    ),
    **dict.fromkeys(
        (
            events.UserPromptExpansion,
            events.PostToolUseFailure,
            events.TaskCreated,
            events.TaskCompleted,
            events.PreCompact,
            events.ConfigChange,
        ),
        lambda reason, _: Block(reason),
    ),
}
# Here silence already opens the client's own dialog, or refuses where it could not be seen.
_ASKS_BY_ITSELF = (events.PermissionRequest, events.Elicitation)


def _stand_in(event: Event, decision: Decision) -> Decision | None:
    """A refusal in the words this event knows."""
    if not isinstance(decision, Deny | Prompt | Block | Halt) or type(event) not in _NO:
        return None
    if isinstance(decision, Prompt) and isinstance(event, _ASKS_BY_ITSELF):
        return None
    stop = isinstance(decision, Halt) or (isinstance(decision, Deny) and decision.interrupt)
    return _NO[type(event)](decision.reason, stop)


def unreadable(
    event_name: str,
    why: str,
    *,
    cause: Literal["bad_input", "too_large"] = "bad_input",
    may_drop_prompts: bool = False,
) -> tuple[Decision, Output]:
    """An unreadable tool call goes to the person at the terminal; for the rest silence changes nothing."""
    if event_name != "PreToolUse":
        return NoOpinion(cause), SILENT
    reason = f"Assent could not read this tool call: {why}."
    decision = Deny(reason) if may_drop_prompts else Prompt(reason)
    return decision, encode(events.PreToolUse(session_id="", tool_name="", tool_input={}), decision)
