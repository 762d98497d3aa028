"""The real opencode against a scripted model, with an environment built from nothing: as one run, and as a server."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from assent.harnesses.opencode.facts import TRIAL
from tests.e2e.lab import slots
from tests.e2e.lab.chat_model import ChatModel, Turn
from tests.e2e.lab.client import Run
from tests.e2e.lab.hub import Hub, free_port
from tests.e2e.lab.waiting import HANG, until


class OpencodeLab:
    """A home, a project, a model, a hub, and the client."""

    def __init__(self, folder: Path, binary: Path, turns: Sequence[Turn], **settings: Any) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self._binary = binary
        self._folder = folder
        self._closing = ExitStack()
        for made in (self.config, self.project):
            made.mkdir(parents=True)
        (self.project / "README.md").write_text("A project.\n")
        self.model = ChatModel(turns)
        self._closing.callback(self.model.close)
        self.configure(**settings)
        self.hub = Hub(folder, self.home, self.project)
        self._closing.callback(self.hub.close)
        self._closing.enter_context(slots.one_slot())
        self._port = 0

    @property
    def config(self) -> Path:
        return self.home / ".config/opencode"

    @property
    def plugin(self) -> Path:
        return self.config / "plugins/assent.js"

    def configure(self, **settings: Any) -> None:
        """Write the user's own opencode.json."""
        assert TRIAL
        for name, content in TRIAL.files(self.model.url, str(self.project)).items():
            (self.home / name).parent.mkdir(exist_ok=True)
            (self.home / name).write_text(content)
        file = self.config / "opencode.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | settings))

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
    def _started(self, *arguments: str) -> "Iterator[subprocess.Popen[str]]":
        """Ended with the block, whatever became of it."""
        with subprocess.Popen(
            [str(self._binary), *arguments],
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
                    process.terminate()
                    process.communicate(timeout=HANG)

    def running(self, *flags: str) -> Any:
        """One run without a person."""
        return self._started("run", *flags, "go")

    def headless(self, *flags: str) -> Run:
        with self.running(*flags) as process:
            stdout, stderr = process.communicate(timeout=HANG)
        return Run(process.returncode, stdout, stderr)

    def executed(self, *options: str) -> Run:
        """``assent exec … -- opencode run go`` in the project."""
        done = subprocess.run(
            [sys.executable, "-I", "-m", "assent", "exec", *options, "--", str(self._binary), "run", "go"],
            cwd=self.project,
            env={**self.environ, "ASSENT_HOME": self.hub.environ["ASSENT_HOME"]},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=HANG,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    @contextmanager
    def serving(self) -> Iterator[None]:
        """The server behind the client's terminal and editor front ends: dialogs wait in it for a reply."""
        self._port = free_port()
        with self._started("serve", "--hostname", "127.0.0.1", "--port", str(self._port)):
            until(self._is_up, "the server answers")
            yield

    def _is_up(self) -> bool:
        try:
            # A request that comes too early is never answered.
            self.api("GET", "/session", seconds=2)
        except OSError:
            return False
        return True

    def api(self, method: str, path: str, body: Any = None, seconds: float = HANG) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{self._port}{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=seconds) as response:
            read = response.read()
        return json.loads(read) if read else None

    def prompt(self, text: str = "go") -> str:
        """Begin a session with a prompt; the session's id."""
        session: str = self.api("POST", "/session", {})["id"]
        self.api("POST", f"/session/{session}/prompt_async", {"parts": [{"type": "text", "text": text}]})
        return session

    def wait_for_dialog(self, kind: str = "permission") -> dict[str, Any]:
        """The dialog that a terminal of the client's would show."""
        found: list[dict[str, Any]] = until(lambda: self.api("GET", f"/{kind}"), f"a {kind} waits")
        return found[0]

    def records(self, event: str) -> list[Any]:
        return self.hub.entries("event", event)

    def close(self) -> None:
        self._closing.close()
