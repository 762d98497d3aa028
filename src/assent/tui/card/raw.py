"""The input as it came."""

import json
from functools import lru_cache
from typing import Any

from assent.protocol.card import ShownAsk
from assent.tui.text import Line, inert, wrap


def raw(ask: ShownAsk, cells: int) -> list[Line]:
    return json_lines(ask.view.raw, cells)


def json_lines(value: Any, cells: int) -> list[Line]:
    return _lines(json.dumps(value, indent=2, ensure_ascii=False), cells)


@lru_cache(maxsize=1)
def _lines(text: str, cells: int) -> list[Line]:
    """Kept for the next time it is drawn: it can be megabytes."""
    made: list[Line] = []
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(" "))
        made += wrap([(inert(line), "")], cells, " " * (depth + 2))
    return made
