"""Clients that do not give up: what each was told, by which life of the hub."""

import json
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from assent.harnesses.site import shim_command
from assent.paths import Paths
from tests.component.fire.gun import Gun
from tests.component.fire.stories import ALLOWED, DENIED, PROMPTED, Event, Story
from tests.component.hub_process import DEADLINE

Output = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """One reply that reached a client."""

    event: Event
    output: Output
    # The process that answered; None where the shim did not say.
    life: int | None = None
    request: str | None = None

    @property
    def says(self) -> str:
        """allow, deny, ask or silent."""
        output = (self.output.get("stdout_json") or {}).get("hookSpecificOutput", {})
        word = output.get("permissionDecision") or (output.get("decision") or {}).get("behavior") or "silent"
        return str(word)


class Client(threading.Thread):
    """Plays until told to stop. What went wrong in it is raised where it is joined."""

    def __init__(self, paths: Paths, gun: Gun, seed: str) -> None:
        super().__init__(name=seed, daemon=True)
        self.paths = paths
        self.gun = gun
        self.rng = Random(seed)
        # Apart, so that what is told does not depend on when the hub dies.
        self.cuts = Random(f"{seed} cuts")
        self.told: list[Told] = []
        self.over = threading.Event()
        self._wrong: BaseException | None = None

    def run(self) -> None:
        try:
            self.play()
        except BaseException as wrong:
            self._wrong = wrong

    def play(self) -> None:
        raise NotImplementedError

    def finish(self) -> None:
        self.over.set()
        self.join(DEADLINE * 2)
        if self._wrong is not None:
            raise self._wrong
        assert not self.is_alive(), f"{self.name} hangs"


class SocketClient(Client):
    """Speaks the shim's envelope, asks again with the same id until it is answered, and now and then after that."""

    def play(self) -> None:
        for event in Story(self.rng, f"s{self.rng.getrandbits(32):08x}"):
            if self.over.is_set():
                return
            self._ask(event, f"{self.rng.getrandbits(64):016x}")
            if self.rng.random() < 0.15:
                again = self.rng.choice(self.told[-30:])
                assert again.request is not None
                self._ask(again.event, again.request)

    def _ask(self, event: Event, request: str) -> None:
        line = envelope(event, request)
        until = time.monotonic() + DEADLINE
        while time.monotonic() < until:
            try:
                life, reply = self._exchange(line)
            except (OSError, EOFError):
                self.over.wait(0.002)
                continue
            answer = json.loads(reply)
            assert answer["request_id"] == request
            self.told.append(Told(event, answer["payload"], life, request))
            return
        raise AssertionError(f"{event['hook_event_name']} was not answered within {DEADLINE} s")

    def _exchange(self, line: bytes) -> tuple[int, bytes]:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
            sock.settimeout(DEADLINE)
            sock.connect(str(self.paths.hook_socket))
            life = owner_of(sock)
            if self.gun.waits_for("half"):
                cut = self.cuts.randrange(1, len(line))
                sock.sendall(line[:cut])
                self.gun.at("half")
                line = line[cut:]
            sock.sendall(line)
            self.gun.at("sent")
            with sock.makefile("rb") as replies:
                for reply in replies:
                    if reply.strip() and reply.endswith(b"\n"):
                        self.gun.at("reply")
                        return life, reply
        raise EOFError


class ShimClient(Client):
    """Runs the shim the hub placed, as a harness does; the shim starts a hub where it finds none."""

    def play(self) -> None:
        for call in self._calls():
            if self.over.is_set():
                return
            self._run(call)

    def _calls(self) -> Iterator[Event]:
        story = Story(self.rng, f"shim{self.rng.getrandbits(32):08x}")
        while True:
            yield story.call(self.rng.choice((ALLOWED, ALLOWED, DENIED, PROMPTED)))

    def _run(self, call: Event) -> None:
        argv = shim_command(self.paths, "claude-code", "PreToolUse", deadline=DEADLINE, silence=5)
        environ = {"CLAUDE_CODE_SESSION_ID": call["session_id"], "CLAUDE_PROJECT_DIR": "/p"}
        environ["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
        done = subprocess.run(
            argv, input=json.dumps(call).encode(), env=environ, capture_output=True, timeout=DEADLINE * 2
        )
        assert done.returncode == 0, done
        output: Output = {"action": "passthrough"}
        if done.stdout:
            output = {"action": "json_output", "stdout_json": json.loads(done.stdout)}
        if not done.stderr:
            self.told.append(Told(call, output))
        else:
            # It gave up, which is never an allow.
            assert b"this event was not judged" in done.stderr
            assert b"allow" not in done.stdout


def envelope(event: Event, request: str) -> bytes:
    whole = {
        "request_id": request,
        "ts": 1,
        "session_id": event["session_id"],
        "hook_event_name": event["hook_event_name"],
        # With a person at a terminal, asks would be held, and there is no one to answer them here.
        "env": {"CLAUDE_CODE_SESSION_ATTENDED": "0"},
        "payload": event.get("garbage", event),
    }
    return json.dumps(whole, separators=(",", ":")).encode() + b"\n"


def owner_of(sock: socket.socket) -> int:
    """Who listens at the other end. A lock file may still name the hub before."""
    return int(struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))[0])


def owner(paths: Paths) -> int | None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        try:
            sock.connect(str(paths.hook_socket))
            return owner_of(sock)
        except OSError:
            return None
