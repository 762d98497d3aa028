"""Placeholder so the hub can run while policy is being written; engineer R replaces this file."""

from collections.abc import Sequence

from assent.policy.voice import Scene, Voice
from assent.protocol.decision import NoOpinion, TraceLine, Verdict
from assent.protocol.events import Event


def judge(event: Event, scene: Scene, voices: Sequence[Voice], *, paused: bool = False) -> Verdict:
    for voice in voices:
        if (opinion := voice.speak(event, scene)) is not None:
            line = TraceLine(by=opinion.by, says=opinion.decision.word, why=opinion.why)
            return Verdict(decision=opinion.decision, by=opinion.by, trace=(line,))
    return Verdict(decision=NoOpinion("paused" if paused else "no_rule"), by="nobody")
