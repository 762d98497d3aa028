"""An agent of our own that wants one harmless thing, so that people can see how they are asked."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from assent.hub.pipeline import Arrival, Pipeline
from assent.policy import world

PACE = 0.05
# Left to a person in every stance but watch.
COMMAND = "touch hello-from-assent.txt"
SAYS = "A test ask: nothing is run, whatever you answer."
BEGINS = "test-"


def session() -> str:
    """A name for one of its sessions."""
    return f"{BEGINS}{secrets.token_hex(4)}"


@dataclass(frozen=True, slots=True)
class Pretender:
    pipeline: Pipeline
    # An answer has reached whoever waited for it.
    told: Callable[[str], object]
    # Whoever waited for an answer is gone.
    lost: Callable[[str], object] = lambda _: None

    async def ask(self, session: str, enough: asyncio.Event | None = None) -> None:
        """Until it is answered, or there was enough of it."""
        call: dict[str, Any] = {
            "tool_name": "Bash",
            "tool_input": {"command": COMMAND, "description": SAYS},
            "permission_mode": "default",
        }
        use = f"toolu_{secrets.token_hex(8)}"
        await self._send(session, "PreToolUse", **call, tool_use_id=use)
        decision = await self._send(session, "PermissionRequest", enough, **call)
        if decision.get("behavior") == "allow":
            response = {"stdout": "", "stderr": "", "interrupted": False}
            await self._send(session, "PostToolUse", **call, tool_use_id=use, tool_response=response)
        await self._send(session, "SessionEnd", reason="other")

    async def _send(
        self, session: str, event: str, enough: asyncio.Event | None = None, **fields: Any
    ) -> dict[str, Any]:
        payload = {
            "session_id": session,
            "transcript_path": "",
            "cwd": world.home(),
            "hook_event_name": event,
            **fields,
        }
        arrival = Arrival(
            harness="claude-code",
            event_name=event,
            payload=msgspec.json.encode(payload),
            transport="http",
            session_id=session,
        )
        answer = asyncio.ensure_future(self.pipeline.answer(arrival))
        if enough is not None:
            leaving = asyncio.ensure_future(enough.wait())
            await asyncio.wait((answer, leaving), return_when=asyncio.FIRST_COMPLETED)
            leaving.cancel()
            if not answer.done():
                self.lost(arrival.request_id)
        output = await answer
        self.told(arrival.request_id)
        # What was answered at once is put on record afterwards; an agent's next event never comes sooner than that.
        await asyncio.sleep(PACE)
        said = (output.stdout_json or {}).get("hookSpecificOutput") or {}
        decision: dict[str, Any] = said.get("decision") or {}
        return decision
