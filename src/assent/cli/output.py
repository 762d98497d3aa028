"""Output of the command line: colour on terminals, plain text elsewhere, JSON on request."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, TextIO

import click

from assent.errors import AssentError
from assent.text import wording
from assent.text.safe import plain_line

# What is done sooner needs no progress.
PATIENCE = 0.5
INTERVAL = 0.1


class Progress:
    """Progress on standard error, only if that is a terminal."""

    def __init__(self, label: str) -> None:
        self._what = label
        self._next = time.monotonic() + PATIENCE
        self._is_shown = False

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._is_shown:
            self._write("")

    def show(self, far: str, *, at_once: bool = False) -> None:
        # None if it was closed at the start.
        if not sys.stderr or not sys.stderr.isatty() or (time.monotonic() < self._next and not at_once):
            return
        self._next = time.monotonic() + INTERVAL
        self._is_shown = True
        self._write(f"{self._what} {far} …")

    def _write(self, text: str) -> None:
        # Back to the beginning of the line, and clear what stood there.
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


_STYLES: dict[str, dict[str, Any]] = {
    "good": {"fg": "green"},
    "bad": {"fg": "red"},
    "warn": {"fg": "yellow"},
    "strong": {"bold": True},
    "faint": {"dim": True},
    # Blue and amber are told apart by all eyes; the signs say it, too.
    "added": {"fg": "bright_blue"},
    "removed": {"fg": "yellow"},
    "place": {"fg": "cyan"},
    # Dark on light whatever the terminal's own colours are.
    "ink": {"fg": "black", "bg": "bright_white"},
}
# By the role of a colour in the table of words.
ROLES = {
    "look": "faint",
    "change": "added",
    "care": "warn",
    "danger": "bad",
    "ok": "good",
    "focus": "place",
    "text-2": "faint",
    "text-3": "faint",
}


def wants_colour() -> bool | None:
    """False where NO_COLOR asks for none; None leaves it to the stream: a terminal gets colour, a pipe does not."""
    return False if os.environ.get("NO_COLOR") else None


def styled(text: str, style: str) -> str:
    return click.style(text, **_STYLES[style])


def risk_styled(text: str, level: str) -> str:
    return styled(text, ROLES[wording.risk_role(level)])


def decision_style(decision: str) -> str:
    words = wording.DECISIONS.get(decision)
    return ROLES.get(words.role, "") if words else ""


def say(text: str = "", *, nl: bool = True) -> None:
    _write(text, nl=nl)


def width(elsewhere: int = 100) -> int:
    """Columns of the terminal that is printed to; ``elsewhere`` in a pipe or a file."""
    return shutil.get_terminal_size().columns if _is_terminal(sys.stdout) else elsewhere


def error_width() -> int:
    """The same for what is said on standard error."""
    return shutil.get_terminal_size().columns if _is_terminal(sys.stderr) else sys.maxsize


def say_paragraph(text: str, before: str = "") -> None:
    """Broken between words where a terminal would break in the middle of one, below ``before``; as it is elsewhere."""
    inset = len(click.unstyle(before))
    lines = wrapped(text, width() - inset) if _is_terminal(sys.stdout) else text.split("\n")
    for number, line in enumerate(lines):
        say(f"{' ' * inset if number else before}{line}")


def wrapped(text: str, room: int) -> list[str]:
    """Its lines, each broken between words."""
    import textwrap

    wrapper = textwrap.TextWrapper(max(room, 20), break_on_hyphens=False, break_long_words=False)
    return [part for line in text.split("\n") for part in (wrapper.wrap(line) if len(line) > room else [line])]


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def complain(text: str) -> None:
    try:
        click.echo(text, err=True, color=wants_colour())
    except OSError:
        pass  # standard error is gone; the exit code still tells


def say_json(value: object) -> None:
    """Compact, one object a line, never coloured."""
    import msgspec

    _write(msgspec.json.encode(value))


def abandon_stdout() -> None:
    """After this nothing is printed any more, so that the interpreter's own last flush does not fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def _write(text: str | bytes, *, nl: bool = True) -> None:
    try:
        click.echo(text, nl=nl, color=wants_colour())
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon_stdout()
        raise AssentError(f"The output could not be written: {error.strerror}.") from error


def say_diff(diff: str) -> None:
    for line in diff.splitlines():
        style = _diff_style(line)
        say(styled(line, style) if style else line)


def say_table(rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as they need to be; the last one is never padded."""
    if not rows:
        return
    widths = [max(len(click.unstyle(row[column])) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [cell + " " * (width - len(click.unstyle(cell))) for cell, width in zip(row, widths, strict=True)]
        say("  ".join(cells).rstrip())


def said_by_agent(text: str, longest: int = 40) -> str:
    """What came from an agent must not steer the terminal it is shown in."""
    return plain_line(text, longest)


def is_interactive() -> bool:
    """Whether a person could be asked."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def confirmed(question: str, details: Callable[[], None] | None = None) -> bool:
    """Yes only if it was typed: an empty line and a closed terminal are a no. ``d`` shows the details, if there are
    any, and asks again."""
    while True:
        click.echo(f"{question} [{'y/N/d' if details else 'y/N'}] ", nl=False)
        answer = sys.stdin.readline()
        if not answer.endswith("\n"):
            click.echo()
        word = answer.strip().lower()
        if details is None or word not in ("d", "diff"):
            return word in ("y", "yes")
        details()


def exact_span(seconds: float) -> str:
    """``1h30m``, ``90s`` as ``1m30s``: every unit that counts."""
    left = max(0, round(seconds))
    parts = []
    for size, unit in ((3_600, "h"), (60, "m"), (1, "s")):
        count, left = divmod(left, size)
        parts += [f"{count}{unit}"] if count else []
    return "".join(parts) or "0s"


def local_time(at: int, now: float) -> str:
    """Local wall-clock time of Unix milliseconds; with the date unless it is today."""
    moment = datetime.fromtimestamp(at / 1000)
    today = datetime.fromtimestamp(now).date()
    return moment.strftime("%H:%M:%S" if moment.date() == today else "%Y-%m-%d %H:%M:%S")


def _diff_style(line: str) -> str | None:
    if line.startswith(("+++", "---")):
        return "strong"
    return {"+": "added", "-": "removed", "@": "place"}.get(line[:1])
