"""A command line as stretches of text, each with what is known of the command it belongs to.

Nothing is left out and nothing added: the stretches together are the line. What the judge saw and cannot be found in
the text again counts against the text around it, and in the end against the whole line."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assent.protocol.card import Segment
from assent.protocol.decision import Risk, Step, Trial
from assent.protocol.decision import Seen as Effect

# The judge names so many commands of a line and no more.
MOST_STEPS = 200
# Of looking for their texts, all together.
_MOST_TRIES = 2_000
_MOST_WHYS = 3
_WORDLY = re.compile(r"[\w./~$-]")
_UNSEEN = "More than was looked through."


def split(command: str, trial: Trial | None, level: str) -> tuple[Segment, ...]:
    """``level`` is the risk of the whole where its parts were not judged."""
    if not command:
        return ()
    if trial is None or not trial.steps:
        return (Segment(command, level, needs_you=True, why=trial.reason if trial else ""),)
    line = _Line(command)
    lost = [step for step in trial.steps if not line.place(step, 0, len(command))]
    if any(risk_of(step) > Risk.LOOK for step in lost):
        return (Segment(command, level, needs_you=True, why=trial.reason),)
    return tuple(line.segments(is_cut=count(trial.steps) >= MOST_STEPS, level=level))


def count(steps: Sequence[Step]) -> int:
    return sum(1 + count(step.starts) for step in steps)


def risk_of(step: Step) -> Risk:
    return parsed(step.risk)


def parsed(word: str | None) -> Risk:
    """An unknown word counts as the highest risk."""
    try:
        return Risk.parse(word or "")
    except KeyError:
        return Risk.CARE


@dataclass
class _Span:
    start: int
    end: int
    effects: list[Effect]
    inside: "list[_Span]" = field(default_factory=list)


class _Line:
    def __init__(self, text: str) -> None:
        self._text = text
        self._top: list[_Span] = []
        self._cursor = 0
        self._tries = _MOST_TRIES

    def place(self, step: Step, start: int, end: int, parent: _Span | None = None) -> bool:
        """Whether the step, or all that is risky in it, was found in the text."""
        taken = self._top if parent is None else parent.inside
        at = self._find(step.command, start, end, taken)
        if at is None:
            return False
        span = _Span(at, at + len(step.command), list(step.effects))
        taken.append(span)
        self._cursor = at
        for inner in step.starts:
            if not self.place(inner, span.start, span.end, span):
                span.effects += _all_effects(inner)
                # The body of a function, or a text that is fed in, stands elsewhere in the line.
                self.place(inner, 0, len(self._text))
        self._cursor = max(self._cursor, span.end)
        return True

    def _find(self, part: str, start: int, end: int, taken: list[_Span]) -> int | None:
        if not part.strip():
            return None
        # Commands are mostly named in the order in which they stand.
        for begin in (max(start, self._cursor), start):
            at = begin - 1
            while self._tries > 0:
                self._tries -= 1
                at = self._text.find(part, at + 1, end)
                if at < 0:
                    break
                if self._stands_alone(at, at + len(part)) and _is_free(taken, at, at + len(part)):
                    return at
        return None

    def _stands_alone(self, start: int, end: int) -> bool:
        before, after = self._text[start - 1 : start], self._text[end : end + 1]
        cuts_before = bool(before and _WORDLY.match(before) and _WORDLY.match(self._text[start]))
        cuts_after = bool(after and _WORDLY.match(after) and _WORDLY.match(self._text[end - 1]))
        return not cuts_before and not cuts_after and not self._text.startswith(("()", " ()"), end)

    def segments(self, *, is_cut: bool, level: str) -> Iterator[Segment]:
        pieces = list(self._pieces(self._top, 0, len(self._text), None))
        # Where nothing stands out, the ask is about all of it.
        is_even = not is_cut and not any(_worst(effects) > Risk.LOOK for _, effects in pieces if effects)
        for text, effects in pieces:
            if effects is None:
                is_open = is_cut and text.strip(" \t\n;&|(){}") != ""
                yield Segment(text, level, needs_you=True, why=_UNSEEN) if is_open else Segment(text)
            else:
                worst = _worst(effects)
                yield Segment(text, worst.word, needs_you=is_even or worst > Risk.LOOK, why=_why(effects, worst))

    def _pieces(
        self, spans: list[_Span], start: int, end: int, around: list[Effect] | None
    ) -> Iterator[tuple[str, list[Effect] | None]]:
        """Texts, and whose effects they have; None for what stands between commands."""
        at = start
        for span in sorted(spans, key=lambda span: span.start):
            if at < span.start:
                yield self._text[at : span.start], around
            yield from self._pieces(span.inside, span.start, span.end, span.effects)
            at = span.end
        if at < end:
            yield self._text[at:end], around


def _is_free(taken: list[_Span], start: int, end: int) -> bool:
    return all(end <= span.start or span.end <= start for span in taken)


def _all_effects(step: Step) -> list[Effect]:
    return [*step.effects, *(effect for inner in step.starts for effect in _all_effects(inner))]


def _worst(effects: list[Effect]) -> Risk:
    return max((parsed(effect.risk) for effect in effects), default=Risk.LOOK)


def _why(effects: list[Effect], worst: Risk) -> str:
    """What is worst first, and of what needs care not only the worst."""
    least = min(worst, Risk.CARE)
    worst_first = sorted((e for e in effects if parsed(e.risk) >= least), key=lambda effect: -parsed(effect.risk))
    return " ".join(list(dict.fromkeys(effect.why for effect in worst_first))[:_MOST_WHYS])
