"""The desk socket against agents that hide where they come from."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from assent.hub import processes
from tests.component.hub_process import HubProcess, bash, until

# An agent's client, whose child reaches for the desk socket. What it does first is up to the test.
CLIENT = """
import os, socket, sys
path, trick = sys.argv[1:]
sys.stdin.readline()
if os.fork():
    os.wait()
    sys.stdin.read()
    os._exit(0)
desk = socket.socket(socket.AF_UNIX)
if trick == "handed on":
    desk.connect(path)
    if parent := os.fork():
        os._exit(0)
    while os.getppid() == parent:
        os.sched_yield()
elif trick == "detached":
    os.setsid()
    first = os.getpid()
    if os.fork():
        os._exit(0)
    while os.getppid() == first:
        os.sched_yield()
    desk.connect(path)
else:
    desk.connect(path)
head = b"PUT /api/pause HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nContent-Length: 13\\r\\n\\r\\n"
desk.sendall(head + b'{"seconds":9}')
answer = b""
while part := desk.recv(4096):
    answer += part
sys.stdout.write(answer.decode().splitlines()[0] + "\\n")
sys.stdout.flush()
"""


@contextmanager
def client(hub: HubProcess, trick: str) -> Iterator[subprocess.Popen[str]]:
    argv = [sys.executable, "-c", CLIENT, str(hub.paths.desk_socket), trick]
    # The environment of a process is what it was started with, so a client starts as its own child.
    run = f"import os, sys; os.environ['CLAUDE_PID'] = str(os.getpid()); os.execv(sys.executable, {argv!r})"
    with subprocess.Popen(
        [sys.executable, "-c", run], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as found:
        yield found
        assert found.stdin is not None
        found.stdin.close()


@pytest.mark.parametrize("trick", ["", "handed on", "detached"])
def test_what_an_agent_started_cannot_act_at_the_desk(hub: HubProcess, trick: str) -> None:
    """Not as its child, not over a connection whose maker is gone, and not once nobody is left above it."""
    with client(hub, trick) as agent:
        assert agent.stdin is not None
        assert agent.stdout is not None
        hub.send(bash("ls"), env={"CLAUDE_PID": str(agent.pid)})
        until(lambda: hub.api("GET", "/api/snapshot")[1]["sessions"], "the session")
        agent.stdin.write("\n")
        agent.stdin.flush()
        assert "403" in agent.stdout.readline()


def test_line_without_an_end_is_suspect(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of shells as long as one likes does not lead away from the agent."""
    monkeypatch.setattr(processes, "_parent", lambda pid: pid + 1)
    assert processes.descends_from(10, {5})


def test_nobody_is_suspect_where_no_agent_runs() -> None:
    """Not even who cannot be seen."""
    assert not processes.may_be_of(0, ())
    assert processes.may_be_of(0, {os.getpid()})
