"""A call judged on trial: the same voices as in earnest, and everything they saw."""

import logging
from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from assent.harnesses import registry
from assent.policy.call import Call, Scene, Voice
from assent.policy.effects import TOO_LONG, Effect
from assent.policy.judge import Judgement, judge
from assent.policy.risk_of import Appraisal, risk_of
from assent.policy.shell.acts import Act
from assent.protocol import modes
from assent.protocol.decision import Deny, Prompt, Risk, Seen, Step, Trial, TrialQuestion, Unread
from assent.protocol.events import PreToolUse, with_operation
from assent.protocol.operations import Other

_log = logging.getLogger("assent.policy")

_WORDS = {"prompt": "ask"}
MOST_EFFECTS = 200
MOST_STEPS = 200
LONGEST_TARGET = 500

# What silence comes to. In default mode the client asks about whatever its own rules do not allow.
_SILENT: dict[str, str] = {
    modes.BYPASS: "The agent is told nothing, and in this mode its client runs the call.",
    modes.PREAPPROVED_ONLY: (
        "The agent is told nothing, and in this mode its client refuses what its own rules do not allow."
    ),
    modes.AUTO: "The agent is told nothing, and in this mode its client decides by itself.",
    modes.PLAN: "The agent is told nothing, and in this mode its client lets it look but not change.",
    modes.ACCEPT_EDITS: "The agent is told nothing. Its client accepts edits in this mode and asks about the rest.",
}
_TOLD = {
    "allow": "The agent is told nothing, and the call runs without a prompt.",
    "ask": "The agent waits while its client asks you, with this reason.",
    "deny": "The call does not run, and the agent is told this reason.",
    "no_opinion": "The agent is told nothing. Its client's own rules and prompts decide.",
}

_HELD = {
    "deny": "The agent waits until all who are needed have said yes. Without that the call is denied.",
    "hand_back": "The agent waits until all who are needed have said yes. Without that its owner is asked.",
}


def event_of(question: TrialQuestion) -> PreToolUse:
    given = question.input if question.input is not None else {"command": question.command}
    event = PreToolUse(
        session_id="trial",
        cwd=question.cwd,
        permission_mode=modes.canonical(question.mode),
        tool_name=question.tool,
        tool_input=given,
    )
    operation = registry.operation_of(question.harness, question.tool, given)
    if operation != Other():
        # A tool that this client does not have is read as the default one's.
        with_operation(event, operation)
    return event


def hold(question: TrialQuestion, scene: Scene, voices: Iterable[Voice], *, paused: bool = False) -> Trial:
    """Never raises: a judge that fails is part of the answer."""
    return told(judge(event_of(question), scene, voices, paused=paused), question.command)


def told(judgement: Judgement, command: str) -> Trial:
    """A judgement of a tool call with all that was seen, for people. Never raises."""
    verdict, call = judgement.verdict, judgement.call
    assert call is not None
    acts, effects, appraisal = _seen(judgement, call)
    word = _word(verdict.decision.word)
    mode = call.mode or "default"
    return Trial(
        command=command,
        decision=word,
        risk=verdict.risk,
        reason=_reason(judgement, appraisal),
        effects=tuple(_told_once(effects)),
        trace=tuple(structs.replace(line, says=_word(line.says)) for line in verdict.trace),
        by=verdict.by,
        evidence=appraisal.evidence or "",
        safer=appraisal.safer,
        told=_told_agent(judgement, word, mode),
        steps=tuple(_Steps().of(acts)),
        unread=_unread(acts),
        scripts=_scripts(acts),
        approval=judgement.approval,
    )


def _told_agent(judgement: Judgement, word: str, mode: str) -> str:
    if judgement.approval is not None:
        return _HELD[judgement.approval.ends_as]
    return _SILENT.get(mode, _TOLD[word]) if word == "no_opinion" else _TOLD[word]


def _seen(judgement: Judgement, call: Call) -> tuple[Sequence[Act], list[Effect], Appraisal]:
    try:
        effects = [done.effect for done in judgement.effects]
        acts = [Act(call.tool, effects, [])] if call.command is None else judgement.acts
        return acts, effects, risk_of(call, judgement.scene)
    except Exception as error:
        # The trace says so already; here only what a person would see beside it is missing.
        _log.error("a trial saw nothing: %s", type(error).__name__)
        return [], [], Appraisal(Risk.CARE, "The judge failed on this call.")


def _scripts(acts: Sequence[Act]) -> tuple[tuple[str, str], ...]:
    scripts = [
        (script.name[:LONGEST_TARGET], script.state) for act in acts for each in act.all() for script in each.scripts
    ]
    return tuple(dict.fromkeys(scripts))


def _unread(acts: Sequence[Act]) -> Unread:
    unread = [each for act in acts for each in act.all() if each.unread]
    if not unread:
        return ""
    return "too_long" if any(effect.why == TOO_LONG for each in unread for effect in each.effects) else "unclear"


def _word(word: str) -> str:
    return _WORDS.get(word, word)


def _reason(judgement: Judgement, appraisal: Appraisal) -> str:
    verdict = judgement.verdict
    if judgement.approval is not None:
        # Whose yes it needs stands beside it.
        return appraisal.why
    if isinstance(judgement.wanted, (Deny, Prompt)):
        return judgement.wanted.reason
    if verdict.by.startswith("stance:"):
        return appraisal.why
    return next((line.why for line in verdict.trace if line.by == verdict.by), appraisal.why)


def _told_once(effects: Iterable[Effect]) -> Iterable[Seen]:
    """A readable number of effects; the worst is never left out."""
    kept = list(dict.fromkeys(effects))
    if len(kept) > MOST_EFFECTS:
        kept = sorted(kept, key=lambda effect: -effect.risk)[:MOST_EFFECTS]
    return map(_told, kept)


def _told(effect: Effect) -> Seen:
    return Seen(effect.kind, effect.risk.word, effect.target[:LONGEST_TARGET], effect.why, effect.safer)


class _Steps:
    """The tree of commands, cut off where it goes on for ever."""

    def __init__(self) -> None:
        self._left = MOST_STEPS

    def of(self, acts: Iterable[Act]) -> Iterator[Step]:
        for act in acts:
            if self._left <= 0:
                return
            self._left -= 1
            effects = tuple(map(_told, dict.fromkeys(act.effects)))
            starts = tuple(self.of(act.children))
            worst = max((effect.risk for each in act.all() for effect in each.effects), default=Risk.LOOK)
            yield Step(act.text, worst.word, effects, starts)
