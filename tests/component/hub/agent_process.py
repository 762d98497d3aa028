"""Stands in for an agent's client: a process that starts hooks, and whatever else an agent starts."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.component.hub_process import HubProcess, bash

# Says one event on the hook socket, as a shim does. Arguments: socket, the event, the process id it claims.
SEND = """
import json, os, socket, sys
path, event, claimed = sys.argv[1:]
name = json.loads(event)["hook_event_name"]
line = {"request_id": os.urandom(8).hex(), "ts": 1, "session_id": "s1", "hook_event_name": name}
hooks = socket.socket(socket.AF_UNIX)
hooks.connect(path)
hooks.sendall(json.dumps({**line, "env": {"CLAUDE_PID": claimed}, "payload": json.loads(event)}).encode() + b"\\n")
with hooks.makefile() as replies:
    while not replies.readline().strip():
        pass
"""
# Asks for a pause at the desk and prints status and code. Arguments: socket, and a process whose end is waited for.
PAUSE = """
import json, os, socket, sys
path, wait = sys.argv[1:]
said = os.dup(1)
while int(wait) and os.path.exists(f"/proc/{wait}"):
    os.sched_yield()
desk = socket.socket(socket.AF_UNIX)
desk.connect(path)
head = b"PUT /api/pause HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nContent-Length: 13\\r\\n\\r\\n"
desk.sendall(head + b'{"seconds":9}')
answer = b""
while part := desk.recv(4096):
    answer += part
body = json.loads(answer.partition(b"\\r\\n\\r\\n")[2])
code = body.get("error", {}).get("code", "")
os.write(said, f"{answer.split()[1].decode()} {code}\\n".encode())
"""
# Runs a program at a terminal made for it. Arguments: the program's.
AT_A_TERMINAL = """
import os, pty, sys
said = os.dup(1)
child, terminal = pty.fork()
if child == 0:
    os.dup2(said, 1)
    os.execv(sys.argv[1], sys.argv[1:])
os.waitpid(child, 0)
"""
# Runs a program that has lost its parents. Arguments: the program's.
DETACHED = """
import os, sys
if os.fork():
    os._exit(0)
os.setsid()
first = os.getpid()
if os.fork():
    os._exit(0)
while os.getppid() == first:
    os.sched_yield()
os.execv(sys.argv[1], sys.argv[1:])
"""
# Runs each command line that it is given, with its own process id in the environment.
CLIENT = """
import json, os, subprocess, sys
marks = {"CLAUDECODE": "1", "CLAUDE_PID": str(os.getpid())}
for line in sys.stdin:
    wanted = json.loads(line)
    argv = [part.replace("{pid}", str(os.getpid())) for part in wanted["argv"]]
    environ = {**os.environ, **marks, **wanted["set"]} if wanted["set"] is not None else {}
    subprocess.run(argv, env=environ, stdin=subprocess.DEVNULL)
    sys.stdout.write("done\\n")
    sys.stdout.flush()
"""


def python(script: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", script, *arguments]


class AgentProcess:
    def __init__(self, hub: HubProcess) -> None:
        self.hub = hub
        # Its own environment is the person's, who started it.
        self.process = subprocess.Popen(
            python(CLIENT), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )

    @property
    def pid(self) -> int:
        return self.process.pid

    def run(self, argv: list[str], environ: dict[str, str] | None = {}) -> list[str]:  # noqa: B006 - never changed
        """What the command said. ``environ`` is added to what an agent gives its children; None: they get nothing."""
        self.tell(argv, environ)
        said = []
        while (line := self.hear()) != "done":
            said.append(line)
        return said

    def tell(self, argv: list[str], environ: dict[str, str] | None) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"argv": argv, "set": environ}) + "\n")
        self.process.stdin.flush()

    def hear(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def hook(self, event: dict[str, Any] | None = None, *, claimed: str = "{pid}", shell: bool = False) -> None:
        argv = python(SEND, str(self.hub.paths.hook_socket), json.dumps(event or bash("ls")), claimed)
        # The second command keeps the shell from becoming the first.
        self.run(["/bin/sh", "-c", '"$@"; true', "sh", *argv] if shell else argv)

    def pause(self, *, wait: int = 0) -> list[str]:
        """The command line of a child that wants a pause."""
        return python(PAUSE, str(self.hub.paths.desk_socket), str(wait))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.kill()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()


@contextmanager
def agent_of(hub: HubProcess) -> Iterator[AgentProcess]:
    """One that the hub has not heard of yet."""
    agent = AgentProcess(hub)
    try:
        yield agent
    finally:
        agent.close()
