"""Answers: what a press or a reply means, bound to the very card it was given on."""

import re
from dataclasses import dataclass

from assent.protocol.bodies import AskKind, Choice
from assent.protocol.card import ShownAsk
from assent.surfaces import binding, signing
from assent.surfaces.base import Outcome, Sender, SurfaceError
from assent.surfaces.signing import Pressed
from assent.surfaces.telegram import buttons, commands
from assent.surfaces.telegram import card as cards
from assent.surfaces.telegram.buttons import Draft, Prompt, Wish
from assent.surfaces.telegram.messages import Messages
from assent.surfaces.telegram.updates import Tap, Words
from assent.text import wording
from assent.text.ask_state import is_waiting
from assent.text.safe import escaped

_NUMBERS = re.compile(r"\d{1,2}(?:\s*[, ]\s*\d{1,2})*")
_LOST = "What was picked before is not known any more. Begin again."
_PICK = "Pick at least one, or answer in your own words."


@dataclass(frozen=True, slots=True)
class Asking:
    messages: Messages

    async def pressed(self, tap: Tap, pressed: Pressed, ask: ShownAsk) -> None:
        """The press was checked: it belongs to this ask as it is now."""
        draft = self.messages.memory.draft(tap.chat, ask)
        toast = self.messages.toast
        if not is_waiting(ask):
            # The hub says why, and keeps the attempt on record.
            outcome = await self.messages.answer(tap.sender, ask, "answer", answers=draft.told())
            await toast(tap, outcome.words, is_loud=True)
        elif pressed.act == buttons.AGAIN:
            draft.step, draft.answers = 0, []
            draft.picked.clear()
            await toast(tap, "")
            await self._redraw(tap.chat, tap.message, ask)
        elif pressed.act in (buttons.SEND, buttons.YES):
            words = await self._sent(tap.chat, tap.message, tap.sender, draft, is_sure=pressed.act == buttons.YES)
            await toast(tap, words, is_loud=bool(words) and words != wording.said("answer"))
        elif self._step(pressed) != draft.step:
            await toast(tap, _LOST if draft.step == 0 else "", is_loud=draft.step == 0)
            await self._redraw(tap.chat, tap.message, ask)
        else:
            words = await self._picked(tap, pressed, draft)
            await toast(tap, words, is_loud=bool(words) and words != wording.said("answer"))

    async def worded(self, words: Words, ask: ShownAsk, text: str, card: int, step: int | None = None) -> None:
        draft = self.messages.memory.draft(words.chat, ask)
        if draft.is_review or (step is not None and step != draft.step):
            reply = "Press Send or Start again." if draft.is_review else _LOST
        else:
            draft.answered(self._meant(draft, text))
            reply = await self._advanced(words.chat, card, words.sender, draft)
        if reply:
            await self.messages.bot.send(words.chat, escaped(reply), reply_to=words.message, quiet=True)

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
            await self.messages.confirm(chat, card, ask, "answer")
            return ""
        outcome = await self.messages.answer(sender, ask, "answer", answers=draft.told())
        if outcome.is_taken:
            return wording.said("answer")
        self.messages.memory.drafts.pop((chat, ask.id), None)
        if outcome.ask is not None and is_waiting(outcome.ask):
            await self._redraw(chat, card, outcome.ask)
        return outcome.words

    async def _redraw(self, chat: int, message: int, ask: ShownAsk) -> None:
        await self.messages.redraw(chat, message, ask)

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


