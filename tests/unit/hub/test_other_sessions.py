"""Sessions of other hubs that share a journal: known when somebody looks, and then no more often than need be."""

import time
from collections.abc import Sequence
from typing import Any

import pytest

from assent.hub import other_sessions as module
from assent.hub.bus import now_ms
from assent.hub.other_sessions import OtherSessions
from assent.journal.base import Chain, JournalError
from assent.journal.memory import MemoryJournal
from assent.protocol.record import Draft
from assent.protocol.session import Session

pytestmark = pytest.mark.anyio


class Shared(MemoryJournal):
    """The journal of one hub in a database of several."""

    def __init__(self, *others: MemoryJournal) -> None:
        super().__init__("aa")
        self.chains = {other.hub: other for other in others}
        self.asked: list[str] = []
        self.is_away = False

    def of(self, hub: str) -> Chain:
        if self.is_away:
            raise JournalError("The journal's server does not answer.")
        self.asked.append(hub)
        return self.chains[hub]

    async def machines(self) -> dict[str, str]:
        return {"bb": "devbox"}


def event(session: str, name: str = "PreToolUse", at: int | None = None) -> Draft:
    body: dict[str, Any] = {
        "event": name,
        "harness": "claude-code",
        "project": "/src/shop",
        "payload": {"session_id": session},
    }
    return Draft(at=now_ms() if at is None else at, kind="event", session=session, body=body)


async def told(journal: Shared, others: dict[str, int], hub: str, drafts: Sequence[Draft]) -> None:
    """Recorded there, and heard of here."""
    await journal.chains[hub].append(drafts)
    others[hub] = (await journal.chains[hub].head()).seq


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_000.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def names(sessions: Sequence[Session]) -> list[tuple[str, str]]:
    return [(session.machine or session.hub, session.id) for session in sessions]


async def test_sessions_of_others_are_marked_by_machine(clock: Clock) -> None:
    """By the hub's own name where it recorded none; nobody can jump to its terminal from here."""
    journal, others = Shared(MemoryJournal("bb"), MemoryJournal("cc")), dict[str, int]()
    sessions = OtherSessions(journal, others)
    assert await sessions.now() == []
    now = now_ms()
    await told(journal, others, "bb", [event("one", at=now)])
    await told(journal, others, "cc", [event("two", at=now + 1), event("two", "SessionEnd", now + 2)])
    shown = await sessions.now()
    assert names(shown) == [("cc", "two"), ("devbox", "one")]
    assert [session.state for session in shown] == ["ended", "working"]
    assert [(session.terminal, session.pid) for session in shown] == [(None, None)] * 2


async def test_nothing_is_read_more_often_than_news_come(clock: Clock) -> None:
    """However many look; and only what is new, of those that recorded something."""
    journal, others = Shared(MemoryJournal("bb"), MemoryJournal("cc")), dict[str, int]()
    sessions = OtherSessions(journal, others)
    await told(journal, others, "bb", [event("one")])
    await told(journal, others, "cc", [event("two")])
    for _ in range(5):
        await sessions.now()
    assert journal.asked == ["bb", "cc"]
    await told(journal, others, "bb", [event("three")])
    clock.now += module.LOOK
    assert len(await sessions.now()) == 3
    assert journal.asked == ["bb", "cc", "bb"]


async def test_hub_that_nobody_asks_reads_nothing() -> None:
    """News alone are no reason."""
    journal, others = Shared(MemoryJournal("bb")), dict[str, int]()
    OtherSessions(journal, others)
    await told(journal, others, "bb", [event("one")])
    assert journal.asked == []


async def test_hub_far_ahead_is_known_by_its_newest_records(clock: Clock) -> None:
    """A history of a million records is not read for a list."""
    journal, others = Shared(MemoryJournal("bb")), dict[str, int]()
    sessions = OtherSessions(journal, others)
    await told(journal, others, "bb", [event("old"), *[event("new")] * module.NEWEST])
    assert names(await sessions.now()) == [("devbox", "new")]


async def test_old_sessions_and_practice_are_left_out(clock: Clock) -> None:
    """A machine that was switched off says nothing of its sessions any more."""
    journal, others = Shared(MemoryJournal("bb")), dict[str, int]()
    await told(journal, others, "bb", [event("gone", at=now_ms() - module.RECENT_MS - 1), event("demo-1")])
    assert await OtherSessions(journal, others).now() == []


async def test_server_that_is_away_leaves_what_was_known(clock: Clock) -> None:
    """And is asked again later."""
    journal, others = Shared(MemoryJournal("bb")), dict[str, int]()
    sessions = OtherSessions(journal, others)
    await told(journal, others, "bb", [event("one")])
    before = await sessions.now()
    journal.is_away = True
    await told(journal, others, "bb", [event("two")])
    clock.now += module.LOOK
    assert await sessions.now() == before
    assert sessions._trouble == "The journal's server does not answer."
    journal.is_away = False
    clock.now += module.LOOK
    assert len(await sessions.now()) == 2
    assert sessions._trouble == ""
