"""A real tmux server with a socket of its own, and people in front of it."""

import os
import pty
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.waiting import until

HAS_TMUX = shutil.which("tmux") is not None


@dataclass
class Tmux:
    socket: Path
    _people: list[tuple["subprocess.Popen[bytes]", int]] = field(default_factory=list)

    def run(self, *words: str) -> str:
        environ = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color"}
        done = subprocess.run(
            ["tmux", "-S", str(self.socket), "-f", "/dev/null", *words],
            env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    def pane(self, session: str) -> str:
        """A new session with one window in which nothing happens; its pane."""
        return self.run("new-session", "-d", "-P", "-F", "#{pane_id}", "-s", session, "-x", "80", "-y", "24", "cat")

    def window(self, session: str) -> str:
        """One more window, which is not the one that is shown; its pane."""
        return self.run("new-window", "-d", "-P", "-F", "#{pane_id}", "-t", session, "cat")

    def attach(self, session: str) -> str:
        """A person in front of a session; the name of their terminal."""
        before = set(self.clients())
        ours, theirs = pty.openpty()
        person = subprocess.Popen(
            ["tmux", "-S", str(self.socket), "attach", "-t", session],
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color"},
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self._people.append((person, ours))
        until(lambda: len(self.clients()) > len(before), "the person's terminal")
        return next(name for name in self.clients() if name not in before)

    def clients(self) -> dict[str, str]:
        """The pane that each person sees, by their terminal."""
        lines = self.run("list-clients", "-F", "#{client_name} #{pane_id}").splitlines()
        return dict(line.split(" ") for line in lines)

    def env(self, pane: str) -> dict[str, str]:
        """As a program in this pane has it."""
        return {"TMUX": f"{self.socket},1,0", "TMUX_PANE": pane}

    def close(self) -> None:
        subprocess.run(["tmux", "-S", str(self.socket), "kill-server"], check=False, capture_output=True)
        for person, ours in self._people:
            person.wait()
            os.close(ours)


@contextmanager
def running_tmux() -> Iterator[Tmux]:
    with tempfile.TemporaryDirectory(prefix="assent-tmux-") as folder:
        server = Tmux(Path(folder) / "default")
        try:
            yield server
        finally:
            server.close()
