"""The real Codex CLI against a scripted model, with an environment built from nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from assent.harnesses.codex.install import fingerprint, key
from assent.harnesses.hook_table import handlers
from tests.e2e.lab import slots
from tests.e2e.lab.chat_model import Turn
from tests.e2e.lab.client import Run
from tests.e2e.lab.hub import Hub
from tests.e2e.lab.responses_model import ResponsesModel
from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.waiting import HANG

ASSENT = (sys.executable, "-I", "-m", "assent")
# Where it asks, it asks about what leaves the sandbox; without a person none is needed to see what runs.
SANDBOXES = {"on-request": "workspace-write", "never": "danger-full-access"}
CONFIG = """model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "{approval}"
sandbox_mode = "{sandbox}"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:{port}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[projects."{project}"]
trust_level = "trusted"
"""


class CodexLab:
    """A home, a project, a model, a hub, and the client."""

    def __init__(self, folder: Path, binary: Path, turns: Sequence[Turn], approval: str) -> None:
        self.folder, self.home, self.project = folder, folder / "home", folder / "project"
        self._binary = binary
        self._closing = ExitStack()
        for made in (self.home / ".codex", self.project):
            made.mkdir(parents=True)
        (self.project / "README.md").write_text("A project.\n")
        self.model = ResponsesModel(turns)
        self._closing.callback(self.model.close)
        self.config.write_text(
            CONFIG.format(approval=approval, sandbox=SANDBOXES[approval], port=self.model.port, project=self.project)
        )
        self.hub = Hub(folder, self.home, self.project)
        self._closing.callback(self.hub.close)
        self._closing.enter_context(slots.one_slot())

    @property
    def entries(self) -> Path:
        return self.home / ".codex/hooks.json"

    @property
    def config(self) -> Path:
        return self.home / ".codex/config.toml"

    @property
    def environ(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
            "SCRIPTED_KEY": "dummy",
        }

    def install(self) -> None:
        """With the trust that a person would give in the client."""
        self.hub.assent("install", "--harness", "codex", "--yes")
        settings = json.loads(self.entries.read_text())
        states = [
            f'\n[hooks.state.{json.dumps(key(self.entries, at))}]\ntrusted_hash = "{fingerprint(at[1], handler)}"\n'
            for at, handler in handlers(settings)
        ]
        self.config.write_text(self.config.read_text() + "".join(states))

    @contextmanager
    def running(self, *flags: str) -> "Iterator[subprocess.Popen[str]]":
        """One run without a terminal; ended with the block, whatever became of it."""
        with subprocess.Popen(
            [str(self._binary), "exec", "--json", "--skip-git-repo-check", *flags, "go"],
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

    def terminal(self) -> Terminal:
        """A session in a terminal that takes input. Closed with the lab."""
        # A model it does not know, so that it offers no other; and no process that outlives it.
        argv = [str(self._binary), "--no-daemon", "-m", "scripted"]
        terminal = Terminal(self.folder, self.project, self.environ, argv)
        self._closing.callback(terminal.close)
        return terminal

    def exec(self) -> str:
        """One run through `assent exec`; what that says."""
        done = subprocess.run(
            [*ASSENT, "exec", "--", str(self._binary), "exec", "--json", "--skip-git-repo-check", "go"],
            cwd=self.project,
            env={**self.environ, **self.hub.environ},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=HANG,
        )
        return done.stderr

    def records(self, event: str) -> list[Any]:
        return self.hub.entries("event", event)

    def close(self) -> None:
        self._closing.close()
