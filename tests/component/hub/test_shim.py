"""The shim and the hub, real both: this version's, native and in Python, and the first one ever placed."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import gates
from tests.component.hub_process import HubProcess, bash, until
from tests.waiting import HANG

OLD_SHIMS = sorted((Path(__file__).parents[2] / "fixtures" / "old_shims").glob("*.py"))

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture(params=["native", "python", *OLD_SHIMS], ids=lambda shim: getattr(shim, "stem", shim))
def run(hub: HubProcess, request: pytest.FixtureRequest) -> Run:
    """Run a shim as Claude Code would: one this hub placed, or an old copy, which knew no native one, in its place."""
    program = hub.paths.shim / "hook.py"
    if request.param == "native":
        gates.put_in_place(hub.paths.shim, gates.sanitized())
    else:
        gates.put_python_in_place(hub.paths.shim)
    if isinstance(request.param, Path):
        program.write_bytes(request.param.read_bytes())

    def run(event: dict[str, Any] | bytes, name: str = "PreToolUse") -> "subprocess.CompletedProcess[bytes]":
        start = [str(hub.paths.shim / "python"), "-I", "-S", str(program), str(hub.paths.hook_socket)]
        payload = event if isinstance(event, bytes) else json.dumps(event).encode()
        environ = {"CLAUDE_CODE_SESSION_ID": "s1", "CLAUDE_PROJECT_DIR": "/p", "CLAUDE_PID": str(os.getpid())}
        return subprocess.run(
            [*start, "claude-code", name, "20", "5"], input=payload, env=environ, capture_output=True, timeout=HANG
        )

    return run


def test_shim_prints_what_the_hub_decided(run: Run) -> None:
    """A denied call is denied on stdout, with exit code 0 and nothing on stderr."""
    done = run(bash("git push"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_shim_is_silent_without_a_decision(run: Run) -> None:
    """No opinion is empty output."""
    done = run(bash("cargo build"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    "payload", [b"", b"\x00\xff", b'{"cut":', b"x" * (17 << 20)], ids=["empty", "bin", "cut", "17M"]
)
def test_unreadable_call_through_the_shim_is_left_to_a_person(run: Run, payload: bytes) -> None:
    """Whatever comes on stdin, a gate asks instead of staying silent."""
    done = run(payload)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "ask"


def test_shim_tells_whose_session_it_is(run: Run, hub: HubProcess) -> None:
    """Project and process come from the client's environment."""
    run(bash("cargo build"))
    (session,) = until(lambda: hub.api("GET", "/api/sessions")[1]["sessions"], "the session")
    assert (session["project"], session["pid"]) == ("/p", os.getpid())
