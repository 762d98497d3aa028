"""``assent keys rotate`` beside a running hub."""

import json
import subprocess
import sys

import pytest

from tests.component.cli.conftest import Terminal
from tests.component.hub.agent_process import agent_of
from tests.component.hub_process import HubProcess


def token(terminal: Terminal) -> str:
    return (terminal.paths.keys / "post.token").read_text()


def posted(terminal: Terminal, secret: str) -> int:
    """The status of an event sent over HTTP with this token."""
    status = json.loads(terminal.ok("status", "--json"))
    program = (
        "import http.client, sys\n"
        "c = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))\n"
        "c.request('POST', '/hook/claude-code', sys.argv[3], {'Authorization': 'Bearer ' + sys.argv[2]})\n"
        "print(c.getresponse().status)\n"
    )
    event = json.dumps({"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {}})
    argv = [sys.executable, "-c", program, str(status["port"]), secret, event]
    return int(subprocess.run(argv, capture_output=True, text=True, check=True).stdout)


def test_hub_knows_the_new_token_only(terminal: Terminal) -> None:
    """It is started again with it."""
    terminal.up()
    old = token(terminal)
    assert posted(terminal, old) == 200
    output = json.loads(terminal.ok("keys", "rotate", "--yes", "--json"))
    assert output["restarted"] is True
    assert {key["name"] for key in output["rotated"]} >= {"post.token", "cookie.key", "digest.key"}
    assert posted(terminal, token(terminal)) == 200
    assert posted(terminal, old) == 401


@pytest.mark.parametrize("name", [[], ["post.token"]])
def test_agent_replaces_no_keys(terminal: Terminal, name: list[str]) -> None:
    """The hub says who asks, whatever the environment of the command says."""
    terminal.up()
    hub = HubProcess.__new__(HubProcess)
    hub.environ, hub.paths = terminal.environ, terminal.paths
    old = token(terminal)
    cleared = ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in terminal.environ.items())]
    command = [*cleared, sys.executable, "-m", "assent", "keys", "rotate", "--yes", *name]
    with agent_of(hub) as agent:
        agent.hook()
        said = agent.run(["/bin/sh", "-c", '"$@" 2>&1; echo "code $?"', "sh", *command])
    assert "person at the desk" in said[0]
    assert said[-1] == "code 1"
    assert token(terminal) == old
