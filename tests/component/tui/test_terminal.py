"""The real program in a terminal of its own: how it begins, what it survives, and what it leaves behind."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.component.hub_process import DEADLINE, HubProcess, bash, running_hub, until

# A terminal belongs to a session of processes once its first one says so; then it tells them when it goes.
IN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
# What is switched on in a terminal, and has to be switched off: another screen, mouse, focus, pasting; cursor away.
SWITCHES = ("?1049", "?1000", "?1003", "?1006", "?1004", "?2004")


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


class Terminal:
    def __init__(self, hub: HubProcess, *argv: str) -> None:
        self.fd, self._inside = pty.openpty()
        self.resize(80, 24)
        self._before = termios.tcgetattr(self._inside)
        self.process = subprocess.Popen(
            [sys.executable, "-c", IN_TERMINAL, sys.executable, "-m", "assent", *argv],
            env=hub.environ | {"TERM": "xterm-256color", "LANG": "C.UTF-8"},
            stdin=self._inside,
            stdout=self._inside,
            stderr=self._inside,
            start_new_session=True,
        )
        self.seen = ""

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def read(self) -> None:
        if select.select([self.fd], [], [], 0.05)[0]:
            self.seen += os.read(self.fd, 65_536).decode(errors="replace")

    def sees(self, text: str) -> None:
        """Something that is drawn from now on."""
        start, end = len(self.seen), time.monotonic() + DEADLINE
        while text not in self.seen[start:]:
            assert time.monotonic() < end, f"{text!r} is not in {self.seen[start:]!r}"
            self.read()

    def types(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def leaves_with(self, code: int) -> None:
        end = time.monotonic() + DEADLINE
        while self.process.poll() is None:
            assert time.monotonic() < end, "it goes on"
            self.read()
        while select.select([self.fd], [], [], 0)[0]:
            self.read()
        assert (self.process.returncode, "Traceback" in self.seen) == (code, False), self.seen

    def is_as_before(self) -> bool:
        is_off = [self.seen.rfind(f"\x1b[{switch}l") > self.seen.rfind(f"\x1b[{switch}h") for switch in SWITCHES]
        has_cursor = self.seen.rfind("\x1b[?25h") > self.seen.rfind("\x1b[?25l")
        return all(is_off) and has_cursor and termios.tcgetattr(self._inside) == self._before

    def vanish(self) -> None:
        for end in (self.fd, self._inside):
            os.close(end)
        self.fd = self._inside = -1

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.fd >= 0:
            self.vanish()


@contextmanager
def watching(hub: HubProcess) -> Iterator[Terminal]:
    terminal = Terminal(hub, "watch")
    try:
        terminal.sees("hub up")
        yield terminal
    finally:
        terminal.close()


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (lambda terminal: terminal.types("\x03"), 130),
        (lambda terminal: terminal.process.send_signal(signal.SIGTERM), 143),
    ],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_terminal_is_left_as_it_was(hub: HubProcess, end: Callable[[Terminal], None], code: int) -> None:
    """However it ends and whatever sizes the terminal had, the screen, the mouse and the keyboard are back."""
    with watching(hub) as terminal:
        for columns, lines in ((240, 60), (60, 20), (20, 5), (100, 30)):
            terminal.resize(columns, lines)
            terminal.sees("\x1b[")
        end(terminal)
        terminal.leaves_with(code)
        assert terminal.is_as_before()


def test_program_ends_with_its_terminal(hub: HubProcess) -> None:
    """A closed window leaves nothing running."""
    with watching(hub) as terminal:
        terminal.vanish()
        assert terminal.process.wait(DEADLINE) != 0


def test_stepping_aside_gives_the_terminal_back(hub: HubProcess) -> None:
    """Ctrl-Z shows the shell as it was; coming back draws everything anew."""
    with watching(hub) as terminal:
        terminal.types("\x1a")
        terminal.sees("\x1b[?1049l")
        assert _is_stopped(terminal.process.pid)
        assert terminal.is_as_before()
        terminal.process.send_signal(signal.SIGCONT)
        terminal.sees("hub up")
        terminal.types("q")
        terminal.leaves_with(0)


def test_hub_that_dies_and_comes_back_is_followed_again(tmp_path: Path) -> None:
    """The screens stay and say so; with the next hub they go on, and so does the plain stream."""
    with running_hub(tmp_path) as hub, watching(hub) as terminal, _plain(hub) as plain:
        assert plain.stdout is not None
        assert "The hub is up." in plain.stdout.readline()
        assert hub.process is not None
        hub.process.kill()
        hub.process.communicate(timeout=DEADLINE)
        terminal.sees("hub not running")
        assert "No hub is running." in plain.stdout.readline()
        hub.start()
        terminal.sees("hub up")
        assert "The hub is back." in plain.stdout.readline()
        hub.send(bash("ls \x1b[2J", hook_event_name="PostToolUse", tool_use_id="toolu_1"))
        line = next(line for line in plain.stdout if "Bash ls" in line)
        assert "Bash ls ⟨U+001B⟩[2J" in line
        terminal.types("3")
        terminal.sees("⟨U+001B⟩[2J")
        plain.send_signal(signal.SIGINT)
        assert (plain.wait(DEADLINE), plain.stderr.read().strip() if plain.stderr else "") == (130, "")
        terminal.types("\x03")
        terminal.leaves_with(130)


def test_plain_stream_ends_when_its_reader_is_gone(hub: HubProcess) -> None:
    """`assent watch --plain | head -1` comes back by itself, without a complaint."""
    with _plain(hub) as plain:
        assert plain.stdout is not None
        plain.stdout.readline()
        plain.stdout.close()
        assert plain.wait(DEADLINE) == 0


@contextmanager
def _plain(hub: HubProcess) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "assent", "watch", "--plain"],
        env=hub.environ | {"LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def _is_stopped(pid: int) -> bool:
    def look() -> bool:
        process = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=True)
        return process.stdout.startswith("T")

    return until(look, "a program that stepped aside")
