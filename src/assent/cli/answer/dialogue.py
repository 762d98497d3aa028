"""Terminal dialogue for one ask: card, key, answer. A yes costs more as the risk grows, for what was shown only."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from assent import forms
from assent.cli import output
from assent.cli.answer import sheets
from assent.cli.answer.card import behind_bar, card, difference, flat, title
from assent.cli.answer.keyboard import ENTER, LEAVE, LeftError, Screen
from assent.cli.answer.sending import ChangedError, Receipt, Sending, over
from assent.cli.answer.sheets import Fields
from assent.client import ApiError
from assent.errors import AnswerLostError, HubUnreachableError
from assent.forms import problem
from assent.protocol.bodies import SAFE, AskKind, Choice
from assent.protocol.card import GRANTS, FieldView, Needs, ShownAsk
from assent.protocol.queue import Item
from assent.text import ask_state, wording
from assent.text.wording import hint

_YES, _NO = ("y", "yes", "true", "1"), ("n", "no", "false", "0")


def filled(screen: Screen, ask: ShownAsk) -> dict[str, Any] | None:
    """The values, or None if it was cancelled. The hub checks them once more against the server's schema."""
    form = ask.view.form
    if form is None or form.mode == "url":
        return {}
    content: dict[str, Any] = {}
    for field in form.fields:
        while True:
            given = screen.keyboard.line(f"{title(field)}{_hint(field)}: ", hides=field.secret)
            if given is None:
                return None
            try:
                value = _value(field, given)
            except ValueError as error:
                output.say(str(error))
                continue
            if value is None:
                break
            if not (why := problem(field, value)):
                content[field.name] = value
                break
            output.say(flat(why, code=False))
    return {"content": content}


def _hint(field: FieldView) -> str:
    parts = {"boolean": " [y/n]", "choice": f" [1–{len(field.options)}]", "choices": " [numbers with commas]"}
    default = _default(field)
    shown = "" if default is None or field.secret else f" (Enter: {flat(_told(field, default), code=False)})"
    return parts.get(field.kind, "") + shown


def _told(field: FieldView, value: Any) -> str:
    if field.kind == "boolean":
        return "yes" if value else "no"
    labels = dict(field.options)
    return ", ".join(labels.get(str(each), str(each)) for each in (value if isinstance(value, list) else [value]))


def _value(field: FieldView, given: str) -> Any:
    """None for what is left empty. Raises ValueError with a sentence."""
    if not given:
        if (default := _default(field)) is None and field.required:
            raise ValueError("This must be filled in.")
        return default
    match field.kind:
        case "boolean":
            if given.lower() not in (*_YES, *_NO):
                raise ValueError("Answer y or n.")
            return given.lower() in _YES
        case "choice":
            return _option(field, given)
        case "choices":
            return [_option(field, part.strip()) for part in given.split(",")]
    return forms.value(field, given)


def _default(field: FieldView) -> Any:
    return None if field.default is None else forms.first(field)


def _option(field: FieldView, given: str) -> str:
    """By its number, or as it is called."""
    if given.isascii() and given.isdigit() and 1 <= int(given) <= len(field.options):
        return field.options[int(given) - 1][0]
    option = next((value for value, label in field.options if given in (value, label)), None)
    if option is None:
        raise ValueError(f"Pick from 1 to {len(field.options)}.")
    return option


# Between two looks at whether it still waits.
LOOK = 1.0
ARMED_FOR = 10.0

# Key, choice and words, in the order in which they are read: a no comes first and is one press.
KEYS: dict[AskKind, tuple[tuple[str, Choice, str], ...]] = {
    "permission": (
        ("d", "deny", hint("deny")),
        ("D", "deny", "tell…"),
        ("N", "deny_here", hint("deny_here")),
        ("x", "deny_and_stop", hint("deny_and_stop")),
        ("e", "allow_edited", hint("allow_edited")),
        ("a", "allow", hint("allow")),
        ("A", "allow_here", hint("allow_here")),
        ("m", "allow_for", hint("allow_for")),
        ("s", "allow_session", hint("allow_session")),
        ("R", "allow_project", hint("allow_project")),
        ("t", "hand_back", hint("hand_back")),
    ),
    "question": (
        ("d", "deny", hint("deny", "question")),
        ("a", "answer", hint("answer")),
        ("t", "hand_back", hint("hand_back")),
    ),
    "plan": (("d", "revise", hint("revise")), ("a", "approve", hint("approve")), ("t", "hand_back", hint("hand_back"))),
    "form": (
        ("d", "decline", hint("decline")),
        ("c", "cancel", hint("cancel")),
        ("a", "submit", hint("submit")),
        ("t", "hand_back", hint("hand_back")),
    ),
    "stop": (("d", "let_stop", hint("let_stop")), ("a", "keep_going", hint("keep_going"))),
}
_ALWAYS = (("r", "raw"), ("q", "leave"))


