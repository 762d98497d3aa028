"""Answers: what a press, a window or typed words mean, bound to the very card they were given on."""

import re
from dataclasses import dataclass

from assent.protocol.bodies import AskKind, Choice
from assent.protocol.card import ShownAsk
from assent.surfaces import signing
from assent.surfaces.base import Sender, SurfaceError
from assent.surfaces.signing import Pressed
from assent.surfaces.slack import card as cards
from assent.surfaces.slack import messages as buttons
from assent.surfaces.slack import windows
from assent.surfaces.slack.api import TriggerError
from assent.surfaces.slack.card import Block
from assent.surfaces.slack.envelopes import Filled, Given, Press, Words
from assent.surfaces.slack.messages import Messages
from assent.surfaces.slack.windows import Origin
from assent.text import wording
from assent.text.ask_state import is_waiting

_TYPED = re.compile(r"(yes|no)\s+([a-km-z]{5})(?:\s+(.+))?", re.IGNORECASE | re.DOTALL)
_NO: dict[AskKind, Choice] = {
    "permission": "deny",
    "question": "deny",
    "form": "decline",
    "plan": "revise",
    "stop": "let_stop",
}
MOST_SHOWN = 5
UNKNOWN = "Nothing is known of this any more."
CHANGED = "It has changed since this was shown. Write asks to see it as it is now."
ELSEWHERE = "Yes to this is said on the page or in assent watch, where all of it is shown."
HELP = (
    "Each ask comes as a message with buttons. It is changed when somebody answers it, here or elsewhere.\n"
    "asks – shows what waits for you\n"
    "yes kptwm, no kptwm use stash – the same as the buttons of the ask kptwm"
)


