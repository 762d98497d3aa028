"""One of a few: rows with a digit each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assent.tui.asks.sheets.paper import Did, Done
from assent.tui.drawing.parts import hung
from assent.tui.drawing.text import Line

_STEPS = {"Down": 1, "j": 1, "Tab": 1, "Up": -1, "k": -1, "BackTab": -1}


@dataclass(frozen=True, slots=True)
class Pick:
    words: str
    fields: dict[str, Any]
    about: str = ""


class Picker:
    is_yes: ClassVar[bool] = False

    def __init__(self, title: str, picks: Sequence[Pick], act: str) -> None:
        self.title = title
        self._picks = picks
        self._act = act
        self._at = 0
        self.cursor: int | None = None

    def lines(self, width: int) -> list[Line]:
        lines: list[Line] = []
        for at, pick in enumerate(self._picks):
            is_here = at == self._at
            if is_here:
                self.cursor = len(lines)
            mark: Line = [(" ▌" if is_here else "  ", "focus strong"), (f"{at + 1} ", "focus")]
            mark += [("(●) " if is_here else "( ) ", "focus")]
            lines += hung([(pick.words, "strong" if is_here else "")], width, mark)
            if pick.about:
                lines += hung([(pick.about, "text-2")], width, [("        ", "")])
        return lines

    def key(self, key: str) -> Did:
        if key in _STEPS:
            self._at = (self._at + _STEPS[key]) % len(self._picks)
            return True
        if len(key) == 1 and key in "123456789":
            self._at = min(int(key), len(self._picks)) - 1
            return True
        return Done(self._picks[self._at].fields) if key == "Enter" else False

    def keys(self) -> list[tuple[str, str]]:
        return [(f"1-{len(self._picks)}", "pick"), ("Enter", self._act)]


class YesPicker(Picker):
    """What is picked is a yes."""

    is_yes: ClassVar[bool] = True
