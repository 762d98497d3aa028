"""A finished turn: what the agent said last, what it should do next, and what else waits in its queue."""

from collections.abc import Sequence
from typing import Any

from assent.protocol.bodies import Choice
from assent.protocol.card import ShownAsk, StopView
from assent.protocol.queue import LONGEST_TEXT, Item
from assent.text.wording import NEXT
from assent.tui.asks.actions import Hands
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.markdown import blocks
from assent.tui.drawing.text import Line, Piece, counted, hung, label, safe_text
from assent.tui.sessions.sections import GOALS

# What the agent said stands behind it, so that it passes for nothing of ours.
_BAR: Piece = ("│ ", "line")


class Stop:
    """A digit or words say what comes next; nothing is sent before a second key."""

    def __init__(self, ask: ShownAsk, hands: Hands) -> None:
        self._stop = ask.view.stop or StopView()
        self._blocks = blocks(self._stop.message) if self._stop.message.strip() else []
        self._hands = hands
        self._text = ""
        # The item of the queue one is at, by its id.
        self._item = ""
        self._removing = ""
        # Where it stands, to be kept in view.
        self.cursor: int | None = None

    def lines(self, width: int) -> list[Line]:
        self.cursor = None
        stop = self._stop
        lines: list[Line] = []
        for block in self._blocks:
            if block.is_apart and lines:
                lines.append([_BAR])
            lines += [[_BAR, *line] for line in block.draw(width - 2)]
        if not lines:
            lines = [[("It ended without a message.", "text-2")]]
        if stop.background:
            lines += [[], [("Still running in the background:", "text-2")]]
            for one in stop.background:
                lines += hung([(label(one), "")], width, [("  - ", "text-3")])
        lines += [[], [("What should it do next?", "strong")], *self._chips(width)]
        if self._text:
            lines += hung([(self._text, "strong")], width, [("  > ", "focus strong")])
            lines += hung([("Enter sends it.", "text-2")], width, [("    ", "")])
        lines += [[], [(f"{stop.used} of {counted(stop.most, 'continuation')} used", "text-2")]]
        return [*lines, *self._queue(width, len(lines))]

    def _chips(self, width: int) -> list[Line]:
        line: Line = []
        for at, (name, text) in enumerate(self._replies, 1):
            style = "strong on:raised" if text == self._text else ""
            line += [("  ", ""), (f"{at} ", "focus"), (name, style)]
        return hung([*line, ("  c ", "focus"), ("your own words…", "")], width, [], [("  ", "")])

    @property
    def _replies(self) -> list[tuple[str, str]]:
        """The usual ones and one's own, as many as there are digits: a name, and what the agent is told."""
        return [*NEXT, *((label(text), text) for text in self._hands.snippets())][:9]

    def _queue(self, width: int, y: int) -> list[Line]:
        items = self._items
        if not items:
            return []
        lines: list[Line] = [[], [("Queue", "strong")]]
        for item in items:
            is_here = item.id == self._item
            if is_here:
                self.cursor = y + len(lines)
            start: Line = [("▌ " if is_here else "  ", "focus strong")]
            about = f"  {GOALS.get(item.to, '')}" if item.id != self._removing else "  X once more deletes it"
            lines += hung([(safe_text(item.text), ""), (about, "text-3")], width, start)
        return lines

    @property
    def _items(self) -> Sequence[Item]:
        return self._hands.items()

    def key(self, key: str) -> bool | Typing | Choice:
        removing, self._removing = self._removing, ""
        if len(key) == 1 and key in "123456789":
            at = int(key) - 1
            # A digit without a meaning is still no way to somewhere else.
            self._text = self._replies[at][1] if at < len(self._replies) else self._text
            return True
        if key == "c":
            return self._write()
        item = next((item for item in self._items if item.id == self._item), None)
        if key in ("Tab", "BackTab"):
            return self._move(1 if key == "Tab" else -1)
        if item is not None and (did := self._do(key, item, removing)) is not False:
            return did
        if key == "Enter" and self._text:
            return "keep_going"
        return False

    def _move(self, by: int) -> bool:
        """Through the queue, and out of it again."""
        names = ["", *(item.id for item in self._items)]
        at = names.index(self._item) if self._item in names else 0
        self._item = names[(at + by) % len(names)]
        return len(names) > 1

    def _do(self, key: str, item: Item, removing: str) -> bool | Typing:
        place = 1 + [each.id for each in self._items].index(item.id)
        match key:
            case "Enter":
                return Typing("other words for it:", lambda text: self._rewrite(item, text), item.text)
            case "X" if removing == item.id:
                self._hands.remove(item.id)
            case "X":
                self._removing = item.id
            case "K" if place > 1:
                self._hands.move(item.id, place - 1)
            case "J" if place < len(self._items):
                self._hands.move(item.id, place + 1)
            case "J" | "K":
                pass
            case _:
                return False
        return True

    def _rewrite(self, item: Item, text: str) -> str | None:
        if why := _unfit(text):
            return why
        if text.strip() != item.text:
            self._hands.rewrite(item.id, text.strip())
        return None

    def _write(self) -> Typing:
        def take(text: str) -> str | None:
            self._text = text.strip()
            return None

        return Typing("what should it do next:", take, self._text, picks=self._hands.snippets())

    def read(self, choice: Choice) -> dict[str, Any] | str:
        if choice != "keep_going":
            return {}
        return (
            {"message": self._text} if self._text else "Say what it should do next: a digit, or c for your own words."
        )

    def keys(self) -> list[tuple[str, str]]:
        if self._item:
            return [("Tab", "next"), ("Enter", "edit"), ("J K", "move"), ("X", "delete")]
        send = [("Enter", "send")] if self._text else []
        queue = [("Tab", "queue")] if self._items else []
        return [*send, (f"1-{len(self._replies)}", "pick"), ("c", "words…"), *queue]


def _unfit(text: str) -> str:
    if not text.strip():
        return "Nothing was written. X deletes an item."
    return f"An instruction has at most {LONGEST_TEXT} characters." if len(text) > LONGEST_TEXT else ""
