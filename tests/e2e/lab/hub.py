"""The real hub as a process, and what it wrote down."""

import json
import os
import random
import signal
import socket
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assent import paths
from tests.component import forked
from tests.component.hub_process import UnixConnection
from tests.e2e.lab.waiting import HANG, until

Ask = dict[str, Any]
SCRIPTED_HUB = "tests.e2e.lab.scripted_hub"
CONNECTED_HUB = "tests.e2e.lab.connected_hub"


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of the journal, as far as tests ask."""

    seq: int
    kind: str
    session: str | None
    request: str | None
    decision: str | None
    by: str | None
    body: Mapping[str, Any]
    call: str | None = None

    @property
    def event(self) -> str:
        return str(self.body.get("event", ""))

    @property
    def payload(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.body.get("payload", {})
        return found


class Hub:
    """One hub in its own ``ASSENT_HOME``. It may be started here or by a shim."""

    def __init__(self, folder: Path, home: Path, project: Path) -> None:
        self.environ = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "ASSENT_HOME": str(folder / "assent"),
        }
        self._project = project
        self._answers = folder / "answers.json"
        self._output = folder / "hub-output.txt"
        self._process: forked.ForkedProgram | None = None
        self.paths = paths.find(self.environ)
        self.port = free_port()
        self.configure()

    def configure(self, extra: str = "", rules: str = "", *, hub: str = "") -> None:
        """Write config.toml, with more lines in its [hub], and rules.toml."""
        self.paths.config_dir.mkdir(parents=True, exist_ok=True)
        self.paths.config.write_text(f"version = 1\n{extra}\n[hub]\nport = {self.port}\n{hub}")
        self.paths.rules.write_text(rules)

    def assent(self, *arguments: str, code: int = 0) -> str:
        """Run one ``assent`` command as its user would."""
        done = forked.run(arguments, self.environ, self._project, HANG)
        assert done.returncode == code, f"assent {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def start(
        self,
        answers: Iterable[Mapping[str, Any]] | None = None,
        addresses: Mapping[str, str] | None = None,
        ahead: int = 0,
    ) -> None:
        """Start the hub; with answers, beside its own voices one that gives them; with addresses of chat services,
        those instead of the real ones; with a clock that is ``ahead`` by so many seconds."""
        module, *arguments = forked.ASSENT, "up"
        if answers is not None:
            self._answers.write_text(json.dumps(list(answers)))
            module, *arguments = SCRIPTED_HUB, str(self._answers)
        if addresses is not None or ahead:
            module, *arguments = CONNECTED_HUB, json.dumps(dict(addresses or {})), str(ahead)
        self._process = forked.ForkedProgram(module, arguments, self.environ, self._output)
        until(self._is_up, "the hub is up")

    def _is_up(self) -> bool:
        if self._process is not None and self._process.poll() is not None:
            raise AssertionError(f"the hub ended:\n{self._output.read_text()}")
        return self.pid() is not None and self.is_reachable()

    def is_reachable(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self.paths.hook_socket)) == 0

    def pid(self) -> int | None:
        """Who holds the lock, if the note in it is whole."""
        try:
            return int(json.loads(self.paths.lock.read_text())["pid"])
        except (OSError, ValueError, KeyError):
            return None

    def kill(self) -> None:
        """SIGKILL, as a full memory would."""
        pid = self.pid()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()
            self._process = None
        until(lambda: not self.is_reachable(), "the killed hub is gone")

    def close(self) -> None:
        # Also ends a hub that a shim of this lab started.
        self.assent("down", "--yes")
        if self._process is not None:
            self._process.wait(timeout=HANG)

    def api(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> tuple[int, Any]:
        """One call on the desk socket."""
        with closing(UnixConnection(str(self.paths.desk_socket))) as connection:
            connection.request(method, path, json.dumps(body) if body is not None else None)
            response = connection.getresponse()
            return response.status, json.loads(response.read())

    def asks(self) -> list[Ask]:
        """What people are shown, oldest first."""
        status, snapshot = self.api("GET", "/api/snapshot")
        assert status == 200, snapshot
        return list(reversed(snapshot["asks"]))

    def wait_for_ask(self, nth: int = 1, state: str = "open", seconds: float = HANG) -> Ask:
        """The ``nth`` ask of this hub, once it is in that state."""

        def look() -> Ask | None:
            try:
                asks = self.asks()
            except ConnectionResetError:
                # A hub that had no processor for long takes a new connection for one that says nothing.
                return None
            return asks[nth - 1] if len(asks) >= nth and asks[nth - 1]["state"] == state else None

        try:
            return until(look, f"ask {nth} is {state}", seconds)
        except AssertionError as problem:
            raise AssertionError(f"{problem}; there are {json.dumps(self.asks(), indent=1)}") from None

    def leave_desk(self) -> None:
        """No person is at the terminal: what would hold its dialog back may wait for one elsewhere."""
        status, reply = self.api("PUT", "/api/presence", {"away": True})
        assert status == 200, reply

    def offers(self, ask: Ask) -> list[dict[str, Any]]:
        status, reply = self.api("GET", f"/api/asks/{ask['id']}/offers")
        assert status == 200, reply
        offers: list[dict[str, Any]] = reply["offers"]
        return offers

    def try_answer(self, ask: Ask, choice: str, **more: Any) -> tuple[int, Any]:
        """Answer what was shown, as a person at the desk; the status and what the hub says."""
        answer = {"rev": ask["rev"], "hash": ask["hash"], "choice": choice, **more}
        return self.api("POST", f"/api/asks/{ask['id']}/answer", answer)

    def answer(self, ask: Ask, choice: str, **more: Any) -> None:
        """An answer that is taken."""
        status, reply = self.try_answer(ask, choice, **more)
        assert status == 202, reply

    def entries(self, kind: str | None = None, event: str | None = None) -> list[Entry]:
        """What the journal holds, oldest first."""
        if not self.paths.journal.exists():
            return []
        query = 'SELECT seq, kind, session, request, decision, "by", body, call FROM records ORDER BY seq'
        with closing(sqlite3.connect(f"file:{self.paths.journal}?mode=ro", uri=True, timeout=HANG)) as db:
            rows = db.execute(query).fetchall()
        every = (
            Entry(seq, kind_, session, request, decision, by, json.loads(body), call)
            for seq, kind_, session, request, decision, by, body, call in rows
        )
        return [e for e in every if (kind is None or e.kind == kind) and (event is None or e.event == event)]

    def events(self) -> list[str]:
        return [entry.event for entry in self.entries("event")]

    def wait_for(self, event: str, seconds: float = HANG, where: Callable[[Entry], bool] = lambda _: True) -> Entry:
        """The first such event in the journal."""
        return until(
            lambda: next((entry for entry in self.entries("event", event) if where(entry)), None),
            f"{event} in the journal",
            seconds,
        )


def free_port() -> int:
    """A port for hooks to name before the hub has it; below those the kernel hands out by itself."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
