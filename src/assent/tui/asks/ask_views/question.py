"""Questions, one at a time: options, always a free answer, and a last look before anything is sent."""

from dataclasses import dataclass, field
from typing import Any

from assent.protocol.bodies import Choice
from assent.protocol.card import QuestionView, ShownAsk
from assent.text.invisible import drawn
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.text import Line, hung, label, safe_text

_OTHER = "o"
# What an agent wrote stands behind it, so that it passes for nothing of ours.
_BAR: Line = [("│ ", "line")]
_INDENT: Line = [("        ", "")]


@dataclass(slots=True)
class Answer:
    """What is picked so far, and words of one's own."""

    picked: set[int] = field(default_factory=set)
    other: str = ""

    def text(self, question: QuestionView) -> str:
        labels = [option.label for at, option in enumerate(question.options) if at in self.picked]
        return ", ".join([*labels, *([self.other] if self.other else [])])


class Question:
    """Digits pick. What has no digit is reached with Tab and picked with Enter."""

    def __init__(self, ask: ShownAsk) -> None:
        self._questions = ask.view.questions
        self._answers = [Answer() for _ in self._questions]
        self.step = 0
        # The option Enter picks; None until the cursor is on one.
        self._at: int | None = None
        # Where the option stands that was gone to or picked last, to be kept in view.
        self.cursor: int | None = None

    @property
    def _is_review(self) -> bool:
        return self.step == len(self._questions)

    @property
    def _last_step(self) -> int:
        """One question needs no review."""
        return len(self._questions) if len(self._questions) > 1 else 0

    def lines(self, width: int) -> list[Line]:
        self.cursor = None
        if not self._questions:
            return [[("It asks nothing.", "text-2")]]
        return self._review(width) if self._is_review else self._question(width)

    def _question(self, width: int) -> list[Line]:
        one, mine = self._questions[self.step], self._answers[self.step]
        where = f"{self.step + 1} of {len(self._questions)}" if len(self._questions) > 1 else ""
        head: Line = [(" · ".join(filter(None, (where, "pick any number" if one.multi else ""))), "text-2")]
        lines: list[Line] = [head] if head[0][0] else []
        if one.header:
            lines += hung([(label(one.header), "text-2")], width, _BAR, _BAR)
        lines += [*hung([(safe_text(one.question), "strong")], width, _BAR, _BAR), []]
        for at, option in enumerate(one.options):
            key = str(at + 1) if at < 9 else " "
            lines += self._row(width, len(lines), at, key, label(option.label), at in mine.picked)
            if option.description:
                lines += hung([(safe_text(option.description), "text-2")], width, _INDENT)
            if option.preview:
                lines += _preview(option.preview, width)
        other = f"Other: {mine.other}" if mine.other else "Other…"
        lines += self._row(width, len(lines), len(one.options), _OTHER, other, bool(mine.other))
        return lines

    def _row(self, width: int, y: int, at: int, key: str, words: str, is_on: bool) -> list[Line]:
        is_here = at == self._at
        if is_here:
            self.cursor = y
        on, off = ("[✓]", "[ ]") if self._multi else ("(●)", "( )")
        mark: Line = [("▌" if is_here else " ", "focus strong"), (f"{key} ", "focus"), (on if is_on else off, "focus")]
        style = "strong" if is_on or is_here else ""
        return hung([(words, style)], width, [*mark, (" ", "")], _INDENT)

    @property
    def _multi(self) -> bool:
        return not self._is_review and self._questions[self.step].multi

    def _review(self, width: int) -> list[Line]:
        lines: list[Line] = [[("Review", "strong"), (" · nothing is sent yet", "text-2")], []]
        for at, (one, mine) in enumerate(zip(self._questions, self._answers, strict=True)):
            key = f"{at + 1} " if at < 9 else "  "
            lines += hung([(label(one.question), "text-2")], width, [(f" {key}", "focus")])
            text = mine.text(one)
            style = "strong" if text else "care"
            lines += hung([(label(text) or "no answer yet", style)], width, [("   ", "")])
        return lines

    def key(self, key: str) -> bool | Typing | Choice:
        if not self._questions:
            return False
        if key in ("Left", "Right"):
            return self._go(self.step + (1 if key == "Right" else -1))
        if len(key) == 1 and key in "123456789":
            return self._digit(int(key) - 1)
        if self._is_review:
            return False
        if key == _OTHER:
            return self._other()
        if key in ("Tab", "BackTab"):
            count = len(self._questions[self.step].options) + 1
            start = -1 if key == "Tab" else 0
            self._at = ((start if self._at is None else self._at) + (1 if key == "Tab" else -1)) % count
            return True
        if key == "Enter" and self._at is not None:
            return self._pick(self._at)
        return False

    def _go(self, step: int) -> bool:
        before, self.step = self.step, max(0, min(step, self._last_step))
        if self.step != before:
            self._at = None
        return True

    def _digit(self, at: int) -> bool | Typing:
        if self._is_review:
            return at < len(self._questions) and self._go(at)
        # A digit without an option is still no way to somewhere else.
        return at >= len(self._questions[self.step].options) or self._pick(at)

    def _pick(self, at: int) -> bool | Typing:
        one, mine = self._questions[self.step], self._answers[self.step]
        if at >= len(one.options):
            return self._other()
        if one.multi:
            mine.picked ^= {at}
        else:
            mine.picked, mine.other = {at}, ""
        return True

    def _other(self) -> Typing:
        one, mine = self._questions[self.step], self._answers[self.step]

        def take(text: str) -> None:
            mine.other = text.strip()
            if mine.other and not one.multi:
                mine.picked = set()

        return Typing("your own answer:", take, mine.other)

    def read(self, choice: Choice) -> dict[str, Any] | str:
        if choice != "answer":
            return {}
        given = [mine.text(one) for one, mine in zip(self._questions, self._answers, strict=True)]
        missing = next((at for at, text in enumerate(given) if not text.strip()), None)
        if missing is not None:
            self._go(missing)
            return f"Question {missing + 1} has no answer yet." if len(given) > 1 else "Pick an answer first."
        if self.step != self._last_step:
            self._go(self._last_step)
            return "Look over your answers, then submit them."
        return {"answers": {one.question: text for one, text in zip(self._questions, given, strict=True)}}

    def keys(self) -> list[tuple[str, str]]:
        if not self._questions:
            return []
        if self._is_review:
            return [(_digits(len(self._questions)), "change"), ("←", "back")]
        count = len(self._questions[self.step].options)
        steps = [("←→", "question")] if self._last_step else []
        more = [("Tab", "options"), ("Enter", "pick")] if count > 9 or self._at is not None else []
        pick = [(_digits(count), "toggle" if self._multi else "pick")] if count else []
        return [*pick, ("o", "other…"), *steps, *more]


def _preview(text: str, width: int) -> list[Line]:
    bar: Line = [*_INDENT, *_BAR]
    parts = drawn(safe_text(text), is_command=True).split("\n")
    return [line for part in parts for line in hung([(part, "text-2")], width, bar, bar)]


def _digits(count: int) -> str:
    return f"1-{min(count, 9)}" if count > 1 else "1"
