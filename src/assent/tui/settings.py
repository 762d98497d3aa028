"""The settings: those people change while they work, changed here as on the page, and all others as they stand."""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from assent.errors import AssentError
from assent.text import settings, times
from assent.text.safe import plain_line
from assent.tui.asks.ask_view import Typing
from assent.tui.asks.card import short
from assent.tui.asks.dialogs.dialog import Did, Done, Sheet
from assent.tui.asks.dialogs.picker import below
from assent.tui.drawing.listing import Entry, heading, note
from assent.tui.drawing.text import Line, hung, pad, sentence, wrap
from assent.tui.drawing.text import width as line_width
from assent.tui.shared import Shared
from assent.tui.widgets.text import WIDE

LONGEST = 2_000
# As the hub tells a length of time.
_SPAN = re.compile(r"P(?:(?P<days>\d+)D)?(?:T(?P<seconds>[\d.]+)S)?")
_UNITS = (("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1))
_LABEL = 38
_STEPS = {"Down": 1, "j": 1, "Tab": 1, "Up": -1, "k": -1, "BackTab": -1}
AWAY, HUSH = "where", "hush"
_HUSH: dict[str, tuple[str, float | Literal["morning"]]] = {
    "15 minutes": ("15 minutes", 15 * 60),
    "1 hour": ("1 hour", 60 * 60),
    "morning": ("until morning", "morning"),
    "": ("not now", 0),
}


@dataclass(frozen=True, slots=True)
class Setting:
    name: str
    label: str
    value: str
    # Each with its words; nothing where it is typed.
    options: tuple[tuple[str, str], ...] = ()
    how: str = ""

    @property
    def told(self) -> str:
        return dict(self.options).get(self.value, self.value)


def changeable(state: dict[str, Any], presence: dict[str, Any]) -> list[Setting]:
    """As on the page: where you are, then what may be changed while the hub runs."""
    may, now = frozenset(state.get("changeable", ())), state["settings"]
    made = [*_whereabouts(presence)]
    made += [
        Setting(name, label, str(_at(now, name)), tuple(options.items()))
        for name, (label, options) in settings.PICKED.items()
        if name in may
    ]
    made += [
        Setting(name, label, _written(_at(now, name)), how="like 10m or 1h30m:")
        for name, label in settings.TYPED.items()
        if name in may
    ]
    name, label = settings.QUIET
    if name in may:
        made.append(Setting(name, label, _hours(_at(now, name)), how="like 22:00-07:00, or nothing:"))
    return made


def _whereabouts(presence: dict[str, Any]) -> list[Setting]:
    away, until, quiet = (presence.get(name) for name in ("away", "away_until", "quiet_until"))
    gone = f"away until {times.hour_minute(until)}" if until else "away: asks go to your other screens at once"
    hush = f"until {times.hour_minute(quiet)}" if quiet else "not now"
    return [
        Setting(AWAY, "Where you are", "away" if away else "here", (("here", "here"), ("away", gone))),
        Setting(HUSH, "Quiet now", hush, tuple((name, words) for name, (words, _) in _HUSH.items())),
    ]


def _at(table: Any, name: str) -> Any:
    for key in name.split("."):
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _written(value: object) -> str:
    """``PT5400S`` as it is typed: 1h30m."""
    span = _SPAN.fullmatch(str(value))
    if span is None:
        return str(value or "")
    left = int(span["days"] or 0) * 86_400 + round(float(span["seconds"] or 0))
    made = ""
    for unit, seconds in _UNITS:
        count, left = divmod(left, seconds)
        made += f"{count}{unit}" if count else ""
    return made or "0s"


def _hours(quiet: object) -> str:
    start, end = (str(_at(quiet, name) or "")[:5] for name in ("start", "end"))
    return f"{start}-{end}" if start != end else ""


class Board:
    """One row each; Enter opens the one that is marked, to be picked from or typed."""

    is_yes: ClassVar[bool] = True
    title = "Settings"

    def __init__(self, change: Callable[[str, str], None]) -> None:
        self._change = change
        self._rows: Sequence[Setting] = ()
        self._others: list[Entry] = [note("Asking the hub…")]
        self._at = 0
        # The option that is marked, while one is picked.
        self._pick: int | None = None
        self.cursor: int | None = None
        # What was typed and not taken, to be typed on.
        self.typed: dict[str, str] = {}
        self.told = ""

    def show(self, rows: Sequence[Setting], others: list[Entry]) -> None:
        self._rows, self._others = rows, others
        self._at = max(0, min(self._at, len(rows) - 1))

    def done(self, told: str) -> None:
        self.told, self._pick = told, None

    @property
    def is_picking(self) -> bool:
        return self._pick is not None

    def lines(self, width: int) -> list[Line]:
        lines = hung([(self.told, "ok")], width, [("  ", "")]) if self.told else []
        for at, row in enumerate(self._rows):
            is_here = at == self._at
            if is_here:
                self.cursor = len(lines)
            lines += _row(row, width, is_here, is_open=is_here and self.is_picking)
            if is_here and self._pick is not None:
                options, marked = below([[(words, "")] for _, words in row.options], self._pick, width - 2)
                self.cursor = len(lines) + marked
                lines += [[("  ", ""), *line] for line in options]
        return [*lines, *(line for entry in self._others for line in entry.draw(width, False))]

    def key(self, key: str) -> Did:
        if not self._rows:
            return False
        row = self._rows[self._at]
        if self._pick is not None:
            return self._picking(key, row, self._pick)
        if key in _STEPS:
            self._at = (self._at + _STEPS[key]) % len(self._rows)
            self.told = ""
            return True
        if key != "Enter":
            return False
        self.told = ""
        if not row.options:
            return Typing(row.how, lambda text: self._typed(row, text), self.typed.get(row.name, row.value))
        values = [value for value, _ in row.options]
        self._pick = values.index(row.value) if row.value in values else 0
        return True

    def _picking(self, key: str, row: Setting, at: int) -> Did:
        if key in ("Escape", "q"):
            self._pick = None
        elif key in _STEPS:
            self._pick = (at + _STEPS[key]) % len(row.options)
        elif key.isdigit() and 0 < int(key) <= len(row.options):
            self._pick = int(key) - 1
        elif key == "Enter":
            return Done({"name": row.name, "value": row.options[at][0]}, at_once=True)
        else:
            return False
        return True

    def _typed(self, row: Setting, text: str) -> None:
        self.typed[row.name] = text.strip()
        self._change(row.name, text.strip())

    def keys(self) -> list[tuple[str, str]]:
        if self._pick is not None:
            return [(f"1-{len(self._rows[self._at].options)}", "pick"), ("Enter", "set it")]
        return [("j k", "move"), ("Enter", "change"), ("Space", "next page")]


def _row(row: Setting, width: int, is_here: bool, *, is_open: bool) -> list[Line]:
    label: Line = [(" ▌" if is_here else "  ", "focus strong"), (row.label, "strong" if is_here else "")]
    if is_open:
        return [label]
    value: Line = [(plain_line(row.told, LONGEST) or "none", "text-2")]
    beside = pad(label, _LABEL + 2)
    if line_width(beside) + line_width(value) + 2 <= width:
        return [[*beside, ("  ", ""), *value]]
    return [*wrap(label, width, "  "), *hung(value, width, [("    ", "")])]


def entries(state: dict[str, Any]) -> list[Entry]:
    """What stands in the file, section by section, without what is changed above."""
    now: dict[str, Any] = state["settings"]
    may = frozenset(state.get("changeable", ())) & {*settings.PICKED, *settings.TYPED, settings.QUIET[0]}
    lines = [heading("In the file"), note(f"More is changed in {plain_line(short(state['file']), LONGEST)}.")]
    for name, value in now.items():
        if not isinstance(value, dict) and name not in may:
            lines += _setting(name, value)
    for section, values in now.items():
        rest = [(key, value) for key, value in values.items()] if isinstance(values, dict) else []
        if kept := [(key, value) for key, value in rest if f"{section}.{key}" not in may]:
            lines += [heading(section), *(entry for key, value in kept for entry in _setting(key, value))]
    return lines


def _setting(name: str, value: object) -> list[Entry]:
    text = f"{value / 2**30:g} GiB" if name == "max_size" and isinstance(value, int) else _said(value)
    lines = wrap([(plain_line(text, LONGEST) or "none", "text-2")], WIDE - 24)
    label: Line = pad([("  ", ""), (name, "")], 22)
    first = Entry(None, lambda _width, _: [[*label, *lines[0]]])
    rest = [Entry(None, lambda _width, _, line=line: [[(" " * 22, ""), *line]]) for line in lines[1:]]  # type: ignore[misc]
    return [first, *rest]


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in (None, ""):
        return "not set"
    if isinstance(value, list):
        return ", ".join(map(_said, value))
    if isinstance(value, dict) and "surface" in value:
        return f"{value['surface']} after {_said(value['after'])}"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_said(inner)}" for name, inner in value.items() if inner is not None)
    return _written(value) if _SPAN.fullmatch(str(value)) else str(value)


class Settings(Sheet):
    def __init__(self, shared: Shared) -> None:
        self.board = Board(self._begin)
        super().__init__(shared, self.board)

    def on_mount(self) -> None:
        super().on_mount()
        self.run_worker(self._load())
        # The hub takes what is written a moment later.
        self._outer.configured = lambda: self.run_worker(self._load())

    def on_unmount(self) -> None:
        self._outer.configured = lambda: None

    def leaving(self) -> str:
        return "leave it" if self.board.is_picking or self.prompt.is_open else "close"

    def decided(self, fields: dict[str, Any]) -> None:
        self._begin(fields["name"], fields["value"])

    def _begin(self, name: str, value: str) -> None:
        self.run_worker(self._carry_out(name, value), exclusive=True, group="changing")

    async def _carry_out(self, name: str, value: str) -> None:
        try:
            told = await asyncio.to_thread(self._carried_out, name, value)
        except AssentError as error:
            self.complain(sentence(error))
            return
        self.board.typed.pop(name, None)
        self.board.done(told)
        await self._load()
        self._outer.refresh_bars()

    def _carried_out(self, name: str, value: str) -> str:
        client = self.shared.client
        if name == AWAY:
            self.shared.mirror.presence = client.go_away(None) if value == "away" else client.come_back()
            return "The hub knows that you are away." if value == "away" else "The hub knows that you are here."
        if name == HUSH:
            words, wish = _HUSH[value]
            self.shared.mirror.presence = client.be_quiet(wish)
            return f"Quiet: {words}."
        if name == settings.QUIET[0] and not value:
            value = settings.NEVER_QUIET
        return f"Written to {short(client.change_settings({name: value}))}."

    async def _load(self) -> None:
        try:
            state = await asyncio.to_thread(self.shared.client.settings)
            if not self.board.is_picking:
                self.board.show(changeable(state, self.shared.mirror.presence), entries(state))
        except AssentError as error:
            self.board.show((), [note(line) for line in str(error).splitlines()])
        self.redraw()
