"""The real Gemini CLI against a scripted model, with an environment built from nothing."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from assent.harnesses.gemini.facts import TRIAL
from tests.e2e.lab import slots
from tests.e2e.lab.chat_model import Turn
from tests.e2e.lab.client import Run
from tests.e2e.lab.gemini_model import GeminiModel
from tests.e2e.lab.hub import Hub
from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.waiting import HANG, let_pass

READY = "Type your message"
# What is typed faster than this is taken for a paste, and Enter for a line of it.
TYPING = 0.6
# With comments, as people write them.
SETTINGS = """{
  // No sign-in, no reports.
  "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false},
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
  "model": {"name": "gemini-2.5-flash"} /* a scripted one */
}
"""


class GeminiLab:
    """A home with settings, a project, a model, a hub, and the client."""

    def __init__(self, folder: Path, binary: Path, turns: Sequence[Turn]) -> None:
        self.home, self.project, self._folder = folder / "home", folder / "project", folder
        self._binary = binary
        self._closing = ExitStack()
        for made in (self.home / ".gemini", self.project):
            made.mkdir(parents=True)
        (self.project / "README.md").write_text("A project.\n")
        self.settings.write_text(SETTINGS)
        self.model = GeminiModel(turns)
        self._closing.callback(self.model.close)
        self.hub = Hub(folder, self.home, self.project)
        self._closing.callback(self.hub.close)
        self._closing.enter_context(slots.one_slot())

    @property
    def settings(self) -> Path:
        return self.home / ".gemini/settings.json"

    def in_project(self, settings: Mapping[str, Any]) -> None:
        """What the repository brings along as settings."""
        folder = self.project / ".gemini"
        folder.mkdir()
        (folder / "settings.json").write_text(json.dumps(settings))

    @property
    def environ(self) -> dict[str, str]:
        assert TRIAL
        return {
            "HOME": str(self.home),
            "PATH": f"{self._binary.parent}:{os.environ['PATH']}",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **TRIAL.environ(self.model.url),
        }

    @contextmanager
    def running(self, *flags: str, env: Mapping[str, str] | None = None) -> "Iterator[subprocess.Popen[str]]":
        """One run without a terminal; ended with the block, whatever became of it."""
        with subprocess.Popen(
            [str(self._binary), "-p", "go", "--output-format", "json", *flags],
            cwd=self.project,
            env={**self.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # The client starts itself again: both are ended.
            process_group=0,
        ) as process:
            try:
                yield process
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, 9)

    def headless(self, *flags: str, env: Mapping[str, str] | None = None) -> Run:
        with self.running(*flags, env=env) as process:
            stdout, stderr = process.communicate(timeout=HANG)
        return Run(process.returncode, stdout, stderr)

    @contextmanager
    def terminal(self, *flags: str) -> Iterator[Terminal]:
        """The client in a terminal, once it takes a prompt."""
        terminal = Terminal(self._folder, self.project, self.environ, [str(self._binary), *flags])
        try:
            terminal.wait_for(READY)
            yield terminal
        finally:
            terminal.kill()
            terminal.close()

    @staticmethod
    def ask(terminal: Terminal, words: str) -> None:
        """Give it a prompt as a person would."""
        let_pass(TYPING)
        terminal.type(words)
        terminal.wait_for(words)
        let_pass(TYPING)
        terminal.press("Enter")

    def records(self, event: str) -> list[Any]:
        return self.hub.entries("event", event)

    def close(self) -> None:
        self._closing.close()
