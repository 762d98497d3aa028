"""Buttons below a card. No comes first, and never beside yes."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from assent.protocol.bodies import Choice
from assent.protocol.card import QuestionView, ShownAsk, Way
from assent.surfaces.chat import RecentDict, is_button_address
from assent.surfaces.signing import Pressed, Signer
from assent.text import wording
from assent.text.safe import notification_line

Place = tuple[int, int]
Wish = Literal["deny", "revise", "keep_going", "answer"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A message of ours that waits for words, and what they are for."""

    wish: Wish
    ask: ShownAsk
    # The card it belongs to.
    card: int
    step: int = 0


@dataclass(slots=True)
class Draft:
    """Answers of one person to the questions of one ask, so far."""

    ask: ShownAsk
    step: int = 0
    answers: list[str] = field(default_factory=list)
    picked: set[int] = field(default_factory=set)

    @property
    def questions(self) -> tuple[QuestionView, ...]:
        return self.ask.view.questions

    @property
    def is_review(self) -> bool:
        return self.step >= len(self.questions)

    def answered(self, text: str) -> None:
        self.answers.append(text)
        self.step += 1
        self.picked.clear()

    def toggled(self, option: int) -> None:
        self.picked ^= {option}

    def labels(self) -> str:
        options = self.questions[self.step].options
        return ", ".join(options[at].label for at in sorted(self.picked) if at < len(options))

    def told(self) -> dict[str, str]:
        return {one.question: answer for one, answer in zip(self.questions, self.answers, strict=False)}


@dataclass(slots=True)
class Memory:
    # What stands in full in a chat, by ask and chat: revision and hash.
    shown: RecentDict[tuple[str, int], tuple[int, str]] = field(default_factory=RecentDict)
    prompts: RecentDict[Place, Prompt] = field(default_factory=RecentDict)
    # The same for sessions whose turn ended.
    nexts: RecentDict[Place, str] = field(default_factory=RecentDict)
    drafts: RecentDict[tuple[int, str], Draft] = field(default_factory=RecentDict)
    # Further messages about an ask that go when it is over.
    asides: RecentDict[str, set[Place]] = field(default_factory=RecentDict)
    # How many messages of a long text were sent, should the next one fail.
    parts: RecentDict[tuple[str, int, int], int] = field(default_factory=RecentDict)

    def draft(self, chat: int, ask: ShownAsk) -> Draft:
        draft = self.drafts.get((chat, ask.id))
        if draft is None or (draft.ask.rev, draft.ask.hash) != (ask.rev, ask.hash):
            draft = self.drafts[chat, ask.id] = Draft(ask)
        return draft

    def aside(self, ask: str, place: Place) -> None:
        self.asides[ask] = self.asides.get(ask, set()) | {place}

    def prompt_in(self, chat: int) -> Prompt | None:
        """The only one that waits there; None where there is none, or it is not clear which."""
        prompts = [prompt for (where, _), prompt in self.prompts.items() if where == chat]
        return prompts[0] if len(prompts) == 1 else None

    def answered(self, is_it: Callable[[Prompt], bool]) -> None:
        for place in [place for place, prompt in self.prompts.items() if is_it(prompt)]:
            del self.prompts[place]

    def over(self, ask: str) -> set[Place]:
        """Forget it; the messages that have to go."""
        self.answered(lambda prompt: prompt.ask.id == ask)
        for chat, name in [key for key in self.drafts if key[1] == ask]:
            del self.drafts[chat, name]
        for name, chat in [key for key in self.shown if key[0] == ask]:
            del self.shown[name, chat]
        return self.asides.pop(ask, set())


LONGEST_LABEL = 40

Button = dict[str, str]
Rows = list[list[Button]]

# What each button does, by the letter it carries.
NO: dict[str, Choice] = {"d": "deny", "c": "decline", "s": "let_stop", "x": "deny_and_stop"}
# Each opens a message that waits for words.
TELLING: dict[str, Choice] = {"t": "deny", "n": "revise", "k": "keep_going"}
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
    signer: Signer
    link: Callable[[str], str]
    # Free text is more than an answer, and needs a scope of its own.
    can_tell: bool = True

    def made(self, pressed: Pressed, chat: int, ask: ShownAsk | None) -> bool:
        """Whether this was made here, for that chat, about the ask as it is now."""
        return self.signer.is_of(pressed, str(chat), ask)

    def of(self, chat: int, ask: ShownAsk, ways: Sequence[Way], draft: Draft | None = None) -> Rows:
        needs = {way.choice: way.needs for way in ways}
        rows: Rows = []
        if "answer" in needs and draft is not None:
            rows += self._question(chat, draft)
        no = [self._one(chat, act, wording.offer(NO[act]), ask) for act in "dcs" if NO[act] in needs]
        if self.can_tell:
            no += [self._one(chat, act, wording.TELLING[TELLING[act]], ask) for act in "tnk" if TELLING[act] in needs]
        rows.append(no)
        rows.append(self._opening(ask))
        if "allow" in needs:
            rows.append(
                [self._one(chat, ALLOW, wording.offer("allow") if needs["allow"] == "press" else "Allow…", ask)]
            )
        return [row for row in rows if row]

    def of_many(self, chat: int, ask: ShownAsk, ways: Sequence[Way]) -> Rows:
        can_stop = any(way.choice == "deny_and_stop" for way in ways)
        rows = [[self._one(chat, "x", wording.offer("deny_and_stop"), ask)] if can_stop else [], self._opening(ask)]
        return [row for row in rows if row]

    def sure(self, chat: int, ask: ShownAsk, choice: Choice) -> Rows:
        """The second step of a yes."""
        yes = self._one(chat, YES, f"Yes, {ask.id}", ask, choice)
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
            words = notification_line(f"{mark}{at + 1} · {option.label}", LONGEST_LABEL)
            rows.append([self._one(chat, OPTION, words, ask, f"{draft.step}.{at}")])
        last = [self._one(chat, DONE, "Done", ask, str(draft.step))] if one.multi else []
        if self.can_tell:
            last.append(self._one(chat, OTHER, "Other…", ask, str(draft.step)))
        return [*rows, last]

    def _opening(self, ask: ShownAsk) -> list[Button]:
        url = self.link(ask.id)
        return [{"text": "Open to review", "url": url}] if is_button_address(url) else []

    def _one(self, chat: int, act: str, words: str, ask: ShownAsk | None, argument: str = "") -> Button:
        return {"text": words, "callback_data": self.signer.data(str(chat), act, ask, argument)}
