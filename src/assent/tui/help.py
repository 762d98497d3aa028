"""Help for the screen one is on: what it is for, and every key that does something here."""

from assent.actions import BY_NAME
from assent.tui.drawing.listing import Entry, heading
from assent.tui.drawing.text import Line, pad, wrap
from assent.tui.pane import Pane
from assent.tui.shared import Shared
from assent.tui.widgets.overlay import WIDE, Overlay

_ROOMS = {"ask": "This ask", "list": "Moving", "view": "Reading", "feed": "Feed", "page": "Everywhere", "go": "Going"}


def entries(pane: Pane, possible: list[str]) -> list[Entry]:
    """The words of the screen, the keys of what is focused, then everything by name."""
    found = [heading(f"{pane.TITLE}: help"), *(_text(line) for line in wrap([(pane.HELP, "")], WIDE - 4))]
    live = pane.keys()
    own = [(key, words) for key, words in live if not any(BY_NAME[name].key == key for name in possible)]
    if own:
        found += [heading("Here"), *(_key(key, words, "") for key, words in own)]
    for room, title in _ROOMS.items():
        here = [BY_NAME[name] for name in possible if BY_NAME[name].room == room]
        if here:
            found += [heading(title), *(_key(action.key or ":", action.words, action.name) for action in here)]
    return [*found, heading("Esc closes this")]


def _text(line: Line) -> Entry:
    return Entry(None, lambda _width, _: [[("  ", ""), *line]])


def _key(key: str, words: str, name: str) -> Entry:
    line = pad(pad([("  ", ""), (key, "focus strong")], 10), 10)
    return Entry(None, lambda _width, _: [[*pad([*line, (words, "")], 56), (f"  {name}", "text-3")]])


class Help(Overlay):
    def __init__(self, shared: Shared, pane: Pane, possible: list[str]) -> None:
        super().__init__(shared, entries(pane, possible))
