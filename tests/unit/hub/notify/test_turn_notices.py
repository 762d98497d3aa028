"""Telling people of turns that ended, in a time that passes at once."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assent.asks.presence import is_typed_by_a_person
from assent.config import Presence as Settings
from assent.config import QuietHours
from assent.hub.bus import Bus
from assent.hub.notify.escalation import Escalation
from assent.hub.notify.turn_notices import SETTLE, TurnNotices
from assent.hub.recorder import Live
from assent.protocol.card import Result, StopView, View
from assent.protocol.record import Draft, Record, chained
from assent.surfaces.base import Surface
from assent.views import sentences, sessions
from tests.fake_time import at, played
from tests.shown_asks import shown
from tests.unit.hub.chats import AtOnce, Chat, clock, ladder, reaching, second
from tests.unit.hub.doubles import Broken

PROJECT = "/src/webshop"


class Hub:
    """One life of as much of a hub as hears of turns."""

    def __init__(self, folder: Path, settings: Settings, **surfaces: Surface) -> None:
        self.records: list[Draft] = []
        self.live = Live()
        self.sessions = self.live.sessions
        self.outreach: Escalation = reaching(folder, surfaces, settings, self.records)
        self.presence = self.outreach.presence
        self.notices = TurnNotices(
            surfaces,
            self.presence,
            self.outreach.policy,
            self.outreach.recorder,
            self.outreach.delivery,
            AtOnce(folder / "notices.json"),
            clock,
            live=self.live,
        )
        self.outreach.turn_notices = self.notices
        self.bus = Bus()
        self.bus.register(self.notices)
        self.notices.start()

    def hears(self, name: str, **payload: Any) -> None:
        body: dict[str, Any] = {"event": name, "payload": {"cwd": PROJECT, **payload}}
        self._record(Draft(at=clock(), kind="event", session="s1", body=body))
        if name == "UserPromptSubmit" and is_typed_by_a_person(payload, attended=None):
            self.presence.typed("s1", clock())

    def decides(self, decision: str) -> None:
        """As it does about the end of a turn that goes on."""
        self._record(Draft(at=clock(), kind="decision", session="s1", decision=decision, body={"event": "Stop"}))

    def _record(self, draft: Draft) -> None:
        record: Record = chained(draft, hub="ab12", seq=1, prev="0" * 64)
        sessions.fold(self.sessions, record)
        self.bus.signal(record)

    def finishes(self, **payload: Any) -> None:
        self.hears("UserPromptSubmit", prompt="go")
        self.hears("Stop", last_assistant_message="All tests pass.", **payload)

    def said(self) -> list[str]:
        return [sentences.sentence(chained(draft, hub="ab12", seq=1, prev="0" * 64)) for draft in self.records]

    async def close(self) -> None:
        await self.outreach.close()
        await self.notices.close()


AWAY = replace(ladder("chat"), finished="away")
ALWAYS = replace(ladder("chat"), finished="always")
TOLD = ("notify", "finished: All tests pass.")


def test_who_is_away_hears_of_a_finished_turn_at_once_and_once(tmp_path: Path) -> None:
    """It is on record, and taken back when they go on."""

    async def story() -> None:
        chat = Chat()
        hub = Hub(tmp_path, AWAY, chat=chat)
        hub.presence.go_away(clock())
        hub.finishes()
        await at(1)
        assert chat.done == []
        await at(60)
        assert chat.done == [(SETTLE, *TOLD)]
        assert hub.said() == ["sent to chat about the finished turn"]
        hub.hears("UserPromptSubmit", prompt="<task-notification>done</task-notification>")
        hub.hears("Stop", last_assistant_message="Noted.")
        await at(120)
        assert chat.acts() == [TOLD]
        hub.hears("UserPromptSubmit", prompt="now the docs")
        await at(121)
        assert chat.acts() == [TOLD, ("withdraw", "turn-s1: You went on")]
        await hub.close()

    played(story())


@pytest.mark.parametrize("settings", [AWAY, replace(ALWAYS, finished="never")])
def test_user_who_is_there_is_told_only_on_request(tmp_path: Path, settings: Settings) -> None:
    """By default only a user who said they leave is told."""

    async def story() -> None:
        chat = Chat()
        hub = Hub(tmp_path, settings, chat=chat)
        if settings.finished == "never":
            hub.presence.go_away(clock())
        hub.finishes()
        await at(3_600)
        assert (chat.tries, hub.records) == (0, [])
        await hub.close()

    played(story())


def test_who_wants_to_hear_of_every_turn_does_once_they_seem_to_be_gone(tmp_path: Path) -> None:
    """A user who typed a moment ago is not disturbed, and that is on record; a failure is told like the rest."""

    async def story() -> None:
        chat = Chat()
        hub = Hub(tmp_path, ALWAYS, chat=chat)
        hub.hears("UserPromptSubmit", prompt="go")
        await at(30)
        hub.hears("StopFailure", error="rate_limit")
        await at(200)
        assert chat.done == [(60, "notify", "failed: rate_limit")]
        assert hub.said() == [
            "not sent to chat about the turn that failed: you typed 50 s ago",
            "sent to chat about the turn that failed",
        ]
        await hub.close()

    played(story())


def test_a_page_with_focus_replaces_a_notice(tmp_path: Path) -> None:
    """They are not told again when they leave it."""

    async def story() -> None:
        chat = Chat()
        hub = Hub(tmp_path, ALWAYS, chat=chat)
        hub.finishes()
        await at(19)
        hub.presence.page("laptop", clock(), focused=True)
        await at(600)
        assert chat.acts() == []
        assert hub.said() == ["not sent to chat about the finished turn: the page is in front of you"]
        await hub.close()

    played(story())


async def _kept_going(hub: Hub) -> None:
    hub.decides("block")


async def _goes_on_typing(hub: Hub) -> None:
    await at(1)
    hub.hears("UserPromptSubmit", prompt="and the docs")


async def _leaves(hub: Hub) -> None:
    hub.hears("SessionEnd", reason="prompt_input_exit")


async def _is_asked(hub: Hub) -> None:
    ask = shown(kind="stop", view=View("Stopped", stop=StopView("All tests pass.")))
    hub.outreach.changed(ask)
    await at(0.5)
    hub.outreach.changed(replace(ask, state="closed", result=Result("withdrawn")))


async def _works_unattended(hub: Hub) -> None:
    hub.sessions["s1"] = replace(hub.sessions["s1"], attended=False)
    hub.notices._drop("s1")
    hub.finishes()


@pytest.mark.parametrize("then", [_kept_going, _goes_on_typing, _leaves, _is_asked, _works_unattended])
def test_a_turn_that_did_not_end_or_was_seen_to_is_not_told(
    tmp_path: Path, then: Callable[[Hub], Awaitable[None]]
) -> None:
    """Kept going, typed on, left, asked about: within moments of its end it shows."""

    async def story() -> None:
        chat = Chat()
        hub = Hub(tmp_path, AWAY, chat=chat)
        hub.presence.go_away(clock())
        hub.finishes()
        await then(hub)
        await at(60)
        assert [act for act, _ in chat.acts() if act == "notify"] == []
        await hub.close()

    played(story())


def test_a_chat_that_is_down_hears_of_it_later_even_from_the_next_hub(tmp_path: Path) -> None:
    """Tried again as asks are; what waits for the end of quiet hours outlives a restart, too."""

    async def story() -> None:
        chat = Chat(down=[(0, 3_000)])
        hub = Hub(tmp_path, AWAY, chat=chat)
        hub.presence.go_away(clock())
        hub.finishes()
        await at(1_000)
        assert chat.tries > 3
        await hub.close()
        again = Hub(tmp_path, AWAY, chat=chat)
        again.sessions |= hub.sessions
        await at(3_400)
        assert chat.acts() == [TOLD]
        again.presence.go_away(clock())
        again.presence.be_quiet(clock() + 600_000)
        again.finishes()
        await at(3_500)
        assert again.said()[-1].startswith("not sent to chat about the finished turn: quiet until ")
        await again.close()
        last = Hub(tmp_path, AWAY, chat=chat)
        last.sessions |= again.sessions
        last.presence.said = again.presence.said
        await at(4_100)
        # What was told of the turn before was taken back, for its person typed.
        assert [act for act, _ in chat.acts()] == ["notify", "withdraw", "notify"]
        assert second() - chat.done[-1][0] < 120
        await last.close()

    played(story())


def test_surfaces_that_cannot_tell_of_turns_are_passed_over(tmp_path: Path) -> None:
    """Neither they nor those in trouble leave a word on record."""

    class Sign:
        name = "chat"
        traits = Chat().traits
        trouble = ""

        async def show(self, *_: Any) -> Any: ...
        async def update(self, *_: Any) -> None: ...
        async def withdraw(self, *_: Any) -> None: ...
        async def close(self) -> None: ...

    async def story() -> None:
        for surface in (Sign(), Chat(trouble="nobody is connected")):
            hub = Hub(tmp_path, AWAY, chat=surface)
            hub.presence.go_away(clock())
            hub.finishes()
            await at(second() + 60)
            assert hub.records == []
            await hub.close()

    played(story())


def test_damage_to_the_file_is_no_damage_to_the_hub(tmp_path: Path) -> None:
    """It starts, and tells of the next turn."""

    async def story() -> None:
        (tmp_path / "notices.json").write_text("{")
        chat = Chat()
        hub = Hub(tmp_path, replace(AWAY, quiet=QuietHours.parse("00:00-00:00")), chat=chat)
        hub.presence.go_away(clock())
        hub.finishes()
        await at(10)
        assert chat.acts() == [TOLD]
        await hub.close()

    played(story())


def test_trouble_with_a_turn_is_not_trouble_with_the_hub(tmp_path: Path) -> None:
    """What hears of events goes on, and so does the next turn."""

    async def story() -> None:
        chat = Chat()
        hub = Hub(tmp_path, AWAY, chat=chat)
        hub.presence.go_away(clock())
        working, hub.notices.policy = hub.notices.policy, Broken()
        hub.finishes()
        hub.notices.policy = working
        await at(5)
        assert chat.acts() == []
        hub.finishes()
        await at(10)
        assert chat.acts() == [TOLD]
        await hub.close()

    played(story())
