"""Somebody reads a card and presses a key. What a yes costs grows with the risk; what they answer is what they saw."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from assent.cli import output
from assent.cli.answering import form, sheets
from assent.cli.answering.card import behind_bar, card
from assent.cli.answering.keyboard import ENTER, LEAVE
from assent.cli.answering.screen import LeftError, Screen
from assent.cli.answering.sending import ChangedError, Receipt, Sending, over
from assent.cli.answering.sheets import Fields
from assent.client import ApiError
from assent.errors import AnswerLostError, HubUnreachableError
from assent.protocol.bodies import SAFE, AskKind, Choice
from assent.protocol.card import GRANTS, Needs, ShownAsk
from assent.words import state

# Between two looks at whether it still waits.
LOOK = 1.0
ARMED_FOR = 10.0

# Key, choice and words, in the order in which they are read: a no comes first and is one press.
KEYS: dict[AskKind, tuple[tuple[str, Choice, str], ...]] = {
    "permission": (
        ("d", "deny", "deny"),
        ("D", "deny", "tell…"),
        ("x", "deny_and_stop", "stop the turn"),
        ("e", "allow_edited", "edit…"),
        ("a", "allow", "allow"),
        ("s", "allow_session", "session…"),
        ("A", "allow_project", "always…"),
        ("t", "hand_back", "terminal"),
    ),
    "question": (
        ("d", "deny", "do not answer"),
        ("a", "answer", "answer"),
        ("t", "hand_back", "terminal"),
    ),
    "plan": (("d", "revise", "send notes…"), ("a", "approve", "approve"), ("t", "hand_back", "terminal")),
    "form": (
        ("d", "decline", "decline"),
        ("c", "cancel", "cancel"),
        ("a", "submit", "submit…"),
        ("t", "hand_back", "terminal"),
    ),
    "stop": (("d", "let_stop", "let it stop"), ("a", "keep_going", "keep going…")),
}
_ALWAYS = (("r", "raw"), ("q", "leave"))
YES: dict[Choice, str] = {
    "allow": "allow it once",
    "allow_edited": "allow the edited input",
    "allow_session": "allow it for this session",
    "allow_project": "allow it in this project",
    "allow_user": "allow it in all my projects",
    "answer": "send the answer",
    "approve": "approve the plan",
    "submit": "send the form",
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What stood on the command line."""

    choice: Choice | None = None
    message: str = ""
    grant: str = ""
    edit: str | None = None
    mode: str = ""


