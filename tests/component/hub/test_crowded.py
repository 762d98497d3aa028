"""A hub under processes that hold as many connections as they get."""

import contextlib
import json
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.client import Client
from assent.harnesses.site import shim_command
from tests.component.hub.agent_process import agent_of, python
from tests.component.hub_process import HubProcess, bash, until
from tests.waiting import HANG

# The usual soft limit, and no more to be had: a hub that could raise it would only be asked for more.
FEW_FILES = 1_024
# Holds connections until its input ends. Arguments: socket, how many, what each says.
HOLD = """
import resource, socket, sys
path, count, text = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
held = []
for _ in range(int(count)):
    sock = socket.socket(socket.AF_UNIX)
    sock.settimeout(5)
    try:
        sock.connect(path)
        sock.sendall(text.encode())
    except OSError:
        pass
    held.append(sock)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def few_files(idle_hub: HubProcess) -> HubProcess:
    """A hub that can open as few files as on most machines."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = f"ulimit -n {min(FEW_FILES, hard, soft)}; exec {sys.executable} -m assent up"
    return idle_hub.start("/bin/sh", "-c", limit)


@contextlib.contextmanager
def holding(path: Path, count: int, text: str, *, wrap: tuple[str, ...] = ()) -> Iterator[None]:
    command = [*wrap, *python(HOLD, str(path), str(count), text)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            yield
        finally:
            holder.stdin.close()


def shim_says(hub: HubProcess, command: str) -> str:
    """What the real shim prints for a PreToolUse."""
    argv = shim_command(hub.paths, "claude-code", "PreToolUse", 20, 10)
    payload = json.dumps(bash(command)).encode()
    return subprocess.run(argv, input=payload, env={}, capture_output=True, check=True).stdout.decode()


def test_floor_holds_beside_processes_that_only_hold_connections(few_files: HubProcess) -> None:
    """1,500 of them with one byte each."""
    with holding(few_files.paths.hook_socket, 1_500, "{"):
        assert '"deny"' in shim_says(few_files, "rm -rf ~")
        assert few_files.api("GET", "/api/status")[0] == 200
    assert len(few_files.log()) < 20_000


def test_floor_holds_beside_many_processes_of_the_same_agent(few_files: HubProcess) -> None:
    """Each of them within its own limit, all of them together not."""
    with agent_of(few_files) as agent, contextlib.ExitStack() as stack:
        agent.hook()
        for _ in range(12):
            stack.enter_context(holding(few_files.paths.hook_socket, 100, "{"))
        assert '"deny"' in shim_says(few_files, "rm -rf ~")


def test_streams_of_an_agent_leave_room_for_people(few_files: HubProcess) -> None:
    """520 of them by who may only watch."""
    stream = "GET /api/stream?since=0 HTTP/1.1\r\nHost: x\r\n\r\n"
    with contextlib.ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(
                holding(few_files.paths.desk_socket, 130, stream, wrap=("/usr/bin/env", "CLAUDECODE=1"))
            )
        person = Client(few_files.paths)
        person.pause(9)
        assert person.me()["scope"] == "admin"


def test_half_a_line_is_dropped_soon(hub: HubProcess) -> None:
    """Sooner than a shim gives up."""
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(str(hub.paths.hook_socket))
        sock.sendall(b"{")
        sock.settimeout(HANG)
        assert sock.recv(1) == b""


def test_hub_takes_as_many_files_as_it_gets(hub: HubProcess) -> None:
    """The soft limit of the shell that started it is not its own."""
    assert hub.process is not None
    limits = Path(f"/proc/{hub.process.pid}/limits").read_text()
    line = next(line for line in limits.splitlines() if line.startswith("Max open files"))
    soft, hard = line.split()[3:5]
    assert int(soft) == min(int(hard), 65_536)
    until(lambda: "each door takes fewer" not in hub.log(), "a log without complaints")
