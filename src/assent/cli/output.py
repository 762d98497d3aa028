"""What people see: colour where a terminal wants it, plain text elsewhere, JSON where it is asked for."""

import os
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click
import msgspec

from assent.errors import AssentError
from assent.views.line import inert

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


def wants_colour() -> bool | None:
    """False where NO_COLOR asks for none; None leaves it to the stream: a terminal gets colour, a pipe does not."""
    return False if os.environ.get("NO_COLOR") else None


def styled(text: str, style: str) -> str:
    return click.style(text, **_STYLES[style])


def say(text: str = "", *, nl: bool = True) -> None:
    _write(text, nl=nl)


def complain(text: str) -> None:
    try:
        click.echo(text, err=True, color=wants_colour())
    except OSError:
        pass  # nobody is left to tell; the exit code still does


def say_json(value: object) -> None:
    """Compact, one object a line, never coloured."""
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
    return inert(text, longest)


def is_interactive() -> bool:
    """Whether there is somebody who could be asked."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def confirmed(question: str) -> bool:
    """Yes only if somebody typed it: an empty line and a closed terminal are a no."""
    click.echo(f"{question} [y/N] ", nl=False)
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        click.echo()
    return answer.strip().lower() in ("y", "yes")


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
