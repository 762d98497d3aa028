"""The swap race: what is shown changes in the instant of the press. No answer ever goes to something else."""

import asyncio
import hashlib
import random
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from assent.asks.desk import Desk
from assent.asks.open_ask import Drawn, Person, RefusedError, Release
from assent.asks.state import Life
from assent.asks.timeouts import Way
from assent.journal.memory import MemoryJournal
from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest, Card, GrantScope, Peril, Segment, Subject, View
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event, PermissionRequest
from assent.protocol.permission import Grant
from assent.protocol.record import Draft
from assent.protocol.surfaces import Scope

RUNS = 1_000
STEPS = 14
HARMLESS, HARMFUL = "git status", "rm -rf uploads"
CLOSED = Life("closed", "terminal")
PERSON = Person("person:page", "page", Scope.ADMIN)


@dataclass(eq=False)
class FakeCase:
    """A call whose input may change while it is shown."""

    request: str
    text: str
    harness: str = "claude-code"
    call: str | None = None
    tool_use_id: str | None = None
    project: str = "/p"
    way: Way = "beside"
    event: Event = field(init=False)
    # What ran, or would have.
    seen_by_judge: str = ""

    def __post_init__(self) -> None:
        self.event = PermissionRequest(
            session_id=f"session-{self.request}",
            tool_name="Bash",
            tool_input={"command": self.text},
        )

    async def look(self) -> bool:
        return False

    def draw(self) -> Drawn:
        self.seen_by_judge = self.text
        view = View(verb="Run a command", tool="Bash", segments=(Segment(self.text),))
        card = Card("permission", view, Subject("claude-code"), Peril("change"))
        return Drawn(card, hashlib.sha256(self.text.encode()).hexdigest(), NoOpinion("no_rule"))

    def redraw(self) -> Drawn:
        return self.draw()

    def stored(self, card: Card) -> dict[str, Any]:
        return {"text": card.view.segments[0].text}

    def restored(self, edited: dict[str, Any]) -> dict[str, Any]:
        return edited

    def denial_refused(self, grant: str) -> str | None:
        return None

    def edit_refused(self, drawn: Drawn, edited: dict[str, Any]) -> str | None:
        return None

    def content_refused(self, card: Card, content: dict[str, Any] | None) -> str | None:
        return None

    def grant_of(self, text: str, scope: GrantScope) -> Grant:
        raise ValueError("not here")

    def keeps(self, answer: AnswerRequest) -> bool:
        return False

    def lasting(self, said: AnswerRequest) -> tuple[Grant, ...]:
        return ()

    def undecided(self, decision: Decision) -> Decision:
        return decision

    def encode(self, decision: Decision) -> tuple[Output, tuple[str, ...]]:
        return SILENT, ()

    def decided(self, decision: Decision, by: str, ask: str) -> tuple[Draft, ...]:
        return (Draft(at=1, kind="decision", request=self.request, ask=ask, decision=decision.word, by=by),)


@dataclass(frozen=True)
class Shown:
    """A card as it stands on a screen, perhaps out of date."""

    name: str
    rev: int
    hash: str
    text: str


@dataclass
class Race:
    """People press while agents come, change their minds and go."""

    chance: random.Random
    journal: MemoryJournal = field(default_factory=MemoryJournal)
    waiting: list[tuple[FakeCase, "asyncio.Task[Release]"]] = field(default_factory=list)
    screen: list[Shown] = field(default_factory=list)
    # Name of the ask, the choice, and the text the person had before them.
    taken: list[tuple[str, Choice, str]] = field(default_factory=list)
    names: dict[str, FakeCase] = field(default_factory=dict)
    refused: int = 0

    def __post_init__(self) -> None:
        self.desk = Desk(self.journal.append, lambda: 1_000, lambda: 0)

    async def run(self) -> None:
        await self.arrive()
        self.look()
        steps = [self.arrive, self.change, self.end, self.press, self.press_together]
        for _ in range(STEPS):
            await self.chance.choice(steps)()
            if self.chance.random() < 0.4:
                self.look()
            for _ in range(self.chance.randrange(3)):
                await asyncio.sleep(0)
        for held in self.desk.waiting:
            self.desk.noticed(held.name, CLOSED)
        await asyncio.gather(*(task for _, task in self.waiting))

    def look(self) -> None:
        """The screen catches up."""
        self.screen = [
            Shown(held.name, held.rev, held.drawn.hash, held.drawn.card.view.segments[0].text)
            for held in self.desk.waiting
        ]

    async def arrive(self) -> None:
        case = FakeCase(str(len(self.waiting)), self.chance.choice([HARMLESS, HARMFUL]))
        self.waiting.append((case, asyncio.ensure_future(self.desk.ask(case, timedelta(minutes=1)))))
        await asyncio.sleep(0)
        held = next(held for held in self.desk.waiting if held.case is case)
        self.names[held.name] = case

    async def change(self) -> None:
        """A file the command runs is another one now, which is noticed at the next look."""
        case, _ = self.chance.choice(self.waiting)
        case.text = HARMFUL if case.text == HARMLESS else HARMLESS

    async def end(self) -> None:
        for held in self.chance.sample(self.desk.waiting, min(1, len(self.desk.waiting))):
            if self.chance.random() < 0.5:
                self.desk.noticed(held.name, CLOSED)
            else:
                self.desk.reported(held.case.event.session_id, "", "said yes at the terminal")

    async def press(self) -> None:
        if not self.screen:
            return
        shown = self.chance.choice(self.screen)
        choice: Choice = self.chance.choice(["allow", "deny"])
        try:
            await self.desk.answer(shown.name, AnswerRequest(rev=shown.rev, hash=shown.hash, choice=choice), PERSON)
        except RefusedError:
            self.refused += 1
        else:
            self.taken.append((shown.name, choice, shown.text))

    async def press_together(self) -> None:
        await asyncio.gather(self.press(), self.press(), self.press())


def test_no_answer_reaches_anything_but_what_was_shown() -> None:
    """A thousand races of presses, arrivals, changes and endings: zero wrong answers, one winner at most."""
    taken = refused = 0
    for seed in range(RUNS):
        race = Race(random.Random(seed))
        asyncio.run(race.run())
        decided = {case.request: task.result().decision for case, task in race.waiting}
        for name, choice, text in race.taken:
            case = race.names[name]
            decision = decided[case.request]
            assert isinstance(decision, Allow if choice == "allow" else Deny), (seed, name)
            if choice == "allow":
                assert case.seen_by_judge == text, (seed, name, "allowed something that was not on the screen")
        answered = [name for name, _, _ in race.taken]
        assert len(answered) == len(set(answered)), (seed, "two answers to one ask")
        allowed = {race.names[name].request for name, choice, _ in race.taken if choice == "allow"}
        assert {request for request, decision in decided.items() if isinstance(decision, Allow)} == allowed, seed
        taken, refused = taken + len(race.taken), refused + race.refused
    # The races are worth something: many answers were taken, and many came to something that had changed or gone.
    assert taken > RUNS
    assert refused > RUNS
