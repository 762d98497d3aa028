"""What a session reports, by chance: allowed, denied, prompted and silent calls, twins, sub-agents, garbage."""

from collections.abc import Iterator
from random import Random
from typing import Any

Event = dict[str, Any]

RULES = """
[[rule]]
match = "Bash(make build)"
decision = "allow"

[[rule]]
match = "Bash(git push *)"
decision = "deny"
reason = "Pushes are reviewed."

[[rule]]
match = "Bash(npm publish *)"
decision = "ask"
reason = "Publishing is for people."
"""
# By what the rules above make of it.
ALLOWED, DENIED, PROMPTED, SILENT = "make build", "git push origin", "npm publish .", "cargo build"
# Sent as the payload of a gate: nothing a tool call could be read from.
GARBAGE = "neither a call nor anything else"


class Story:
    """One session without end. Equal seeds tell equal stories."""

    def __init__(self, rng: Random, session: str) -> None:
        self._rng = rng
        self._session = session
        self._uses = 0

    def __iter__(self) -> Iterator[Event]:
        yield self._event("SessionStart", source="startup")
        while True:
            yield self._event("UserPromptSubmit", prompt="go on")
            for _ in range(self._rng.randint(1, 6)):
                agent = self._rng.choice(({}, {}, {"agent_id": "a1", "agent_type": "Explore"}))
                yield from self._rng.choice((self._allowed, self._allowed, self._denied, self._twins, self._silent))(
                    agent
                )
            if self._rng.random() < 0.2:
                yield {"session_id": self._session, "hook_event_name": "PreToolUse", "garbage": GARBAGE}
            yield self._event("Stop", stop_hook_active=False)

    def call(self, command: str, **fields: Any) -> Event:
        """A tool is about to run."""
        self._uses += 1
        use = f"toolu_{self._session}_{self._uses}"
        return self._event(
            "PreToolUse", tool_name="Bash", tool_input={"command": command}, tool_use_id=use, cwd="/p", **fields
        )

    def _allowed(self, agent: Event) -> Iterator[Event]:
        call = self.call(ALLOWED, **agent)
        yield call
        yield {**call, "hook_event_name": "PostToolUse", "tool_response": {"stdout": "ok"}, "duration_ms": 3}

    def _denied(self, agent: Event) -> Iterator[Event]:
        yield self.call(DENIED, **agent)

    def _silent(self, agent: Event) -> Iterator[Event]:
        call = self.call(SILENT, **agent)
        yield call
        yield {**call, "hook_event_name": "PostToolUseFailure", "error": "exit 101"}

    def _twins(self, agent: Event) -> Iterator[Event]:
        """Two equal calls at once; the dialog's event does not say which one it is about, the results do."""
        twins = [self.call(PROMPTED, **agent), self.call(PROMPTED, **agent)]
        yield from twins
        for twin in twins:
            yield {name: value for name, value in twin.items() if name != "tool_use_id"} | {
                "hook_event_name": "PermissionRequest"
            }
        for twin in reversed(twins):
            yield {**twin, "hook_event_name": "PostToolUse", "tool_response": {}}

    def _event(self, name: str, **fields: Any) -> Event:
        return {
            "session_id": self._session,
            "transcript_path": "/t.jsonl",
            "cwd": "/p",
            "permission_mode": "default",
            "hook_event_name": name,
            **fields,
        }
