"""The command palette: everything that can be done here, by name."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from assent.actions import ACTIONS, BY_NAME, Action
from assent.tui.drawing.listing import Entry, Listing, heading
from assent.tui.drawing.text import Line, ends, pad, wrap
from assent.tui.pane import Pane
from assent.tui.shared import Shared
from assent.tui.widgets.prompt import Field
from assent.tui.widgets.rows import Rows
from assent.tui.widgets.text import WIDE, Overlay

_ROOMS = {"ask": "This ask", "list": "Moving", "view": "Reading", "feed": "Feed", "page": "Everywhere", "go": "Going"}


def entries(pane: Pane, possible: list[str]) -> list[Entry]:
    """The words of the screen, the keys of what is focused, then everything by name."""
    lines = [heading(f"{pane.TITLE}: help"), *(_text(line) for line in wrap([(pane.HELP, "")], WIDE - 4))]
    live = pane.keys()
    own = [(key, words) for key, words in live if not any(BY_NAME[name].key == key for name in possible)]
    if own:
        lines += [heading("Here"), *(_key(key, words, "") for key, words in own)]
    for room, title in _ROOMS.items():
        here = [BY_NAME[name] for name in possible if BY_NAME[name].room == room]
        if here:
            lines += [heading(title), *(_key(action.key or ":", action.words, action.name) for action in here)]
    return lines


def _text(line: Line) -> Entry:
    return Entry(None, lambda _width, _: [[("  ", ""), *line]])


def _key(key: str, words: str, name: str) -> Entry:
    line = pad(pad([("  ", ""), (key, "focus strong")], 10), 10)
    return Entry(None, lambda _width, _: [[*pad([*line, (words, "")], 56), (f"  {name}", "text-3")]])


class Help(Overlay):
    def __init__(self, shared: Shared, pane: Pane, possible: list[str]) -> None:
        super().__init__(shared, entries(pane, possible))


def matching(typed: str, possible: list[Action]) -> list[Action]:
    """Those of whose names every typed letter comes in order, those that begin so first; also by their words."""
    wanted = typed.partition(" ")[0].lower()
    containing = [action for action in possible if wanted in action.name or wanted in action.words.lower()]
    loose = [action for action in possible if action not in containing and _in_order(wanted, action.name)]
    return [*sorted(containing, key=lambda action: not action.name.startswith(wanted)), *loose]


def _in_order(letters: str, name: str) -> bool:
    rest = iter(name)
    return all(letter in rest for letter in letters)


class Palette(ModalScreen[str]):
    """Gives back what was typed, with the name it stands for: ``ask.allow kptwm``."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss")]

    def __init__(self, shared: Shared, possible: list[Action]) -> None:
        super().__init__()
        self._possible = possible
        self._shared = shared
        self._rows = Rows(self._listing(""), shared.look, ground="on:surface", id="palette-rows")

    def compose(self) -> ComposeResult:
        with Vertical(id="palette"):
            yield Field(placeholder="what to do, by name; an ask's id may follow", id="palette-input", compact=True)
            yield self._rows

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self._rows.step(1)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._rows.source = self._listing(event.value)
        self._rows.selected = None
        self._rows.reload()
        self._rows.step(1)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("down", "up"):
            event.stop()
            self._rows.step(1 if event.key == "down" else -1)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        _, _, argument = event.value.strip().partition(" ")
        self.dismiss(f"{self._rows.selected or ''} {argument}".strip() if self._rows.selected else None)

    def _listing(self, typed: str) -> Listing:
        possible = self._possible
        if typed.strip().partition(" ")[2] in self._shared.mirror.asks:
            # Of another ask than the one on the screen: it is shown first.
            possible = [action for action in ACTIONS if action.room == "ask"]
        return Listing([_entry(action) for action in matching(typed.strip(), possible)])


def _entry(action: Action) -> Entry:
    def draw(width: int, is_selected: bool) -> list[Line]:
        left = pad([("▌" if is_selected else " ", "focus strong"), (action.name, "strong" if is_selected else "")], 22)
        return [ends([*left, (action.words, "text-2")], [(action.key, "focus"), (" ", "")], width)]

    return Entry(action.name, draw)
