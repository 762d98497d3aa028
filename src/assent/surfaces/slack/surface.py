"""Asks in the direct messages of an app: shown, changed where they stand, and closed when they are over."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from assent.protocol.card import ShownAsk
from assent.surfaces import chat as chats
from assent.surfaces.afterwards import Afterwards
from assent.surfaces.base import TURN, Audience, Notice, Ref, Traits
from assent.surfaces.chat import Chat, Everybody
from assent.surfaces.kept import Kept
from assent.surfaces.kind import Tools
from assent.surfaces.links import is_button_address
from assent.surfaces.seal import Seal
from assent.surfaces.slack import card as cards
from assent.surfaces.slack import notices
from assent.surfaces.slack.api import Message, Web
from assent.surfaces.slack.blocks import line, rich, section, words
from assent.surfaces.slack.buttons import Buttons
from assent.surfaces.slack.card import Card
from assent.surfaces.slack.hands import Hands
from assent.surfaces.slack.socket import Socket

NAME = "slack"
CLOSING = 3.0

# Channel and time, by which Slack knows a message.
Place = tuple[str, str]


@dataclass(slots=True)
class Slack(Chat):
    web: Web
    bot_id: str
    users: tuple[str, ...]
    tools: Tools
    is_masked: bool = False
    can_tell: bool = True
    name: str = NAME
    traits: Traits = field(init=False)
    buttons: Buttons = field(init=False)
    hands: Hands = field(init=False)
    socket: Socket = field(init=False)
    afterwards: Afterwards[Place] = field(init=False)
    # What stands in full in a chat, by ask and chat: revision and hash. Losing it costs a press.
    shown: Kept[tuple[str, str], tuple[int, str]] = field(default_factory=Kept)
    _channels: dict[str, str] = field(default_factory=dict)
    _everybody: Everybody[str, Place] = field(default_factory=Everybody)

    def __post_init__(self) -> None:
        # Slack, and who runs the workspace, can read along; whoever does not want that has it masked.
        self.traits = Traits(shows_all=not self.is_masked, may_answer=True, is_private=not self.is_masked)
        self.buttons = Buttons(Seal(self.tools.key), self.tools.link, self.can_tell)
        self.hands = Hands(self)
        self.socket = Socket(self.web, self.hands.take)
        self.afterwards = Afterwards(NAME, self.tools.inbox.ask, self.edit_over)

    @property
    def trouble(self) -> str:
        if not self.users:
            return "nobody is connected to the app yet: `assent connect slack`"
        return self.socket.trouble

    async def probe(self) -> str:
        said = who(await self.web.me())
        return f"{said} The hub listens." if self.socket.is_open else f"{said} The hub does not hear it yet."

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        ask = self.mine(ask)
        key = chats.key(ask, audience)
        reached, trouble = await self._told(key, lambda channel: self.send_card(channel, ask, audience))
        return chats.sent(chats.ref(NAME, key, _more(reached), audience), trouble)

    async def notify(self, notice: Notice, audience: Audience) -> Ref:  # noqa: ARG002  how much is seen is set for the app
        async def send(channel: str) -> Place:
            rows = self.buttons.afterwards(channel, notice.session)
            card = notices.card(notice, is_masked=self.is_masked)
            return channel, await self.web.post(channel, Message(card.text, (*card.blocks, *rows)))

        reached, trouble = await self._told(f"{notice.key} {notice.at}", send)
        return chats.sent(Ref(NAME, notice.key, _more(reached)) if reached else None, trouble)

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:
        ask = self.mine(ask)
        await chats.each([self._update(place, ask, audience) for place in _places(ref)])

    async def withdraw(self, ref: Ref, why: str) -> None:
        if ref.key.startswith(TURN):
            # It says what was, and its button still reaches the session.
            return
        name = chats.ask_of(ref)
        ask = self.tools.inbox.ask(name) if name else None
        places = _places(ref)
        for channel, _ in places:
            self.shown.pop((name, channel), None)
        await self.edit_over(name, ask, why, places)
        if ask is not None:
            self.afterwards.follow(ask, places)

    async def listen(self) -> None:
        await self.socket.run()

    async def close(self) -> None:
        await self.hands.close(CLOSING)
        self.afterwards.close()
        await self.web.close()

    async def tell(self, channel: str, text: str, *, thread: str = "") -> None:
        await self.web.post(channel, Message(text, (rich(section(words(text))),)), thread=thread)

    async def show_again(self, channel: str, ask: ShownAsk) -> None:
        """Somebody asked for it; no Ref knows this message, so it is looked after here."""
        self.afterwards.follow(ask, [await self.send_card(channel, ask, Audience())])

    async def send_card(self, channel: str, ask: ShownAsk, audience: Audience) -> Place:
        message, is_whole = self._drawn(channel, ask, audience)
        at = await self.web.post(channel, message)
        self._remember(channel, ask, is_whole=is_whole)
        return channel, at

    async def edit_over(self, name: str, ask: ShownAsk | None, why: str, places: Sequence[Place]) -> None:
        seen = None if self.is_masked else ask
        card = cards.over(seen, name, why, _now())
        session = ask.subject.session if ask is not None and ask.kind == "stop" else ""
        await chats.each([self._close(place, card, session) for place in places])

    def _drawn(self, channel: str, ask: ShownAsk, audience: Audience) -> tuple[Message, bool]:
        """And whether all of the ask stands in it."""
        seen = audience if self.is_masked else replace(audience, privacy="open")
        link = self.tools.link(ask.id)
        card = cards.card(ask, seen, now=_now(), link="" if is_button_address(link) else link)
        ways = self.offered(ask, audience, is_whole=card.is_whole)
        if audience.gist:
            return Message(card.text, (*card.blocks, *self.buttons.of_many(channel, ask, ways))), False
        return Message(card.text, (*card.blocks, *self.buttons.of(channel, ask, ways))), card.is_whole

    def _remember(self, channel: str, ask: ShownAsk, *, is_whole: bool) -> None:
        """Not before it stands there: a typed yes is for what is seen."""
        if is_whole:
            self.shown[ask.id, channel] = (ask.rev, ask.hash)
        else:
            self.shown.pop((ask.id, channel), None)

    async def _told(
        self, key: str, send: Callable[[str], Awaitable[Place]]
    ) -> tuple[dict[str, Place], BaseException | None]:
        async def to(user: str) -> Place:
            if user not in self._channels:
                self._channels[user] = await self.web.chat(user)
            return await send(self._channels[user])

        return await self._everybody.told(key, self.users, to)

    async def _update(self, place: Place, ask: ShownAsk, audience: Audience) -> None:
        message, is_whole = self._drawn(place[0], ask, audience)
        await self.web.update(*place, message)
        self._remember(place[0], ask, is_whole=is_whole)

    async def _close(self, place: Place, card: Card, session: str) -> None:
        rows = self.buttons.afterwards(place[0], session) if session else []
        await self.web.update(*place, Message(card.text, (*card.blocks, *rows)))


def who(said: dict[str, object]) -> str:
    """``This is @assent in Acme.`` What a workspace is called is its owner's to choose."""
    name, team = (str(said.get(each, "")) for each in ("user", "team"))
    return f"This is @{line(name, 40)} in {line(team, 60)}."


def _more(reached: dict[str, Place]) -> tuple[str, ...]:
    return tuple(f"{channel}:{at}" for channel, at in reached.values())


def _places(ref: Ref) -> list[Place]:
    return [(channel, at) for channel, _, at in (each.partition(":") for each in ref.more)]


def _now() -> float:
    return time.time() * 1_000
