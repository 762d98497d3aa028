"""Installing on a real terminal, and leaving without a trace."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from assent.client import Client
from assent.paths import LONGEST_SOCKET_PATH
from tests.component.cli.conftest import Terminal
from tests.waiting import HANG

BEFORE = '{"model": "opus"}\n'


@pytest.fixture
def settings(terminal: Terminal) -> Path:
    path = terminal.user / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(BEFORE)
    return path


def on_a_terminal(terminal: Terminal, typed: str, *argv: str) -> tuple[int, str]:
    """Run it with a person at the keyboard; what the screen showed."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "assent", *argv],
        env=terminal.environ,
        cwd=terminal.user,
        stdin=slave,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    screen = b""
    for line in typed.splitlines(keepends=True):
        asked = screen.count(b"[y/N")
        while screen.count(b"[y/N") == asked or not screen.endswith(b"] "):
            screen += os.read(master, 65536)
        os.write(master, line.encode())
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:
            break  # Linux says so when the other end is closed.
        if not chunk:
            break
        screen += chunk
    os.close(master)
    return process.wait(timeout=HANG), screen.decode()


def test_install_on_a_terminal_shows_colour_and_obeys(terminal: Terminal, settings: Path) -> None:
    """d shows the diff, blue where it adds, and asks again; a yes writes it."""
    code, screen = on_a_terminal(terminal, "d\ny\n", "install")
    assert code == 0
    before, _, after = screen.partition("Write this? [y/N/d] ")
    assert "\x1b[94m+" not in before
    assert "\x1b[94m+" in after
    assert "Write this? [y/N/d] " in after
    assert "PreToolUse" in settings.read_text()


def test_install_on_a_terminal_fits_on_a_small_screen(terminal: Terminal, settings: Path) -> None:
    """What it would do and what was done, at 80 columns and 24 lines."""
    code, screen = on_a_terminal(terminal, "y\n", "install")
    assert code == 0
    assert sum(len(line) // 80 + 1 for line in screen.splitlines()) <= 24
    code, screen = on_a_terminal(terminal, "y\n", "uninstall")
    assert code == 0
    assert len(screen.splitlines()) <= 6
    assert settings.read_text() == BEFORE


def test_install_on_a_terminal_takes_enter_for_no(terminal: Terminal, settings: Path) -> None:
    """Just Enter, and a closed terminal (Ctrl-D), change nothing."""
    for typed in ("\n", "\x04"):
        code, screen = on_a_terminal(terminal, typed, "install")
        assert code == 1
        assert "Nothing was changed." in screen
        assert settings.read_text() == BEFORE


def test_uninstall_stops_the_hub_and_restores(terminal: Terminal, settings: Path) -> None:
    """The running hub goes first; the record stays."""
    terminal.ok("install", "--yes")
    terminal.ok("up", "--detach")
    pid = Client(terminal.paths).status()["pid"]
    out = terminal.ok("uninstall", "--yes")
    assert f"The hub (pid {pid}) stopped.\n" in out
    assert settings.read_text() == BEFORE
    assert terminal.paths.journal.exists()
    assert terminal.run("status").returncode == 4


@pytest.mark.parametrize("length", [1, LONGEST_SOCKET_PATH])
def test_purge_leaves_no_file_anywhere(terminal: Terminal, settings: Path, tmp_path: Path, length: int) -> None:
    """Also where the sockets had to live under the temporary folder."""
    root = tmp_path / ("x" * length)
    moved = Terminal(root, terminal.user)
    moved.ok("install", "--yes")
    moved.ok("demo", "--speed", "0")
    sockets = moved.paths.hook_socket.parent
    assert sockets.exists()
    moved.ok("uninstall", "--purge", "--yes")
    assert not root.exists()
    assert not sockets.exists()
    assert settings.read_text() == BEFORE
    assert [path.name for path in settings.parent.iterdir()] == ["settings.json"]
