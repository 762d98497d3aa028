"""A real hub in a process of its own, for tests."""

import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from assent.paths import Paths, find
from tests.component.forked import ASSENT, ForkedProgram
from tests.waiting import HANG, until

__all__ = ["DEADLINE", "UNATTENDED", "HubProcess", "UnixConnection", "bash", "running_hub", "until"]
# An unattended run: what would be asked about is not held there, unless a person can be reached.
UNATTENDED = {"CLAUDE_CODE_SESSION_ATTENDED": "0"}
DEADLINE = HANG


class HubProcess:
    """`assent up` in the foreground, with an ASSENT_HOME of its own and any free port."""

    # Turned on by the tests, of which few are about a start; what is measured or pictured starts as people start it.
    forks: ClassVar[bool] = False
    # What is run: Assent, or a module that is it with other times.
    program = ASSENT

    def __init__(self, root: Path, *, config: str = "", rules: str = "", python: str = sys.executable) -> None:
        self.environ = {"HOME": str(root), "PATH": os.environ["PATH"], "ASSENT_HOME": str(root)}
        self.paths: Paths = find(self.environ)
        self.python = python
        self.process: subprocess.Popen[str] | ForkedProgram | None = None
        self.paths.config_dir.mkdir(parents=True, exist_ok=True)
        hub = "" if "[hub]" in config else "[hub]\nport = 0\n"
        self.paths.config.write_text(f"version = 1\n{config}\n{hub}")
        if rules:
            self.paths.rules.write_text(rules)

    def start(self, *command: str) -> "HubProcess":
        return self.launch(*command).wait()

    def launch(self, *command: str) -> "HubProcess":
        command = command or (self.python, "-m", self.program, "up")
        if self.forks and command[:2] == (sys.executable, "-m"):
            self.process = ForkedProgram(command[2], command[3:], self.environ, self.paths.config_dir / "said")
            return self
        self.process = subprocess.Popen(
            command,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return self

    def wait(self) -> "HubProcess":
        until(self._listens, "the hook socket")
        return self

    def _listens(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise AssertionError(f"the hub ended: {self.process.communicate()[0]}")
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
                probe.connect(str(self.paths.hook_socket))
        except OSError:
            return False
        return self.holder() is not None

    def holder(self) -> dict[str, Any] | None:
        try:
            note: dict[str, Any] = json.loads(self.paths.lock.read_text())
        except (OSError, ValueError):
            return None
        return note

    @property
    def port(self) -> int:
        holder = self.holder()
        assert holder is not None
        return int(holder["port"])

    def stop(self) -> str:
        assert self.process is not None
        self.process.terminate()
        return self.process.communicate(timeout=DEADLINE)[0]

    def send(self, event: dict[str, Any], *, request_id: str | None = None, **envelope: Any) -> dict[str, Any]:
        """One event the way a shim sends it; what the shim would do."""
        whole = {
            "request_id": request_id or os.urandom(8).hex(),
            "ts": 1,
            "session_id": event.get("session_id", ""),
            "hook_event_name": event.get("hook_event_name", ""),
            **envelope,
            "payload": event,
        }
        answer: dict[str, Any] = json.loads(self.send_line(json.dumps(whole, separators=(",", ":")).encode()))[
            "payload"
        ]
        return answer

    def send_line(self, line: bytes) -> bytes:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
            # Before there is a bound: a socket with one does not wait for its turn at a busy door.
            sock.connect(str(self.paths.hook_socket))
            sock.settimeout(DEADLINE)
            sock.sendall(line + b"\n")
            with sock.makefile("rb") as replies:
                for reply in replies:
                    if reply.strip():
                        return reply
        return b""

    def api(self, method: str, path: str, body: bytes = b"") -> tuple[int, Any]:
        """One call on the desk socket."""
        connection = UnixConnection(str(self.paths.desk_socket))
        try:
            connection.request(method, path, body)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def tcp(self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """One call on the loopback port, as a browser or a harness makes it."""
        status, text, _ = self.raw(method, path, body, headers)
        return status, json.loads(text)

    def raw(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[int, bytes, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.read(), {name.lower(): value for name, value in response.getheaders()}
        finally:
            connection.close()

    def own_page(self) -> dict[str, str]:
        """What a browser says of requests that the hub's own page makes."""
        return {"Origin": f"http://127.0.0.1:{self.port}", "Sec-Fetch-Site": "same-origin"}

    def claim(self, body: bytes) -> str:
        """Open a link; the cookie it gives."""
        status, _, headers = self.raw("POST", "/api/pair/claim", body, self.own_page())
        assert status == 200
        return headers["set-cookie"].partition(";")[0]

    def log(self) -> str:
        try:
            return self.paths.log.read_text()
        except FileNotFoundError:
            return ""


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=DEADLINE)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self._path)
        self.sock.settimeout(self.timeout)


@contextmanager
def running_hub(root: Path, *, config: str = "", rules: str = "") -> Iterator[HubProcess]:
    hub = HubProcess(root, config=config, rules=rules).start()
    try:
        yield hub
    finally:
        if hub.process is not None and hub.process.poll() is None:
            hub.stop()


def bash(command: str, **fields: Any) -> dict[str, Any]:
    """A PreToolUse for a Bash call."""
    return {
        "session_id": "s1",
        "transcript_path": "/t.jsonl",
        "cwd": "/p",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": f"toolu_{os.urandom(4).hex()}",
        **fields,
    }
