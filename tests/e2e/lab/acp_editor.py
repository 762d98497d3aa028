"""A scripted editor of the Agent Client Protocol, with a real agent behind the proxy and a model on loopback."""

import contextlib
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

from tests.e2e.lab import slots
from tests.e2e.lab.chat_model import ChatModel, Turn
from tests.e2e.lab.gemini import SETTINGS
from tests.e2e.lab.gemini_model import GeminiModel
from tests.e2e.lab.hub import Hub
from tests.e2e.lab.waiting import HANG, until

Body = dict[str, Any]
Model = ChatModel | GeminiModel
# What the editor answers to a request of the agent's: a result, or None to leave its dialog open.
Answer = Callable[[Body], Body | None]


def leave_open(_request: Body) -> Body | None:
    """The person does not touch the editor's dialog."""
    return None


def choose(kind: str) -> Answer:
    """The person picks the option of this kind, and lets the editor write and run what it is asked to."""

    def answer(request: Body) -> Body | None:
        if request["method"] != "session/request_permission":
            return {"content": ""} if request["method"] == "fs/read_text_file" else {}
        chosen = next(each for each in request["params"]["options"] if each["kind"] == kind)
        return {"outcome": {"outcome": "selected", "optionId": chosen["optionId"]}}

    return answer


class Editor:
    """One connection to an agent; what it asked for and what it reported."""

    def __init__(self, argv: Sequence[str], project: Path, environ: Mapping[str, str], errors: Path) -> None:
        self.answer: Answer = leave_open
        self.asked: list[Body] = []
        self.notices: list[Body] = []
        self._results: dict[int, queue.Queue[Body]] = {}
        self._ids = itertools.count(1)
        self._errors = errors.open("wb")
        self.process = subprocess.Popen(
            argv, cwd=project, env=dict(environ), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" not in message:
                self._results[message["id"]].put(message)
            elif "id" in message:
                self.asked.append(message)
                if (result := self.answer(message)) is not None:
                    self.send(id=message["id"], result=result)
            else:
                self.notices.append(message)

    def send(self, **message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def begin(self, method: str, **params: Any) -> "queue.Queue[Body]":
        """Send a request; its answer comes in the queue."""
        name = next(self._ids)
        self._results[name] = queue.Queue()
        self.send(id=name, method=method, params=params)
        return self._results[name]

    def call(self, method: str, **params: Any) -> Body:
        message = self.begin(method, **params).get(timeout=HANG)
        assert "error" not in message, message
        result: Body = message["result"]
        return result

    def open_session(self, project: Path, **capabilities: Any) -> str:
        self.call("initialize", protocolVersion=1, clientCapabilities=capabilities)
        return str(self.call("session/new", cwd=str(project), mcpServers=[])["sessionId"])

    def prompt(self, session: str, text: str = "go") -> "queue.Queue[Body]":
        return self.begin("session/prompt", sessionId=session, prompt=[{"type": "text", "text": text}])

    def permissions(self) -> list[Body]:
        return [each for each in self.asked if each["method"] == "session/request_permission"]

    def wait_for_permission(self, number: int = 1) -> Body:
        return until(lambda: self.permissions()[number - 1 : number], f"permission request {number}")[0]

    def said(self) -> str:
        """The texts of the conversation."""
        updates = (each["params"]["update"] for each in self.notices if each["method"] == "session/update")
        chunks = (each for each in updates if each["sessionUpdate"] == "agent_message_chunk")
        return "".join(each["content"].get("text", "") for each in chunks)

    def close(self) -> int:
        """Close its input, as an editor that is closed does; the exit code."""
        assert self.process.stdin is not None
        # What was not taken is lost with an agent that ended before.
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            return self.process.wait(timeout=HANG)
        finally:
            if self.process.poll() is None:
                self.process.kill()
            self._reader.join(timeout=HANG)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self._errors.close()


class AcpLab:
    """A home, a project, a model, a hub, and an editor that starts its agent through the proxy."""

    def __init__(self, folder: Path, agent: Sequence[str], environ: Mapping[str, str], model: Model) -> None:
        self.folder, self.home, self.project = folder, folder / "home", folder / "project"
        self._agent, self._environ = agent, environ
        self._closing = ExitStack()
        for made in (self.home, self.project):
            made.mkdir(parents=True)
        (self.project / "README.md").write_text("A project.\n")
        self.model = model
        self._closing.callback(self.model.close)
        self.hub = Hub(folder, self.home, self.project)
        self._closing.callback(self.hub.close)
        self._closing.enter_context(slots.one_slot())

    @property
    def environ(self) -> dict[str, str]:
        model = f"http://127.0.0.1:{self.model.port}"
        return {**self.hub.environ, **{name: value.format(model=model) for name, value in self._environ.items()}}

    @contextmanager
    def editor(self) -> Iterator[Editor]:
        argv = [sys.executable, "-I", "-m", "assent", "acp", "--", *self._agent]
        with Editor(argv, self.project, self.environ, self.folder / "agent-errors.txt") as editor:
            yield editor

    def close(self) -> None:
        self._closing.close()


OPENCODE = {
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    "OPENCODE_DISABLE_SHARE": "1",
}


def opencode(folder: Path, program: Path, turns: Sequence[Turn]) -> AcpLab:
    """It asks only where its settings say so."""
    lab = AcpLab(folder, [str(program), "acp"], OPENCODE, ChatModel(turns))
    model = {"name": "scripted", "limit": {"context": 100_000, "output": 4_000}}
    options = {"baseURL": f"http://127.0.0.1:{lab.model.port}/v1", "apiKey": "dummy"}
    settings = lab.home / ".config/opencode/opencode.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        json.dumps(
            {
                "autoupdate": False,
                "share": "disabled",
                "model": "lab/scripted",
                "small_model": "lab/scripted",
                "provider": {
                    "lab": {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"scripted": model}}
                },
                "permission": {"bash": "ask", "edit": "ask"},
            }
        )
    )
    return lab


def qwen(folder: Path, program: Path, turns: Sequence[Turn]) -> AcpLab:
    environ = {"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": "{model}/v1", "OPENAI_MODEL": "scripted"}
    lab = AcpLab(folder, [str(program), "--acp", "--approval-mode", "default"], environ, ChatModel(turns))
    settings = lab.home / ".qwen/settings.json"
    settings.parent.mkdir()
    settings.write_text(
        json.dumps(
            {
                "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
                "privacy": {"usageStatisticsEnabled": False},
                "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
                "telemetry": {"enabled": False},
                "model": {"name": "scripted"},
            }
        )
    )
    return lab


def gemini(folder: Path, program: Path, turns: Sequence[Turn]) -> AcpLab:
    environ = {
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "GEMINI_API_KEY": "dummy",
        "GOOGLE_GEMINI_BASE_URL": "{model}",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    }
    lab = AcpLab(folder, [str(program), "--acp"], environ, GeminiModel(turns))
    settings = lab.home / ".gemini/settings.json"
    settings.parent.mkdir()
    settings.write_text(SETTINGS)
    return lab