_TYPED = re.compile(r"(yes|no)\s+([a-km-z]{5})(?:\s+(.+))?", re.IGNORECASE | re.DOTALL)
_LAST_LINE = re.compile(rf"^{cards.ID}([a-km-z]{{5}})\b.*\Z", re.MULTILINE)
# Taking an agreement for a deny would be safe, and wrong.
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
    messages: Messages

    async def tapped(self, tap: Tap) -> None:
        pressed = signing.read(tap.data)
        if pressed is None:
            await self.messages.toast(tap, "This button is none of mine.", is_loud=True)
        elif pressed.act == buttons.QUIET:
            await self._quiet(tap, pressed)
        elif pressed.act == buttons.NEXT:
            await self._next(tap, pressed)
        elif (ask := self.messages.tools.inbox.ask(pressed.ask)) is None:
            await self.messages.toast(tap, UNKNOWN, is_loud=True)
        elif not self.messages.buttons.made(pressed, tap.chat, ask):
            await self.messages.toast(tap, CHANGED if is_waiting(ask) else _too_late(ask), is_loud=True)
        else:
            await self._pressed(tap, pressed, ask)

    async def said(self, words: Words) -> bool:
        """Whether it was an answer to anything."""
        text = words.text.strip()
        if commands.is_command(text):
            return False
        if prompt := self.messages.memory.prompts.pop((words.chat, words.reply_to), None):
            await self._worded(words, prompt.ask, prompt.wish, text, prompt)
        elif session := self.messages.memory.nexts.pop((words.chat, words.reply_to), ""):
            await self._queued(words, session, text)
        elif typed := _TYPED.fullmatch(text):
            await self._typed(words, typed[1].lower() == "yes", typed[2].lower(), (typed[3] or "").strip())
        elif text.startswith("/"):
            return False
        elif words.reply_to:
            return await self._reply(words, text)
        elif prompt := self.messages.memory.prompt_in(words.chat):
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
            await self.messages.toast(tap, "" if is_waiting(ask) else _too_late(ask), is_loud=not is_waiting(ask))
            if is_waiting(ask):
                await self.messages.show_again(tap.chat, ask)
        elif act == buttons.OTHER:
            await self._ask_for_words(tap, ask, "answer", int(pressed.argument))
        else:
            await Asking(self.messages).pressed(tap, pressed, ask)

    async def _allow(self, tap: Tap, ask: ShownAsk) -> None:
        needs = next((way.needs for way in ask.choices if way.choice == "allow"), None)
        if needs == "confirm":
            await self.messages.toast(tap, "")
            await self.messages.confirm(tap.chat, tap.message, ask, "allow")
        elif needs == "match":
            await self.messages.toast(tap, ELSEWHERE, is_loud=True)
        else:
            # Where nothing is offered any more the hub says why, and keeps it on record.
            await self._settle(tap, ask, "allow")

    async def _settle(self, tap: Tap, ask: ShownAsk, choice: Choice, *, is_aside: bool = False) -> None:
        outcome = await self.messages.answer(tap.sender, ask, choice)
        words = wording.said(choice) if outcome.is_taken else outcome.words
        await self.messages.toast(tap, words, is_loud=not outcome.is_taken)
        if is_aside:
            await self._away(tap)
        elif outcome.ask is not None and not outcome.is_taken and not is_waiting(outcome.ask):
            await self.messages.edit_over(ask.id, outcome.ask, outcome.words, [(tap.chat, tap.message)])

    async def _ask_for_words(self, tap: Tap, ask: ShownAsk, choice: Choice, step: int = 0) -> None:
        if not is_waiting(ask):
            await self.messages.toast(tap, _too_late(ask), is_loud=True)
            return
        await self.messages.toast(tap, "")
        wish: Wish = choice if choice in ("revise", "keep_going", "answer") else "deny"
        text = f"{_ASKED[wish]}\n{cards.ID}{ask.id}"
        memory = self.messages.memory
        memory.answered(lambda prompt: prompt.ask.id == ask.id)
        sent = await self.messages.bot.send(tap.chat, text, reply_to=tap.message, ask_for=_ASKED[wish])
        memory.prompts[tap.chat, sent] = Prompt(wish, ask, tap.message, step)
        memory.aside(ask.id, (tap.chat, sent))

    async def _typed(self, words: Words, is_yes: bool, name: str, rest: str) -> None:
        ask = self.messages.tools.inbox.ask(name)
        if ask is None:
            await self._back(words, f"Nothing is called {name}.")
        elif is_yes:
            is_shown = self.messages.memory.shown.get((name, words.chat)) == (ask.rev, ask.hash)
            await self._agreed(words, ask, is_shown=is_shown)
        else:
            choice = _NO[ask.kind]
            outcome = await self.messages.answer(words.sender, ask, choice, rest)
            await self._back(words, _outcome(outcome, choice, rest))

    async def _agreed(self, words: Words, ask: ShownAsk, *, is_shown: bool) -> None:
        needs = next((way.needs for way in ask.choices if way.choice == "allow"), None)
        if not is_waiting(ask):
            outcome = await self.messages.answer(words.sender, ask, "allow")
            await self._back(words, outcome.words)
        elif needs is None or needs == "match":
            await self._back(words, ELSEWHERE if ask.kind != "question" else "Pick an answer, or reply with your own.")
        elif not is_shown:
            await self._back(words, "Not all of it, as it is now, stands here, so nothing was allowed. /asks shows it.")
        elif needs == "confirm":
            await self.messages.confirm(words.chat, words.message, ask, "allow")
        else:
            outcome = await self.messages.answer(words.sender, ask, "allow")
            await self._back(words, _outcome(outcome, "allow", ""))

    async def _reply(self, words: Words, text: str) -> bool:
        inbox = self.messages.tools.inbox
        presses = [pressed for data in words.buttons if (pressed := signing.read(data)) is not None]
        if presses and presses[0].act == buttons.NEXT and self.messages.buttons.made(presses[0], words.chat, None):
            await self._queued(words, presses[0].argument, text)
            return True
        if presses and presses[0].act == buttons.CARD:
            await self._back(words, "That is a list. Press the one you mean, and answer it where it stands.")
            return True
        ask = inbox.ask(presses[0].ask) if presses else None
        if ask is None:
            return await self._reply_to_the_past(words, text)
        bound = {pressed.act for pressed in presses if self.messages.buttons.made(pressed, words.chat, ask)}
        if not bound:
            await self._back(words, CHANGED if is_waiting(ask) else _too_late(ask))
        elif ask.kind == "question" and not bound & buttons.ANSWERING:
            await self._back(words, "All of the question does not stand here, so this is no answer. /asks shows it.")
        elif ask.kind == "question":
            await Asking(self.messages).worded(words, ask, text, words.reply_to)
        elif ask.kind == "form":
            await self._back(words, "A form is filled in on the page or in assent watch; here it can be declined.")
        elif ask.kind == "permission" and text.casefold() in _AGREES and buttons.YES in bound:
            outcome = await self.messages.answer(words.sender, ask, "allow")
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
        ask = self.messages.tools.inbox.ask(name[1]) if name else None
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
            self.messages.memory.answered(lambda other: other is prompt)
            if wish == "answer":
                await Asking(self.messages).worded(words, ask, text, prompt.card, prompt.step)
                return
        outcome = await self.messages.answer(words.sender, ask, wish, text)
        await self._back(words, _outcome(outcome, wish, text))

    async def _is_code(self, words: Words, text: str) -> bool:
        code = binding.of(self.messages.bot_id)
        if code is None or not code.tried(text):
            return False
        await self._back(words, "You are connected already.")
        return True

    async def _next(self, tap: Tap, pressed: Pressed) -> None:
        if not self.messages.buttons.made(pressed, tap.chat, None):
            await self.messages.toast(tap, UNKNOWN, is_loud=True)
            return
        await self.messages.toast(tap, "")
        asked = _ASKED["keep_going"]
        sent = await self.messages.bot.send(tap.chat, asked, reply_to=tap.message, ask_for=asked)
        self.messages.memory.nexts[tap.chat, sent] = pressed.argument

    async def _queued(self, words: Words, session: str, text: str) -> None:
        outcome = await self.messages.tools.inbox.queue(words.sender, session, text)
        await self._back(words, outcome.words)

    async def _quiet(self, tap: Tap, pressed: Pressed) -> None:
        wish = commands.quiet_time(pressed.argument)
        if wish is None or not self.messages.buttons.made(pressed, tap.chat, None):
            await self.messages.toast(tap, UNKNOWN, is_loud=True)
            return
        outcome = await self.messages.tools.inbox.quiet(tap.sender, wish)
        await self.messages.toast(tap, outcome.words, is_loud=not outcome.is_taken)
        if outcome.is_taken:
            words = buttons.QUIETS[pressed.argument].lower()
            text = outcome.words if pressed.argument == "off" else f"Quiet: {words}."
            await self.messages.bot.edit(tap.chat, tap.message, escaped(text))

    async def _back(self, words: Words, text: str) -> None:
        await self.messages.bot.send(words.chat, escaped(text), reply_to=words.message, quiet=True)

    async def _away(self, tap: Tap) -> None:
        try:
            await self.messages.bot.delete(tap.chat, tap.message)
        except SurfaceError:
            # It went with the ask it belonged to.
            return


def _outcome(outcome: Outcome, choice: Choice, text: str) -> str:
    if not outcome.is_taken:
        return outcome.words
    return f"{wording.said(choice)}, and told." if text and choice == "deny" else f"{wording.said(choice)}."


def _too_late(ask: ShownAsk) -> str:
    return f"Too late: {cards.ending(ask, 'it is over', 0)}"