@dataclass(frozen=True, slots=True)
class Answering:
    messages: Messages

    async def pressed(self, press: Press) -> None:
        pressed, ask = self._meant(press.value)
        of = Origin(press.value, press.channel, press.message)
        if pressed is None or (ask is None and pressed.act != buttons.QUEUE):
            await self._back(of, UNKNOWN)
        elif not self.messages.buttons.signer.is_of(pressed, press.channel, ask):
            await self._stale(of, ask)
        elif pressed.act == buttons.QUEUE:
            await self._open(press, windows.telling(pressed.act, of, None))
        elif ask is None:
            return
        elif pressed.act in buttons.NO:
            await self._settle(press.sender, of, ask, buttons.NO[pressed.act])
        elif not is_waiting(ask):
            # Nothing is said for them: an ask may come back, and then it is answered by a press that meant it.
            await self.messages.edit_over(ask.id, ask, "It is over", [(of.channel, of.message)])
        elif pressed.act in buttons.TELLING:
            await self._open(press, windows.telling(pressed.act, of, ask))
        elif pressed.act == buttons.ANSWER:
            await self._open(press, windows.questions(of, ask, can_tell=self.messages.can_tell))
        elif pressed.act == buttons.ALLOW:
            await self._allow(press, of, ask)

    async def filled(self, filled: Filled) -> None:
        """A window carries what it was opened for; only the hub could have written that into it."""
        of = windows.origin(filled.metadata)
        pressed, ask = self._meant(of.value) if of is not None else (None, None)
        if of is None or pressed is None:
            return
        words = filled.given.get(windows.TELL, Given()).text.strip()
        if not self.messages.buttons.signer.is_of(pressed, of.channel, ask):
            await self._stale(of, ask)
        elif pressed.act == buttons.QUEUE:
            outcome = await self.messages.tools.inbox.queue(filled.sender, pressed.argument, words)
            await self._back(of, outcome.words)
        elif ask is None:
            await self._back(of, UNKNOWN)
        elif pressed.act in buttons.TELLING:
            await self._settle(filled.sender, of, ask, buttons.TELLING[pressed.act], words)
        elif pressed.act == buttons.ANSWER:
            await self._settle(filled.sender, of, ask, "answer", answers=windows.answers(ask, filled.given))
        elif pressed.act == buttons.YES:
            await self._settle(filled.sender, of, ask, "allow")

    async def said(self, words: Words) -> None:
        text = words.text.strip()
        of = Origin("", words.channel, words.message)
        if typed := _TYPED.fullmatch(text):
            await self._typed(words.sender, of, typed[1].lower() == "yes", typed[2].lower(), (typed[3] or "").strip())
        elif text.lower().strip("/") == "asks":
            waiting = self.messages.tools.inbox.asks()
            more = f" The oldest {MOST_SHOWN} of them:" if len(waiting) > MOST_SHOWN else ""
            count = "1 ask waits" if len(waiting) == 1 else f"{len(waiting)} asks wait"
            await self.messages.tell(words.channel, f"{count} for you.{more}" if waiting else "Nothing waits for you.")
            for ask in waiting[:MOST_SHOWN]:
                await self.messages.show_again(words.channel, ask)
        else:
            await self.messages.tell(words.channel, HELP)

    async def _allow(self, press: Press, of: Origin, ask: ShownAsk) -> None:
        needs = next((way.needs for way in ask.choices if way.choice == "allow"), None)
        if needs == "confirm":
            second = Origin(self.messages.buttons.signer.data(press.channel, buttons.YES, ask), of.channel, of.message)
            await self._open(press, windows.sure(second, ask))
        elif needs == "match":
            await self._back(of, ELSEWHERE)
        else:
            # Where nothing is offered any more the hub says why, and keeps it on record.
            await self._settle(press.sender, of, ask, "allow")

    async def _typed(self, sender: Sender, of: Origin, is_yes: bool, name: str, rest: str) -> None:
        ask = self.messages.tools.inbox.ask(name)
        if ask is None:
            await self._back(of, f"Nothing is called {name}.")
        elif not is_yes:
            await self._settle(sender, of, ask, _NO[ask.kind], rest, is_typed=True)
        else:
            needs = next((way.needs for way in ask.choices if way.choice == "allow"), None)
            is_shown = self.messages.shown.get((name, of.channel)) == (ask.rev, ask.hash)
            if not is_waiting(ask):
                await self._stale(of, ask)
            elif needs is None or needs == "match":
                await self._back(of, ELSEWHERE if ask.kind != "question" else "Press Answer… below the question.")
            elif not is_shown:
                await self._back(of, "Not all of it, as it is now, stands here, so nothing was allowed. Write asks.")
            elif needs == "confirm":
                await self._back(of, "This takes two steps: press Allow… below it.")
            else:
                await self._settle(sender, of, ask, "allow", is_typed=True)

    async def _settle(
        self,
        sender: Sender,
        of: Origin,
        ask: ShownAsk,
        choice: Choice,
        message: str = "",
        answers: dict[str, str] | None = None,
        *,
        is_typed: bool = False,
    ) -> None:
        """The card changes when the hub has taken it, as it does for an answer from anywhere."""
        outcome = await self.messages.answer(sender, ask, choice, message, answers)
        if outcome.is_taken:
            if is_typed:
                await self._back(of, f"{wording.said(choice)}.")
        elif outcome.ask is None or is_waiting(outcome.ask) or is_typed:
            await self._back(of, outcome.words)
        else:
            await self.messages.edit_over(ask.id, outcome.ask, outcome.words, [(of.channel, of.message)])

    async def _stale(self, of: Origin, ask: ShownAsk | None) -> None:
        if ask is None:
            await self._back(of, UNKNOWN)
        elif is_waiting(ask):
            await self._back(of, CHANGED)
        else:
            await self._back(of, f"Too late: {cards.ending(ask, 'it is over', 0)}")

    async def _open(self, press: Press, window: Block) -> None:
        try:
            await self.messages.web.open(press.trigger, window)
        except TriggerError as error:
            await self._back(Origin("", press.channel, press.message), error.message)
        except SurfaceError:
            await self._back(
                Origin("", press.channel, press.message), "Slack did not open the window. Press once more."
            )
            raise

    async def _back(self, of: Origin, text: str) -> None:
        await self.messages.tell(of.channel, text, thread=of.message)

    def _meant(self, value: str) -> tuple[Pressed | None, ShownAsk | None]:
        pressed = signing.read(value)
        ask = self.messages.tools.inbox.ask(pressed.ask) if pressed is not None and pressed.ask else None
        return pressed, ask
