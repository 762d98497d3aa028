"""A plan to read: any part of it can be given a note; a yes names the mode that follows."""

from itertools import zip_longest
from typing import Any

from assent.protocol.bodies import Choice
from assent.protocol.card import ShownAsk
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.markdown import Block, blocks
from assent.tui.drawing.text import Line, counted, hung, pad, safe_text

LONGEST_QUOTE = 120
# With so much room notes stand beside the plan, in a column of this width.
WIDE = 130
NOTES = 44
_NOTHING: Line = []
# At the edge, where nothing of the plan itself can stand.
_NOTE: Line = [("▸ ", "care strong")]
_FORWARD = frozenset({"Tab", "]"})
_BACK = frozenset({"BackTab", "["})


class Plan:
    """Tab goes from part to part, Enter writes a note on it."""

    def __init__(self, ask: ShownAsk) -> None:
        self._source = safe_text(ask.view.markdown)
        # What a yes would allow beyond the plan, and where it is kept.
        self._facts = ask.view.facts
        self._blocks = blocks(self._source) if self._source.strip() else []
        # By the part they are about.
        self._notes: dict[int, str] = {}
        self._message = ""
        self._at: int | None = None
        self._drawn: tuple[int, list[list[Line]]] = (0, [])
        self._round = ask.round
        # The difference to the plan before stands in place of the plan: its end does not count as read.
        self.is_partial = False
        # Where the part stands that was gone to last, to be kept in view.
        self.cursor: int | None = None

    def lines(self, width: int) -> list[Line]:
        self.cursor = None
        if self._round is not None and self.is_partial:
            from assent.tui.asks.ask_views import diff

            # Read from its beginning, wherever one was in the plan.
            self.cursor = 0
            return diff.lines([self._round.diff], width, "words")[0]
        if not self._blocks:
            return [[("The plan has no text.", "text-2")]]
        beside = NOTES if width >= WIDE and self._notes else 0
        lines: list[Line] = []
        for at, (block, drawn) in enumerate(zip(self._blocks, self._parts(width - beside - 2), strict=True)):
            if block.is_apart and lines:
                lines.append([])
            is_here = at == self._at
            if is_here:
                self.cursor = len(lines)
            gutter: Line = [("▌ ", "focus strong")] if is_here else [("  ", "")]
            part = [[*gutter, *line] for line in drawn]
            note = self._drawn_note(at, beside or width)
            lines += _side_by_side(part, note, width - beside) if beside else [*part, *note]
        lines += self._drawn_facts(width)
        if self._message:
            words: Line = [("note on the whole plan: ", "care strong"), (self._message, "strong")]
            lines += [[], *hung(words, width, _NOTE)]
        if count := self._count:
            it = "it" if count == 1 else "them"
            lines += [[], [(f"{counted(count, 'note')}, not sent yet. S sends {it}.", "care")]]
        return lines

    def _drawn_note(self, at: int, width: int) -> list[Line]:
        if at not in self._notes:
            return []
        return hung([("note: ", "care strong"), (self._notes[at], "strong")], width, _NOTE)

    def _drawn_facts(self, width: int) -> list[Line]:
        lines: list[Line] = [[]] if self._facts else []
        for name, value in self._facts:
            text = safe_text(value, is_command=True)
            lines += hung([(f"{safe_text(name).capitalize()}: ", "text-2 strong"), (text, "")], width, [("  ", "")])
        return lines

    def _parts(self, width: int) -> list[list[Line]]:
        """Drawn once for a width: notes come and go, the plan stays."""
        if self._drawn[0] != width:
            self._drawn = (width, [block.draw(width) for block in self._blocks])
        return self._drawn[1]

    @property
    def _count(self) -> int:
        return len(self._notes) + bool(self._message)

    def key(self, key: str) -> bool | Typing | Choice:
        if key == "v" and self._round is not None:
            self.is_partial = not self.is_partial
            return True
        if self.is_partial and key != "S":
            return False
        if key in _FORWARD or key in _BACK:
            return self._move(1 if key in _FORWARD else -1)
        if key == "Enter" and self._at is not None:
            return self._note(self._at)
        if key == "o":
            return Typing("what should change in the plan:", self._take_message, self._message)
        if key == "S":
            return "revise"
        return False

    def _move(self, by: int) -> bool:
        if not self._blocks:
            return False
        last = len(self._blocks) - 1
        start = (-1 if by > 0 else last + 1) if self._at is None else self._at
        self._at = max(0, min(start + by, last))
        return True

    def _note(self, at: int) -> Typing:
        def take(text: str) -> None:
            if text.strip():
                self._notes[at] = text.strip()
            else:
                self._notes.pop(at, None)

        return Typing("note on this part (empty removes it):", take, self._notes.get(at, ""))

    def _take_message(self, text: str) -> None:
        self._message = text.strip()

    def read(self, choice: Choice) -> dict[str, Any] | str:
        notes = self._said()
        if choice == "revise":
            return (
                {"message": notes} if notes else "Write a note first: Tab to a part and Enter, or o for the whole plan."
            )
        if choice != "approve":
            return {}
        if self.is_partial:
            return "v goes back to the whole plan: that is what you approve."
        if not self._source.strip():
            return "There is no plan to approve."
        if notes:
            return "You have notes that were not sent. S sends them; or empty them before you approve."
        return {}

    def _said(self) -> str:
        lines = self._source.split("\n")
        notes = [f"> {_quote(lines, self._blocks[at])}\n{note}" for at, note in sorted(self._notes.items())]
        return "\n\n".join([*notes, *([self._message] if self._message else [])])

    def keys(self) -> list[tuple[str, str]]:
        note = [("Enter", "note")] if self._at is not None else []
        if self.is_partial:
            return [("v", "whole plan")]
        changed = [("v", "what changed")] if self._round is not None else []
        return [*changed, ("Tab", "parts"), *note, ("o", "note on all")]


def _side_by_side(left: list[Line], right: list[Line], width: int) -> list[Line]:
    return [
        [*pad(here, width), *there] if there else here for here, there in zip_longest(left, right, fillvalue=_NOTHING)
    ]


def _quote(lines: list[str], block: Block) -> str:
    at = block.line - 1
    return lines[at].strip()[:LONGEST_QUOTE] if 0 <= at < len(lines) else ""
