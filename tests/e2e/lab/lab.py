"""One isolated experiment: a home, a project, a scripted model, a client, and Assent's own folder."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.e2e.lab import slots
from tests.e2e.lab.classifier import Classifier
from tests.e2e.lab.client import DUMMY_KEY, ClaudeCode, Run
from tests.e2e.lab.hub import Hub
from tests.e2e.lab.model import Body, Model, Script
from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.watching import Watching
from tests.waiting import HANG

GIT_NAME = ["-c", "user.email=dev@example.com", "-c", "user.name=dev"]
# Nothing is drawn only to be looked at.
STILL = {"prefersReducedMotion": True, "spinnerTipsEnabled": False}
MCP_SERVER = Path(__file__).with_name("mcp_server.py")


class Lab:
    """Built by the ``lab`` fixture, which also closes it and keeps its folder when the test failed."""

    def __init__(
        self,
        folder: Path,
        binary: Path,
        forgiveness: slots.Forgiveness,
        script: Script = (),
        *,
        aux: Callable[[Body], str] = lambda _: "ok",
        files: Mapping[str, str] | None = None,
        settings: Mapping[str, Any] | None = None,
        env: Mapping[str, str] | None = None,
        arguments: tuple[str, ...] = (),
        mcp: bool = False,
        alone: bool = False,
        classifier: str | Sequence[str] = "allow",
    ) -> None:
        self.folder = folder
        self.home, self.project = folder / "home", folder / "project"
        self._closing = ExitStack()
        self._alone = alone
        self._has_slot = False
        self._terminals: list[Terminal] = []
        for name, text in {"README.md": "A project.\n", **(files or {})}.items():
            write(self.project / name, text)
        write(self.home / ".claude/settings.json", json.dumps({**STILL, **(settings or {})}, indent=2) + "\n")
        write(self.home / ".claude.json", json.dumps(self._onboarded()))
        for command in (["init", "-q", "-b", "main"], ["add", "-A"], [*GIT_NAME, "commit", "-q", "-m", "Start"]):
            subprocess.run(["git", *command], cwd=self.project, check=True, env={"HOME": str(self.home)})
        if mcp:
            servers = {"mcpServers": {"lab": {"command": sys.executable, "args": [str(MCP_SERVER)]}}}
            write(folder / "mcp.json", json.dumps(servers))
            arguments = ("--mcp-config", str(folder / "mcp.json"), *arguments)
        self.classifier = Classifier(classifier)
        self.model = Model(script, aux, self.classifier)
        self._closing.callback(self.model.close)
        self.client = ClaudeCode(
            binary, folder, self.home, self.project, self.model.port, forgiveness, env or {}, arguments
        )
        self.hub = Hub(folder, self.home, self.project)
        self._closing.callback(self.hub.close)

    def _onboarded(self) -> dict[str, Any]:
        """Past the welcome screens, the key and the folder trusted."""
        return {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [DUMMY_KEY], "rejected": []},
            "projects": {str(self.project): {"hasTrustDialogAccepted": True}},
        }

    def headless(self, prompt: str = "go", *extra: str, mode: str = "default", seconds: float = HANG) -> Run:
        self.take_slot()
        return self.client.headless(prompt, *extra, mode=mode, seconds=seconds)

    def terminal(self, *extra: str, mode: str = "default") -> Terminal:
        self.take_slot()
        terminal = self.client.terminal(*extra, mode=mode)
        self._closing.callback(terminal.close)
        self._terminals.append(terminal)
        return terminal

    def watch(self) -> Watching:
        """``assent watch``, open and up to date."""
        watching = Watching(self.folder / "watch", self.project, self.hub.environ)
        self._closing.callback(watching.close)
        self._terminals.append(watching)
        watching.wait_for("hub up")
        return watching

    def take_slot(self) -> None:
        if not self._has_slot:
            self._closing.enter_context(slots.every_slot() if self._alone else slots.one_slot())
            self._has_slot = True

    def install(self, *arguments: str) -> None:
        """Put Assent into this lab's settings, as its user would."""
        self.hub.assent("install", "--yes", *arguments)

    def guard(self, *arguments: str) -> None:
        """Installed, and the hub is up: a test that is not about starts leaves none to a shim."""
        self.install(*arguments)
        self.hub.start()

    def user_settings(self) -> Path:
        return self.home / ".claude/settings.json"

    def project_settings(self) -> Path:
        return self.project / ".claude/settings.json"

    def local_settings(self) -> Path:
        return self.project / ".claude/settings.local.json"

    def keep_evidence(self) -> None:
        """Write down what only lives in memory."""
        for number, terminal in enumerate(self._terminals):
            write(self.folder / f"screen-{number}.txt", terminal.screen())
        for lane in ("aux", *self.model.script):
            for number, request in enumerate(self.model.requests(lane)):
                write(self.folder / f"model/{lane}-{number}.json", json.dumps(request.body, indent=1))

    def close(self) -> None:
        self._closing.close()


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def read_json(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text())
    return value
