"""What stands below a card. No comes first, and never beside yes."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assent.protocol.bodies import Choice
from assent.protocol.card import ShownAsk, Way
from assent.surfaces.glance import drawn
from assent.surfaces.links import is_button_address
from assent.surfaces.seal import Pressed, Seal
from assent.surfaces.telegram.memory import Draft

LONGEST_LABEL = 40

Button = dict[str, str]
Rows = list[list[Button]]

# What each button does, by the letter it carries.
NO: dict[str, Choice] = {"d": "deny", "c": "decline", "s": "let_stop", "x": "deny_and_stop"}
NO_WORDS = {"d": "Deny", "c": "Decline", "s": "Let it stop", "x": "Stop the turn"}
# Each opens a message that waits for words.
TELLING: dict[str, Choice] = {"t": "deny", "n": "revise", "k": "keep_going"}
TELLING_WORDS = {"t": "Deny + tell", "n": "Send notes…", "k": "Keep going…"}
ALLOW, YES, REFUSE = "a", "y", "r"
OPTION, DONE, OTHER, SEND, AGAIN = "o", "g", "f", "z", "b"
# On a card with one of these the question can be read.
ANSWERING = frozenset({OPTION, DONE, OTHER, SEND, AGAIN, YES})
CARD, QUIET, NEXT = "w", "q", "u"
# A session is known by its name; one that does not fit on a button has none.
_SESSION = re.compile(r"[A-Za-z0-9_-]{1,36}")
QUIETS = {"15m": "15 min", "1h": "1 hour", "morning": "Until morning", "off": "Not quiet"}


@dataclass(frozen=True, slots=True)
class Buttons:
    seal: Seal
    link: Callable[[str], str]
    # Words of one's own are more than an answer, and not everybody may say them.
    can_tell: bool = True

    def made(self, pressed: Pressed, chat: int, ask: ShownAsk | None) -> bool:
        """Whether this was made here, for that chat, about the ask as it is now."""
        return self.seal.is_of(pressed, str(chat), ask)

    def of(self, chat: int, ask: ShownAsk, ways: Sequence[Way], draft: Draft | None = None) -> Rows:
        needs = {way.choice: way.needs for way in ways}
        rows: Rows = []
        if "answer" in needs and draft is not None:
            rows += self._question(chat, draft)
        no = [self._one(chat, act, NO_WORDS[act], ask) for act in "dcs" if NO[act] in needs]
        if self.can_tell:
            no += [self._one(chat, act, TELLING_WORDS[act], ask) for act in "tnk" if TELLING[act] in needs]
        rows.append(no)
        rows.append(self._opening(ask))
        if "allow" in needs:
            rows.append([self._one(chat, ALLOW, "Allow once" if needs["allow"] == "press" else "Allow…", ask)])
        return [row for row in rows if row]

    def of_many(self, chat: int, ask: ShownAsk, ways: Sequence[Way]) -> Rows:
        can_stop = any(way.choice == "deny_and_stop" for way in ways)
        rows = [[self._one(chat, "x", NO_WORDS["x"], ask)] if can_stop else [], self._opening(ask)]
        return [row for row in rows if row]

    def sure(self, chat: int, ask: ShownAsk, what: Choice) -> Rows:
        """The second step of a yes."""
        yes = self._one(chat, YES, f"Yes, {ask.id}", ask, what)
        return [[yes], [self._one(chat, REFUSE, "No", ask)]]

    def listed(self, chat: int, asks: Sequence[ShownAsk], words: Callable[[ShownAsk], str]) -> Rows:
        return [[self._one(chat, CARD, words(ask), ask)] for ask in asks]

    def quiet(self, chat: int) -> Rows:
        return [[self._one(chat, QUIET, words, None, wish) for wish, words in QUIETS.items()]]

    def next_of(self, chat: int, session: str) -> Rows:
        """Below a turn that ended."""
        if not self.can_tell or not _SESSION.fullmatch(session):
            return []
        return [[self._one(chat, NEXT, "What next…", None, session)]]

    def _question(self, chat: int, draft: Draft) -> Rows:
        ask = draft.ask
        if draft.is_review:
            return [[self._one(chat, SEND, "Send", ask)], [self._one(chat, AGAIN, "Start again", ask)]]
        one = draft.questions[draft.step]
        rows: Rows = []
        for at, option in enumerate(one.options):
            mark = ("✓ " if at in draft.picked else "☐ ") if one.multi else ""
            words = drawn(f"{mark}{at + 1} · {option.label}", LONGEST_LABEL)
            rows.append([self._one(chat, OPTION, words, ask, f"{draft.step}.{at}")])
        last = [self._one(chat, DONE, "Done", ask, str(draft.step))] if one.multi else []
        if self.can_tell:
            last.append(self._one(chat, OTHER, "Other…", ask, str(draft.step)))
        return [*rows, last]

    def _opening(self, ask: ShownAsk) -> list[Button]:
        url = self.link(ask.id)
        return [{"text": "Open to review", "url": url}] if is_button_address(url) else []

    def _one(self, chat: int, act: str, words: str, ask: ShownAsk | None, argument: str = "") -> Button:
        return {"text": words, "callback_data": self.seal.data(str(chat), act, ask, argument)}
