"""``assent statusline``: what waits, for the status line of the agent's own terminal.

It runs every few moments beside an agent at work: it never waits for anybody, and never fails."""

import contextlib
import os
import select
import sys
import time

import click
import msgspec

from assent import paths as locations
from assent.cli import output
from assent.client import Client
from assent.errors import AssentError
from assent.protocol.status_line import StatusLine
from assent.words import signs, times

LARGEST = 64 << 10
PATIENCE = 0.2
_ORDER = (*signs.RISKS, *signs.KINDS)
_STYLES = {"care": "warn", "danger": "bad"}


class _Given(msgspec.Struct):
    """What Claude Code tells a status line, as far as it matters here."""

    session_id: str = ""


@click.command("statusline")
@click.option("--ascii", "is_ascii", is_flag=True, help="Plain letters instead of signs.")
def command(is_ascii: bool) -> None:
    """Print what waits for you in one line, for the status line of Claude Code, a shell prompt or tmux.

    Claude Code names its session on standard input; then the line is about that one, and counts what waits in others
    as “elsewhere”. Without it the line is about all of them. It prints, as far as there is anything to say, what waits
    by risk, how long ago your phone was told or when it will be, and how many instructions are queued.

    \b
    In ~/.claude/settings.json:
      "statusLine": {"type": "command", "command": "assent statusline", "refreshInterval": 5}

    \b
    Examples:
      assent statusline
      assent statusline --ascii
    """
    session = _session()
    try:
        line = said(Client(locations.find()).status_line(session))
    except AssentError:
        line = output.styled("hub down", "faint")
    line = signs.plain(line) if is_ascii else line
    # Claude Code draws colours though it reads from a pipe; a prompt or tmux would show their codes.
    is_coloured = output.wants_colour() is None and (bool(session) or sys.stdout.isatty())
    with contextlib.suppress(OSError):
        click.echo(line if is_coloured else click.unstyle(line), color=True)


def said(known: StatusLine) -> str:
    """``▲1 ■1 · phone 12s · queue 2``"""
    counted = [_counted(kind, known.asks[kind]) for kind in _ORDER if known.asks.get(kind)]
    parts = [
        " ".join(counted),
        f"phone {times.span(known.now - known.told)}" if known.told is not None else "",
        f"phone in {times.span(known.due - known.now)}" if known.due is not None else "",
        f"queue {known.queued}" if known.queued else "",
        f"{known.elsewhere} elsewhere" if known.elsewhere else "",
        "away" if known.away else "",
        f"paused {times.span(known.paused_s * 1000)}" if known.paused_s > 0 else "",
    ]
    return " · ".join(filter(None, parts)) or "✓ assent"


def _counted(kind: str, count: int) -> str:
    sign = signs.KINDS[kind][0] if kind in signs.KINDS else signs.risk_sign(kind)
    text = f"{sign}{count}"
    return output.styled(text, _STYLES[kind]) if kind in _STYLES else text


def _session() -> str:
    try:
        return msgspec.json.decode(_given(), type=_Given).session_id
    except (msgspec.DecodeError, RecursionError):
        return ""


def _given() -> bytes:
    """What stands on standard input by now. Nobody is waited for: not a person, and not whoever forgot to close it."""
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        return b""
    given, end = b"", time.monotonic() + PATIENCE
    try:
        fd = sys.stdin.fileno()
        while len(given) <= LARGEST and select.select([fd], [], [], max(0.0, end - time.monotonic()))[0]:
            part = os.read(fd, LARGEST)
            if not part:
                break
            given += part
    except (OSError, ValueError):
        return b""
    return given[:LARGEST]
