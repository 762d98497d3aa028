"""Following asks up the ladder, with a clock that is set by hand."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assent.asks.presence import Presence
from assent.config import Config, Step
from assent.config import Presence as Settings
from assent.hub.notify import follower
from assent.hub.notify.delivery import Delivery
from assent.hub.notify.escalation import Escalation, ended
from assent.hub.state_file import DebouncedFile
from assent.protocol.card import Result, Said, ShownAsk
from assent.protocol.record import Draft
from assent.surfaces.base import Audience, Ref, Surface, Traits
from tests.shown_asks import OPENED, shown
from tests.unit.hub.doubles import Broken, InForce, Recorded
from tests.waiting import seen

LADDER = (Step("page", timedelta(0)), Step("chat", timedelta(seconds=20)), Step("chat", timedelta(minutes=30)))


@dataclass
class Chat:
    """Remembers what it was told."""

    calls: list[tuple[str, str]] = field(default_factory=list)
    name: str = "chat"
    traits: Traits = field(default_factory=lambda: Traits(shows_all=True, may_answer=True, is_private=True))
    trouble: str = ""

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        self.calls.append(("remind" if audience.is_reminder else "show", audience.gist or ask.id))
        return Ref(self.name, f"{ask.id}-{len(self.calls)}")

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:
        self.calls.append(("update", audience.gist or f"{ask.id} {ask.rev}"))

    async def withdraw(self, ref: Ref, why: str) -> None:
        self.calls.append(("withdraw", ref.key))

    async def close(self) -> None:
        self.calls.append(("close", ""))


class Rig:
    def __init__(self, folder: Path, surfaces: dict[str, Surface], settings: Settings) -> None:
        self.now = OPENED
        self.records: list[Draft] = []
        self.presence = Presence()
        self.outreach = Escalation(
            surfaces,
            self.presence,
            InForce(Config(presence=settings)),
            Recorded(self.records),
            Delivery(surfaces, Recorded(self.records), self.clock),
            DebouncedFile(folder / "outreach.json"),
            self.clock,
        )
        self.outreach.delivery.calm = 0.0

    def clock(self) -> int:
        return self.now

    async def at(self, seconds: float) -> None:
        """The time has come to look again."""
        self.now = OPENED + int(seconds * 1_000)
        self.outreach.on_presence("")
        await self.settled()

    async def told(self, ask: ShownAsk) -> None:
        self.outreach.changed(ask)
        await self.settled()

    async def settled(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    def said(self) -> list[tuple[str, bool, str]]:
        bodies: list[dict[str, Any]] = [record.body for record in self.records]
        return [(body["surface"], body["sent"], body.get("why", "")) for body in bodies]


@pytest.fixture
def chat() -> Chat:
    return Chat()


@pytest.fixture
async def rig(tmp_path: Path, chat: Chat) -> AsyncIterator[Rig]:
    made = Rig(tmp_path, {"chat": chat}, Settings(ladder=LADDER))
    yield made
    await made.outreach.close()


@pytest.mark.anyio
async def test_an_ask_climbs_is_repeated_and_comes_down(rig: Rig, chat: Chat) -> None:
    """Shown at its time, reminded of at the next step, and both messages are taken back."""
    await rig.told(shown())
    await rig.at(19)
    assert chat.calls == []
    await rig.at(20)
    await rig.at(1_800)
    await rig.told(shown(state="closed", result=Result("terminal")))
    assert chat.calls == [
        ("show", "kptwm"),
        ("remind", "kptwm"),
        ("withdraw", "kptwm-2"),
        ("withdraw", "kptwm-1"),
    ]
    assert rig.said() == [("chat", True, ""), ("chat", True, "")]


@pytest.mark.anyio
async def test_the_next_push_is_known_before_it_comes(rig: Rig, chat: Chat) -> None:
    """Where something holds it back, or no one is connected, nothing is promised."""
    await rig.told(shown())
    assert rig.outreach.next_push("s1") == rig.outreach.next_push() == OPENED + 20_000
    assert rig.outreach.next_push("other") is None
    chat.trouble = "nobody is connected"
    assert rig.outreach.next_push() is None
    chat.trouble = ""
    rig.presence.typed("s1", OPENED + 15_000)
    await rig.at(21)
    assert rig.outreach.next_push() is None


@pytest.mark.anyio
async def test_records_of_pushes_name_what_they_are_about(rig: Rig) -> None:
    """They are found with the ask, the call and the session."""
    await rig.told(shown(call="c1"))
    await rig.at(20)
    [record] = rig.records
    assert (record.kind, record.ask, record.call, record.session, record.risk) == ("push", "kptwm", "c1", "s1", "care")


@pytest.mark.anyio
async def test_why_nothing_was_sent_is_on_record_once(rig: Rig, chat: Chat) -> None:
    """Looking again and again adds nothing; another reason does."""
    await rig.told(shown())
    rig.presence.typed("s1", OPENED + 15_000)
    for second in (20, 25, 30):
        await rig.at(second)
    rig.presence.page("laptop", OPENED + 31_000, focused=True)
    await rig.at(31)
    assert chat.calls == []
    assert rig.said() == [("chat", False, "you typed 5 s ago"), ("chat", False, "the page is in front of you")]


@pytest.mark.anyio
async def test_a_surface_in_trouble_is_told_once_it_is_out_of_it(rig: Rig, chat: Chat) -> None:
    """Why it could not be reached is on record; the step is not lost."""
    chat.trouble = "nobody is connected"
    await rig.told(shown())
    await rig.at(20)
    await rig.at(21)
    assert rig.said() == [("chat", False, "nobody is connected")]
    chat.trouble = ""
    await rig.at(22)
    assert chat.calls == [("show", "kptwm")]


@pytest.mark.anyio
async def test_a_surface_in_trouble_is_looked_at_again_by_itself(
    rig: Rig, chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The trouble may end without notice."""
    monkeypatch.setattr(follower, "TROUBLE_LASTS", 0)
    chat.trouble = "another program reads this bot's messages"
    await rig.told(shown())
    await rig.at(3_600)
    chat.trouble = ""
    await seen(lambda: chat.calls, "a second look")
    assert chat.calls == [("show", "kptwm")]


