"""Random orders of what agents, people and the network do to two hubs: in the end the relay knows what is so."""

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from assent.asks.open_ask import Held, Person, RefusedError
from assent.protocol.surfaces import Scope
from tests.unit.asks.fake_case import FakeCase
from tests.unit.hub.team.machines import Machine, Team, settled

DESK = Person("person:desk", "desk", Scope.ADMIN)
# What is common stands more than once.
WORDS = (
    *("open", "open", "answer", "answer", "answer", "end", "end", "change", "confirm", "confirm", "confirm", "connect"),
    *("lose", "again", "cut", "connect", "back", "away", "time"),
)
STEPS = st.lists(st.tuples(st.sampled_from(WORDS), st.integers(0, 7)), min_size=20, max_size=60)


@dataclass
class Play:
    """The laptop asks, the desktop answers; what the relay says to either waits until it is its turn."""

    team: Team = field(default_factory=Team)
    asked: list[FakeCase] = field(default_factory=list)
    answering: list["asyncio.Task[str]"] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.laptop, self.desktop = self.team.machine("laptop"), self.team.machine("desktop")
        for machine in (self.laptop, self.desktop):
            machine.link.is_slow = True
            machine.team.sharing.again_after = machine.team.judging.again_after = 0.0

    async def step(self, word: str, number: int) -> None:
        laptop, desktop = self.laptop, self.desktop
        link = (laptop if number % 2 else desktop).link
        waiting, others, unconfirmed = laptop.desk.waiting, desktop.others(), [*laptop.link.unconfirmed]
        unconfirmed += desktop.link.unconfirmed
        match word:
            case "open" if len(self.asked) < 6:
                case = FakeCase(f"r{len(self.asked)}", session=f"s{len(self.asked)}")
                self.asked.append(case)
                laptop.tasks.append(asyncio.create_task(laptop.desk.ask(case, timedelta(minutes=10))))
            case "change" if waiting:
                held = waiting[number % len(waiting)]
                assert isinstance(held.case, FakeCase)
                held.case.text += "!"
                laptop.desk.changed(held.name)
            case "end" if waiting:
                held = waiting[number % len(waiting)]
                if held.takes_answers:
                    await laptop.answer(held, "deny", DESK)
            case "answer" if others:
                work = given_there(desktop, others[number % len(others)], "allow" if number % 2 else "deny")
                self.answering.append(asyncio.create_task(work))
            case "confirm" if unconfirmed:
                unconfirmed[number % len(unconfirmed)].confirm()
            case "lose" if unconfirmed:
                unconfirmed[number % len(unconfirmed)].lose()
            case "again" if unconfirmed:
                # An earlier try that was given up arrives all the same.
                post = unconfirmed[number % len(unconfirmed)]
                sender = laptop.link if post in laptop.link.unconfirmed else desktop.link
                self.team.relay.resent(sender, post.message)
            case "cut":
                link.cut()
            case "connect":
                link.connect()
            case "away":
                link.is_mute = True
            case "back":
                link.is_mute = False
            case "time":
                self.team.relay.take_time()
        # What the agent was told is told at once, often before the relay says anything.
        for case, task in zip(self.asked, laptop.tasks, strict=True):
            if task.done():
                laptop.desk.told(case.request, delivered=True)
        for _ in range(number * 5):
            await asyncio.sleep(0)

    async def rest(self) -> None:
        """All is well from now on, and comes to its end."""
        for machine in (self.laptop, self.desktop):
            machine.link.is_slow = machine.link.is_mute = False
            if not machine.link.is_connected:
                machine.link.connect()
            for post in list(machine.link.unconfirmed):
                post.confirm()
        await settled()
        for case, task in zip(self.asked, self.laptop.tasks, strict=True):
            if task.done():
                self.laptop.desk.told(case.request, delivered=True)
        await settled()
        self.team.relay.take_time()
        await settled()

    async def check(self) -> None:
        relay, laptop = self.team.relay, self.laptop
        said = {task.result() if task.done() else "nothing" for task in self.answering}
        assert said <= {"", "unreachable", "not-known", "too-late", "changed"}
        open_here = {held.name for held in laptop.desk.waiting}
        newest = {held.name: (held.rev, held.drawn.hash) for held in laptop.desk.waiting}
        at_relay = {name: (ask.rev, laptop.team.sharing._shared[name].hash) for (_, name), ask in relay.asks.items()}
        assert at_relay == newest
        # What the desktop has answered itself is off its screen until its end is heard.
        assert self.desktop.names() == open_here
        ended = {ask.ask for ask in relay.taken} - open_here
        assert ended <= {gone.ask for gone in relay.gone}
        results: dict[str, set[Any]] = {answer.nonce: set() for answer in relay.answers}
        for result in relay.verdicts:
            results[result.nonce].add((result.is_taken, result.code))
        assert [nonce for nonce, found in results.items() if len(found) != 1] == []
        answered = [record.ask for record in await laptop.records("answer")]
        assert len(answered) == len(set(answered))


async def given_there(machine: Machine, held: Held, choice: str) -> str:
    """Why it was not taken, or is not known to be."""
    try:
        await machine.answer(held, choice)
    except RefusedError as refused:
        return refused.code
    return ""


@given(steps=STEPS)
def test_relay_shows_in_the_end_what_waits(steps: list[tuple[str, int]]) -> None:
    """Exactly the open asks, each end was told, each answer has one result, and one at most counts."""
    asyncio.run(played(steps))


async def played(steps: list[tuple[str, int]]) -> None:
    play = Play()
    try:
        for word, number in steps:
            await play.step(word, number)
        await play.rest()
        await play.check()
    finally:
        await play.team.close()
