"""Messages of the app: the card of an ask, its buttons, and what is left of both when the ask is over."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from assent.protocol.bodies import Choice
from assent.protocol.card import ShownAsk, Way
from assent.surfaces import chat as chats
from assent.surfaces.base import Audience, Traits
from assent.surfaces.chat import Chat, RecentDict, is_button_address
from assent.surfaces.follow_up import FollowUp
from assent.surfaces.registry import Tools
from assent.surfaces.signing import Signer
from assent.surfaces.slack import card as cards
from assent.surfaces.slack.api import Message, Web
from assent.surfaces.slack.card import Block, Card, plain, rich, section, words
from assent.text import wording

NAME = "slack"
# Channel and time, by which Slack knows a message.
Place = tuple[str, str]

LONGEST_LABEL = 60

# What each button does, by the letter it carries.
NO: dict[str, Choice] = {"d": "deny", "c": "decline", "s": "let_stop", "x": "deny_and_stop"}
# Each opens a window that waits for words.
TELLING: dict[str, Choice] = {"t": "deny", "n": "revise", "k": "keep_going"}
ALLOW, ANSWER, QUEUE = "a", "o", "q"
# Only a window carries this: the second step of a yes.
YES = "y"


@dataclass(frozen=True, slots=True)
class Buttons:
    signer: Signer
    link: Callable[[str], str]
    # Free text is more than an answer, and needs a scope of its own.
    can_tell: bool = True

    def of(self, channel: str, ask: ShownAsk, ways: Sequence[Way]) -> list[Block]:
        needs = {way.choice: way.needs for way in ways}
        no = [self._one(channel, act, wording.offer(NO[act]), ask) for act in "dcs" if NO[act] in needs]
        if self.can_tell:
            no += [
                self._one(channel, act, wording.TELLING[TELLING[act]], ask) for act in "tnk" if TELLING[act] in needs
            ]
        yes = []
        if "answer" in needs:
            yes.append(self._one(channel, ANSWER, "Answer…", ask))
        if "allow" in needs:
            yes.append(
                self._one(channel, ALLOW, wording.offer("allow") if needs["allow"] == "press" else "Allow…", ask)
            )
        return _rows([*no, *self._opening(ask)], yes)

    def of_many(self, channel: str, ask: ShownAsk, ways: Sequence[Way]) -> list[Block]:
        can_stop = any(way.choice == "deny_and_stop" for way in ways)
        stop = [self._one(channel, "x", wording.offer("deny_and_stop"), ask)] if can_stop else []
        return _rows([*stop, *self._opening(ask)])

    def next_of(self, channel: str, session: str) -> list[Block]:
        """A turn that ended can be told what to do next, also when the agent does not wait any more."""
        if not self.can_tell or not session or ":" in session:
            return []
        button = _button(QUEUE, "Tell it what to do next…", self.signer.data(channel, QUEUE, None, session))
        return _rows([button])

    def _opening(self, ask: ShownAsk) -> list[Block]:
        url = self.link(ask.id)
        return [{**_button("open", "Open to review"), "url": url}] if is_button_address(url) else []

    def _one(self, channel: str, act: str, words: str, ask: ShownAsk) -> Block:
        return _button(act, words, self.signer.data(channel, act, ask))


def _button(act: str, words: str, value: str = "") -> Block:
    made = {"type": "button", "action_id": act, "text": plain(words, LONGEST_LABEL)}
    return {**made, "value": value} if value else made


def _rows(*rows: list[Block]) -> list[Block]:
    return [{"type": "actions", "elements": row} for row in rows if row]


@dataclass(slots=True)
class Messages(Chat):
    web: Web
    bot_id: str
    users: tuple[str, ...]
    tools: Tools
    is_masked: bool = False
    can_tell: bool = True
    name: str = NAME
    traits: Traits = field(init=False)
    buttons: Buttons = field(init=False)
    follow_up: FollowUp[Place] = field(init=False)
    # What stands in full in a chat, by ask and chat: revision and hash. Losing it costs a press.
    shown: RecentDict[tuple[str, str], tuple[int, str]] = field(default_factory=RecentDict)

    def __post_init__(self) -> None:
        # Slack, and those who run the workspace, can read along; a masked message tells them nothing an agent wrote.
        self.traits = Traits(shows_all=not self.is_masked, may_answer=True, is_private=not self.is_masked)
        self.buttons = Buttons(Signer(self.tools.key), self.tools.link, self.can_tell)
        self.follow_up = FollowUp(NAME, self.tools.inbox.ask, self.edit_over)

    async def tell(self, channel: str, text: str, *, thread: str = "") -> None:
        await self.web.post(channel, Message(text, (rich(section(words(text))),)), thread=thread)

    async def show_again(self, channel: str, ask: ShownAsk) -> None:
        """Sent on request; no Ref knows this message, so it is followed here."""
        self.follow_up.follow(ask, [await self.send_card(channel, ask, Audience())])

    async def send_card(self, channel: str, ask: ShownAsk, audience: Audience) -> Place:
        message, is_whole = self.drawn(channel, ask, audience)
        at = await self.web.post(channel, message)
        self._remember(channel, ask, is_whole=is_whole)
        return channel, at

    async def edit_over(self, name: str, ask: ShownAsk | None, why: str, places: Sequence[Place]) -> None:
        seen = None if self.is_masked else ask
        card = cards.over(seen, name, why, _now())
        session = ask.subject.session if ask is not None and ask.kind == "stop" else ""
        await chats.each([self._close(place, card, session) for place in places])

    def drawn(self, channel: str, ask: ShownAsk, audience: Audience) -> tuple[Message, bool]:
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

    async def update_card(self, place: Place, ask: ShownAsk, audience: Audience) -> None:
        message, is_whole = self.drawn(place[0], ask, audience)
        await self.web.update(*place, message)
        self._remember(place[0], ask, is_whole=is_whole)

    async def _close(self, place: Place, card: Card, session: str) -> None:
        rows = self.buttons.next_of(place[0], session) if session else []
        await self.web.update(*place, Message(card.text, (*card.blocks, *rows)))


def _now() -> float:
    return time.time() * 1_000