@pytest.mark.anyio
async def test_trouble_is_said_once_and_not_beside_every_ask(rig: Rig, chat: Chat) -> None:
    """Until it is another one, or it comes back."""
    chat.trouble = "no device has notifications turned on"
    for name in ("first", "second", "third"):
        await rig.told(shown(name, session=name))
        await rig.at(20)
    assert rig.said() == [("chat", False, "no device has notifications turned on")]
    chat.trouble = "the bot was blocked"
    await rig.at(21)
    assert rig.said()[1:] == [("chat", False, "the bot was blocked")]


@pytest.mark.anyio
async def test_who_is_away_and_cannot_be_reached_finds_that_beside_each_ask(rig: Rig, chat: Chat) -> None:
    """Nothing told them: with every ask stands why. Where something else did, nothing is said."""
    rig.presence.go_away(OPENED)
    chat.trouble = "no device has notifications turned on"
    for name in ("first", "second"):
        await rig.told(shown(name, session=name))
    await rig.at(5)
    assert [record.ask for record in rig.records] == ["first", "second"]
    other = Chat(name="other")
    rig.outreach.surfaces = {"chat": chat, "other": other}
    rig.outreach.policy = InForce(Config(presence=Settings(ladder=(*LADDER, Step("other", timedelta(0))))))
    await rig.told(shown("third", session="third"))
    assert [record.ask for record in rig.records if record.body["surface"] == "chat"] == ["first", "second"]


@pytest.mark.anyio
async def test_surfaces_that_do_not_exist_are_passed_over_in_silence(tmp_path: Path) -> None:
    """The ladder may name what is not connected here: that belongs in the log, not beside every ask."""
    rig = Rig(tmp_path, {}, Settings())
    await rig.told(shown())
    await rig.at(4_000)
    assert rig.records == []
    await rig.outreach.close()


@pytest.mark.anyio
async def test_changes_that_come_at_once_are_one_update(rig: Rig, chat: Chat) -> None:
    """Only the latest is worth telling; the same again is not."""
    await rig.told(shown())
    await rig.at(20)
    for revision in (2, 3, 4):
        rig.outreach.changed(shown(rev=revision))
    await rig.settled()
    await rig.told(shown(rev=4))
    assert chat.calls == [("show", "kptwm"), ("update", "kptwm 4")]


@pytest.mark.anyio
async def test_a_flood_is_one_message_and_the_earlier_ones_go(rig: Rig, chat: Chat) -> None:
    """Two were shown before it was a flood; the next four make one message of all, which goes with the last of them."""
    names = [f"ask{number}" for number in range(6)]
    for name in names[:2]:
        await rig.told(shown(name))
    await rig.at(20)
    for name in names[2:]:
        await rig.told(shown(name, opened_at=OPENED + 1_000))
    await rig.settled()
    assert ("show", "Paused: 6 asks in 1 s") in chat.calls
    assert [call for call in chat.calls if call[0] == "withdraw"] == [("withdraw", "ask0-1"), ("withdraw", "ask1-2")]
    assert rig.outreach.bursts.is_next("s1", rig.now) is False
    for name in names:
        await rig.told(shown(name, state="closed", result=Result("denied")))
    assert [call[0] for call in chat.calls].count("withdraw") == 3
    assert chat.calls[-1][0] == "withdraw"


@pytest.mark.anyio
async def test_trouble_with_one_ask_is_not_trouble_with_the_hub(rig: Rig, chat: Chat) -> None:
    """Whatever breaks here, the record of events goes on."""
    rig.outreach.policy = Broken()
    await rig.told(shown())
    rig.outreach.policy = InForce(Config(presence=Settings(ladder=LADDER)))
    await rig.told(shown("other"))
    await rig.at(20)
    assert ("show", "other") in chat.calls


@pytest.mark.anyio
async def test_what_was_shown_is_read_from_a_damaged_file_as_nothing(tmp_path: Path, chat: Chat) -> None:
    """A hub starts whatever it finds."""
    (tmp_path / "outreach.json").write_text("{not json")
    rig = Rig(tmp_path, {"chat": chat}, Settings(ladder=LADDER))
    rig.outreach.start([shown()])
    await rig.at(20)
    assert chat.calls == [("show", "kptwm")]
    await rig.outreach.close()


def test_how_it_ended_is_said_in_a_few_words() -> None:
    """Who answered and how, or why there was nothing left to answer."""
    ask = shown()
    assert ended(replace(ask, answer=Said(1, "person:iPhone", "allow"))) == "Allowed (iPhone)"
    assert ended(replace(ask, result=Result("expired"))) == "Expired"
    assert ended(ask) == "No longer waiting"
