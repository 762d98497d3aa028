"""`assent restart` again and again under load: no call runs unjudged, and what waits for a person goes on waiting."""

import json
import subprocess
import sys
import threading
from typing import Any

import pytest

from tests.component.fire.seeds import SOAK
from tests.component.hub.ask_client import answer, waiting
from tests.component.hub.conftest import StartHub
from tests.component.hub_process import HubProcess, bash, until
from tests.waiting import HANG

RESTARTS = 500 if SOAK else 4
# One ask waits through so many; ten minutes are the most it may.
RESTARTS_PER_ASK = 20
CLIENTS = 4
RULES = '[[rule]]\nmatch = "Bash(touch marker-*)"\ndecision = "deny"\nreason = "Markers are forbidden."\n'


class Shim:
    """The placed shim, started as the client starts it."""

    def __init__(self, hub: HubProcess, event: dict[str, Any], attended: str) -> None:
        start = [str(hub.paths.shim / "python"), "-I", "-S", str(hub.paths.shim / "hook.py")]
        self._process = subprocess.Popen(
            [*start, str(hub.paths.hook_socket), "claude-code", "PreToolUse", "600", "2"],
            env={"CLAUDE_CODE_SESSION_ID": event["session_id"], "CLAUDE_CODE_SESSION_ATTENDED": attended},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._process.stdin
        self._process.stdin.write(json.dumps(event).encode())
        self._process.stdin.close()
        self._process.stdin = None

    def said(self) -> tuple[int, bytes, bytes]:
        out, err = self._process.communicate(timeout=HANG)
        return self._process.returncode, out, err


class Client(threading.Thread):
    """One agent in bypassPermissions after another call: each must be denied."""

    def __init__(self, hub: HubProcess, number: int, over: threading.Event) -> None:
        super().__init__()
        self.hub, self.number, self.over = hub, number, over
        self.judged = self.refused = 0
        self.wrong: list[tuple[int, bytes, bytes]] = []

    def run(self) -> None:
        while not self.over.is_set():
            command = f"touch marker-{self.number}-{self.judged}"
            event = bash(command, session_id=f"c{self.number}", permission_mode="bypassPermissions")
            said = Shim(self.hub, event, "1").said()
            if said[0] != 0 or b'"permissionDecision":"deny"' not in said[1]:
                self.wrong.append(said)
            elif b"Markers are forbidden." in said[1]:
                self.judged += 1
            else:
                # Given up and denied by the shim itself: safe, and not what is wanted.
                self.refused += 1


def restart(hub: HubProcess) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "assent", "restart"],
        env=hub.environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=HANG,
    )  # fmt: skip
    assert done.returncode == 0, done


@pytest.mark.timeout(4 * 3_600)
def test_no_call_slips_through_a_restart(start_hub: StartHub, capsys: pytest.CaptureFixture[str]) -> None:
    """Four agents in bypassPermissions never get silence, and an ask keeps its name through all restarts."""
    hub = start_hub(config='[asks]\nunattended = "always"\n', rules=RULES)
    over = threading.Event()
    clients = [Client(hub, number, over) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        done = 0
        while done < RESTARTS:
            held = Shim(hub, bash("git push --force origin main", session_id="held"), "0")
            (ask,) = waiting(hub)
            for _ in range(min(RESTARTS_PER_ASK, RESTARTS - done)):
                restart(hub)
                done += 1
            (again,) = until(lambda: waiting(hub), "the ask after the restarts")
            assert (again["id"], again["rev"]) == (ask["id"], ask["rev"])
            # The new hub knows the ask from its journal before the hook is back to take an answer.
            until(lambda: answer(hub, again, "deny", message="Not today.")[0] == 202, "the answer taken")  # noqa: B023
            code, out, _ = held.said()
            assert (code, b"Not today." in out) == (0, True)
    finally:
        over.set()
        for client in clients:
            client.join()
        subprocess.run(
            [sys.executable, "-I", "-m", "assent", "down", "--yes"], env=hub.environ, capture_output=True, timeout=HANG
        )
    with capsys.disabled():
        judged, refused = sum(c.judged for c in clients), sum(c.refused for c in clients)
        sys.stdout.write(f"\n{done} restarts, {judged} calls judged, {refused} denied without a hub\n")
    assert [client.wrong for client in clients] == [[]] * CLIENTS
    assert all(client.judged > 0 for client in clients)
