"""As much of the hub as people notice from a surface: what they say is written down, and taken or refused."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from msgspec.structs import replace

from assent.protocol.card import AnswerRequest, Said, ShownAsk
from assent.protocol.session import Session
from assent.surfaces.base import Outcome, Sender
from tests.shown_asks import OPENED


@dataclass
class FakeInbox:
    known: dict[str, ShownAsk] = field(default_factory=dict)
    running: list[Session] = field(default_factory=list)
    answers: list[tuple[str, str, AnswerRequest]] = field(default_factory=list)
    queued: list[tuple[str, str]] = field(default_factory=list)
    quiets: list[float | str] = field(default_factory=list)
    strangers: list[tuple[str, str]] = field(default_factory=list)

    def add(self, *asks: ShownAsk) -> None:
        for ask in asks:
            self.known[ask.id] = ask

    async def answer(self, sender: Sender, ask: str, said: AnswerRequest) -> Outcome:
        """The first one wins; what it is about must be what is there."""
        self.answers.append((sender.id, ask, said))
        found = self.known[ask]
        if found.state not in ("open", "doubtful"):
            return Outcome(is_taken=False, words="Too late: Allowed on iPhone, 09:41:07.", ask=found)
        if (said.rev, said.hash) != (found.rev, found.hash):
            return Outcome(is_taken=False, words="What you answered is not what waits now. Look again.", ask=found)
        given = Said(OPENED, "person:Telegram", said.choice, "telegram", message=said.message)
        self.known[ask] = replace(found, state="answered", answer=given, choices=())
        return Outcome(is_taken=True, words="Taken.", ask=self.known[ask])

    def ask(self, name: str) -> ShownAsk | None:
        return self.known.get(name)

    def asks(self) -> Sequence[ShownAsk]:
        return [ask for ask in self.known.values() if ask.state in ("open", "doubtful")]

    def sessions(self) -> Sequence[Session]:
        return self.running

    async def queue(self, sender: Sender, session: str, text: str) -> Outcome:
        self.queued.append((session, text))
        return Outcome(is_taken=True, words="Queued: it is told when it next stops.")

    async def quiet(self, sender: Sender, wish: float | Literal["morning"]) -> Outcome:
        self.quiets.append(wish)
        return Outcome(is_taken=True, words="Quiet." if wish else "You are told again.")

    def stranger(self, who: str, what: str) -> None:
        self.strangers.append((who, what))
