"""The judge: asks every voice once about an event and makes one Judgement of what they say."""

import logging
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from assent.policy.call import Call, Memo, Opinion, Scene, Voice
from assent.policy.effects import Done
from assent.policy.judges import stance
from assent.policy.risk_of import effects_of
from assent.policy.rules.approvals import demand, together, with_owner
from assent.policy.shell.acts import Act
from assent.protocol.approval import ApprovalView
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
    Risk,
    TraceLine,
    Verdict,
)
from assent.protocol.events import Event, PermissionDenied, PermissionRequest, UnknownEvent

_log = logging.getLogger("assent.policy")

# Strictest first; equal ranks go to the first voice.
_RANK: dict[type[Decision], int] = {
    Halt: 0,
    Deny: 1,
    Block: 1,
    Defer: 2,
    Prompt: 3,
    Answered: 4,
    Filled: 4,
    Allow: 5,
    Proceed: 6,
    NoOpinion: 7,
}

_REFUSING = (Halt, Deny, Block, Defer)
_NOT_GIVEN = "It was not given, so this was not allowed."


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was made of one event, and what was seen on the way: card, trial and record are made from it."""

    event: Event
    verdict: Verdict
    # As the voices saw it: it holds the call that they looked at.
    scene: Scene
    # What the voice that was heard wants. The verdict says as much of it as this event can be told.
    wanted: Decision | None = None
    # No voice decided, so a person or the client does.
    is_left: bool = False
    # Whose yes it needs before it runs, whatever else allows it.
    approval: ApprovalView | None = None

    @property
    def decision(self) -> Decision:
        return self.verdict.decision

    @property
    def by(self) -> str:
        return self.verdict.by

    @property
    def risk(self) -> str | None:
        return self.verdict.risk

    @property
    def trace(self) -> tuple[TraceLine, ...]:
        return self.verdict.trace

    @property
    def call(self) -> Call | None:
        return self.scene.call

    @property
    def acts(self) -> Sequence[Act]:
        """What a command line would do, step by step. Raises what the reading of the line raises."""
        return () if self.call is None else self.call.acts(self.scene)

    @property
    def effects(self) -> Sequence[Done]:
        """All that the call would do. Raises what the reading of the call raises."""
        return () if self.call is None else effects_of(self.call, self.scene)

    @property
    def without_approval(self) -> Decision:
        """What the agent is told where those who have to agree did not."""
        assert self.approval is not None
        event = self.event
        if self.approval.ends_as == "deny":
            return Deny(f"{_asked_for(self.approval)} {_NOT_GIVEN}")
        if isinstance(event, PermissionRequest):
            return NoOpinion("handed_back")
        prompt = Prompt(_asked_for(self.approval))
        # Where the client would drop the prompt, nothing can be handed back.
        instead = stance.in_mode(event, self.scene, Opinion(prompt, self.approval.rule, ""), None)
        return prompt if instead is None else instead[0]

    def handed_back(self) -> "Judgement":
        """The same, where nobody agreed and the rule gives the call back to its owner."""
        return replace(self, approval=None)

    def left(self) -> "Judgement":
        """The same without its decision, which this event cannot be told."""
        silent = Verdict(NoOpinion("no_rule"), self.by, self.risk, self.trace)
        return replace(self, verdict=silent, is_left=True)


def judge(
    event: Event,
    scene: Scene,
    voices: Iterable[Voice],
    *,
    paused: bool = False,
    call: Call | None = None,
    memo: Memo | None = None,
) -> Judgement:
    """Never raises. A voice that fails is heard as a prompt. ``call`` is the event's, where it was looked at before;
    ``memo`` has lines that were read before, and without one the line is read anew.

    What needs an approval is asked about unless it is denied: no voice, no mode and no pause spares it."""
    voices = tuple(voices)
    call = call or Call.of(event)
    if call is not None and memo is not None:
        call.memo = memo
    scene = structs.replace(scene, call=call)
    opinions = _opinions(voices, event, scene)
    risk = max([opinion.risk for opinion in opinions if opinion.risk is not None], default=None)
    judgement = _judged(event, scene, opinions, risk, paused=paused)
    if call is None or isinstance(event, PermissionDenied) or isinstance(judgement.decision, _REFUSING):
        return judgement
    needed = _needed(voices, call, scene, risk)
    return judgement if needed is None else _held(judgement, needed)


def _judged(event: Event, scene: Scene, opinions: list[Opinion], risk: Risk | None, *, paused: bool) -> Judgement:
    heard = _heard(opinions, risk, paused=paused)
    trace = tuple([TraceLine(o.by, o.decision.word, o.why, o.evidence) for o in opinions])
    word = None if risk is None else risk.word
    chosen = min(heard, key=lambda opinion: _RANK[type(opinion.decision)], default=None)
    if isinstance(event, PermissionDenied) and not (chosen is not None and isinstance(chosen.decision, Deny)):
        # The client refused it, and whatever would have allowed it was not heard: only a person changes that.
        by = "pause" if paused else "judge" if chosen is None else chosen.by
        return Judgement(event, Verdict(NoOpinion("no_rule"), by, word, trace), scene, is_left=not paused)
    if chosen is not None and (instead := stance.in_mode(event, scene, chosen, risk)) is not None:
        decision, why = instead
        line = TraceLine(f"mode:{event.permission_mode}", decision.word, why)
        verdict = Verdict(decision, chosen.by, word, (*trace, line))
        return Judgement(event, verdict, scene, decision, is_left=isinstance(decision, NoOpinion))
    if chosen is None or isinstance(chosen.decision, NoOpinion):
        by = "pause" if paused else "judge" if chosen is None else chosen.by
        verdict = Verdict(_silence(event, chosen, paused=paused), by, word, trace)
        return Judgement(event, verdict, scene, is_left=not paused and not isinstance(event, UnknownEvent))
    if isinstance(chosen.decision, Prompt) and isinstance(event, PermissionRequest):
        # The dialog is opening already: to ask is to stay silent.
        verdict = Verdict(NoOpinion("asked"), chosen.by, word, trace)
        return Judgement(event, verdict, scene, chosen.decision, is_left=True)
    return Judgement(event, Verdict(chosen.decision, chosen.by, word, trace), scene, chosen.decision)


def _needed(voices: Sequence[Voice], call: Call, scene: Scene, risk: Risk | None) -> ApprovalView | None:
    """Of several voices, what all of them demand. Each finds by itself that a rule it cannot try speaks."""
    every: list[ApprovalView] = []
    for voice in voices:
        # Looked for by its name: to ask for the protocol takes longer than to judge a known line.
        ask: Callable[[Call, Scene, Risk | None], ApprovalView | None] | None = getattr(voice, "approval", None)
        found = ask(call, scene, risk) if ask is not None else None
        every += found.alone if found is not None else ()
    return together(every)


def _held(judgement: Judgement, needed: ApprovalView) -> Judgement:
    if not isinstance(judgement.decision, Allow):
        needed = with_owner(needed)
    verdict, words = judgement.verdict, _asked_for(needed)
    lines = (TraceLine(one.rule, "prompt", _asked_for(one)) for one in needed.each)
    # The dialog of a permission request is opening already: to ask is to stay silent.
    is_silent = isinstance(judgement.event, PermissionRequest)
    decision: Decision = NoOpinion("asked") if is_silent else Prompt(words)
    held = Verdict(decision, needed.rule, verdict.risk, (*verdict.trace, *lines))
    return replace(judgement, verdict=held, wanted=Prompt(words), is_left=is_silent, approval=needed)


def _asked_for(needed: ApprovalView) -> str:
    """For the agent and for people who look at a trace."""
    why = f" {needed.reason.rstrip('.')}." if needed.reason else ""
    return f"This needs an approval: {demand(needed)}.{why}"


def _heard(opinions: list[Opinion], risk: Risk | None, *, paused: bool) -> list[Opinion]:
    if paused and risk is not Risk.DANGER:
        # Rules and stance are silent, people are not: what they queued goes out.
        return [opinion for opinion in opinions if opinion.by.startswith(("floor:", "person:"))]
    if len(opinions) < 2:
        # Nothing that could silence it.
        return opinions
    if any(opinion.holds_back for opinion in opinions):
        opinions = [opinion for opinion in opinions if not isinstance(opinion.decision, Allow)]
    silenced = max((opinion.silences for opinion in opinions if opinion.silences is not None), default=None)
    if silenced is None:
        return opinions
    return [
        opinion
        for opinion in opinions
        if not opinion.by.startswith("stance:")
        or isinstance(opinion.decision, Allow)
        or opinion.risk is None
        or opinion.risk > silenced
    ]


def _silence(event: Event, chosen: Opinion | None, *, paused: bool) -> NoOpinion:
    if paused:
        return NoOpinion("paused")
    if isinstance(event, UnknownEvent):
        return NoOpinion("unknown_event")
    if chosen is not None and isinstance(chosen.decision, NoOpinion):
        return chosen.decision
    return NoOpinion("no_rule")


def _opinions(voices: Iterable[Voice], event: Event, scene: Scene) -> list[Opinion]:
    opinions = []
    for voice in voices:
        try:
            opinion = voice.speak(event, scene)
        except Exception as e:
            opinion = _failed(voice, e, event, scene)
        if opinion is not None:
            opinions.append(opinion)
    return opinions


def _failed(voice: Voice, error: Exception, event: Event, scene: Scene) -> Opinion | None:
    name, kind = type(voice).__name__, type(error).__name__
    # Neither the message nor the values of the frames: both may quote the agent's input.
    where = traceback.extract_tb(error.__traceback__)[-1]
    _log.error("%s failed on %s: %s at %s:%s", name, event.name, kind, where.filename, where.lineno)
    if scene.call is None:
        return None
    return Opinion(
        Prompt("The judge failed on this call, so please look at it yourself."),
        f"judge:{name.lower()}",
        f"{name} failed with {kind}.",
    )
