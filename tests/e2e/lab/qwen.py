"""The real Qwen Code against a scripted model, with an environment built from nothing."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from assent.harnesses.qwen.facts import TRIAL
from tests.e2e.lab import slots
from tests.e2e.lab.chat_model import ChatModel, Turn
from tests.e2e.lab.client import Run
from tests.e2e.lab.hub import Hub
from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.waiting import HANG


class QwenLab:
    """A home, a project, a model, a hub, and the client."""

    def __init__(self, folder: Path, binary: Path, turns: Sequence[Turn]) -> None:
        self.home, self.project, self._folder = folder / "home", folder / "project", folder
        self._binary = binary
        self._closing = ExitStack()
        for made in (self.home / ".qwen", self.project):
            made.mkdir(parents=True)
        (self.project / "README.md").write_text("A project.\n")
        self.model = ChatModel(turns)
        self._closing.callback(self.model.close)
        assert TRIAL
        for name, content in TRIAL.files(self.model.url, str(self.project)).items():
            (self.home / name).write_text(content)
        self.hub = Hub(folder, self.home, self.project)
        self._closing.callback(self.hub.close)
        self._closing.enter_context(slots.one_slot())

    @property
    def settings(self) -> Path:
        return self.home / ".qwen/settings.json"

    @property
    def environ(self) -> dict[str, str]:
        assert TRIAL
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **TRIAL.environ(self.model.url),
        }

    @contextmanager
    def running(self, *flags: str) -> "Iterator[subprocess.Popen[str]]":
        """One run without a terminal; ended with the block, whatever became of it."""
        with subprocess.Popen(
            [str(self._binary), "-p", "go", *flags],
            cwd=self.project,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                if process.poll() is None:
                    process.kill()

    def headless(self, *flags: str) -> Run:
        with self.running(*flags) as process:
            stdout, stderr = process.communicate(timeout=HANG)
        return Run(process.returncode, stdout, stderr)

    def executed(self, *flags: str) -> Run:
        """One run by way of `assent exec`."""
        done = subprocess.run(
            [sys.executable, "-I", "-m", "assent", "exec", "--", str(self._binary), "-p", "go", *flags],
            cwd=self.project,
            env={**self.environ, **self.hub.environ},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=HANG,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    def terminal(self, *flags: str) -> Terminal:
        """A session that a person sees; closed with the lab."""
        terminal = Terminal(self._folder, self.project, self.environ, [str(self._binary), *flags])
        self._closing.callback(terminal.close)
        terminal.wait_for("Type your message")
        return terminal

    def records(self, event: str) -> list[Any]:
        return self.hub.entries("event", event)

    def close(self) -> None:
        self._closing.close()
