"""Send events to the hub the way a shim does: one connection each, one line out, one line back."""

import secrets
import socket
import time
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


def send(step: Step, hook_socket: Path) -> Output:
    """What the hub answered."""
    envelope = Envelope(
        request_id=secrets.token_hex(8),
        ts=time.time_ns() // 1_000_000,
        session_id=step.payload["session_id"],
        hook_event_name=step.event,
        env=ENVIRONMENT,
        payload=msgspec.Raw(msgspec.json.encode(step.payload)),
    )
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
            sock.settimeout(SILENCE)
            sock.connect(str(hook_socket))
            sock.sendall(msgspec.json.encode(envelope) + b"\n")
            line = _first_line(sock)
    except OSError as error:
        raise _went_away() from error
    if line is None:
        raise _went_away()
    return msgspec.json.decode(line, type=Reply).payload


def _first_line(sock: socket.socket) -> bytes | None:
    """The first line that is not blank: blank ones only say that the hub still lives."""
    with sock.makefile("rb") as lines:
        return next((line for line in lines if line.strip()), None)


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
