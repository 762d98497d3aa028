"""Gate of the proxy: who answers what the agent asks for, and that it is answered once.

A permission request goes to the hub first. Where that has an answer, the agent gets it; where a person is asked, the
editor's dialog opens as well and the first answer counts; where the hub has no opinion, the editor asks alone."""

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from assent.acp import messages
from assent.acp.messages import ALLOW_ONCE, REJECT_ONCE, Key, Message
from assent.acp.sessions import Call, Sessions
from assent.harnesses.acp import tools
from assent.harnesses.acp.facts import DIALOG, PERMISSION, TERMINAL
from assent.harnesses.base import UNJUDGED

log = logging.getLogger("assent.acp")

Fields = dict[str, Any]
Write = Callable[[bytes], None]
# What is kept of calls that were agreed to, and of answers that came too late.
MOST_KEPT = 500
MOST_OPEN = 200
# So long a dialog may stand in the editor before the hub is told that no one heeds it.
UNHEEDED = 6.0
_NO = "A person said no to this."
_TOO_MANY = "Too much is asked for at once."


class Link(Protocol):
    async def ask(self, event: str, payload: Fields, on_hold: Callable[[], None] = ...) -> Fields | None:
        """What the hub says of an event."""


@dataclass(slots=True, eq=False)
class _Ask:
    """A permission request that the agent waits for."""

    message: Message
    line: bytes
    call: Call
    key: tuple[str, ...] | None
    payload: Fields
    is_forwarded: bool = False
    is_settled: bool = False
    task: "asyncio.Task[None] | None" = None


