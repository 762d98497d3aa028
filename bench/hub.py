"""A real hub with twenty rules, in a process and a folder of its own."""

import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from assent import keys
from bench.events import rules
from tests.component.hub_process import HubProcess, until


class Hub:
    def __init__(
        self,
        root: Path,
        *,
        port: int = 0,
        config: str = "",
        command: Sequence[str] = (),
        python: str = sys.executable,
        ruled: str = "",
        home: Path | None = None,
    ) -> None:
        self.process = HubProcess(
            home or root / "hub", config=f"[hub]\nport = {port}\n{config}", rules=ruled or rules(), python=python
        )
        self._command = command
        self.paths = self.process.paths
        self.environ = self.process.environ
        # Calls come from a repository: where its rules end is looked up on the disk.
        self.project = root / "project"
        (self.project / ".git").mkdir(parents=True)

    @property
    def socket(self) -> str:
        return str(self.paths.hook_socket)

    @property
    def pid(self) -> int:
        assert self.process.process is not None
        return self.process.process.pid

    @property
    def port(self) -> int:
        return self.process.port

    def token(self) -> str:
        return keys.post_token(self.paths)

    def start(self) -> None:
        self.process.start(*self._command)

    def stop(self) -> None:
        process = self.process.process
        if process is not None and process.poll() is None:
            self.process.stop()

    def get(self, path: str) -> Any:
        """What the desk socket says."""
        return self.process.api("GET", path)[1]

    def recorded(self) -> int:
        """The number of the newest record that is on disk. Raises when something was lost."""
        status = self.get("/api/status")["journal"]
        assert status["lost"] == 0, f"{status['lost']} records were not kept: {status['trouble']}"
        return int(status["seq"])

    def wait_for_record(self, seq: int) -> float:
        """When the record was there, on the monotonic clock."""
        until(lambda: self.recorded() >= seq, f"record {seq}", 120)
        return time.monotonic()

    def allowed(self) -> int:
        """How many calls a rule allowed, by the journal."""
        records = self.get("/api/log?limit=1000")["records"]
        return sum(record["kind"] == "decision" and record.get("decision") == "allow" for record in records)


@contextlib.contextmanager
def running(
    root: Path,
    *,
    port: int = 0,
    config: str = "",
    command: Sequence[str] = (),
    python: str = sys.executable,
    ruled: str = "",
    home: Path | None = None,
) -> Iterator[Hub]:
    """With the command another program is the hub; with another tree's interpreter, that tree's hub."""
    hub = Hub(root, port=port, config=config, command=command, python=python, ruled=ruled, home=home)
    hub.start()
    try:
        yield hub
    finally:
        hub.stop()
