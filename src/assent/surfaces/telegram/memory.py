"""What one life of the surface remembers. Losing it costs a second press, never an answer to something else."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from assent.protocol.card import QuestionView, ShownAsk
from assent.surfaces.kept import Kept

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
    shown: Kept[tuple[str, int], tuple[int, str]] = field(default_factory=Kept)
    prompts: Kept[Place, Prompt] = field(default_factory=Kept)
    # The same for sessions whose turn ended.
    nexts: Kept[Place, str] = field(default_factory=Kept)
    drafts: Kept[tuple[int, str], Draft] = field(default_factory=Kept)
    # Further messages about an ask that go when it is over.
    asides: Kept[str, set[Place]] = field(default_factory=Kept)
    # How many messages of a long text were sent, should the next one fail.
    parts: Kept[tuple[str, int, int], int] = field(default_factory=Kept)

    def draft(self, chat: int, ask: ShownAsk) -> Draft:
        found = self.drafts.get((chat, ask.id))
        if found is None or (found.ask.rev, found.ask.hash) != (ask.rev, ask.hash):
            found = self.drafts[chat, ask.id] = Draft(ask)
        return found

    def aside(self, ask: str, place: Place) -> None:
        self.asides[ask] = self.asides.get(ask, set()) | {place}

    def prompt_in(self, chat: int) -> Prompt | None:
        """The only one that waits there; None where there is none, or it is not clear which."""
        found = [prompt for (where, _), prompt in self.prompts.items() if where == chat]
        return found[0] if len(found) == 1 else None

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
