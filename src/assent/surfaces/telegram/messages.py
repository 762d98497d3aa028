"""Messages of the bot: the card of an ask, the second step of a yes, and what is left when the ask is over."""

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from assent.protocol.bodies import AskKind, Choice
from assent.protocol.card import ShownAsk
from assent.surfaces import chat as chats
from assent.surfaces.base import Audience, SurfaceError, Traits
from assent.surfaces.chat import Chat, is_button_address
from assent.surfaces.follow_up import FollowUp
from assent.surfaces.registry import Tools
from assent.surfaces.signing import Signer
from assent.surfaces.telegram import card as cards
from assent.surfaces.telegram.api import Bot
from assent.surfaces.telegram.buttons import Buttons, Draft, Memory, Place, Rows
from assent.surfaces.telegram.card import Card, mono
from assent.surfaces.telegram.updates import Tap

log = logging.getLogger("assent.surfaces")

NAME = "telegram"
_THERE = "on the page or in <code>assent watch</code>"
_ELSEWHERE: dict[AskKind, str] = {
    "permission": f"Yes is said {_THERE}.",
    "question": f"It is answered {_THERE}.",
    "plan": f"It is approved {_THERE}.",
    "form": f"It is filled in {_THERE}.",
}
CUT = f"Not all of it fits in here, so yes is said {_THERE}."


class Shown(Struct, frozen=True):
    """One message in one chat, as a Ref keeps it."""

    chat: int
    message: int
    rev: int = 0
    # The whole text stands in messages above it.
    has_parts: bool = False

    @property
    def text(self) -> str:
        return f"{self.chat}:{self.message}:{self.rev}:{int(self.has_parts)}"

    @classmethod
    def read(cls, text: str) -> "Shown":
        chat, message, rev, parts = (int(each) for each in text.split(":"))
        return cls(chat, message, rev, bool(parts))


