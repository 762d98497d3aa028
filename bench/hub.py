"""A real hub with twenty rules, in a process and a folder of its own."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

from assent import keys
from bench.events import rules
from tests.component.hub_process import HubProcess, until


class Hub:
    def __init__(self, root: Path, *, port: int = 0) -> None:
        self._process = HubProcess(root / "hub", config=f"[hub]\nport = {port}\n", rules=rules())
        self.paths = self._process.paths
        self.environ = self._process.environ
        # Calls come from a repository: where its rules end is looked up on the disk.
        self.project = root / "project"
        (self.project / ".git").mkdir(parents=True)

    @property
    def socket(self) -> str:
        return str(self.paths.hook_socket)

    @property
    def pid(self) -> int:
        assert self._process.process is not None
        return self._process.process.pid

    @property
    def port(self) -> int:
        return self._process.port

    def token(self) -> str:
        return keys.post_token(self.paths)

    def start(self) -> None:
        self._process.start()

    def stop(self) -> None:
        process = self._process.process
        if process is not None and process.poll() is None:
            self._process.stop()

    def recorded(self) -> int:
        """The number of the newest record that is on disk. Raises when something was lost."""
        status = self._process.api("GET", "/api/status")[1]["journal"]
        assert status["lost"] == 0, f"{status['lost']} records were not kept: {status['trouble']}"
        return int(status["seq"])

    def wait_for_record(self, seq: int) -> float:
        """When the record was there, on the monotonic clock."""
        until(lambda: self.recorded() >= seq, f"record {seq}", 120)
        return time.monotonic()

    def allowed(self) -> int:
        """How many calls a rule allowed, by the journal."""
        records = self._process.api("GET", "/api/log?limit=1000")[1]["records"]
        return sum(record["kind"] == "decision" and record.get("decision") == "allow" for record in records)


@contextlib.contextmanager
def running(root: Path, *, port: int = 0) -> Iterator[Hub]:
    hub = Hub(root, port=port)
    hub.start()
    try:
        yield hub
    finally:
        hub.stop()
