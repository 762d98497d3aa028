"""Going to the terminal of a session: a real tmux, and who may not move it."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from assent.hub.access.devices import MOST_FOR_PHONES
from assent.hub.api.jump import JumpApi
from assent.hub.recorder import Live
from assent.protocol import terminal
from tests.component.hub.agent_process import agent_of, python
from tests.component.hub_process import HubProcess, bash, until
from tests.tmux import HAS_TMUX, Tmux, running_tmux

pytestmark = pytest.mark.skipif(not HAS_TMUX, reason="tmux is not installed")

# Asks the hub to go to the terminal of s1 and prints the status. Argument: the desk socket.
JUMP = """
import http.client, socket, sys
class Desk(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(sys.argv[1])
desk = Desk("localhost")
desk.request("POST", "/api/sessions/s1/jump", b"{}")
print(desk.getresponse().status)
"""


@pytest.fixture
def tmux() -> Iterator[Tmux]:
    with running_tmux() as server:
        yield server


def start(hub: HubProcess, env: dict[str, str]) -> None:
    """The session begins there, or again; it is on record afterwards."""
    hub.send(bash("ls") | {"hook_event_name": "SessionStart", "source": "startup"}, env=env)
    place = terminal.of(env if "CLAUDE_PID" not in env else {})
    expected = msgspec.to_builtins(place) if place else None

    def is_known() -> bool:
        status, session = hub.api("GET", "/api/sessions/s1")
        return status == 200 and session.get("terminal") == expected

    until(is_known, "the start on record")


def jump(hub: HubProcess, **wanted: str) -> tuple[int, Any]:
    return hub.api("POST", "/api/sessions/s1/jump", json.dumps(wanted).encode())


def test_persons_terminal_is_switched_to_the_pane(hub: HubProcess, tmux: Tmux) -> None:
    """From another session and another window."""
    shown, _ = tmux.pane("mine"), tmux.pane("agents")
    pane = tmux.window("agents")
    person = tmux.attach("mine")
    assert tmux.clients() == {person: shown}
    start(hub, tmux.env(pane))
    status, told = jump(hub)
    assert (status, told["moved"]) == (200, True)
    assert tmux.clients() == {person: pane}


def test_terminal_one_comes_from_is_the_one_that_is_switched(hub: HubProcess, tmux: Tmux) -> None:
    """Not that of another person or screen, though it was used later."""
    first, second, pane = tmux.pane("one"), tmux.pane("two"), tmux.pane("agents")
    mine, other = tmux.attach("one"), tmux.attach("two")
    start(hub, tmux.env(pane))
    assert jump(hub, origin=first)[0] == 200
    assert tmux.clients() == {mine: pane, other: second}


def test_pane_is_selected_where_no_terminal_is_attached(hub: HubProcess, tmux: Tmux) -> None:
    """The next one that attaches sees it, and the words say so."""
    tmux.pane("agents")
    pane = tmux.window("agents")
    start(hub, tmux.env(pane))
    status, told = jump(hub)
    assert (status, told["moved"]) == (200, False)
    assert "No terminal is attached" in told["words"]
    assert tmux.run("display-message", "-p", "-t", "agents", "#{pane_id}") == pane


def test_pane_that_is_gone_is_said_so(hub: HubProcess, tmux: Tmux) -> None:
    """In tmux's own words; and where the server is gone, in ours."""
    tmux.pane("agents")
    start(hub, tmux.env("%99"))
    status, told = jump(hub)
    assert (status, "can't find" in told["error"]["message"]) == (502, True)
    tmux.close()
    tmux.socket.unlink(missing_ok=True)
    assert jump(hub)[1]["error"]["message"] == "The tmux server of this session is gone."


def test_socket_in_a_folder_of_others_is_not_used(hub: HubProcess, tmux: Tmux) -> None:
    """Another user could have put a server of theirs in its place. Nor is what is no socket."""
    start(hub, tmux.env(tmux.pane("agents")))
    tmux.socket.parent.chmod(0o777)
    status, told = jump(hub)
    tmux.socket.parent.chmod(0o700)
    assert (status, told["error"]["code"]) == (502, "not-there")
    file = tmux.socket.with_name("file")
    file.touch()
    start(hub, {"TMUX": f"{file},1,0", "TMUX_PANE": "%0"})
    assert jump(hub)[0] == 502


@pytest.mark.parametrize("env", [{}, {"TERM_PROGRAM": "vscode"}, {"TMUX": "x", "TMUX_PANE": "%1"}])
def test_without_a_pane_there_is_nowhere_to_go(hub: HubProcess, env: dict[str, str]) -> None:
    """Nor with a bad pane to come from, nor for a session that is not known."""
    start(hub, env)
    assert jump(hub)[1]["error"]["code"] == "no-terminal"
    assert jump(hub, origin="%1;x")[1]["error"]["code"] == "bad-pane"
    assert hub.api("POST", "/api/sessions/s2/jump", b"{}")[0] == 404


def test_agents_own_process_may_not_move_the_terminal(hub: HubProcess, tmux: Tmux) -> None:
    """Nor is it told where the terminal is."""
    shown, pane = tmux.pane("mine"), tmux.pane("agents")
    person = tmux.attach("mine")
    start(hub, tmux.env(pane))
    with agent_of(hub) as agent:
        agent.hook()
        assert agent.run(python(JUMP, str(hub.paths.desk_socket))) == ["403"]
    assert tmux.clients() == {person: shown}


def test_scope_is_more_than_a_phone_can_have() -> None:
    """A paired device elsewhere must not move what stands on the desk."""
    assert all(scope > MOST_FOR_PHONES for _, _, scope, _ in JumpApi(Live()).routes())


def test_claimed_terminal_counts_only_with_a_claimed_process_that_is_true(hub: HubProcess) -> None:
    """An event that lies about its process does not say where its agent runs."""
    start(hub, {"TMUX": "/tmp/tmux-0/default,1,0", "TMUX_PANE": "%1", "CLAUDE_PID": "1"})
    assert "terminal" not in hub.api("GET", "/api/sessions/s1")[1]