@dataclass(slots=True)
class Messages(Chat):
    bot: Bot
    bot_id: str
    users: tuple[int, ...]
    tools: Tools
    is_masked: bool = False
    can_tell: bool = True
    name: str = NAME
    traits: Traits = field(init=False)
    memory: Memory = field(default_factory=Memory)
    buttons: Buttons = field(init=False)
    follow_up: FollowUp[Place] = field(init=False)

    def __post_init__(self) -> None:
        # Telegram's servers can read along; a masked message tells them nothing an agent wrote.
        self.traits = Traits(shows_all=not self.is_masked, may_answer=True, is_private=not self.is_masked)
        self.buttons = Buttons(Signer(self.tools.key), self.tools.link, self.can_tell)
        self.follow_up = FollowUp(NAME, self.tools.inbox.ask, self.edit_over)

    async def toast(self, tap: Tap, text: str, *, is_loud: bool = False) -> None:
        """Said for a moment, and only that: a tap that is hours old cannot be answered so, and counts all the same."""
        try:
            await self.bot.toast(tap.id, text, is_loud=is_loud)
        except SurfaceError as error:
            log.info("telegram: a tap was not answered: %s", error.message)

    async def confirm(self, chat: int, message: int, ask: ShownAsk, choice: Choice) -> None:
        """The second step of a yes, in another place than the first."""
        draft = self.memory.draft(chat, ask) if choice == "answer" else None
        text = cards.sure(ask, draft.answers if draft is not None else ())
        sent = await self.bot.send(chat, text, self.buttons.sure(chat, ask, choice), reply_to=message)
        self.memory.aside(ask.id, (chat, sent))

    async def show_again(self, chat: int, ask: ShownAsk) -> None:
        """Sent on request; no Ref knows this message, so it is followed here."""
        shown = await self.send_card(chat, ask, Audience())
        self.follow_up.follow(ask, [(chat, shown.message)])

    async def redraw(self, chat: int, message: int, ask: ShownAsk) -> None:
        """The card as this person has it now, where it stands; below, where it needs more room."""
        drawn, rows = self.drawn(chat, ask, Audience())
        if drawn.before or drawn.file:
            await self.show_again(chat, ask)
            await self.bot.edit(chat, message, f"Goes on below.\n{cards.ID}{ask.id}")
        else:
            await self.bot.edit(chat, message, drawn.text, rows)

    async def send_card(self, chat: int, ask: ShownAsk, audience: Audience) -> Shown:
        """All messages of it, and the buttons with the last one."""
        drawn, rows = self.drawn(chat, ask, audience)
        done = self.memory.parts.get((ask.id, ask.rev, chat), 0)
        sends: list[Callable[[], Awaitable[int]]] = [
            lambda text=text: self.bot.send(chat, text, quiet=True)  # type: ignore[misc]
            for text in drawn.before
        ]
        if drawn.file:
            sends.append(lambda: self.bot.send_file(chat, f"{ask.id}.txt", drawn.file))
        for at, send in enumerate(sends):
            if at >= done:
                await send()
                self.memory.parts[ask.id, ask.rev, chat] = at + 1
        message = await self.bot.send(chat, drawn.text, rows)
        self.memory.parts.pop((ask.id, ask.rev, chat), None)
        self._remember(chat, ask, drawn)
        return Shown(chat, message, ask.rev, bool(drawn.before))

    def drawn(
        self, chat: int, ask: ShownAsk, audience: Audience, *, has_parts: bool | None = None
    ) -> tuple[Card, Rows]:
        seen = audience if self.is_masked else replace(audience, privacy="open")
        if audience.gist:
            made = cards.card(ask, seen, now=_now())
            return made, self.buttons.of_many(chat, ask, self.offered(ask, audience, is_whole=False))
        draft = self.memory.draft(chat, ask) if ask.view.questions else None
        notes = self._notes(ask, draft)
        step = draft.step if draft is not None else 0
        cut = CUT if any(way.choice in ("allow", "answer") for way in ask.choices) else ""
        made = cards.card(ask, seen, now=_now(), notes=notes, if_cut=cut, step=step, has_parts=has_parts)
        ways = self.offered(ask, audience, is_whole=made.is_whole)
        return made, self.buttons.of(chat, ask, ways, draft)

    def _remember(self, chat: int, ask: ShownAsk, drawn: Card) -> None:
        if drawn.is_whole:
            self.memory.shown[ask.id, chat] = (ask.rev, ask.hash)
        else:
            self.memory.shown.pop((ask.id, chat), None)

    async def update_card(self, shown: Shown, ask: ShownAsk, audience: Audience) -> None:
        # What stands above it is about the revision it was sent with.
        has_parts = shown.has_parts and shown.rev == ask.rev
        drawn, rows = self.drawn(shown.chat, ask, audience, has_parts=has_parts)
        await self.bot.edit(shown.chat, shown.message, drawn.text, rows)
        # Not before it stands there: a typed yes is for what is seen.
        if not audience.gist:
            self._remember(shown.chat, ask, drawn)

    async def edit_over(self, name: str, ask: ShownAsk | None, why: str, places: Sequence[Place]) -> None:
        if self.is_masked:
            ask = None
        text = cards.over(ask, name, why, _now())
        await chats.each([self.bot.edit(chat, message, text) for chat, message in places])

    async def delete_all(self, places: Sequence[Place] | set[Place]) -> None:
        for chat, message in places:
            try:
                await self.bot.delete(chat, message)
            except SurfaceError:
                # It says "Too late" when it is pressed.
                continue

    def _notes(self, ask: ShownAsk, draft: Draft | None) -> list[str]:
        """Lines of a card that depend on where the person is with it."""
        link = self.tools.link(ask.id)
        lines = []
        if draft is not None and draft.answers:
            lines += [f"{at + 1}: {mono(answer, 120)}" for at, answer in enumerate(draft.answers)]
        if draft is not None and draft.is_review:
            lines.append("Nothing is sent yet.")
        if not any(way.choice in ("allow", "answer") for way in ask.choices) and ask.kind in _ELSEWHERE:
            lines.append(_ELSEWHERE[ask.kind])
        if link and not is_button_address(link):
            lines.append(f"Open: {mono(link, 300)}")
        return lines


def _now() -> float:
    return time.time() * 1_000


# Nothing else may become part of an address.
