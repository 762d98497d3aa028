"""An agent at one hub asks, a person at another one answers, whatever is killed meanwhile."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.client import HTTPException
from random import Random
from typing import Any

from tests.component.hub.ask_client import WAITING, answer, permission
from tests.component.hub_process import HubProcess
from tests.waiting import HANG, let_pass, until

# When something can be killed, in the order in which an ask comes to its end.
STEPS = ("asked", "shown", "answering", "answered", "told")
# Between two looks at a screen, which cost the hub more than what is tested.
LOOK = 0.05
BROKEN = (OSError, EOFError, HTTPException, ValueError)


@dataclass(slots=True)
class Ask:
    request: str
    # What the agent was told in the end: allow, deny or silent.
    told: str = ""
    # Answers that were given, each with what the hub that it was given to said; "" where it did not say.
    given: list[tuple[str, str]] = field(default_factory=list)


class Screen:
    """What a hub shows, looked at by all stories together: so often, however many they are."""

    def __init__(self, hub: HubProcess) -> None:
        self.hub = hub
        self._door = threading.Lock()
        self._looked_at = 0.0
        self._asks: list[dict[str, Any]] = []

    def asks(self) -> list[dict[str, Any]]:
        with self._door:
            if time.monotonic() - self._looked_at >= LOOK:
                try:
                    self._asks = self.hub.api("GET", "/api/snapshot")[1]["asks"]
                except BROKEN:
                    self._asks = []
                self._looked_at = time.monotonic()
            return self._asks


def begun(names: Iterable[str], here: HubProcess, there: HubProcess, at: Callable[[str], None]) -> list["Story"]:
    """Stories of these names, side by side."""
    screens = Screen(here), Screen(there)
    stories = [Story(name, *screens, at) for name in names]
    for story in stories:
        story.start()
    return stories


class Story(threading.Thread):
    """One ask after the other, each until its agent was told. What went wrong is raised by ``finish``."""

    def __init__(self, name: str, here: Screen, there: Screen, at: Callable[[str], None]) -> None:
        super().__init__(name=name, daemon=True)
        self.here, self.there, self.at = here, there, at
        self.asks: list[Ask] = []
        self.over = threading.Event()
        self._rng = Random(name)
        self._wrong: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.over.is_set():
                self._ask(len(self.asks))
        except BaseException as wrong:
            self._wrong = wrong

    def finish(self) -> None:
        self.over.set()
        self.join(HANG)
        if self._wrong is not None:
            raise self._wrong
        assert not self.is_alive(), f"{self.name} hangs: {self.asks[-1]}"

    def _ask(self, number: int) -> None:
        command = f"git push {self.name.replace(' ', '-')}-{number}-end"
        event = permission(command, session_id=self.name)
        ask = Ask(f"{self._rng.getrandbits(64):016x}")
        self.asks.append(ask)
        agent = threading.Thread(target=self._wait_for_word, args=(ask, event), daemon=True)
        agent.start()
        # Whose screen it is answered at; what is not taken is answered again, perhaps otherwise and elsewhere.
        while not ask.told:
            screen = self.here if self._rng.random() < 0.15 else self.there
            if (shown := self._shown(screen, command, ask)) is not None:
                self._answer(screen.hub, shown, ask)
        agent.join(HANG)

    def _shown(self, screen: Screen, command: str, ask: Ask) -> dict[str, Any] | None:
        """The ask on this screen; None where the agent was told before."""

        def look() -> Any:
            if ask.told:
                return ask.told
            return next((one for one in screen.asks() if one["state"] in WAITING and command in json.dumps(one)), None)

        found = until(look, f"{command}, or its end")
        if not isinstance(found, dict):
            return None
        self.at("shown")
        return found

    def _answer(self, desk: HubProcess, shown: dict[str, Any], ask: Ask) -> None:
        choice = self._rng.choice(("allow", "allow", "deny"))
        self.at("answering")
        try:
            status, said = answer(desk, shown, choice)
        except BROKEN:
            ask.given.append((choice, ""))
            let_pass(LOOK)
            return
        ask.given.append((choice, "taken" if status == 202 else said["error"]["code"]))
        self.at("answered")
        if status != 202 and not ask.told:
            let_pass(LOOK)

    def _wait_for_word(self, ask: Ask, event: dict[str, Any]) -> None:
        """As a shim does: it asks again, with the same id, when its hub is gone."""
        whole = {
            "request_id": ask.request,
            "ts": 1,
            "session_id": event["session_id"],
            "hook_event_name": event["hook_event_name"],
            "env": {"CLAUDE_CODE_SESSION_ATTENDED": "1"},
            "payload": event,
        }
        line = json.dumps(whole, separators=(",", ":")).encode() + b"\n"
        while not ask.told:
            try:
                reply = self._exchange(line)
            except BROKEN:
                let_pass(LOOK)
                continue
            output = reply["payload"].get("stdout_json", {})
            ask.told = output.get("hookSpecificOutput", {}).get("decision", {}).get("behavior") or "silent"
            self.at("told")

    def _exchange(self, line: bytes) -> dict[str, Any]:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
            sock.connect(str(self.here.hub.paths.hook_socket))
            sock.sendall(line)
            self.at("asked")
            with sock.makefile("rb") as replies:
                for reply in replies:
                    if reply.strip() and reply.endswith(b"\n"):
                        found: dict[str, Any] = json.loads(reply)
                        return found
        raise EOFError
