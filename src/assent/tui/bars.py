"""The lines around every screen: header, tabs, footer. Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from assent.text import times
from assent.text.safe import plain_line
from assent.tui.drawing.text import Line, counted, ends, fit, width
from assent.tui.shared import Shared

_LINKS = {
    "starting": ("◌", "text-2", "asking the hub"),
    "live": ("●", "ok", "hub up"),
    "stale": ("▲", "care strong", "stream lost"),
    "down": ("▲", "danger strong", "hub not running"),
}


MOST_NOTICES = 4
LONGEST = 300


class _Journal(Struct):
    trouble: str | None = None


class _Device(Struct):
    id: str = ""
    name: str = ""


class _Machine(Struct):
    hub: str = ""
    name: str = ""


class _Status(Struct):
    ungated: list[str] = []
    journal: _Journal = msgspec.field(default_factory=_Journal)
    config_trouble: str | None = None
    rules_trouble: str | None = None
    permissions_trouble: str | None = None
    port_trouble: str | None = None
    remote_trouble: str | None = None
    remote_warning: str | None = None
    team_trouble: str | None = None
    new_devices: list[_Device] = []
    new_machines: list[_Machine] = []
    paused_for: float = 0.0


class _Where(Struct):
    away: bool = False
    away_until: float | None = None
    quiet_until: float | None = None


Told = TypeVar("Told", _Status, _Where)


def header(shared: Shared, cells: int) -> Line:
    """`` assent  ● hub up   7 sessions   3 need you   push: phone in 20s   09:41:12``"""
    mirror = shared.mirror
    sign, style, words = _LINKS[shared.link]
    parts: list[Line] = [[(f"{sign} {words}", style)]]
    sessions, waiting = len(mirror.live_sessions), len(mirror.waiting)
    parts.append([(counted(sessions, "session"), "text-2")])
    if waiting:
        parts.append([(f"{waiting} need{'s' if waiting == 1 else ''} you", "focus strong")])
    if presence := _presence(shared):
        parts.append([(presence, "text-2")])
    if paused := _read(mirror.hub, _Status).paused_for:
        parts.insert(1, [(f"▲ policy paused {times.age(paused * 1000)}", "care strong")])
    left: Line = [(" assent", "strong")]
    for part in parts:
        left += [("   ", ""), *part]
    return ends(left, [(datetime.now().strftime("%H:%M:%S "), "text-2")], cells)


def notices(hub: dict[str, Any]) -> list[Line]:
    """Urgent notices: an agent works past the gate, a setting is broken, a stranger was let in."""
    status = _read(hub, _Status)
    lines: list[Line] = [[(f" ▲ Ungated: {plain_line(text, LONGEST)}", "danger strong")] for text in status.ungated]
    troubles = [status.journal.trouble, status.config_trouble, status.rules_trouble, status.port_trouble]
    troubles += [status.permissions_trouble, status.remote_trouble, status.remote_warning, status.team_trouble]
    lines += [[(f" ▲ {plain_line(text, LONGEST)}", "care strong")] for text in troubles if text]
    if status.new_devices:
        names = ", ".join(
            f"{plain_line(device.name, 40)} ({plain_line(device.id, 40)})" for device in status.new_devices
        )
        lines.append([(f" ▲ Let in just now: {names}. Not yours? assent devices revoke shuts it out.", "care strong")])
    if status.new_machines:
        names = ", ".join(f"{plain_line(one.name, 40)} ({plain_line(one.hub[:8], 8)})" for one in status.new_machines)
        text = f" ▲ Joined in your name just now: {names}. Not yours? assent team revoke shuts it out."
        lines.append([(text, "care strong")])
    return lines[:MOST_NOTICES]


def _presence(shared: Shared) -> str:
    where = _read(shared.mirror.presence, _Where)
    if where.away:
        return f"away until {times.hour_minute(where.away_until)}" if where.away_until else "away"
    if where.quiet_until:
        return f"quiet till {times.hour_minute(where.quiet_until)}"
    return shared.also_open()


def _read(status: dict[str, Any], kind: type[Told]) -> Told:
    """What is known of it; nothing where a hub of another version tells it otherwise."""
    try:
        return msgspec.convert(status, kind)
    except msgspec.ValidationError:
        return kind()


def tabs(names: Sequence[tuple[str, int]], current: int, cells: int) -> Line:
    """``1 Inbox 3  2 Sessions  3 Feed …``; the numbers are their keys."""
    line: Line = [(" ", "")]
    for at, (name, count) in enumerate(names):
        is_here = at == current
        style = "strong under focus" if is_here else "text-2"
        line += [(f"{at + 1} ", "text-3"), (name, style), (f" {count}" if count else "", "focus strong"), ("   ", "")]
    return fit(line, cells)


def footer(
    keys: Sequence[tuple[str, str]], message: tuple[str, bool] | None, cells: int, *, has_help: bool = True
) -> Line:
    """The live keys of what is focused; a sentence in their place while there is one."""
    help_key: Line = [("?", "focus strong"), (" help ", "text-2")] if has_help else []
    if message is not None:
        text, is_urgent = message
        told: Line = [(f" {'▲ ' if is_urgent else ''}{text}", "care strong" if is_urgent else "strong")]
        # The sentence is worth more than the hint.
        return ends(told, help_key if width(told) + width(help_key) < cells else [], cells)
    line: Line = []
    for key, words in keys:
        piece: Line = [(" ", ""), (key, "focus strong"), (f" {words} ", "text-2")]
        if width(line) + width(piece) + width(help_key) + 1 > cells:
            break
        line += piece
    return [*line, (" ", ""), *help_key]
