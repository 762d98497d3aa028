"""Questions in a chat: one after the other, picked or in one's own words, with a last look where there are several."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assent.protocol.card import ShownAsk
from assent.surfaces.inbox import Sender
from assent.surfaces.seal import Pressed
from assent.surfaces.telegram import buttons
from assent.surfaces.telegram.memory import Draft
from assent.surfaces.telegram.updates import Tap, Words
from assent.surfaces.text import escaped
from assent.words.state import is_waiting

if TYPE_CHECKING:
    from assent.surfaces.telegram.surface import Telegram

_NUMBERS = re.compile(r"\d{1,2}(?:\s*[, ]\s*\d{1,2})*")
_LOST = "What was picked before is not known any more. Begin again."
_PICK = "Pick at least one, or answer in your own words."


@dataclass(frozen=True, slots=True)
class Asking:
    surface: "Telegram"

    async def pressed(self, tap: Tap, pressed: Pressed, ask: ShownAsk) -> None:
        """The press was checked: it belongs to this ask as it is now."""
        draft = self.surface.memory.draft(tap.chat, ask)
        toast = self.surface.toast
        if not is_waiting(ask):
            # The hub says why, and keeps on record that somebody tried.
            outcome = await self.surface.answer(tap.sender, ask, "answer", answers=draft.told())
            await toast(tap, outcome.words, is_loud=True)
        elif pressed.act == buttons.AGAIN:
            draft.step, draft.answers = 0, []
            draft.picked.clear()
            await toast(tap, "")
            await self._redraw(tap.chat, tap.message, ask)
        elif pressed.act in (buttons.SEND, buttons.YES):
            words = await self._sent(tap.chat, tap.message, tap.sender, draft, is_sure=pressed.act == buttons.YES)
            await toast(tap, words, is_loud=bool(words) and words != "Answered")
        elif self._step(pressed) != draft.step:
            await toast(tap, _LOST if draft.step == 0 else "", is_loud=draft.step == 0)
            await self._redraw(tap.chat, tap.message, ask)
        else:
            words = await self._picked(tap, pressed, draft)
            await toast(tap, words, is_loud=bool(words) and words != "Answered")

    async def worded(self, words: Words, ask: ShownAsk, text: str, card: int, step: int | None = None) -> None:
        draft = self.surface.memory.draft(words.chat, ask)
        if draft.is_review or (step is not None and step != draft.step):
            told = "Press Send or Start again." if draft.is_review else _LOST
        else:
            draft.answered(self._meant(draft, text))
            told = await self._advanced(words.chat, card, words.sender, draft)
        if told:
            await self.surface.bot.send(words.chat, escaped(told), reply_to=words.message, quiet=True)

    async def _picked(self, tap: Tap, pressed: Pressed, draft: Draft) -> str:
        one = draft.questions[draft.step]
        if pressed.act == buttons.DONE:
            if not draft.picked:
                return _PICK
            draft.answered(draft.labels())
            return await self._advanced(tap.chat, tap.message, tap.sender, draft)
        option = int(pressed.argument.partition(".")[2])
        if one.multi:
            draft.toggled(option)
            await self._redraw(tap.chat, tap.message, draft.ask)
            return ""
        draft.answered(one.options[option].label)
        return await self._advanced(tap.chat, tap.message, tap.sender, draft)

    async def _advanced(self, chat: int, card: int, sender: Sender, draft: Draft) -> str:
        """One question alone is answered by answering it; several are looked at once more."""
        if len(draft.questions) == 1:
            return await self._sent(chat, card, sender, draft)
        await self._redraw(chat, card, draft.ask)
        return ""

    async def _sent(self, chat: int, card: int, sender: Sender, draft: Draft, *, is_sure: bool = False) -> str:
        if not draft.is_review:
            return _LOST
        ask = draft.ask
        needs = next((way.needs for way in ask.choices if way.choice == "answer"), "press")
        if needs == "confirm" and not is_sure:
            await self.surface.confirm(chat, card, ask, "answer")
            return ""
        outcome = await self.surface.answer(sender, ask, "answer", answers=draft.told())
        if outcome.is_taken:
            return "Answered"
        self.surface.memory.drafts.pop((chat, ask.id), None)
        if outcome.ask is not None and is_waiting(outcome.ask):
            await self._redraw(chat, card, outcome.ask)
        return outcome.words

    async def _redraw(self, chat: int, message: int, ask: ShownAsk) -> None:
        await self.surface.redraw(chat, message, ask)

    @staticmethod
    def _step(pressed: Pressed) -> int:
        return int(pressed.argument.partition(".")[0] or 0)

    @staticmethod
    def _meant(draft: Draft, text: str) -> str:
        """Numbers are those of the options; anything else is an answer as it stands."""
        options = draft.questions[draft.step].options
        if _NUMBERS.fullmatch(text):
            numbers = [int(each) for each in re.findall(r"\d+", text)]
            is_fitting = all(1 <= each <= len(options) for each in numbers)
            if is_fitting and (len(numbers) == 1 or draft.questions[draft.step].multi):
                return ", ".join(options[each - 1].label for each in numbers)
        return ", ".join(filter(None, (draft.labels(), text)))
