"""A chat that takes no time: a surface whose service is a socket on this machine. What is left is the hub's own.

Started as ``python -m bench.chat`` it is a hub in which this stands in for a chat service."""

import asyncio
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct

from assent.protocol.card import AnswerRequest, ShownAsk
from assent.protocol.surfaces import SURFACES, SurfaceEntry
from assent.surfaces.base import Audience, Inbox, Ref, Sender, Traits
from assent.surfaces.registry import Checked, Tools

# One that the hub knows: what may be answered in a chat hangs on its name.
NAME = "telegram"
COMMAND = (sys.executable, "-m", "bench.chat")
SENDER = Sender("Ada", "1")


class Tap(Struct):
    """A press: yes to this revision of it."""

    id: str
    rev: int
    hash: str


def settings(socket: str) -> str:
    """Every ask is on it at once."""
    return f'[surface.{NAME}]\nsocket = "{socket}"\n[presence]\nladder = ["{NAME}@0s"]\n'


@dataclass
class Chat:
    socket: str
    inbox: Inbox
    name: str = NAME
    trouble: str = ""
    traits: Traits = field(default_factory=lambda: Traits(shows_all=True, may_answer=True, is_private=True))

    async def show(self, ask: ShownAsk, _: Audience) -> Ref:
        return Ref(self.name, ask.id)

    async def update(self, *_: object) -> None:
        pass

    async def withdraw(self, *_: object) -> None:
        pass

    async def listen(self) -> None:
        with closing(await asyncio.start_unix_server(self._tapped, self.socket)) as server:
            await server.serve_forever()

    async def close(self) -> None:
        pass

    async def _tapped(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            tap = msgspec.json.decode(await reader.readline(), type=Tap)
            said = AnswerRequest(rev=tap.rev, hash=tap.hash, choice="allow")
            outcome = await self.inbox.answer(SENDER, tap.id, said)
            writer.write(outcome.words.encode() + b"\n")


class _Kind:
    name = NAME
    title = "a chat"
    secrets: Mapping[str, str] = {}

    async def check(self, *_: object) -> Checked:
        return Checked("It is there.")

    def made(self, settings: Mapping[str, Any], _: Mapping[str, str], tools: Tools) -> Chat:
        return Chat(settings["socket"], tools.inbox)


KIND = _Kind()


def main() -> None:
    SURFACES[NAME] = SurfaceEntry("a chat", "chat", "bench.chat")
    from assent.cli.main import main as assent

    sys.argv[1:] = ["up"]
    assent()


if __name__ == "__main__":
    main()
