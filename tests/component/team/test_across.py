"""Real hubs of two people at a real relay: what an agent asks on one machine is answered on another."""

import asyncio
import contextlib
import functools
import json
import os
import subprocess
import threading
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from assent.cli import main
from assent.relay.server import RunningRelay
from assent.team.sign_in import by_device_code
from tests.component import postgres
from tests.component.hub.ask_client import Hook, answer, asks, hook, one, permission, waiting
from tests.component.hub_process import UNATTENDED, HubProcess, bash
from tests.component.relay.team import Team, team
from tests.services.oidc_provider import an_hour_ago
from tests.waiting import HANG, until

RULES = """
[[approval]]
match = "npm publish"
from = ["group:sre"]
not_owner = true
reason = "Publishing is for two."
"""


@dataclass
class Beside:
    """A relay and its identity provider in a thread of their own, for tests that wait for processes."""

    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    team: Team | None = None
    relay: RunningRelay | None = None

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(120)

    def start(self, port: int = 0) -> str:
        assert self.team is not None
        self.relay = self.run(self.team.relay(port))
        assert self.relay is not None
        return f"http://127.0.0.1:{self.relay.port}"

    def stop(self) -> int:
        """The port it had."""
        assert self.relay is not None
        self.run(self.relay.stop())
        return self.relay.port


@pytest.fixture(scope="module")
def beside() -> Iterator[Beside]:
    made = Beside()
    thread = threading.Thread(target=made.loop.run_forever, daemon=True)
    thread.start()
    here = team(postgres.emptied())
    made.team = made.run(here.__aenter__())
    assert made.team is not None
    made.team.provider.now = an_hour_ago
    yield made
    made.run(here.__aexit__(None, None, None))
    made.loop.call_soon_threadsafe(made.loop.stop)
    thread.join()
    made.loop.close()


async def no_sleep(_: float) -> None:
    await asyncio.sleep(0)


def joined(beside: Beside, hub: HubProcess, url: str, mail: str, machine: str) -> None:
    """As a person does it, who signs in at once."""
    assert beside.team is not None
    beside.team.provider.automatic = mail
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assent.cli.teams.by_device_code", functools.partial(by_device_code, sleep=no_sleep))
        patch.setenv("ASSENT_HOME", hub.environ["ASSENT_HOME"])
        assert main.run(["join", url, "--yes", "--machine", machine, "--json"]) == 0
    until(lambda: state(hub) == "connected", f"{machine} in its team")


def state(hub: HubProcess) -> str:
    told: dict[str, Any] = hub.api("GET", "/api/team")[1]["team"] or {}
    return str(told.get("state"))


@dataclass
class Hubs:
    beside: Beside
    laptop: HubProcess
    desktop: HubProcess
    of_bob: HubProcess


@pytest.fixture(scope="module")
def hubs(beside: Beside, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hubs]:
    """Two machines of Ada's, and one of Bob's, who is on call."""
    url = beside.start()
    with contextlib.ExitStack() as stack:

        def started(name: str, mail: str, rules: str = "") -> HubProcess:
            hub = HubProcess(tmp_path_factory.mktemp(name), rules=rules).start()
            stack.callback(hub.stop)
            joined(beside, hub, url, mail, name)
            return hub

        yield Hubs(
            beside,
            started("laptop", "ada@example.org", RULES),
            started("desktop", "ada@example.org"),
            started("tablet", "bob@example.org"),
        )


def test_yes_on_the_desktop_releases_the_agent_on_the_laptop(hubs: Hubs) -> None:
    """Both journals say who, and where; the other person is shown nothing."""
    with hook(hubs.laptop, permission("git push origin main")) as (run, ask):
        (shown,) = waiting(hubs.desktop)
        assert (shown["subject"]["machine"], "other_machine" in shown["flags"]) == ("laptop", True)
        assert shown["view"]["segments"] == ask["view"]["segments"]
        assert asks(hubs.of_bob) == []
        assert answer(hubs.desktop, shown, "allow") == (202, {"state": "answered"})
        assert run.decision == {"behavior": "allow"}
    said = one(hubs.laptop, ask["id"])["answer"]
    assert (said["by"], said["choice"], said["surface"], said["device"]) == (
        "person:ada@example.org",
        "allow",
        "team",
        "desktop: the terminal",
    )
    until(lambda: one(hubs.desktop, shown["id"])["state"] == "closed", "its end there")
    there = one(hubs.desktop, shown["id"])
    assert (there["answer"]["choice"], there["result"]["why"]) == (
        "allow",
        "Allowed from here; what came of it is on record on laptop",
    )


