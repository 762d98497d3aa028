"""A session without an agent: it sends what Claude Code sends, the way a shim does, and waits as it would."""

import json
import os
import socket
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.component.hub_process import HubProcess, until

Json = dict[str, Any]
PATIENCE = 15.0
REMINDS_AFTER = 4.0


class Held:
    """One hook run that waits for a person."""

    def __init__(self, hub: HubProcess, event: Json, tool_use_id: str = "", **envelope: Any) -> None:
        self.event = event
        self.tool_use_id = tool_use_id
        self.request_id = envelope.pop("request_id", os.urandom(8).hex())
        self.reply: Json | None = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(str(hub.paths.hook_socket))
        whole = {
            "request_id": self.request_id,
            "ts": 1,
            "session_id": event["session_id"],
            "hook_event_name": event["hook_event_name"],
            **envelope,
            "payload": event,
        }
        self._socket.sendall(json.dumps(whole, separators=(",", ":")).encode() + b"\n")
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        try:
            with self._socket, self._socket.makefile("rb") as lines:
                # Blank lines only say that the hub is still there.
                told = next((line for line in lines if line.strip()), b"")
        except OSError:
            return
        self.reply = json.loads(told)["payload"] if told else None

    @property
    def is_waiting(self) -> bool:
        return self._thread.is_alive()

    def output(self, seconds: float = PATIENCE) -> Json:
        """What the agent is told; empty for no opinion."""
        self._thread.join(seconds)
        assert not self._thread.is_alive(), f"no answer to the {self.event['hook_event_name']} within {seconds} s"
        assert self.reply is not None, "the hub closed the connection without an answer"
        told: Json = self.reply.get("stdout_json") or {}
        return told.get("hookSpecificOutput") or told

    def decision(self, seconds: float = PATIENCE) -> Json:
        """The decision of a PermissionRequest; empty for no opinion."""
        decided: Json = self.output(seconds).get("decision") or {}
        return decided

    def hang_up(self) -> None:
        """As the client does when the person at the terminal says No."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            # Answered a moment ago.
            pass


class Agent:
    """One session in one folder."""

    def __init__(self, hub: HubProcess, cwd: Path, session: str = "") -> None:
        self._hub = hub
        self.cwd = cwd
        self.session = session or os.urandom(8).hex()
        self.held: list[Held] = []
        # Does not say that its dialog is still open, as while the user types there.
        self.is_silent = False
        self._timers: list[threading.Timer] = []

    def start(self) -> "Agent":
        self.tell("SessionStart", source="startup", model="claude-opus-5-5")
        self.tell("UserPromptSubmit", prompt="go", permission_mode="default")
        return self

    def event(self, name: str, **fields: Any) -> Json:
        return {
            "session_id": self.session,
            "transcript_path": str(self.cwd / "transcript.jsonl"),
            "cwd": str(self.cwd),
            "hook_event_name": name,
            **fields,
        }

    def tell(self, name: str, **fields: Any) -> Json:
        """An event that is answered at once."""
        return self._hub.send(self.event(name, **fields))

    def wants(self, tool: str, tool_input: Json, *, suggestions: Iterable[Json] = (), **fields: Any) -> Held:
        """PreToolUse, and then the PermissionRequest, which waits."""
        use = f"toolu_{os.urandom(8).hex()}"
        call = {"permission_mode": "default", "tool_name": tool, "tool_input": tool_input, **fields}
        self.tell("PreToolUse", **call, tool_use_id=use)
        given = list(suggestions)
        return self._hold("PermissionRequest", use, **call, **({"permission_suggestions": given} if given else {}))

    def bash(self, command: str, **options: Any) -> Held:
        return self.wants("Bash", {"command": command, "description": "Scripted"}, **options)

    def question(self, *questions: Json) -> Held:
        return self.wants("AskUserQuestion", {"questions": list(questions)})

    def plan(self, text: str) -> Held:
        return self.wants(
            "ExitPlanMode", {"plan": text, "planFilePath": str(self.cwd / "plan.md")}, permission_mode="plan"
        )

    def form(self, message: str, schema: Json, server: str = "lab") -> Held:
        return self._hold("Elicitation", mcp_server_name=server, message=message, mode="form", requested_schema=schema)

    def link(self, message: str, url: str, server: str = "lab") -> Held:
        return self._hold(
            "Elicitation", mcp_server_name=server, message=message, mode="url", url=url, elicitation_id="el-1"
        )

    def stop(self, message: str, *, active: bool = False) -> Held:
        return self._hold(
            "Stop",
            permission_mode="default",
            stop_hook_active=active,
            last_assistant_message=message,
            background_tasks=[],
            session_crons=[],
        )

    def refused(self, tool: str, tool_input: Json, reason: str) -> Held:
        """A call that the client's own check refused; the client waits for what is said to that."""
        use = f"toolu_{os.urandom(8).hex()}"
        call = {"permission_mode": "auto", "tool_name": tool, "tool_input": tool_input}
        self.tell("PreToolUse", **call, tool_use_id=use)
        return self._hold("PermissionDenied", use, **call, reason=reason)

    def ran(self, held: Held, **response: Any) -> Json:
        """The call of that request was made: by our allow, or by a Yes in the terminal."""
        return self.tell(
            "PostToolUse",
            permission_mode="default",
            tool_name=held.event["tool_name"],
            tool_input=held.event["tool_input"],
            tool_response={"stdout": "", "stderr": "", "interrupted": False, **response},
            tool_use_id=held.tool_use_id,
            duration_ms=20,
        )

    def again(self, held: Held) -> Held:
        """As a shim does whose hub went away: the same request once more."""
        self.held.append(Held(self._hub, held.event, held.tool_use_id, request_id=held.request_id))
        self._remind(self.held[-1])
        return self.held[-1]

    def _hold(self, name: str, tool_use_id: str = "", **fields: Any) -> Held:
        held = Held(self._hub, self.event(name, **fields), tool_use_id)
        self.held.append(held)
        if name == "PermissionRequest":
            self._remind(held)
        return held

    def _remind(self, held: Held) -> None:
        """The client says after a few seconds that its dialog waits; without it the hub would think it answered."""

        def remind() -> None:
            if held.is_waiting and not self.is_silent:
                prompt = {"message": "Claude needs your permission", "notification_type": "permission_prompt"}
                try:
                    self.tell("Notification", **prompt)
                except (OSError, ValueError):
                    # The hub is being restarted.
                    pass

        timer = threading.Timer(REMINDS_AFTER, remind)
        timer.daemon = True
        timer.start()
        self._timers.append(timer)

    def hang_up(self) -> None:
        for timer in self._timers:
            timer.cancel()
        for held in self.held:
            held.hang_up()


def shown(hub: HubProcess, session: str = "") -> list[Json]:
    """The asks every surface is shown, newest first."""
    _, snapshot = hub.api("GET", "/api/snapshot")
    return [ask for ask in snapshot["asks"] if session in ("", ask["subject"].get("session", ""))]


def wait_for_ask(hub: HubProcess, session: str = "", state: str = "open") -> Json:
    """The newest ask in that state."""
    return until(
        lambda: next((ask for ask in shown(hub, session) if ask["state"] == state), None), f"an ask that is {state}"
    )


def question(text: str, *labels: str, multi: bool = False, header: str = "Choice") -> Json:
    options = [{"label": label, "description": f"About {label}"} for label in labels]
    return {"question": text, "header": header, "options": options, "multiSelect": multi}
