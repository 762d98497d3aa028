"""A test ask on one surface: whether it gets there, and whether an answer comes back. The ladder has no part in it."""

import asyncio
import logging
import secrets
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from assent.harnesses import registry
from assent.hub.asking.shown_asks import ShownAsks
from assent.hub.notify.escalation import WAITING, Escalation, ended
from assent.hub.pipeline.arrival import Arrival
from assent.hub.pipeline.hooks import Hooks
from assent.hub.recorder import Recording
from assent.policy import world
from assent.protocol.card import ShownAsk
from assent.protocol.record import TEST
from assent.protocol.rule_words import SHELL
from assent.protocol.surfaces import Scope
from assent.surfaces.base import Audience, Ref, Surface, SurfaceError
from assent.text.ask_state import said
from assent.views.asks import Ask

PACE = 0.05
# Left to a person in every stance but watch.
COMMAND = "touch hello-from-assent.txt"
TITLE = "Test ask"
SAYS = "A test ask: nothing is run, whatever you answer."


def new_session() -> str:
    """A name for one of its sessions."""
    return f"{TEST}{secrets.token_hex(4)}"


@dataclass(frozen=True, slots=True)
class TestAgent:
    """Simulated agent for test asks: requests one harmless call."""

    hooks: Hooks

    async def ask(self, session: str, enough: asyncio.Event | None = None) -> None:
        """Until it is answered, or there was enough of it."""
        call: dict[str, Any] = {
            "tool_name": SHELL,
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
            "session_title": TITLE,
            "hook_event_name": event,
            **fields,
        }
        arrival = Arrival(
            harness=registry.DEFAULT,
            event_name=event,
            payload=msgspec.json.encode(payload),
            transport="http",
            session_id=session,
        )
        answer = asyncio.ensure_future(self.hooks.answer(arrival))
        if enough is not None:
            leaving = asyncio.ensure_future(enough.wait())
            await asyncio.wait((answer, leaving), return_when=asyncio.FIRST_COMPLETED)
            leaving.cancel()
            if not answer.done():
                self.hooks.lost(arrival.request_id)
        output = await answer
        self.hooks.told(arrival.request_id)
        # What was answered at once is put on record afterwards; an agent's next event never comes sooner than that.
        await asyncio.sleep(PACE)
        reply = (output.stdout_json or {}).get("hookSpecificOutput") or {}
        decision: dict[str, Any] = reply.get("decision") or {}
        return decision


log = logging.getLogger("assent.hub")

# Long enough to see whether the phone rings.
LASTS = 60.0
SHOWN_WITHIN = 15.0
REMEMBERED = 8

State = Literal["asking", "shown", "failed", "answered", "unanswered", "decided"]


@dataclass(slots=True)
class TestAsk:
    surface: Surface
    enough: asyncio.Event = field(default_factory=asyncio.Event)
    ask: ShownAsk | None = None
    ref: Ref | None = None
    why: str = ""
    is_over: bool = False
    showing: "asyncio.Task[None] | None" = None
    playing: "asyncio.Task[None] | None" = None

    @property
    def state(self) -> State:
        if self.why:
            return "failed"
        if self.ask is not None and self.ask.answer is not None:
            return "answered"
        if self.is_over and (self.surface.traits.may_answer or self.ref is None):
            return "decided" if self.ask is None else "unanswered"
        return "asking" if self.ref is None else "shown"

    def told(self) -> dict[str, Any]:
        """Where it stands, and in words where it was answered."""
        answer = self.ask.answer if self.ask is not None else None
        words = self.why or (said(answer) if answer is not None else "")
        return {
            "state": self.state,
            "words": words,
            "surface": answer.surface if answer is not None else "",
            "can_answer": self.surface.traits.may_answer,
        }


@dataclass(slots=True)
class TestAsks:
    agent: TestAgent
    recorder: Recording
    lasts: float = LASTS
    _known: dict[str, TestAsk] = field(default_factory=dict)

    def begin(self, surface: Surface) -> str:
        """The name by which it is asked for."""
        name = new_session()
        test = self._known[name] = TestAsk(surface)
        while len(self._known) > REMEMBERED:
            self._known.pop(next(iter(self._known)))
        test.playing = asyncio.create_task(self._play(name, test))
        return name

    def told(self, name: str) -> dict[str, Any] | None:
        test = self._known.get(name)
        return None if test is None else test.told()

    def is_any_on(self, surface: Surface) -> bool:
        return any(not test.is_over and test.surface is surface for test in self._known.values())

    def takes(self, ask: ShownAsk) -> bool:
        """Whether this ask is one of these, which no other part handles."""
        test = self._known.get(ask.subject.session)
        if test is None:
            return False
        test.ask = ask
        if test.showing is None and ask.state in WAITING:
            test.showing = asyncio.create_task(self._show(test, ask))
        return True

    async def _play(self, name: str, test: TestAsk) -> None:
        alarm = asyncio.get_running_loop().call_later(self.lasts, test.enough.set)
        try:
            await self.agent.ask(name, test.enough)
        finally:
            alarm.cancel()
            test.is_over = True
        if test.showing is not None:
            await test.showing
        await self._take_back(test)

    async def _show(self, test: TestAsk, ask: ShownAsk) -> None:
        try:
            async with asyncio.timeout(SHOWN_WITHIN):
                test.ref = await test.surface.show(ask, Audience())
            self.recorder.note(f"a test ask was shown on {test.surface.name}", "person:desk")
        except SurfaceError as error:
            test.why, test.ref = error.message, error.ref
        except TimeoutError:
            test.why = "It took too long."
        except Exception:
            log.exception("%s: a test ask could not be shown", test.surface.name)
            test.why = "It failed; the hub's log says more."
        if test.why or not test.surface.traits.may_answer:
            test.enough.set()

    async def _take_back(self, test: TestAsk) -> None:
        if test.ref is None or test.ask is None:
            return
        try:
            async with asyncio.timeout(SHOWN_WITHIN):
                await test.surface.withdraw(test.ref, ended(test.ask))
        except (SurfaceError, TimeoutError) as error:
            log.info("%s: a test ask could not be taken back: %s", test.surface.name, error)


@dataclass(frozen=True, slots=True)
class AskNotifier:
    shown_asks: ShownAsks
    test_asks: TestAsks
    escalation: Escalation

    def on_ask(self, ask: Ask) -> None:
        # As much as any of them may offer; each leaves out what it has no room or no right for.
        shown = self.shown_asks.shown(ask, Scope.INSTRUCT, "chat")
        # What others answer is looked at, and rings nowhere.
        if not self.test_asks.takes(shown) and "read_only" not in shown.flags:
            self.escalation.changed(shown)
