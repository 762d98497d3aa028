"""A recorded session to try things with, and its replay."""

import secrets
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assent.errors import HubUnreachableError
from assent.harnesses import registry
from assent.protocol.envelope import Envelope, Output, Reply

PROJECT = "/home/demo/webshop"
# Stands in the recording wherever an id must be a new one in each replay.
_RUN = b"$RUN"


class Step(Struct, frozen=True):
    """One event, and how long to wait before it, in seconds."""

    wait: float
    payload: dict[str, Any]
    # Names the tool call it belongs to: once that is denied, the rest of it never happens.
    call: str | None = None

    @property
    def event(self) -> str:
        return str(self.payload["hook_event_name"])


def steps(run: str | None = None) -> list[Step]:
    """The session with ids of its own."""
    run = run or secrets.token_hex(4)
    text = resources.files("assent.demo").joinpath("session.jsonl").read_bytes()
    decoder = msgspec.json.Decoder(Step)
    return [decoder.decode(line) for line in text.replace(_RUN, run.encode()).splitlines()]


# A hub that holds a request sends a blank line more often than this.
SILENCE = 5.0
ENVIRONMENT = registry.default().environment(PROJECT)


# A blank line from the hub after any other event says only that it is busy.
_MAY_ASK = frozenset({"PreToolUse", "PermissionRequest", "Stop"})


class Sender:
    """Everything of one replay. Closing it closes what still waits for a person."""

    def __init__(self, hook_socket: Path) -> None:
        self._hook_socket = hook_socket
        self._open = ExitStack()

    def __enter__(self) -> "Sender":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def send(self, step: Step, on_asking: Callable[[], None], *, waits: bool) -> Output | None:
        """What the hub answered. Where it asks a person, that is their answer, or None if it is not waited for: the
        connection stays open then, as the real client leaves it when its user says yes at the terminal."""
        with ExitStack() as until_answered:
            try:
                sock = until_answered.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
                sock.settimeout(SILENCE)
                sock.connect(str(self._hook_socket))
                sock.sendall(_line(step))
                reply = _reply(sock, on_asking, waits=waits or step.event not in _MAY_ASK)
            except OSError as error:
                raise _went_away() from error
            if reply is None:
                self._open.push(until_answered.pop_all())
                return None
        return msgspec.json.decode(reply, type=Reply).payload


def _line(step: Step) -> bytes:
    envelope = Envelope(
        request_id=secrets.token_hex(8),
        ts=time.time_ns() // 1_000_000,
        session_id=step.payload["session_id"],
        hook_event_name=step.event,
        harness=registry.DEFAULT,
        env=ENVIRONMENT,
        payload=msgspec.Raw(msgspec.json.encode(step.payload)),
    )
    return msgspec.json.encode(envelope) + b"\n"


def _reply(sock: socket.socket, on_asking: Callable[[], None], *, waits: bool) -> bytes | None:
    """The first line that is not blank; blank ones say that the hub lives, and that a person is asked."""
    is_told = False
    with sock.makefile("rb") as lines:
        for line in lines:
            if line.strip():
                return line
            if not is_told:
                is_told = True
                on_asking()
            if not waits:
                return None
    raise _went_away()


def _went_away() -> HubUnreachableError:
    return HubUnreachableError("The hub went away in the middle of the demo.", hint="`assent up --detach` starts it.")


def answer(output: Output) -> tuple[str, str]:
    """What the harness would understand: a word, and the reason given with it."""
    if output.action == "block_with_stderr":
        return "block", output.stderr or ""
    reply: dict[str, Any] = output.stdout_json or {}
    specific: dict[str, Any] = reply.get("hookSpecificOutput") or {}
    decision = specific.get("decision") or {}
    word = specific.get("permissionDecision") or decision.get("behavior") or reply.get("decision") or "no opinion"
    reason = specific.get("permissionDecisionReason") or decision.get("message") or reply.get("reason") or ""
    return str(word), str(reason)
