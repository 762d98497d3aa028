"""The real program in a process of its own, with a home of its own."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent import paths as locations
from assent.paths import Paths
from tests.component import forked
from tests.component.hub_process import HubProcess
from tests.waiting import HANG

DEADLINE = HANG


class Terminal:
    """Runs `assent` verbs, each in a process of its own."""

    def __init__(self, root: Path, user: Path) -> None:
        self.environ = {"HOME": str(user), "PATH": os.environ["PATH"], "ASSENT_HOME": str(root), "LANG": "C.UTF-8"}
        self.paths: Paths = locations.find(self.environ)
        self.user = user
        self.configure("[hub]\nport = 0\n")

    def configure(self, text: str) -> None:
        self.paths.config_dir.mkdir(parents=True, exist_ok=True)
        self.paths.config.write_text(text)

    def run(self, *argv: str) -> "subprocess.CompletedProcess[str]":
        return forked.run(argv, self.environ, self.user, DEADLINE)

    def ok(self, *argv: str) -> str:
        """What it printed; it must have worked without a complaint."""
        done = self.run(*argv)
        assert (done.returncode, done.stderr) == (0, ""), done
        return done.stdout

    def up(self) -> None:
        """A hub, for what is not about its start: forked, without the second that a start costs."""
        hub = HubProcess.__new__(HubProcess)
        hub.environ, hub.paths, hub.python = self.environ, self.paths, sys.executable
        hub.start()

    def start(self, *argv: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "assent", *argv],
            env=self.environ | {"PYTHONUNBUFFERED": "1"},
            cwd=self.user,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


class Person:
    """At a terminal: reads what it shows, and types."""

    def __init__(self, terminal: Terminal, *argv: str) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "assent", *argv],
            env=terminal.environ,
            cwd=terminal.user,
            stdin=slave,
            stdout=slave,
            stderr=slave,
        )
        os.close(slave)
        self.screen = ""

    def reads(self, text: str) -> "Person":
        while text not in self.screen:
            self.screen += os.read(self._master, 65536).decode()
        return self

    def types(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    def leaves(self) -> int:
        while True:
            try:
                chunk = os.read(self._master, 65536)
            except OSError:
                break  # Linux says so when the other end is closed.
            if not chunk:
                break
            self.screen += chunk.decode()
        return self.process.wait(timeout=HANG)

    def close(self) -> None:
        self.process.kill()
        self.process.wait(timeout=HANG)
        os.close(self._master)


@pytest.fixture
def terminal(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Iterator[Terminal]:
    # A short name, so that the sockets fit beside everything else.
    terminal = Terminal(tmp_path_factory.mktemp("h"), home)
    yield terminal
    # Written by every hub that got as far as running.
    if terminal.paths.lock.exists():
        terminal.run("down", "--yes")
