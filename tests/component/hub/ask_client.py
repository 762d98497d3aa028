"""Hooks that wait for a person, the way shims send them."""

import contextlib
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.component.hub_process import HubProcess, bash, until

WAITING = ("open", "doubtful")


class Hook:
    """One hook run that waits for its reply."""

    def __init__(
        self, hub: HubProcess, event: dict[str, Any], *, request_id: str | None = None, **envelope: Any
    ) -> None:
        self.request_id = request_id or os.urandom(8).hex()
        self._hub = hub
        whole = {
            "request_id": self.request_id,
            "ts": 1,
            "session_id": event["session_id"],
            "hook_event_name": event["hook_event_name"],
            "env": {"CLAUDE_CODE_SESSION_ATTENDED": "1"},
            **envelope,
            "payload": event,
        }
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(str(hub.paths.hook_socket))
        self._socket.sendall(json.dumps(whole, separators=(",", ":")).encode() + b"\n")
        self.reply: dict[str, Any] | None = None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with self._socket, self._socket.makefile("rb") as lines:
            for line in lines:
                if line.strip():
                    self.reply = json.loads(line)["payload"]
                    return

    def result(self) -> dict[str, Any]:
        """What the shim would do."""
        return until(lambda: self.reply, "the reply to the hook")

    @property
    def decision(self) -> Any:
        output = self.result().get("stdout_json", {})
        return output.get("hookSpecificOutput", {}).get("decision", output)

    def leave(self) -> None:
        """Killed by its harness, or done."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.join()


def permission(command: str = "git push origin main", **fields: Any) -> dict[str, Any]:
    """A PermissionRequest for a Bash call."""
    event = bash(command, **{"hook_event_name": "PermissionRequest", "permission_suggestions": [], **fields})
    del event["tool_use_id"]
    return event


def asks(hub: HubProcess, *states: str) -> list[dict[str, Any]]:
    """Oldest first."""
    found: list[dict[str, Any]] = hub.api("GET", "/api/snapshot")[1]["asks"]
    return [ask for ask in reversed(found) if ask["state"] in (states or WAITING)]


def waiting(hub: HubProcess, count: int = 1) -> list[dict[str, Any]]:
    def probe() -> list[dict[str, Any]] | None:
        found = asks(hub)
        return found if len(found) == count else None

    return until(probe, f"{count} open asks")


def one(hub: HubProcess, name: str) -> dict[str, Any]:
    ask: dict[str, Any] = hub.api("GET", f"/api/asks/{name}")[1]
    return ask


def answer(hub: HubProcess, ask: dict[str, Any], choice: str, **more: Any) -> tuple[int, Any]:
    given_answer = {"rev": ask["rev"], "hash": ask["hash"], "choice": choice, **more}
    return hub.api("POST", f"/api/asks/{ask['id']}/answer", json.dumps(given_answer).encode())


@contextmanager
def hook(hub: HubProcess, event: dict[str, Any], **envelope: Any) -> Iterator[tuple[Hook, dict[str, Any]]]:
    """A hook that waits, and the ask it waits for."""
    before = {ask["id"] for ask in asks(hub)}
    run = Hook(hub, event, **envelope)
    try:
        yield run, until(lambda: [ask for ask in asks(hub) if ask["id"] not in before], "a new ask")[0]
    finally:
        run.leave()