@contextlib.contextmanager
def shim(hub: HubProcess, event: dict[str, Any]) -> "Iterator[subprocess.Popen[bytes]]":
    """The program that the agent's client runs, as the hub placed it."""
    placed = hub.paths.shim
    command = [str(placed / "python"), "-I", "-S", str(placed / "hook.py"), str(hub.paths.hook_socket)]
    environ = {
        "CLAUDE_CODE_SESSION_ID": event["session_id"],
        "CLAUDE_PROJECT_DIR": "/p",
        "CLAUDE_PID": str(os.getpid()),
    }
    with subprocess.Popen(
        [*command, "claude-code", event["hook_event_name"], "600", "5"],
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as run:
        assert run.stdin is not None
        run.stdin.write(json.dumps(event).encode())
        run.stdin.close()
        run.stdin = None
        try:
            yield run
        finally:
            run.kill()


def printed(run: "subprocess.Popen[bytes]") -> Any:
    """What the client is told."""
    said, trouble = run.communicate(timeout=HANG)
    assert (run.returncode, trouble) == (0, b"")
    return json.loads(said)["hookSpecificOutput"]["decision"]


def test_agents_own_hook_prints_what_was_answered_elsewhere(hubs: Hubs) -> None:
    """From the client's program to the other machine and back."""
    with shim(hubs.laptop, permission("git push origin shim", session_id="s7")) as run:
        (shown,) = waiting(hubs.desktop)
        assert answer(hubs.desktop, shown, "allow") == (202, {"state": "answered"})
        assert printed(run) == {"behavior": "allow"}


def test_ask_goes_on_elsewhere_after_its_hub_was_started_anew(hubs: Hubs) -> None:
    """Its shim comes back to the next hub, which shares it again; the other machine's hub is started anew as well."""
    with shim(hubs.laptop, permission("git push origin again", session_id="s8")) as run:
        waiting(hubs.desktop)
        for hub in (hubs.laptop, hubs.desktop):
            hub.stop()
            hub.start()
        until(lambda: state(hubs.laptop) == state(hubs.desktop) == "connected", "both in their team")

        def is_taken() -> bool:
            """It may change once more while the next hub posts it."""
            return any(answer(hubs.desktop, shown, "allow")[0] == 202 for shown in asks(hubs.desktop))

        until(is_taken, "a yes that counts")
        assert printed(run) == {"behavior": "allow"}
    until(lambda: not asks(hubs.desktop), "no ask there")


def test_run_without_a_person_waits_for_one_elsewhere(hubs: Hubs) -> None:
    """No screen is open on its own machine, which is all that a build box has."""
    run = Hook(hubs.laptop, permission("git push origin main", session_id="s6"), env=UNATTENDED)
    (shown,) = waiting(hubs.desktop)
    assert answer(hubs.desktop, shown, "allow") == (202, {"state": "answered"})
    assert run.decision == {"behavior": "allow"}
    run.leave()


def test_answer_on_the_laptop_takes_it_off_the_desktop(hubs: Hubs) -> None:
    """And an answer that is given there all the same comes too late."""
    with hook(hubs.laptop, permission("git push origin main", session_id="s2")) as (run, ask):
        (shown,) = waiting(hubs.desktop)
        answer(hubs.laptop, ask, "deny", message="Not today.")
        assert run.decision["message"] == "Not today."
    until(lambda: not asks(hubs.desktop), "no ask there")
    assert one(hubs.desktop, shown["id"])["result"]["why"] == "Denied by ada@example.org on laptop"
    status, told = answer(hubs.desktop, shown, "allow")
    assert (status, told["error"]["code"]) == (409, "too-late")


def test_call_that_needs_the_other_person_waits_for_them(hubs: Hubs) -> None:
    """The owner sees it on every machine and can stop it; only the one on call can let it run."""
    run = Hook(hubs.laptop, bash("npm publish", session_id="s3"))
    (own,) = waiting(hubs.laptop)
    (shown,) = waiting(hubs.desktop)
    (of_bob,) = waiting(hubs.of_bob)
    assert "allow" not in [way["choice"] for way in shown["choices"]]
    assert of_bob["subject"]["machine"] == "laptop (ada@example.org)"
    assert answer(hubs.laptop, own, "allow")[0] == 409
    assert answer(hubs.desktop, shown, "allow")[0] == 409
    more = {"match": of_bob["risk"]["match"]} if of_bob["risk"].get("match") else {}
    assert answer(hubs.of_bob, of_bob, "allow", **more) == (202, {"state": "answered"})
    assert run.result()["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "allow"
    run.leave()
    said = one(hubs.laptop, own["id"])["answer"]
    assert (said["by"], said["device"]) == ("person:bob@example.org", "tablet: the terminal")
    until(lambda: not asks(hubs.desktop), "no ask there")


def test_without_a_relay_the_local_desk_works(hubs: Hubs) -> None:
    """Elsewhere an answer is refused at once; with the relay everything is as it is on the laptop."""
    with hook(hubs.laptop, permission("git push origin main", session_id="s4")) as (run, ask):
        (shown,) = waiting(hubs.desktop)
        port = hubs.beside.stop()
        until(lambda: state(hubs.desktop) != "connected" and state(hubs.laptop) != "connected", "the relay is away")
        status, told = answer(hubs.desktop, shown, "allow")
        assert (status, told["error"]["code"]) == (409, "unreachable")
        assert run.reply is None
        answer(hubs.laptop, ask, "allow")
        assert run.decision == {"behavior": "allow"}
    with hook(hubs.laptop, permission("git push origin next", session_id="s5")) as (run, _):
        hubs.beside.start(port)
        (shown,) = until(lambda: _of(hubs.desktop, "git push origin next"), "the ask that is open")
        assert answer(hubs.desktop, shown, "deny")[0] == 202
        assert run.decision["behavior"] == "deny"
    until(lambda: not asks(hubs.desktop), "no ask there")


def _of(hub: HubProcess, command: str) -> list[dict[str, Any]]:
    """The only ask that waits there."""
    found = asks(hub)
    return found if [ask["view"]["line"] for ask in found] == [command] else []


def test_hub_that_goes_down_takes_its_asks_off_the_screens(hubs: Hubs) -> None:
    """Before it ends: a relay would show them for half a minute."""
    with hook(hubs.laptop, permission("git push origin last", session_id="s9")) as (run, _):
        (shown,) = waiting(hubs.desktop)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ASSENT_HOME", hubs.laptop.environ["ASSENT_HOME"])
            assert main.run(["down"]) == 0
        assert "stdout_json" not in run.result()
        until(lambda: not asks(hubs.desktop), "no ask there")
    assert one(hubs.desktop, shown["id"])["result"]["ending"] == "handed_back"
    hubs.laptop.start()
