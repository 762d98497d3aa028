"""Answers: what a press or a reply means, bound to the very card it was given on."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assent.protocol.bodies import AskKind, Choice
from assent.protocol.card import ShownAsk
from assent.surfaces import binding, seal
from assent.surfaces.base import SurfaceError
from assent.surfaces.inbox import Outcome
from assent.surfaces.seal import Pressed
from assent.surfaces.telegram import buttons, listing
from assent.surfaces.telegram import card as cards
from assent.surfaces.telegram.asking import Asking
from assent.surfaces.telegram.memory import Prompt, Wish
from assent.surfaces.telegram.updates import Tap, Words
from assent.surfaces.text import escaped
from assent.words.state import DID, is_waiting

if TYPE_CHECKING:
    from assent.surfaces.telegram.surface import Telegram

_TYPED = re.compile(r"(yes|no)\s+([a-km-z]{5})(?:\s+(.+))?", re.IGNORECASE | re.DOTALL)
_LAST_LINE = re.compile(rf"^{cards.ID}([a-km-z]{{5}})\b.*\Z", re.MULTILINE)
# To deny somebody who agrees would be safe, and wrong.
_AGREES = frozenset({"yes", "y", "ok", "okay", "allow", "sure", "go", "go ahead", "👍"})
_REFUSES = frozenset({"no", "n", "deny"})
_NO: dict[AskKind, Choice] = {
    "permission": "deny",
    "question": "deny",
    "form": "decline",
    "plan": "revise",
    "stop": "let_stop",
}
_BY_REPLY: dict[AskKind, Wish] = {"permission": "deny", "plan": "revise", "stop": "keep_going"}
_ASKED: dict[Wish, str] = {
    "deny": "What should it do instead? Your answer denies it, and is told to the agent.",
    "revise": "What should change in the plan? Your answer sends it back with these words.",
    "keep_going": "What should it do next?",
    "answer": "Your answer, in your own words?",
}
UNKNOWN = "Nothing is known of this any more."
CHANGED = "It has changed since this was shown. /asks shows it as it is now."
ELSEWHERE = "Yes to this is said on the page or in assent watch, where all of it is shown."


@dataclass(frozen=True, slots=True)
class Answering:
    surface: "Telegram"

    async def tapped(self, tap: Tap) -> None:
        pressed = seal.read(tap.data)
        if pressed is None:
            await self.surface.toast(tap, "This button is none of mine.", is_loud=True)
        elif pressed.act == buttons.QUIET:
            await self._quiet(tap, pressed)
        elif pressed.act == buttons.NEXT:
            await self._next(tap, pressed)
        elif (ask := self.surface.tools.inbox.ask(pressed.ask)) is None:
            await self.surface.toast(tap, UNKNOWN, is_loud=True)
        elif not self.surface.buttons.made(pressed, tap.chat, ask):
            await self.surface.toast(tap, CHANGED if is_waiting(ask) else _too_late(ask), is_loud=True)
        else:
            await self._pressed(tap, pressed, ask)

    async def said(self, words: Words) -> bool:
        """Whether it was an answer to anything."""
        text = words.text.strip()
        if listing.is_command(text):
            return False
        if prompt := self.surface.memory.prompts.pop((words.chat, words.reply_to), None):
            await self._worded(words, prompt.ask, prompt.wish, text, prompt)
        elif session := self.surface.memory.nexts.pop((words.chat, words.reply_to), ""):
            await self._queued(words, session, text)
        elif typed := _TYPED.fullmatch(text):
            await self._typed(words, typed[1].lower() == "yes", typed[2].lower(), (typed[3] or "").strip())
        elif text.startswith("/"):
            return False
        elif words.reply_to:
            return await self._reply(words, text)
        elif prompt := self.surface.memory.prompt_in(words.chat):
            await self._worded(words, prompt.ask, prompt.wish, text, prompt)
        else:
            return await self._is_code(words, text)
        return True

    async def _pressed(self, tap: Tap, pressed: Pressed, ask: ShownAsk) -> None:
        act = pressed.act
        if act in buttons.NO:
            await self._settle(tap, ask, buttons.NO[act])
        elif act in buttons.TELLING:
            await self._ask_for_words(tap, ask, buttons.TELLING[act])
        elif act == buttons.ALLOW:
            await self._allow(tap, ask)
        elif act == buttons.YES and pressed.argument == "allow":
            await self._settle(tap, ask, "allow", is_aside=True)
        elif act == buttons.REFUSE:
            await self._settle(tap, ask, _NO[ask.kind], is_aside=True)
        elif act == buttons.CARD:
            await self.surface.toast(tap, "" if is_waiting(ask) else _too_late(ask), is_loud=not is_waiting(ask))
            if is_waiting(ask):
                await self.surface.show_again(tap.chat, ask)
        elif act == buttons.OTHER:
            await self._ask_for_words(tap, ask, "answer", int(pressed.argument))
        else:
            await Asking(self.surface).pressed(tap, pressed, ask)

    async def _allow(self, tap: Tap, ask: ShownAsk) -> None:
        needs = next((way.needs for way in ask.choices if way.choice == "allow"), None)
        if needs == "confirm":
            await self.surface.toast(tap, "")
            await self.surface.confirm(tap.chat, tap.message, ask, "allow")
        elif needs == "match":
            await self.surface.toast(tap, ELSEWHERE, is_loud=True)
        else:
            # Where nothing is offered any more the hub says why, and keeps it on record.
            await self._settle(tap, ask, "allow")

    async def _settle(self, tap: Tap, ask: ShownAsk, choice: Choice, *, is_aside: bool = False) -> None:
        outcome = await self.surface.answer(tap.sender, ask, choice)
        words = DID[choice] if outcome.is_taken else outcome.words
        await self.surface.toast(tap, words, is_loud=not outcome.is_taken)
        if is_aside:
            await self._away(tap)
        elif outcome.ask is not None and not outcome.is_taken and not is_waiting(outcome.ask):
            await self.surface.edit_over(ask.id, outcome.ask, outcome.words, [(tap.chat, tap.message)])

    async def _ask_for_words(self, tap: Tap, ask: ShownAsk, choice: Choice, step: int = 0) -> None:
        if not is_waiting(ask):
            await self.surface.toast(tap, _too_late(ask), is_loud=True)
            return
        await self.surface.toast(tap, "")
        wish: Wish = choice if choice in ("revise", "keep_going", "answer") else "deny"
        text = f"{_ASKED[wish]}\n{cards.ID}{ask.id}"
        memory = self.surface.memory
        memory.answered(lambda prompt: prompt.ask.id == ask.id)
        sent = await self.surface.bot.send(tap.chat, text, reply_to=tap.message, ask_for=_ASKED[wish])
        memory.prompts[tap.chat, sent] = Prompt(wish, ask, tap.message, step)
        memory.aside(ask.id, (tap.chat, sent))

    async def _typed(self, words: Words, is_yes: bool, name: str, rest: str) -> None:
        ask = self.surface.tools.inbox.ask(name)
        if ask is None:
            await self._back(words, f"Nothing is called {name}.")
        elif is_yes:
            is_shown = self.surface.memory.shown.get((name, words.chat)) == (ask.rev, ask.hash)
            await self._agreed(words, ask, is_shown=is_shown)
        else:
            choice = _NO[ask.kind]
            outcome = await self.surface.answer(words.sender, ask, choice, rest)
            await self._back(words, _outcome(outcome, choice, rest))

    async def _agreed(self, words: Words, ask: ShownAsk, *, is_shown: bool) -> None:
        needs = next((way.needs for way in ask.choices if way.choice == "allow"), None)
        if not is_waiting(ask):
            outcome = await self.surface.answer(words.sender, ask, "allow")
            await self._back(words, outcome.words)
        elif needs is None or needs == "match":
            await self._back(words, ELSEWHERE if ask.kind != "question" else "Pick an answer, or reply with your own.")
        elif not is_shown:
            await self._back(words, "Not all of it, as it is now, stands here, so nothing was allowed. /asks shows it.")
        elif needs == "confirm":
            await self.surface.confirm(words.chat, words.message, ask, "allow")
        else:
            outcome = await self.surface.answer(words.sender, ask, "allow")
            await self._back(words, _outcome(outcome, "allow", ""))

    async def _reply(self, words: Words, text: str) -> bool:
        inbox = self.surface.tools.inbox
        found = [pressed for data in words.buttons if (pressed := seal.read(data)) is not None]
        if found and found[0].act == buttons.NEXT and self.surface.buttons.made(found[0], words.chat, None):
            await self._queued(words, found[0].argument, text)
            return True
        if found and found[0].act == buttons.CARD:
            await self._back(words, "That is a list. Press the one you mean, and answer it where it stands.")
            return True
        ask = inbox.ask(found[0].ask) if found else None
        if ask is None:
            return await self._reply_to_the_past(words, text)
        bound = {pressed.act for pressed in found if self.surface.buttons.made(pressed, words.chat, ask)}
        if not bound:
            await self._back(words, CHANGED if is_waiting(ask) else _too_late(ask))
        elif ask.kind == "question" and not bound & buttons.ANSWERING:
            await self._back(words, "All of the question does not stand here, so this is no answer. /asks shows it.")
        elif ask.kind == "question":
            await Asking(self.surface).worded(words, ask, text, words.reply_to)
        elif ask.kind == "form":
            await self._back(words, "A form is filled in on the page or in assent watch; here it can be declined.")
        elif ask.kind == "permission" and text.casefold() in _AGREES and buttons.YES in bound:
            outcome = await self.surface.answer(words.sender, ask, "allow")
            await self._back(words, _outcome(outcome, "allow", ""))
        elif ask.kind == "permission" and text.casefold() in _AGREES:
            await self._agreed(words, ask, is_shown=buttons.ALLOW in bound)
        else:
            is_bare = ask.kind == "permission" and text.casefold() in _REFUSES
            await self._worded(words, ask, _BY_REPLY[ask.kind], "" if is_bare else text)
        return True

    async def _reply_to_the_past(self, words: Words, text: str) -> bool:
        """A message that has no buttons any more. What is said about a turn that ended is told when it next stops."""
        name = _LAST_LINE.search(words.reply_text)
        ask = self.surface.tools.inbox.ask(name[1]) if name else None
        if ask is None:
            return False
        if ask.kind == "stop" and not is_waiting(ask):
            await self._queued(words, ask.subject.session, text)
        elif is_waiting(ask):
            await self._back(words, "Reply to the message with the buttons, or press one of them.")
        else:
            await self._back(words, f"{_too_late(ask)} /queue tells the session something.")
        return True

    async def _worded(self, words: Words, ask: ShownAsk, wish: Wish, text: str, prompt: Prompt | None = None) -> None:
        """The hub refuses it if the ask is no longer what it was when these words were asked for."""
        if prompt is not None:
            self.surface.memory.answered(lambda other: other is prompt)
            if wish == "answer":
                await Asking(self.surface).worded(words, ask, text, prompt.card, prompt.step)
                return
        outcome = await self.surface.answer(words.sender, ask, wish, text)
        await self._back(words, _outcome(outcome, wish, text))

    async def _is_code(self, words: Words, text: str) -> bool:
        code = binding.of(self.surface.bot_id)
        if code is None or not code.tried(text):
            return False
        await self._back(words, "You are connected already.")
        return True

    async def _next(self, tap: Tap, pressed: Pressed) -> None:
        if not self.surface.buttons.made(pressed, tap.chat, None):
            await self.surface.toast(tap, UNKNOWN, is_loud=True)
            return
        await self.surface.toast(tap, "")
        asked = _ASKED["keep_going"]
        sent = await self.surface.bot.send(tap.chat, asked, reply_to=tap.message, ask_for=asked)
        self.surface.memory.nexts[tap.chat, sent] = pressed.argument

    async def _queued(self, words: Words, session: str, text: str) -> None:
        outcome = await self.surface.tools.inbox.queue(words.sender, session, text)
        await self._back(words, outcome.words)

    async def _quiet(self, tap: Tap, pressed: Pressed) -> None:
        wish = listing.wish(pressed.argument)
        if wish is None or not self.surface.buttons.made(pressed, tap.chat, None):
            await self.surface.toast(tap, UNKNOWN, is_loud=True)
            return
        outcome = await self.surface.tools.inbox.quiet(tap.sender, wish)
        await self.surface.toast(tap, outcome.words, is_loud=not outcome.is_taken)
        if outcome.is_taken:
            words = buttons.QUIETS[pressed.argument].lower()
            told = outcome.words if pressed.argument == "off" else f"Quiet: {words}."
            await self.surface.bot.edit(tap.chat, tap.message, escaped(told))

    async def _back(self, words: Words, text: str) -> None:
        await self.surface.bot.send(words.chat, escaped(text), reply_to=words.message, quiet=True)

    async def _away(self, tap: Tap) -> None:
        try:
            await self.surface.bot.delete(tap.chat, tap.message)
        except SurfaceError:
            # It went with the ask it belonged to.
            return


def _outcome(outcome: Outcome, choice: Choice, text: str) -> str:
    if not outcome.is_taken:
        return outcome.words
    return f"{DID[choice]}, and told." if text and choice == "deny" else f"{DID[choice]}."


def _too_late(ask: ShownAsk) -> str:
    return f"Too late: {cards.ending(ask, 'it is over', 0)}"