@dataclass(slots=True)
class Dialogue:
    screen: Screen
    sending: Sending
    wish: Wish
    ask: ShownAsk

    def run(self) -> Receipt:
        """Raises LeftError, AnswerLostError."""
        while True:
            self.screen.show(["", *card(self.ask, time.time() * 1000, self.screen.width), ""])
            try:
                return self._asked()
            except ChangedError as error:
                output.say(output.styled(error.message, "warn"))
                self.ask = self.sending.client.ask(self.ask.id)
                if not state.is_waiting(self.ask):
                    raise AnswerLostError(over(self.ask)) from None

    def _asked(self) -> Receipt:
        wish = self.wish.choice
        while True:
            key, choice = ("", wish) if wish is not None else self._pressed()
            if key in LEAVE:
                raise LeftError
            try:
                receipt = self._answered(choice, key)
            except ApiError as error:
                # Something about the answer is wrong; the ask still waits.
                output.say(output.styled(str(error), "bad"))
                receipt = None
            if receipt is not None:
                return receipt
            if wish is not None:
                raise LeftError
            self.screen.keyboard.settle()

    def _pressed(self) -> tuple[str, Choice | None]:
        offered = {way.choice for way in self.ask.choices}
        keys = {key: choice for key, choice, _ in KEYS[self.ask.kind] if choice in offered}
        shown = [(key, words) for key, choice, words in KEYS[self.ask.kind] if choice in offered]
        for line in _hints((*shown, *_ALWAYS), self.screen.width):
            output.say(line)
        while True:
            key = self._key()
            if key == "r":
                raw = msgspec.json.format(msgspec.json.encode(self.ask.view.raw), indent=2).decode()
                self.screen.show(list(behind_bar(raw, self.screen.width)))
            elif key in LEAVE:
                return key, None
            elif key in keys:
                return key, keys[key]

    def _key(self) -> str:
        """The next press. Meanwhile somebody else may answer, it may change, and the hub may go and come back."""
        is_lost = False
        while True:
            key = self.screen.keyboard.key(LOOK)
            if key and not is_lost:
                return key
            was_lost, is_lost = is_lost, not self._is_there()
            if is_lost and not was_lost:
                output.say(output.styled("The hub stopped. Nothing you press is sent until it is back.", "warn"))
            elif was_lost and not is_lost:
                output.say("The hub is back, and this still waits.")
                self.screen.keyboard.settle()

    def _is_there(self) -> bool:
        """Raises ChangedError and AnswerLostError."""
        try:
            now = self.sending.client.ask(self.ask.id)
        except HubUnreachableError:
            return False
        if not state.is_waiting(now):
            raise AnswerLostError(over(now))
        if (now.rev, now.hash) != (self.ask.rev, self.ask.hash):
            raise ChangedError("It changed while you looked. Here it is again.")
        # A hub that started again knows of it before the agent has come back to wait for the answer.
        return bool(now.choices)

    def _answered(self, choice: Choice | None, key: str) -> Receipt | None:
        """None where somebody thought better of it."""
        choice = self._scope() if key == "A" else choice
        fields = self._fields(choice, key) if choice is not None else None
        if choice is None or fields is None:
            return None
        if choice in SAFE:
            return self.sending.send(self.ask, choice, **fields)
        needs: Needs = next((way.needs for way in self.ask.choices if way.choice == choice), "match")
        # What stood on the command line was said before the card was shown, and after a sheet Enter was pressed last.
        if needs != "match" and (key, choice) != ("a", "allow"):
            self.screen.keyboard.settle()
            if self.screen.choose(f"a: {YES[choice]}; any other key leaves it as it is.", "a") != "a":
                return None
        paid = self._paid(needs, choice)
        return None if paid is None else self.sending.send(self.ask, choice, **fields, **paid)

    def _fields(self, choice: Choice, key: str) -> Fields | None:
        screen, wish, ask = self.screen, self.wish, self.ask
        made: dict[Choice, Callable[[], Fields | None]] = {
            "allow_edited": lambda: sheets.edit(screen, ask, wish.edit),
            "answer": lambda: sheets.answers(screen, ask),
            "approve": lambda: {"mode": wish.mode} if wish.mode else sheets.mode(screen),
            "submit": lambda: form.filled(screen, ask),
            "keep_going": lambda: {"message": wish.message} if wish.message else sheets.next_step(screen),
            "revise": lambda: _said(wish.message or screen.words("What should change in the plan?")),
        }
        if choice in made:
            return made[choice]()
        if key == "D":
            return _said(screen.words("Tell it why"))
        note: Fields = {"message": wish.message} if wish.message else {}
        if choice in GRANTS:
            found = sheets.grant(screen, ask, self.sending.client.offers(ask.id), choice, wish.grant)
            return None if found is None else {**found, **note}
        return note

    def _scope(self) -> Choice | None:
        offered = {way.choice for way in self.ask.choices}
        scopes: dict[str, Choice] = {"s": "allow_session", "p": "allow_project", "u": "allow_user"}
        keys = "".join(sign for sign, choice in scopes.items() if choice in offered)
        return scopes.get(self.screen.choose("Where? s this session, p this project, u all my projects:", keys))

    def _paid(self, needs: Needs, choice: Choice) -> dict[str, Any] | None:
        if needs == "press":
            return {}
        if needs == "confirm":
            self.screen.prompt(f"Enter: {YES[choice]}; any other key takes it back. ")
            is_sure = self.screen.keyboard.key(ARMED_FOR) in ENTER
            output.say("" if is_sure else "Taken back. Nothing was sent.")
            return {} if is_sure else None
        word = self.screen.keyboard.line(f"To {YES[choice]}, type the match word: ") or ""
        if not word or word != self.ask.risk.match:
            output.say("That is not the match word. Nothing was sent.")
            return None
        return {"match": word}


def _said(text: str) -> Fields | None:
    return {"message": text} if text else None


def _hints(shown: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Keys and what they do, never torn apart at the end of a line."""
    line, used = "", 0
    for key, words in shown:
        size = len(key) + len(words) + 3
        if used + size > width and line:
            yield line
            line, used = "", 0
        line, used = f"{line}{output.styled(key, 'strong')} {words}  ", used + size
    yield line
