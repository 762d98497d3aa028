"""What a tool would do: its command, its changes in files, and everything else of its input."""

from typing import Any

from assent.protocol.bodies import Choice
from assent.protocol.card import ShownAsk
from assent.tui.asks.card.raw import json_lines
from assent.tui.asks.thing import Typing
from assent.tui.asks.things import command, diff
from assent.tui.drawing.text import Line, label, wrap


class Permission:
    """``v`` draws a diff another way, ``[`` and ``]`` go from hunk to hunk."""

    def __init__(self, ask: ShownAsk) -> None:
        self._ask = ask
        self._mode: diff.Mode = "unified"
        # The hunk that was gone to last.
        self._at = -1
        # Where it stands, to be brought into view.
        self.cursor: int | None = None
        self._width = 0
        self._drawn: tuple[int, diff.Mode, list[Line]] | None = None
        self._stops: list[int] = []

    def lines(self, width: int) -> list[Line]:
        """Drawn once for a width: texts can be long, and the card around it changes every second."""
        if self._drawn is None or self._drawn[:2] != (width, self._mode):
            self._drawn = (width, self._mode, self._draw(width))
        return self._drawn[2]

    def _draw(self, width: int) -> list[Line]:
        view, self._width = self._ask.view, width
        made = command.lines(view.segments, width, tool=view.tool, reason=self._ask.risk.reason)
        if view.diffs:
            made += [[]] if made else []
            drawn, stops = diff.lines(view.diffs, width, self._mode)
            self._stops = [len(made) + stop for stop in stops]
            made += drawn
        for name, value in view.facts:
            made += wrap([(label(name), "text-2 strong")], width)
            made += command.text(value, width)
        return made or json_lines(view.raw, width)

    def key(self, key: str) -> bool | Typing | Choice:
        if not self._ask.view.diffs or key not in ("v", "[", "]"):
            return False
        if key == "v":
            modes = diff.modes(self._width)
            self._mode = modes[(modes.index(self._mode) + 1) % len(modes)] if self._mode in modes else modes[0]
            self._at, self.cursor = -1, None
        else:
            self._at = min(max(0, self._at + (1 if key == "]" else -1)), len(self._stops) - 1)
            self.cursor = self._stops[self._at]
        return True

    def read(self, choice: Choice) -> dict[str, Any] | str:  # noqa: ARG002 - all is said by the choice
        return {}

    def keys(self) -> list[tuple[str, str]]:
        if not self._ask.view.diffs:
            return []
        modes = diff.modes(self._width)
        after = modes[(modes.index(self._mode) + 1) % len(modes)] if self._mode in modes else modes[0]
        return [("v", after), *([("[ ]", "hunks")] if len(self._stops) > 1 else [])]
