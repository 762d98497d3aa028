"""A proxy without processes: lines go in at both ends, and a scripted hub answers."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from assent.acp.proxy import Proxy

Body = dict[str, Any]
OPTIONS = [
    {"optionId": "always", "name": "Always", "kind": "allow_always"},
    {"optionId": "once", "name": "Allow", "kind": "allow_once"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]


def line(**message: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def permission(name: Any, command: str = "touch a", *, options: Any = OPTIONS, session: str = "s") -> bytes:
    call = {"toolCallId": f"call-{name}", "kind": "execute", "title": command, "rawInput": {"command": command}}
    params = {"sessionId": session, "toolCall": call, "options": options}
    return line(id=name, method="session/request_permission", params=params)


def write(name: Any, path: str = "/srv/p/a", content: str = "x") -> bytes:
    return line(id=name, method="fs/write_text_file", params={"sessionId": "s", "path": path, "content": content})


def chosen(name: Any, option: str | None = "once") -> bytes:
    outcome = {"outcome": "selected", "optionId": option} if option else {"outcome": "cancelled"}
    return line(id=name, result={"outcome": outcome})


class ScriptedHub:
    """Answers at once by ``reply``; where that says "hold", a person is asked until ``answer`` is called."""

    def __init__(self, reply: Callable[[str, Body], Any] = lambda *_: None) -> None:
        self.reply = reply
        self.told: list[tuple[str, Body]] = []
        self.held: list[asyncio.Future[Body | None]] = []
        self.taken_back = 0

    async def ask(self, event: str, payload: Body, on_hold: Callable[[], None] = lambda: None) -> Body | None:
        self.told.append((event, payload))
        said: Body | str | None = self.reply(event, payload)
        if said != "hold":
            await asyncio.sleep(0)
            return said if isinstance(said, dict) else None
        on_hold()
        waiting: asyncio.Future[Body | None] = asyncio.get_running_loop().create_future()
        self.held.append(waiting)
        try:
            return await waiting
        except asyncio.CancelledError:
            self.taken_back += 1
            raise

    def answer(self, said: Body | None, number: int = -1) -> None:
        self.held[number].set_result(said)

    def events(self) -> list[str]:
        return [event for event, _ in self.told]


class Wire:
    """What arrived at the two ends."""

    def __init__(self, hub: ScriptedHub, agent: str = "lab") -> None:
        self.hub = hub
        self.editor: list[bytes] = []
        self.agent: list[bytes] = []
        self.proxy = Proxy(hub, self.editor.append, self.agent.append, agent=agent)
        self._telling: asyncio.Task[None] | None = None

    async def settle(self) -> None:
        """Until nothing moves by itself any more."""
        if self._telling is None:
            self._telling = asyncio.ensure_future(self.proxy.observer.run_forever())
        for _ in range(30):
            await asyncio.sleep(0)

    async def from_agent(self, *lines: bytes) -> None:
        for each in lines:
            self.proxy.from_agent(each)
        await self.settle()

    async def from_editor(self, *lines: bytes) -> None:
        for each in lines:
            self.proxy.from_editor(each)
        await self.settle()

    def at_agent(self) -> list[Body]:
        return [json.loads(each) for each in self.agent]

    def at_editor(self) -> list[Body]:
        return [json.loads(each) for each in self.editor]

    async def close(self) -> None:
        await self.proxy.gate.close()
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)


def wired(reply: Any = None) -> Wire:
    """A hub that says the same to whatever the agent asks for, or what a function says."""
    if callable(reply):
        return Wire(ScriptedHub(reply))
    asks = ("session/request_permission", "fs/write_text_file", "terminal/create")
    return Wire(ScriptedHub(lambda event, _: reply if event in asks else None))