@dataclass(slots=True)
class Gate:
    link: Link
    sessions: Sessions
    to_editor: Write
    to_agent: Write
    # Tells the hub of something, and waits until all of that was told.
    tell: Callable[[str, Fields], None]
    caught_up: Callable[[], Awaitable[None]]
    _open: dict[Key, _Ask] = field(default_factory=dict)
    # Requests we answered whose dialog stood open in the editor: what it says of them is not passed on.
    _late: dict[Key, int] = field(default_factory=dict)
    # Requests of our own, by their id; and what all of these begin with.
    _own: "dict[str, asyncio.Future[bool]]" = field(default_factory=dict)
    _prefix: str = field(default_factory=lambda: f"assent-{secrets.token_hex(4)}-")
    _numbered: int = 0
    # Calls that were agreed to, each counting once for what the editor is then asked to do.
    _agreed: "OrderedDict[tuple[str, ...], None]" = field(default_factory=OrderedDict)
    _tasks: "set[asyncio.Task[None]]" = field(default_factory=set)

    # --- from the agent

    def permission(self, message: Message, line: bytes) -> bool:
        """Whether it is taken; what is not goes to the editor as it is."""
        if message.key in self._open or len(self._tasks) >= MOST_OPEN:
            return False
        session = self.sessions.of(message.session)
        update = message.params.get("toolCall")
        known = session.call(update if isinstance(update, dict) else {})
        call = known.begin()
        payload = self.sessions.payload(session, tool_call=call)
        made = tools.given(call, self.sessions.agent)
        key = tools.key(tools.named(call), made, _folder(session.cwd, tools.folder(call, made)))
        ask = _Ask(message, line, known, key and (session.id, *key), payload)
        self._open[message.key] = ask
        ask.task = self._start(self._judged(ask))
        return True

    def asked_of_editor(self, message: Message, line: bytes) -> None:
        """The agent has the editor write a file, or run a command."""
        if len(self._tasks) >= MOST_OPEN:
            self.to_agent(messages.refuse(message.id, _TOO_MANY))
        else:
            self._start(self._looked_at(message, line))

    # --- from the editor

    def answered(self, message: Message) -> bool:
        """Whether this answer of the editor's is passed on to the agent."""
        if isinstance(message.id, str) and message.id.startswith(self._prefix):
            waiting = self._own.pop(message.id, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(messages.selected(message) == ALLOW_ONCE)
            return False
        if count := self._late.pop(message.key, 0):
            if count > 1:
                self._late[message.key] = count - 1
            return False
        ask = self._open.get(message.key)
        if ask is not None:
            chosen = messages.selected(message)
            self._settle(ask, dict(messages.kinds(ask.message.params)).get(chosen or "", ""))
            if ask.task is not None:
                # Closes the connection, by which the hub takes its ask back.
                ask.task.cancel()
        return True

    def cancelled(self, session: str) -> None:
        """The editor ended a turn: it answers the requests it knows of, and we the others."""
        for ask in [each for each in self._open.values() if each.message.session == session]:
            if not ask.is_forwarded:
                self._settle(ask, "")
                self.to_agent(messages.select(ask.message.id, None))
                if ask.task is not None:
                    ask.task.cancel()

    def turn_over(self, session: str) -> None:
        """What was agreed to in it and not asked of the editor by now, the agent did by itself."""
        for key in [key for key in self._agreed if key[0] == session]:
            del self._agreed[key]

    async def close(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- permission requests

    async def _judged(self, ask: _Ask) -> None:
        await self.caught_up()
        said = await self._said(PERMISSION, ask.payload, lambda: self._forward(ask))
        if ask.is_settled:
            return
        match said.get("outcome"):
            case "allow" if (chosen := messages.option(ask.message.params, ALLOW_ONCE)) is not None:
                self._settle(ask, ALLOW_ONCE)
                self._reply(ask, chosen)
            case "deny":
                self._settle(ask, REJECT_ONCE)
                # Without an option that refuses once it is cancelled: no other one allows nothing and decides nothing.
                self._reply(ask, messages.option(ask.message.params, REJECT_ONCE))
                self.to_editor(messages.say(ask.message.session, _refused(said)))
            case _:
                self._forward(ask)

    def _forward(self, ask: _Ask) -> None:
        if ask.is_forwarded or ask.is_settled:
            return
        ask.is_forwarded = True
        self.to_editor(ask.line)
        asyncio.get_running_loop().call_later(UNHEEDED, self._still_open, ask)

    def _still_open(self, ask: _Ask) -> None:
        if not ask.is_settled:
            self.tell(DIALOG, ask.payload)

    def _settle(self, ask: _Ask, kind: str) -> None:
        ask.is_settled = True
        self._open.pop(ask.message.key, None)
        if not kind.startswith("allow"):
            # It does not run, whatever updates say of it.
            ask.call.is_told = True
        elif ask.key is not None:
            self._agreed[ask.key] = None
            if len(self._agreed) > MOST_KEPT:
                self._agreed.popitem(last=False)

    def _reply(self, ask: _Ask, chosen: str | None) -> None:
        name, key = ask.message.id, ask.message.key
        self.to_agent(messages.select(name, chosen))
        if ask.is_forwarded:
            self._late[key] = self._late.get(key, 0) + 1
            if len(self._late) > MOST_KEPT:
                self._late.pop(next(iter(self._late)))
            self.to_editor(messages.withdraw(name))

    # --- what the editor is asked to do

    async def _looked_at(self, message: Message, line: bytes) -> None:
        session = self.sessions.of(message.session)
        await self.caught_up()
        said = await self._said(message.method, self.sessions.payload(session, params=dict(message.params)))
        made = {name: value for name, value in message.params.items() if name != "sessionId"}
        key = tools.key(message.method, made, _folder(session.cwd, tools.folder({}, made)))
        is_agreed = key is not None and (session.id, *key) in self._agreed
        if is_agreed and key is not None:
            del self._agreed[(session.id, *key)]
        match said.get("outcome"):
            case "deny":
                self.to_agent(messages.refuse(message.id, _refused(said)))
            case "ask" if not is_agreed and not await self._both_asked(message, made, _refused(said)):
                self.to_agent(messages.refuse(message.id, _NO))
            case _:
                self.to_editor(line)

    async def _both_asked(self, message: Message, made: Fields, why: str) -> bool:
        """A question of our own, in the editor and elsewhere; the first answer counts."""
        self._numbered += 1
        name = f"{self._prefix}{self._numbered}"
        is_command = message.method == TERMINAL
        title = f"Run {made.get('command')}" if is_command else f"Write {made.get('path')}"
        call = {
            "toolCallId": name,
            "title": title,
            "kind": "execute" if is_command else "edit",
            "status": "pending",
            "rawInput": made,
            "content": [{"type": "content", "content": {"type": "text", "text": why}}],
        }
        in_editor: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._own[name] = in_editor
        session = self.sessions.of(message.session)
        elsewhere = asyncio.ensure_future(self._said(PERMISSION, self.sessions.payload(session, tool_call=call)))
        self.to_editor(messages.ask(name, message.session, call))
        try:
            await asyncio.wait((in_editor, elsewhere), return_when=asyncio.FIRST_COMPLETED)
            outcome = "" if in_editor.done() else elsewhere.result().get("outcome")
            if outcome not in ("allow", "deny"):
                return await in_editor
            self.to_editor(messages.withdraw(name))
            return bool(outcome == "allow")
        finally:
            self._own.pop(name, None)
            elsewhere.cancel()

    async def _said(self, event: str, payload: Fields, on_hold: Callable[[], None] = lambda: None) -> Mapping[str, Any]:
        try:
            return await self.link.ask(event, payload, on_hold) or {}
        except Exception:
            # Whatever broke, the person at the editor is asked.
            log.exception("asking the hub failed")
            return {"outcome": "ask", "reason": UNJUDGED}

    def _start(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a request of the agent's was left unanswered: %r", error)


def _refused(said: Mapping[str, Any]) -> str:
    return f"Assent: {said.get('reason') or _NO}"


def _folder(cwd: str, named: str) -> str:
    return named if named.startswith("/") or not named else f"{cwd.rstrip('/')}/{named}"
