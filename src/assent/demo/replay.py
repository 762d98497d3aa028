"""Send events to the hub the way a shim does: one connection each, one line out, one line back."""

import secrets
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec

from assent.demo.recording import PROJECT, Step
from assent.errors import HubUnreachableError
from assent.protocol.envelope import Envelope, Output, Reply

# A hub that holds a request sends a blank line more often than this.
SILENCE = 5.0
ENVIRONMENT = {
    "CLAUDE_CODE_SESSION_ATTENDED": "1",
    "CLAUDE_CODE_ENTRYPOINT": "cli",
    "CLAUDE_PROJECT_DIR": PROJECT,
}


class Sender:
    """Everything of one replay. Closing it closes what still waits for a person."""

    def __init__(self, hook_socket: Path) -> None:
        self._hook_socket = hook_socket
        self._open = ExitStack()

    def __enter__(self) -> "Sender":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def send(self, step: Step, patience: float, on_asking: Callable[[], None]) -> Output | None:
        """What the hub answered; None where it asks a person, who has not answered in this time. The connection stays
        open then, as the real client leaves it when its user says yes at the terminal."""
        with ExitStack() as until_answered:
            try:
                sock = until_answered.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
                sock.settimeout(SILENCE)
                sock.connect(str(self._hook_socket))
                sock.sendall(_line(step))
                found = _reply(sock, patience, on_asking)
            except OSError as error:
                raise _went_away() from error
            if found is None:
                self._open.push(until_answered.pop_all())
                return None
        return msgspec.json.decode(found, type=Reply).payload


def _line(step: Step) -> bytes:
    envelope = Envelope(
        request_id=secrets.token_hex(8),
        ts=time.time_ns() // 1_000_000,
        session_id=step.payload["session_id"],
        hook_event_name=step.event,
        env=ENVIRONMENT,
        payload=msgspec.Raw(msgspec.json.encode(step.payload)),
    )
    return msgspec.json.encode(envelope) + b"\n"


def _reply(sock: socket.socket, patience: float, on_asking: Callable[[], None]) -> bytes | None:
    """The first line that is not blank; blank ones say that the hub lives, and that a person is asked."""
    until: float | None = None
    with sock.makefile("rb") as lines:
        for line in lines:
            if line.strip():
                return line
            if until is None:
                until = time.monotonic() + patience
                on_asking()
            if time.monotonic() >= until:
                return None
    raise _went_away()


def _went_away() -> HubUnreachableError:
    return HubUnreachableError("The hub went away in the middle of the demo.", hint="`assent up --detach` starts it.")


def answer(output: Output) -> tuple[str, str]:
    """What the harness would understand: a word, and the reason given with it."""
    if output.action == "block_with_stderr":
        return "block", output.stderr or ""
    said: dict[str, Any] = output.stdout_json or {}
    specific: dict[str, Any] = said.get("hookSpecificOutput") or {}
    decision = specific.get("decision") or {}
    word = specific.get("permissionDecision") or decision.get("behavior") or said.get("decision") or "no opinion"
    reason = specific.get("permissionDecisionReason") or decision.get("message") or said.get("reason") or ""
    return str(word), str(reason)
