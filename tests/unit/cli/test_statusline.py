"""One line for an agent's own terminal: short, quick, and never in the way."""

import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from assent.cli import line
from assent.paths import Paths
from assent.protocol.queue import StatusLine
from tests.unit.cli.conftest import Run

NOW = 1_700_000_000_000
BUSY = StatusLine(NOW, {"danger": 1, "care": 1, "question": 2}, told=NOW - 12_000, queued=2)
Hub = Callable[[StatusLine | None], list[str]]


def sent(known: StatusLine) -> dict[str, Any]:
    """As it comes over the wire."""
    output: dict[str, Any] = json.loads(msgspec.json.encode(known))
    return output


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Hub:
    """A hub that says this; which sessions it was asked about."""

    def make(known: StatusLine | None) -> list[str]:
        asked: list[str] = []

        def answer(session: str) -> dict[str, Any] | None:
            asked.append(session)
            return None if known is None else sent(known)

        monkeypatch.setattr(line, "asked", answer)
        return asked

    return make


@contextmanager
def given(monkeypatch: pytest.MonkeyPatch, content: bytes, *, is_closed: bool = True) -> Iterator[None]:
    """This stands on standard input."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as stdin, os.fdopen(writing, "wb") as end:
        end.write(content)
        end.flush()
        if is_closed:
            end.close()
        monkeypatch.setattr("sys.stdin", stdin)
        yield


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (BUSY, "▲1 ■1 ?2 · phone 12s · queue 2"),
        (StatusLine(NOW, {"look": 3}, elsewhere=4, due=NOW + 8_000), "○3 · phone in 8s · 4 elsewhere"),
        (StatusLine(NOW, away=True, paused_s=720.0), "away · paused 12m"),
        (StatusLine(NOW), "✓ assent"),
    ],
)
def test_line_says_what_there_is_and_no_more(known: StatusLine, text: str) -> None:
    """What waits by risk, who was told when, what is queued; parts without news are left out."""
    assert line.said(sent(known)) == text


def test_ascii_line_has_letters_only(assent: Run, hub: Hub) -> None:
    """For terminals without such signs."""
    hub(BUSY)
    assert assent("statusline", "--ascii").out == "[!]1 [#]1 ?2 - phone 12s - queue 2\n"


def test_line_without_a_hub_is_no_alarm(assent: Run, hub: Hub) -> None:
    """A few words, and success: an agent's terminal is no place for our troubles."""
    hub(None)
    result = assent("statusline")
    assert (result.code, result.out, result.err) == (0, "hub down\n", "")


@pytest.mark.parametrize(
    ("content", "session"),
    [
        (b'{"session_id": "4f1c", "cwd": "/p", "model": {"id": "x"}, "cost": {"total_cost_usd": 0.1}}', "4f1c"),
        (b"", ""),
        (b"{", ""),
        (b"\xff\x00", ""),
        (b'{"session_id": 7}', ""),
        (b"[]", ""),
        (b"[" * 60_000, ""),
    ],
    ids=["whole", "empty", "cut", "binary", "odd", "list", "deep"],
)
def test_session_comes_from_what_the_agent_writes(
    assent: Run, hub: Hub, monkeypatch: pytest.MonkeyPatch, content: bytes, session: str
) -> None:
    """And whatever else stands there is no reason to fail."""
    asked = hub(StatusLine(NOW))
    with given(monkeypatch, content):
        assert assent("statusline").code == 0
    assert asked == [session]


def test_input_that_never_ends_is_not_waited_for(assent: Run, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is never closed, and the line comes all the same."""
    asked = hub(StatusLine(NOW))
    with given(monkeypatch, b'{"session_id": "4f1c"}', is_closed=False):
        assert assent("statusline").out == "✓ assent\n"
    assert asked == ["4f1c"]


def test_terminal_is_never_read(assent: Run, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who tries it in a shell is not kept waiting."""
    hub(StatusLine(NOW))

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            raise AssertionError("it was read")

    monkeypatch.setattr("sys.stdin", Terminal())
    assert assent("statusline").out == "✓ assent\n"


@pytest.mark.parametrize(("content", "is_coloured"), [(b'{"session_id": "4f1c"}', True), (b"", False)])
def test_only_an_agents_own_line_is_coloured_in_a_pipe(
    assent: Run, hub: Hub, monkeypatch: pytest.MonkeyPatch, content: bytes, is_coloured: bool
) -> None:
    """Claude Code draws colours; tmux and prompts would print their codes. NO_COLOR holds everywhere."""
    hub(BUSY)
    with given(monkeypatch, content):
        assert ("\x1b[33m▲1\x1b[0m" in assent("statusline").out) is is_coloured
    monkeypatch.setenv("NO_COLOR", "1")
    with given(monkeypatch, content):
        assert assent("statusline").out == "▲1 ■1 ?2 · phone 12s · queue 2\n"


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"nonsense",
        b'HTTP/1.1 404 Not Found\r\n\r\n{"error": {}}',
        b"HTTP/1.1 200 OK\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\n\r\n[1]",
        None,
    ],
    ids=["closes", "babbles", "older", "cut", "odd", "hangs"],
)
def test_hub_that_does_not_answer_well_is_no_hub(paths: Paths, reply: bytes | None) -> None:
    """It is not waited for, either."""
    assert line.asked("4f1c") is None
    paths.desk_socket.parent.mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(paths.desk_socket))
        listening.listen()
        if reply is None:
            assert line.asked("4f1c") is None
            return
        with subprocess.Popen([sys.executable, "-c", _ASKING], stdout=subprocess.PIPE, text=True) as asking:
            connection, _ = listening.accept()
            with connection:
                assert connection.recv(1000).startswith(b"GET /api/line?session=a%20%22%0D%0A HTTP/1.0\r\n")
                connection.sendall(reply)
            assert asking.communicate()[0] == "None\n"


_ASKING = "from assent.cli import line; print(line.asked('a \"\\r\\n'))"


def test_line_starts_without_what_other_verbs_need() -> None:
    """It runs beside every agent all day long: no library for command lines, no client, no models."""
    code = "import sys, assent.cli.line; print(*({'click', 'msgspec', 'http.client', 'textual'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
