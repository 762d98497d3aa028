"""The input as it came."""

import json
from functools import lru_cache
from typing import Any

from assent.protocol.card import ShownAsk
from assent.tui.drawing.text import Line, inert, with_marks, wrap


def raw(ask: ShownAsk, cells: int) -> list[Line]:
    return json_lines(ask.view.raw, cells)


def json_lines(value: Any, cells: int) -> list[Line]:
    return _lines(json.dumps(value, indent=2, ensure_ascii=False), cells)


@lru_cache(maxsize=1)
def _lines(text: str, cells: int) -> list[Line]:
    """Kept for the next time it is drawn: it can be megabytes."""
    # Few look at it, and start-up counts.
    from assent.tui.drawing.code import coloured

    made: list[Line] = []
    for line in coloured("\n".join(inert(line) for line in text.split("\n")), "json"):
        written = "".join(piece for piece, _ in line)
        depth = len(written) - len(written.lstrip(" "))
        made += wrap(with_marks(line), cells, " " * (depth + 2))
    return made
