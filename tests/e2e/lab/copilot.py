"""The real Copilot CLI against a scripted model, with an environment built from nothing."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from assent.harnesses.copilot.facts import TRIAL
from tests.e2e.lab import slots
from tests.e2e.lab.chat_model import ChatModel, Turn
from tests.e2e.lab.client import Run
from tests.e2e.lab.hub import Hub
from tests.e2e.lab.waiting import HANG


class CopilotLab:
    """A home, a project with one commit, a model, a hub, and the client."""

    def __init__(self, folder: Path, binary: Path, turns: Sequence[Turn]) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self._binary = binary
        self._closing = ExitStack()
        for made in (self.home, self.project):
            made.mkdir(parents=True)
        (self.project / "README.md").write_text("A project.\n")
        self.variables: dict[str, str] = {}
        self.model = ChatModel(turns)
        self._closing.callback(self.model.close)
        self.hub = Hub(folder, self.home, self.project)
        self._closing.callback(self.hub.close)
        self._closing.enter_context(slots.one_slot())

    @property
    def entries(self) -> Path:
        return self.home / ".copilot/hooks/assent.json"

    @property
    def environ(self) -> dict[str, str]:
        assert TRIAL
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **TRIAL.environ(self.model.url),
            **self.variables,
        }

    @contextmanager
    def running(self, *flags: str) -> "Iterator[subprocess.Popen[str]]":
        """One run without a terminal; ended with the block, whatever became of it."""
        with subprocess.Popen(
            [str(self._binary), "-p", "go", "--no-color", *flags],
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

    def through_exec(self, *options: str) -> Run:
        """``assent exec … -- copilot -p go``, with every tool allowed by the client."""
        agent = [str(self._binary), "-p", "go", "--no-color", "--allow-all-tools"]
        done = subprocess.run(
            [sys.executable, "-I", "-m", "assent", "exec", *options, "--", *agent],
            cwd=self.project,
            env={**self.environ, "ASSENT_HOME": str(self.hub.paths.state.parent)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=HANG,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    def records(self, event: str) -> list[Any]:
        return self.hub.entries("event", event)

    def close(self) -> None:
        self._closing.close()
