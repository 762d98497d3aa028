"""A placed shim in a folder short enough for a socket: the native one and the Python one, each for every test.

Tests about the placed Python files take ``python_shim``."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assent.harnesses.site import shim_command
from assent.paths import Paths
from assent.shim import place, stopped
from tests import gates
from tests.waiting import HANG, until

BYPASS = b'{"permission_mode":"bypassPermissions","tool_name":"Bash"}'


def wait_for(evidence: Callable[[], object]) -> None:
    until(evidence, "the evidence")


@dataclass(frozen=True)
class Result:
    code: int
    out: bytes
    err: bytes


class Shim:
    """Runs the placed program as a harness would."""

    def __init__(self, root: Path, gate: Path | None = None) -> None:
        # The native shim; the Python shim where it is None.
        self.gate = gate
        self.paths = Paths(config_dir=root / "config", state=root / "state")
        # Hubs that shims start here write a report each, and end with the test.
        self.hubs = root / "hubs"
        self.socket = self.paths.hook_socket
        self.env: dict[bytes, bytes] = {}
        self.harness = "claude-code"
        self.place()

    def place(self, unreachable: str = "prompt_in_bypass") -> None:
        place.place(self.paths, unreachable=unreachable)
        if self.gate:
            gates.put_in_place(self.paths.shim, self.gate)
        else:
            gates.put_python_in_place(self.paths.shim)
        # Only tests about revival have a hub to start.
        (self.paths.shim / "start-hub").unlink()

    def argv(self, event: str, deadline: float, silence: float) -> list[str]:
        argv = shim_command(self.paths, self.harness, event, deadline, silence)
        argv[4] = str(self.socket)
        return argv

    def start(
        self,
        event: str = "PreToolUse",
        *,
        deadline: float = 100,
        silence: float = 10,
        wrap: Sequence[str] = (),
        **popen: Any,
    ) -> "subprocess.Popen[bytes]":
        pipes: dict[str, Any] = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "env": self.env,
        }
        return subprocess.Popen([*wrap, *self.argv(event, deadline, silence)], **(pipes | popen))

    def run(self, event: str = "PreToolUse", payload: bytes = b"{}", **options: Any) -> Result:
        return self.finish(self.start(event, **options), payload)

    def feed(self, process: "subprocess.Popen[bytes]", payload: bytes = b"{}") -> None:
        """Give it its input without waiting for the end."""
        assert process.stdin
        process.stdin.write(payload)
        process.stdin.close()
        process.stdin = None

    def finish(self, process: "subprocess.Popen[bytes]", payload: bytes | None = b"{}") -> Result:
        with process:
            out, err = process.communicate(payload, timeout=HANG)
        assert b"Traceback" not in (out or b"") + (err or b"")
        assert process.returncode != gates.REPORT, err
        return Result(process.returncode, out or b"", err or b"")

    def gaps(self) -> list[dict[str, Any]]:
        spool = self.paths.spool / "gaps.ndjson"
        return [msgspec.json.decode(line) for line in spool.read_bytes().splitlines()] if spool.exists() else []

    def stop(self) -> None:
        """Leave the mark a hub leaves that stops for `assent down`."""
        stopped.leave(self.paths, stopped.arm(self.paths))

    def start_hub_with(self, script: str) -> None:
        program = self.paths.shim / "start-hub"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o700)


@contextmanager
def placed(gate: Path | None) -> Iterator[Shim]:
    root = Path(tempfile.mkdtemp(prefix="shim-", dir="/tmp"))
    shim = Shim(root, gate)
    shim.socket.parent.mkdir()
    shim.hubs.mkdir()
    yield shim
    for report in shim.hubs.glob("*.json"):
        os.kill(int(report.stem), signal.SIGKILL)
    shutil.rmtree(root)


@pytest.fixture(params=["native", "python"])
def shim(request: pytest.FixtureRequest) -> Iterator[Shim]:
    with placed(gates.sanitized() if request.param == "native" else None) as shim:
        yield shim


@pytest.fixture
def python_shim() -> Iterator[Shim]:
    with placed(None) as shim:
        yield shim


@pytest.fixture
def native_shim() -> Iterator[Shim]:
    with placed(gates.sanitized()) as shim:
        yield shim
