"""The real Claude Code, started with an environment built from nothing and a model on loopback."""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.lab.slots import Forgiveness
from tests.e2e.lab.terminal import READY, Terminal
from tests.e2e.lab.waiting import HANG, on_screen

BYPASS = "bypassPermissions"
DUMMY_KEY = "sk-ant-dummy"
# Without these the client hides tools behind a search and waits between retries.
ALL_TOOLS = {"ENABLE_TOOL_SEARCH": "false", "CLAUDE_CODE_ENABLE_TODO_TOOLS": "1", "CLAUDE_CODE_MAX_RETRIES": "0"}


class FalseStartError(AssertionError):
    """The client did not start, or its terminal did not paint: no fault of what is under test."""


@dataclass(frozen=True, slots=True)
class Run:
    """A finished ``claude -p``."""

    code: int
    stdout: str
    stderr: str

    @property
    def result(self) -> dict[str, Any]:
        """What ``--output-format json`` printed."""
        parsed: dict[str, Any] = json.loads(self.stdout)
        return parsed


@dataclass
class ClaudeCode:
    """One installed client inside one lab."""

    binary: Path
    folder: Path
    home: Path
    project: Path
    model_port: int
    forgiveness: Forgiveness
    env: Mapping[str, str]
    arguments: tuple[str, ...] = ()

    def environ(self, mode: str) -> dict[str, str]:
        env = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.model_port}",
            "ANTHROPIC_API_KEY": DUMMY_KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_INSTALLATION_CHECKS": "1",
            **ALL_TOOLS,
            **self.env,
        }
        # The client refuses bypassPermissions as root unless told that it stands in a sandbox.
        return {**env, "IS_SANDBOX": "1"} if mode == BYPASS else env

    def argv(self, mode: str, *extra: str) -> list[str]:
        debug = str(self.folder / "debug.txt")
        return [str(self.binary), "--debug-file", debug, "--permission-mode", mode, *self.arguments, *extra]

    def popen(self, prompt: str, *extra: str, mode: str = "default") -> "subprocess.Popen[str]":
        """Start ``claude -p``; the caller waits for it."""
        return subprocess.Popen(
            self.argv(mode, "-p", prompt, "--output-format", "json", *extra),
            cwd=self.project,
            env=self.environ(mode),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def headless(self, prompt: str, *extra: str, mode: str = "default", seconds: float = HANG) -> Run:
        """Run ``claude -p`` to its end."""
        try:
            return self._headless(prompt, *extra, mode=mode, seconds=seconds)
        except FalseStartError as problem:
            self._forgive(problem)
            return self._headless(prompt, *extra, mode=mode, seconds=seconds)

    def _headless(self, prompt: str, *extra: str, mode: str, seconds: float) -> Run:
        with self.popen(prompt, *extra, mode=mode) as process:
            try:
                stdout, stderr = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                stdout, stderr = process.communicate()
                raise AssertionError(f"claude -p did not end within {seconds:g} s\n{stdout}\n{stderr}") from None
        if process.returncode < 0 and not stdout:
            raise FalseStartError(f"the client did not start: signal {-process.returncode}, {stderr.strip()}")
        return Run(process.returncode, stdout, stderr)

    def terminal(self, *extra: str, mode: str = "default") -> Terminal:
        """Start a session in a terminal and wait until it takes input."""
        try:
            return self._terminal(*extra, mode=mode)
        except FalseStartError as problem:
            self._forgive(problem)
            return self._terminal(*extra, mode=mode)

    def _terminal(self, *extra: str, mode: str) -> Terminal:
        terminal = Terminal(self.folder, self.project, self.environ(mode), self.argv(mode, *extra))
        try:
            on_screen(lambda: terminal.shows(READY), "the prompt box")
        except AssertionError as problem:
            screen = terminal.screen()
            terminal.close()
            raise FalseStartError(f"the terminal did not paint:\n{screen}") from problem
        return terminal

    def _forgive(self, problem: FalseStartError) -> None:
        if not self.forgiveness.forgive(str(problem).splitlines()[0]):
            raise AssertionError("a second false start of the client in this run") from problem
