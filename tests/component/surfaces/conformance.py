"""What every surface must do, whatever it is made of: subclass ``Conformance`` and give it a stage."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

import pytest
from msgspec.structs import replace

from assent.asks.presence import Presence
from assent.config import Config, Step
from assent.config import Presence as Settings
from assent.hub.bus import now_ms
from assent.hub.notify.delivery import Delivery
from assent.hub.notify.escalation import Escalation
from assent.hub.notify.message import NoticeMessage, can_notify
from assent.hub.state_file import DebouncedFile
from assent.protocol.bodies import Choice, Ending, PushBody
from assent.protocol.card import AnswerRequest, Result, Said, ShownAsk, View
from assent.protocol.record import Draft
from assent.surfaces.base import Notice, Surface
from tests.shown_asks import shown
from tests.unit.hub.doubles import InForce, Recorded
from tests.waiting import seen

HOSTILE = "rm -rf ~ \x1b[2K\u202e<script>alert(1)</script> " + "x" * 12_000


class Stage(Protocol):
    """A surface, and the people in front of it."""

    surface: Surface

    def seen(self) -> dict[str, str]:
        """What people see now: the words of each message, by what it is about."""
        ...

    def answer(self, about: str, choice: Choice) -> AnswerRequest | None:
        """What the surface would send if that were pressed; None where it offers no such thing."""
        ...

    def tries(self) -> int:
        """How often the service behind it was called."""
        ...

    def limit(self, seconds: int) -> None:
        """The next call is refused with the wish to wait so long."""
        ...

    def fail(self, times: int) -> None: ...

    def lose(self) -> None:
        """The receivers are gone for good."""
        ...

    def hang(self) -> None:
        """Calls from now on are not answered."""
        ...

    def reborn(self) -> Surface:
        """The same surface in another life of the hub."""
        ...


class Hub:
    """As much of a hub as a surface ever notices."""

    def __init__(self, surface: Surface, folder: Path) -> None:
        self.records: list[Draft] = []
        self.presence = Presence()
        recorder = Recorded(self.records)
        self.outreach = Escalation(
            {surface.name: surface},
            self.presence,
            InForce(Config(presence=Settings(ladder=(Step("page", timedelta(0)), Step(surface.name, timedelta(0)))))),
            recorder,
            Delivery({surface.name: surface}, recorder),
            DebouncedFile(folder / "outreach.json"),
        )
        self.outreach.delivery.back_off = (0.01,) * 5
        self.outreach.delivery.calm = 0.01

    @property
    def pushes(self) -> list[tuple[bool, str, int]]:
        bodies = [record.body for record in self.records]
        said = [PushBody(body["surface"], body["sent"], body.get("why", ""), body.get("attempt", 1)) for body in bodies]
        return [(push.sent, push.why, push.attempt) for push in said]


@asynccontextmanager
async def running(surface: Surface, folder: Path, *asks: ShownAsk) -> AsyncIterator[Hub]:
    hub = Hub(surface, folder)
    hub.outreach.start(asks)
    try:
        yield hub
    finally:
        await hub.outreach.close()


async def until(probe: Callable[[], object], what: str) -> None:
    await seen(probe, what)


def now(name: str = "kptwm", **fields: Any) -> ShownAsk:
    at = now_ms()
    return shown(name, opened_at=at, expires_at=at + 600_000, **fields)


def answered(ask: ShownAsk, choice: Choice = "allow") -> ShownAsk:
    return replace(ask, state="answered", answer=Said(now_ms(), "person:iPhone", choice, "page"), choices=())


def closed(ask: ShownAsk, ending: Ending) -> ShownAsk:
    return replace(ask, state="closed", result=Result(ending), choices=())


class Conformance:
    """Subclasses have a fixture ``stage``."""

    @pytest.mark.anyio
    async def test_an_ask_is_shown(self, stage: Stage, tmp_path: Path) -> None:
        """It is seen, who is asking is named, and that it was sent is on record."""
        async with running(stage.surface, tmp_path) as hub:
            hub.outreach.changed(now())
            await until(lambda: hub.pushes, "the record of it")
            assert "webshop" in stage.seen()["kptwm"]
            assert hub.pushes == [(True, "", 1)]

    @pytest.mark.anyio
    async def test_an_answer_is_bound_to_what_was_shown(self, stage: Stage, tmp_path: Path) -> None:
        """Whatever can be pressed carries revision and hash; nothing that permits is offered by a view that is cut."""
        async with running(stage.surface, tmp_path) as hub:
            ask = now()
            hub.outreach.changed(ask)
            await until(stage.seen, "the ask")
            said = stage.answer("kptwm", "deny")
            assert stage.surface.traits.may_answer == (said is not None)
            if said is not None:
                assert (said.rev, said.hash, said.choice) == (ask.rev, ask.hash, "deny")
            assert stage.surface.traits.shows_all or stage.answer("kptwm", "allow") is None

    @pytest.mark.anyio
    async def test_an_answer_elsewhere_takes_it_away(self, stage: Stage, tmp_path: Path) -> None:
        """Who loses the race sees that it is over, and finds nothing to press."""
        async with running(stage.surface, tmp_path) as hub:
            hub.outreach.changed(now())
            await until(stage.seen, "the ask")
            hub.outreach.changed(answered(now()))
            await until(lambda: "kptwm" not in stage.seen(), "that it is gone")
            assert stage.answer("kptwm", "deny") is None

    @pytest.mark.anyio
    @pytest.mark.parametrize("ending", ["expired", "withdrawn", "terminal"])
    async def test_what_is_over_is_withdrawn(self, stage: Stage, tmp_path: Path, ending: Ending) -> None:
        """Expired, no longer needed, answered at the terminal: nothing stays that looks as if it could be answered."""
        async with running(stage.surface, tmp_path) as hub:
            hub.outreach.changed(now())
            await until(stage.seen, "the ask")
            hub.outreach.changed(closed(now(), ending))
            await until(lambda: not stage.seen(), "that it is gone")

    @pytest.mark.anyio
    async def test_what_was_answered_before_it_was_due_is_never_shown(self, stage: Stage, tmp_path: Path) -> None:
        """Nothing is sent for something that is over."""
        async with running(stage.surface, tmp_path) as hub:
            hub.outreach.changed(now("early"))
            hub.outreach.changed(answered(now("early")))
            hub.outreach.changed(now("later"))
            await until(stage.seen, "the other ask")
            assert list(stage.seen()) == ["later"]

    @pytest.mark.anyio
    async def test_a_changed_ask_is_shown_anew_in_the_same_place(self, stage: Stage, tmp_path: Path) -> None:
        """An answer to the old one would be refused, so the message is about the new one."""
        async with running(stage.surface, tmp_path) as hub:
            hub.outreach.changed(now())
            await until(stage.seen, "the ask")
            hub.outreach.changed(now(rev=2, hash="6" * 64))
            if stage.surface.traits.may_answer:
                await until(lambda: (said := stage.answer("kptwm", "deny")) and said.rev == 2, "the new revision")
            assert list(stage.seen()) == ["kptwm"]

    @pytest.mark.anyio
    async def test_a_restart_goes_on_where_it_stopped(self, stage: Stage, tmp_path: Path) -> None:
        """What still waits is not sent twice; it can still be withdrawn by the next life."""
        ask = now()
        async with running(stage.surface, tmp_path) as hub:
            hub.outreach.changed(ask)
            await until(lambda: hub.pushes, "the ask")
        tries = stage.tries()
        async with running(stage.reborn(), tmp_path, ask) as hub:
            hub.outreach.changed(ask)
            hub.outreach.changed(now("later"))
            await until(lambda: "later" in stage.seen(), "the later ask")
            assert (list(stage.seen()), stage.tries()) == (["kptwm", "later"], tries + 1)
            hub.outreach.changed(answered(ask))
            await until(lambda: list(stage.seen()) == ["later"], "that it is gone")

    @pytest.mark.anyio
    async def test_a_restart_forgets_nothing_that_was_to_be_sent(self, stage: Stage, tmp_path: Path) -> None:
        """A service that was down when the hub stopped is tried again by the next one."""
        ask = now()
        async with running(stage.surface, tmp_path) as hub:
            hub.outreach.delivery.back_off = (60.0,) * 5
            stage.fail(1)
            hub.outreach.changed(ask)
            await until(lambda: hub.pushes, "the first try")
        assert not stage.seen()
        async with running(stage.reborn(), tmp_path, ask):
            await until(stage.seen, "the ask")

    @pytest.mark.anyio
    async def test_what_ended_while_no_hub_ran_is_withdrawn_by_the_next(self, stage: Stage, tmp_path: Path) -> None:
        """The messages of an earlier life do not stay behind."""
        async with running(stage.surface, tmp_path) as hub:
            hub.outreach.changed(now())
            await until(lambda: hub.pushes, "the ask")
        async with running(stage.reborn(), tmp_path):
            await until(lambda: not stage.seen(), "that it is gone")

    @pytest.mark.anyio
    async def test_a_limit_is_obeyed_by_everything(self, stage: Stage, tmp_path: Path) -> None:
        """A service that wants fewer messages gets none for as long as it says, not even about other asks."""
        async with running(stage.surface, tmp_path) as hub:
            stage.limit(1)
            started = asyncio.get_running_loop().time()
            hub.outreach.changed(now("first"))
            await until(lambda: hub.pushes, "the refusal")
            hub.outreach.changed(now("second"))
            tries = stage.tries()
            await until(lambda: len(hub.pushes) == 3 and len(stage.seen()) == 2, "both asks")
            assert asyncio.get_running_loop().time() - started >= 1
            assert (tries, stage.tries()) == (1, 3)
            assert [sent for sent, _, _ in hub.pushes] == [False, True, True]

    @pytest.mark.anyio
    async def test_a_service_that_is_down_is_tried_again(self, stage: Stage, tmp_path: Path) -> None:
        """Every try is on record, with its reason."""
        async with running(stage.surface, tmp_path) as hub:
            stage.fail(2)
            hub.outreach.changed(now())
            await until(stage.seen, "the ask")
            await until(lambda: len(hub.pushes) == 3, "three tries")
            assert [(sent, attempt) for sent, _, attempt in hub.pushes] == [(False, 1), (False, 2), (True, 3)]
            assert all(why for sent, why, _ in hub.pushes if not sent)

    @pytest.mark.anyio
    async def test_a_service_that_stays_down_is_tried_as_long_as_the_ask_waits(
        self, stage: Stage, tmp_path: Path
    ) -> None:
        """The first tries are on record, and the one that worked; what is over meanwhile is never sent."""
        async with running(stage.surface, tmp_path) as hub:
            stage.fail(8)
            hub.outreach.changed(now())
            await until(stage.seen, "the ask")
            await until(lambda: len(hub.pushes) == 6, "what is on record of it")
            assert hub.pushes[-1][::2] == (True, 9)
            stage.fail(1)
            hub.outreach.delivery.back_off = (60.0,)
            hub.outreach.changed(now("later"))
            await until(lambda: len(hub.pushes) == 7, "the next failure")
            hub.outreach.changed(answered(now("later")))
            hub.outreach.changed(answered(now()))
            await until(lambda: not stage.seen(), "that both are over")

    @pytest.mark.anyio
    async def test_what_could_not_be_taken_back_is_taken_back_later(self, stage: Stage, tmp_path: Path) -> None:
        """By the same hub however often it fails, or by the next one."""
        first, second = now("first"), now("second", session="s2")
        async with running(stage.surface, tmp_path) as hub:
            for ask in (first, second):
                hub.outreach.changed(ask)
            await until(lambda: len(hub.pushes) == 2, "both asks")
            stage.fail(8)
            hub.outreach.changed(answered(first))
            await until(lambda: list(stage.seen()) == ["second"], "that the first is gone")
            hub.outreach.delivery.back_off = (60.0,)
            stage.fail(1)
            tries = stage.tries()
            hub.outreach.changed(answered(second))
            await until(lambda: stage.tries() > tries, "a try that fails")
        assert list(stage.seen()) == ["second"]
        async with running(stage.reborn(), tmp_path):
            await until(lambda: not stage.seen(), "that it is gone")

    @pytest.mark.anyio
    async def test_gone_receiver_is_not_tried_again(self, stage: Stage, tmp_path: Path) -> None:
        """What is gone for good is on record once."""
        async with running(stage.surface, tmp_path) as hub:
            stage.lose()
            hub.outreach.changed(now())
            await until(lambda: hub.pushes, "the record of it")
            assert [sent for sent, _, _ in hub.pushes] == [False]
            assert not stage.seen()

    @pytest.mark.anyio
    async def test_a_service_that_hangs_delays_no_other(self, stage: Stage, tmp_path: Path) -> None:
        """The hub tells of asks without waiting for the surface, and ends while a call still hangs."""
        async with running(stage.surface, tmp_path) as hub:
            stage.hang()
            for number in range(50):
                hub.outreach.changed(now(f"ask{number}", session=f"s{number}"))
            await until(stage.tries, "a call that hangs")
        assert hub.pushes == []

    @pytest.mark.anyio
    async def test_hostile_text_is_inert(self, stage: Stage, tmp_path: Path) -> None:
        """What an agent wrote neither steers a screen nor hides in it, and is not too long for it."""
        async with running(stage.surface, tmp_path) as hub:
            ask = now()
            subject = replace(ask.subject, project=f"/src/{HOSTILE.replace('/', '')}", title=HOSTILE)
            hub.outreach.changed(replace(ask, view=View(HOSTILE, markdown=HOSTILE), subject=subject, kind="plan"))
            await until(stage.seen, "the ask")
            words = stage.seen()["kptwm"]
            assert "\x1b" not in words
            assert "\u202e" not in words
            assert len(words) < 5_000

    @pytest.mark.anyio
    async def test_a_turn_that_ended_is_told_where_it_can_be(self, stage: Stage, tmp_path: Path) -> None:
        """Tried again as an ask is, whatever its agent wrote, and of no use once they went on; others say so once."""
        async with running(stage.surface, tmp_path) as hub:
            ended = Notice("s1", "finished", now_ms(), "/src/webshop", HOSTILE, HOSTILE)
            line = NoticeMessage(surface=stage.surface.name, notice=ended, is_due=True)
            can = can_notify(stage.surface)
            stage.fail(1 if can else 0)
            hub.outreach.delivery.see_to(line)
            await until(lambda: line.task is None, "an end of it")
            assert [sent for sent, _, _ in hub.pushes] == ([False, True] if can else [False])
            assert [ref.key for ref in line.refs] == ([ended.key] if can else [])
            line.over, line.over_at = "You went on", now_ms()
            hub.outreach.delivery.see_to(line)
            await until(lambda: line.task is None and not line.refs, "that it is over")

    @pytest.mark.anyio
    async def test_many_asks_at_once_are_one_message(self, stage: Stage, tmp_path: Path) -> None:
        """A flood of one session says how many there are, permits nothing, and goes when all of them are over."""
        async with running(stage.surface, tmp_path) as hub:
            asks = [now(f"ask{number}") for number in range(8)]
            for ask in asks:
                hub.outreach.changed(ask)
            await until(lambda: [words for words in stage.seen().values() if "Paused: 8 asks in" in words], "the count")
            await until(lambda: len(stage.seen()) == 1, "one message alone")
            about = next(iter(stage.seen()))
            assert stage.answer(about, "allow") is None
            for ask in asks:
                hub.outreach.changed(closed(ask, "denied"))
            await until(lambda: not stage.seen(), "that it is gone")
