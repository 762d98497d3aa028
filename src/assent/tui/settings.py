"""The settings in force, and where they are changed."""

import asyncio
import re
from typing import Any

from assent.errors import AssentError
from assent.text import times
from assent.text.safe import plain_line
from assent.tui.drawing.listing import Entry, heading, note
from assent.tui.drawing.text import Line, pad, wrap
from assent.tui.shared import Shared
from assent.tui.widgets.text import WIDE, Overlay

LONGEST = 2_000
# As the hub tells a length of time.
_SPAN = re.compile(r"P(?:(?P<days>\d+)D)?(?:T(?P<seconds>[\d.]+)S)?")


def entries(state: dict[str, Any]) -> list[Entry]:
    """Section by section, as they stand in the file."""
    settings: dict[str, Any] = state["settings"]
    plain = {name: value for name, value in settings.items() if not isinstance(value, dict)}
    lines = [heading("Settings"), note(f"Change them in {plain_line(state['file'], LONGEST)}, or on the page.")]
    lines += [entry for name, value in plain.items() for entry in _setting(name, value)]
    for section, values in settings.items():
        if isinstance(values, dict) and values:
            lines.append(heading(section))
            lines += [entry for name, value in values.items() for entry in _setting(name, value)]
    return [*lines, heading("Esc closes this")]


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
    if (span := _SPAN.fullmatch(str(value))) is not None:
        return times.span((int(span["days"] or 0) * 86_400 + float(span["seconds"] or 0)) * 1000)
    return str(value)


class Settings(Overlay):
    def __init__(self, shared: Shared) -> None:
        super().__init__(shared, [note("Asking the hub…")])

    async def on_mount(self) -> None:
        self.run_worker(self._load())

    async def _load(self) -> None:
        try:
            lines = entries(await asyncio.to_thread(self.shared.client.settings))
        except AssentError as error:
            lines = [note(line) for line in str(error).splitlines()]
        self.show(lines)