@dataclass(frozen=True, slots=True)
class Wish:
    """What stood on the command line."""

    choice: Choice | None = None
    message: str = ""
    grant: str = ""
    edit: str | None = None
    mode: str = ""
    hours: int | None = None
    minutes: int | None = None


@dataclass(slots=True)
class Dialogue:
    screen: Screen
    sending: Sending
    wish: Wish
    ask: ShownAsk
    # What waits for the session, and replies to pick from.
    queued: Sequence[Item] = ()
    snippets: Sequence[str] = ()

    def run(self) -> Receipt:
        """Raises LeftError, AnswerLostError."""
        while True:
            self.screen.show(["", *card(self.ask, time.time() * 1000, self.screen.width, self.queued), ""])
            try:
                return self._asked()
            except ChangedError as error:
                output.say(output.styled(error.message, "warn"))
                self.ask = self.sending.client.ask(self.ask.id)
                if not ask_state.is_waiting(self.ask):
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
        changed = [("v", "what changed")] if self.ask.round is not None else []
        for line in _hints((*shown, *changed, *_ALWAYS), self.screen.width):
            output.say(line)
        while True:
            key = self._key()
            if key == "r":
                raw = msgspec.json.format(msgspec.json.encode(self.ask.view.raw), indent=2).decode()
                self.screen.show(list(behind_bar(raw, self.screen.width)))
            elif key == "v" and self.ask.round is not None:
                self.screen.show(difference(self.ask, self.screen.width))
            elif key in LEAVE:
                return key, None
            elif key in keys:
                return key, keys[key]

    def _key(self) -> str:
        """The next press. Meanwhile it may be answered elsewhere, it may change, and the hub may go and come back."""
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
        if not ask_state.is_waiting(now):
            raise AnswerLostError(over(now))
        if (now.rev, now.hash) != (self.ask.rev, self.ask.hash):
            raise ChangedError("It changed while you looked. Here it is again.")
        # A hub that started again knows of it before the agent has come back to wait for the answer.
        return bool(now.choices)

    def _answered(self, choice: Choice | None, key: str) -> Receipt | None:
        """None where it was cancelled."""
        choice = self._scope() if key == "R" else choice
        fields = self._fields(choice, key) if choice is not None else None
        if choice is None or fields is None:
            return None
        if choice in SAFE:
            return self.sending.send(self.ask, choice, **fields)
        needs: Needs = next((way.needs for way in self.ask.choices if way.choice == choice), "match")
        # What stood on the command line was said before the card was shown, and after a sheet Enter was pressed last.
        if needs != "match" and (key, choice) != ("a", "allow"):
            self.screen.keyboard.settle()
            if (
                self.screen.choose(f"a: {wording.CHOICES[choice].confirm}; any other key leaves it as it is.", "a")
                != "a"
            ):
                return None
        paid = self._paid(needs, choice)
        return None if paid is None else self.sending.send(self.ask, choice, **fields, **paid)

    def _fields(self, choice: Choice, key: str) -> Fields | None:
        screen, wish, ask = self.screen, self.wish, self.ask
        made: dict[Choice, Callable[[], Fields | None]] = {
            "allow_edited": lambda: sheets.edit(screen, ask, wish.edit),
            "answer": lambda: sheets.answers(screen, ask),
            "approve": lambda: {"mode": wish.mode} if wish.mode else sheets.mode(screen),
            "submit": lambda: filled(screen, ask),
            "keep_going": lambda: (
                {"message": wish.message} if wish.message else sheets.next_step(screen, self.snippets)
            ),
            "revise": lambda: _said(
                wish.message or sheets.words(screen, "What should change in the plan?", self.snippets)
            ),
        }
        if choice in made:
            return made[choice]()
        if key == "D":
            return _said(sheets.words(screen, "Tell it why", self.snippets))
        if choice == "allow_here":
            return sheets.stay(screen, ask, wish.grant, wish.hours)
        if choice == "allow_for":
            return sheets.for_minutes(screen, ask, wish.grant, wish.minutes)
        if choice == "deny_here":
            fields = sheets.denial(screen, self.sending.client.denials(ask.id), wish.grant)
            return None if fields is None else {**fields, **({"message": wish.message} if wish.message else {})}
        note: Fields = {"message": wish.message} if wish.message else {}
        if choice in GRANTS:
            fields = sheets.grant(screen, ask, self.sending.client.offers(ask.id), choice, wish.grant)
            return None if fields is None else {**fields, **note}
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
            self.screen.prompt(f"Enter: {wording.CHOICES[choice].confirm}; any other key takes it back. ")
            is_sure = self.screen.keyboard.key(ARMED_FOR) in ENTER
            output.say("" if is_sure else "Taken back. Nothing was sent.")
            return {} if is_sure else None
        word = self.screen.keyboard.line(f"To {wording.CHOICES[choice].confirm}, type the match word: ") or ""
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
