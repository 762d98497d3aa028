"""The events that are sent: the size and shape of what the real client sends for a Bash call."""

import os
import uuid
from pathlib import Path
from typing import Any

import msgspec

from assent.harnesses import claude_code

# What the rules below allow, and what no rule speaks about.
ALLOWED = "make check"
UNDECIDED = "npm run build -- --mode production"


def rules() -> str:
    """Twenty rules, as a user has after some months; the one that allows is not the first."""
    named = [
        ("deny", ["Bash(git push --force *)", "Bash(terraform destroy *)", "Bash(kubectl delete *)", "Read(./.env)"]),
        ("ask", ["Bash(git push *)", "Bash(docker run *)", "Bash(pip install *)", "Edit(./migrations/**)", "WebFetch"]),
        (
            "allow",
            [
                "Bash(git status)",
                "Bash(git diff *)",
                "Bash(git log *)",
                "Bash(ruff check *)",
                "Bash(pytest *)",
                "Bash(cargo test *)",
                "Bash(go vet *)",
                "Edit(./docs/**)",
                "WebFetch(domain:docs.python.org)",
                "Bash(echo *)",
                f"Bash({ALLOWED})",
            ],
        ),
    ]
    return "".join(
        f'[[rule]]\nmatch = "{match}"\ndecision = "{decision}"\nreason = "So."\n\n'
        for decision, matches in named
        for match in matches
    )


class Session:
    """One client's session: makes the payloads of its calls, each with an id of its own."""

    def __init__(self, project: Path, agent: int | None = None) -> None:
        """``agent``: the process that is said to run the session, ours if none is given."""
        self.id = str(uuid.uuid4())
        self.project = project
        self._agent = os.getpid() if agent is None else agent
        self._calls = 0

    def pre(self, command: str) -> dict[str, Any]:
        self._calls += 1
        return self._payload("PreToolUse", command)

    def post(self, command: str) -> dict[str, Any]:
        """The end of the call begun last."""
        response = {"stdout": "ok\n" * 20, "stderr": "", "interrupted": False, "isImage": False}
        return {**self._payload("PostToolUse", command), "tool_response": response, "duration_ms": 46}

    def end_of(self, call: dict[str, Any]) -> dict[str, Any]:
        """The end of any call of this session, by what was sent at its beginning."""
        return {**self.post(call["tool_input"]["command"]), "tool_use_id": call["tool_use_id"]}

    def wish(self, call: dict[str, Any]) -> dict[str, Any]:
        """The client is about to open its dialog for this call, which it does not name."""
        suggestion = {
            "type": "addRules",
            "rules": [{"toolName": "Bash", "ruleContent": call["tool_input"]["command"]}],
            "behavior": "allow",
            "destination": "localSettings",
        }
        asked = {**call, "hook_event_name": "PermissionRequest", "permission_suggestions": [suggestion]}
        del asked["tool_use_id"]
        return asked

    def reminder(self) -> dict[str, Any]:
        """The client says that its dialog is open and idle."""
        whole = self._payload("Notification", "")
        known = {name: whole[name] for name in ("session_id", "transcript_path", "cwd", "prompt_id", "hook_event_name")}
        return {
            **known,
            "message": "Claude needs your permission to use Bash",
            "notification_type": "permission_prompt",
        }

    def line(self, payload: dict[str, Any]) -> bytes:
        """As the shim sends it."""
        envelope = {
            "request_id": os.urandom(8).hex(),
            "ts": 1_790_000_000_000,
            "session_id": self.id,
            "hook_event_name": payload["hook_event_name"],
            "v": 1,
            "harness": claude_code.NAME,
            "env": {
                "CLAUDE_CODE_SESSION_ATTENDED": "1",
                "CLAUDE_CODE_ENTRYPOINT": "cli",
                "CLAUDE_PROJECT_DIR": str(self.project),
                "CLAUDE_PID": str(self._agent),
            },
            "payload": payload,
        }
        return msgspec.json.encode(envelope) + b"\n"

    def post_request(self, payload: dict[str, Any], port: int, token: str) -> bytes:
        """As the client posts it over HTTP."""
        body = msgspec.json.encode(payload)
        head = (
            f"POST /hook/{claude_code.NAME} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    def _payload(self, event: str, command: str) -> dict[str, Any]:
        return {
            "session_id": self.id,
            "transcript_path": f"{self.project}/.claude/projects/-p/{self.id}.jsonl",
            "cwd": str(self.project),
            "prompt_id": "7dbbece0-2f29-495a-ad49-00bed924e835",
            "permission_mode": "default",
            "effort": {"level": "medium"},
            "hook_event_name": event,
            "tool_name": "Bash",
            "tool_input": {"command": command, "description": "Run the checks of the project"},
            "tool_use_id": f"toolu_{self.id[:8]}{self._calls:016x}",
        }
