"""All voices together: who is heard, and what that makes."""

import logging
import traceback
from collections.abc import Iterable

from assent.policy import modes
from assent.policy.call import Call
from assent.policy.voice import Opinion, Scene, Voice
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
    TraceLine,
    Verdict,
)
from assent.protocol.events import Event, PermissionRequest, UnknownEvent
from assent.protocol.risk import Risk

_log = logging.getLogger("assent.policy")

# Strictest first; equal ranks go to whoever spoke first.
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


def judge(event: Event, scene: Scene, voices: Iterable[Voice], *, paused: bool = False) -> Verdict:
    """Never raises. A voice that fails is heard as a prompt."""
    opinions = [opinion for voice in voices if (opinion := _hear(voice, event, scene)) is not None]
    risk = max((opinion.risk for opinion in opinions if opinion.risk is not None), default=None)
    heard = _heard(opinions, risk, paused=paused)
    trace = tuple(TraceLine(o.by, o.decision.word, o.why, o.evidence) for o in opinions)
    word = None if risk is None else risk.word
    chosen = min(heard, key=lambda opinion: _RANK[type(opinion.decision)], default=None)
    if chosen is None or isinstance(chosen.decision, NoOpinion):
        by = "pause" if paused else "judge" if chosen is None else chosen.by
        return Verdict(_silence(event, chosen, paused=paused), by, word, trace)
    if (instead := modes.in_mode(event, scene, chosen, risk)) is not None:
        decision, why = instead
        line = TraceLine(f"mode:{event.permission_mode}", decision.word, why)
        return Verdict(decision, chosen.by, word, (*trace, line))
    if isinstance(chosen.decision, Prompt) and isinstance(event, PermissionRequest):
        # The dialog is opening already: to ask is to stay silent.
        return Verdict(NoOpinion("no_rule"), chosen.by, word, trace)
    return Verdict(chosen.decision, chosen.by, word, trace)


def _heard(opinions: list[Opinion], risk: Risk | None, *, paused: bool) -> list[Opinion]:
    if paused and risk is not Risk.DANGER:
        # Rules and stance are silent, people are not: what they queued goes out.
        return [opinion for opinion in opinions if opinion.by.startswith(("floor:", "person:"))]
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


def _hear(voice: Voice, event: Event, scene: Scene) -> Opinion | None:
    try:
        return voice.speak(event, scene)
    except Exception as e:
        name = type(voice).__name__
        # Neither the message nor the values of the frames: both may quote the agent's input.
        where = traceback.extract_tb(e.__traceback__)[-1]
        _log.error("%s failed on %s: %s at %s:%s", name, event.name, type(e).__name__, where.filename, where.lineno)
        if Call.of(event) is None:
            return None
        return Opinion(
            Prompt("The judge failed on this call, so please look at it yourself."),
            f"judge:{name.lower()}",
            f"{name} failed with {type(e).__name__}.",
        )
