"""One line for an agent's own terminal: short, quick, and never in the way."""

import io
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
import pytest

from assent.cli.statusline import said
from assent.client import ApiError, Client
from assent.errors import HubUnreachableError
from assent.protocol.status_line import StatusLine
from tests.unit.cli.conftest import Run

Answers = Callable[..., None]
NOW = 1_700_000_000_000
BUSY = StatusLine(NOW, {"danger": 1, "care": 1, "question": 2}, told=NOW - 12_000, queued=2)


@pytest.mark.parametrize(
    ("known", "line"),
    [
        (BUSY, "▲1 ■1 ?2 · phone 12s · queue 2"),
        (StatusLine(NOW, {"look": 3}, elsewhere=4, due=NOW + 8_000), "○3 · phone in 8s · 4 elsewhere"),
        (StatusLine(NOW, away=True, paused_s=720.0), "away · paused 12m"),
        (StatusLine(NOW), "✓ assent"),
    ],
)
def test_line_says_what_there_is_and_no_more(known: StatusLine, line: str) -> None:
    """What waits by risk, who was told when, what is queued; parts without news are left out."""
    assert click.unstyle(said(known)) == line


def test_ascii_line_has_letters_only(assent: Run, answers: Answers) -> None:
    """For terminals without such signs."""
    answers(status_line=BUSY)
    assert assent("statusline", "--ascii").out == "[!]1 [#]1 ?2 - phone 12s - queue 2\n"


@pytest.mark.parametrize(
    "error",
    [HubUnreachableError("No hub is running."), ApiError(404, "not-found", "There is nothing at this address.")],
)
def test_line_without_a_hub_alarms_nobody(assent: Run, answers: Answers, error: Exception) -> None:
    """A few words, and success: an agent's terminal is no place for our troubles. An older hub is no hub."""
    answers(status_line=error)
    result = assent("statusline")
    assert (result.code, result.out, result.err) == (0, "hub down\n", "")


@contextmanager
def given(monkeypatch: pytest.MonkeyPatch, content: bytes, *, is_closed: bool = True) -> Iterator[list[str]]:
    """What the hub is asked about where this stands on standard input."""
    asked: list[str] = []

    def line(_: Client, session: str = "") -> StatusLine:
        asked.append(session)
        return StatusLine(NOW)

    reading, writing = os.pipe()
    with os.fdopen(reading) as stdin, os.fdopen(writing, "wb") as end:
        end.write(content)
        end.flush()
        if is_closed:
            end.close()
        monkeypatch.setattr(Client, "status_line", line)
        monkeypatch.setattr("sys.stdin", stdin)
        yield asked


@pytest.mark.parametrize(
    ("content", "session"),
    [
        (b'{"session_id": "4f1c", "cwd": "/p", "model": {"id": "x"}, "cost": {"total_cost_usd": 0.1}}', "4f1c"),
        (b"", ""),
        (b"{", ""),
        (b"\xff\x00", ""),
        (b'{"session_id": 7}', ""),
        (b"[" * 5_000, ""),
    ],
    ids=["whole", "empty", "cut", "binary", "odd", "deep"],
)
def test_session_comes_from_what_the_agent_writes(
    assent: Run, monkeypatch: pytest.MonkeyPatch, content: bytes, session: str
) -> None:
    """And whatever else stands there is no reason to fail."""
    with given(monkeypatch, content) as asked:
        assert assent("statusline").code == 0
    assert asked == [session]


def test_input_that_never_ends_is_not_waited_for(assent: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody closes it, and the line comes all the same."""
    start = time.monotonic()
    with given(monkeypatch, b'{"session_id": "4f1c"}', is_closed=False) as asked:
        assert assent("statusline").out == "✓ assent\n"
    assert time.monotonic() - start < 3
    assert asked == ["4f1c"]


def test_terminal_is_never_read(assent: Run, monkeypatch: pytest.MonkeyPatch, answers: Answers) -> None:
    """Somebody who tries it in a shell is not kept waiting."""
    answers(status_line=StatusLine(NOW))

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            raise AssertionError("it was read")

    monkeypatch.setattr("sys.stdin", Terminal())
    assert assent("statusline").out == "✓ assent\n"


@pytest.mark.parametrize(("content", "is_coloured"), [(b'{"session_id": "4f1c"}', True), (b"", False)])
def test_only_an_agents_own_line_is_coloured_in_a_pipe(
    assent: Run, monkeypatch: pytest.MonkeyPatch, content: bytes, is_coloured: bool
) -> None:
    """Claude Code draws colours; tmux and prompts would print their codes. NO_COLOR holds everywhere."""
    with given(monkeypatch, content):
        monkeypatch.setattr(Client, "status_line", lambda *_: BUSY)
        assert ("\x1b[33m▲1\x1b[0m" in assent("statusline").out) is is_coloured
    monkeypatch.setenv("NO_COLOR", "1")
    with given(monkeypatch, content):
        monkeypatch.setattr(Client, "status_line", lambda *_: BUSY)
        assert assent("statusline").out == "▲1 ■1 ?2 · phone 12s · queue 2\n"
