"""What people on a surface are told, and what they may do there."""

from collections import deque
from types import SimpleNamespace
from typing import Any, cast

import pytest

from assent.config import Config
from assent.hub.notify import inbox
from assent.hub.notify.inbox import LONGEST, MOST_STRANGERS, PER, Inbox, _late, scope_of
from assent.protocol.surfaces import Scope
from assent.surfaces.base import Sender
from tests.unit.hub.doubles import InForce, Recorded

pytestmark = pytest.mark.anyio
NOW = 1_700_000_000_000
SENDER = Sender("7", "Ann")


class Parts:
    """Stands in for what the inboxes work with."""

    def __init__(self, scope: str = "instruct") -> None:
        self.now = NOW
        self.policy = InForce(Config(surface={"telegram": {"scope": scope}}))
        self.recorder = Recorded()
        self.quiet: list[int | None] = []
        self.desk = SimpleNamespace(now_ms=lambda: self.now)
        self.live = SimpleNamespace(sessions={})
        self.presence = SimpleNamespace(
            clock=lambda: self.now, settings=self.policy.config.presence, be_quiet=self.quiet.append
        )

    def open(self) -> Inbox:
        return Inbox("telegram", "Telegram", cast("Any", self))


@pytest.mark.parametrize(
    ("word", "scope"),
    [
        ("watch", Scope.WATCH),
        ("deny", Scope.DENY),
        ("answer", Scope.ANSWER),
        ("instruct", Scope.INSTRUCT),
        ("admin", Scope.WATCH),
        ("none", Scope.WATCH),
        (7, Scope.WATCH),
    ],
)
def test_scope_is_what_the_settings_say(word: object, scope: Scope) -> None:
    """A word that is none, or is for the desk alone, permits nothing."""
    assert scope_of(InForce(Config(surface={"telegram": {"scope": word}})), "telegram") is scope


def test_scope_without_settings_is_to_instruct() -> None:
    """Also where the surface has other settings."""
    assert scope_of(InForce(), "telegram") is Scope.INSTRUCT
    assert scope_of(InForce(Config(surface={"telegram": {"x": 1}})), "telegram") is Scope.INSTRUCT


@pytest.mark.parametrize(("is_waiting", "words"), [(True, "Another answer came first."), (False, "Too late: this")])
def test_late_answer_is_told_why(monkeypatch: pytest.MonkeyPatch, is_waiting: bool, words: str) -> None:
    """What was answered instead, where that is known."""
    monkeypatch.setattr(inbox, "is_waiting", lambda _: is_waiting)
    monkeypatch.setattr(inbox, "said", lambda _: "allowed")
    assert _late(cast("Any", SimpleNamespace(answer=None))).startswith(words)
    assert _late(cast("Any", SimpleNamespace(answer="x"))) == "Too late: allowed."
    assert _late(None).startswith("Too late: this does not wait")


async def test_quiet_lasts_as_long_as_was_wished() -> None:
    """In seconds, until the morning, or no longer; it is on record."""
    parts = Parts()
    made = parts.open()
    words = [(await made.quiet(SENDER, wish)).words for wish in (1.5, 0.0)]
    assert (parts.quiet, words) == ([NOW + 1_500, None], ["Quiet.", "You are told again."])
    assert (await made.quiet(SENDER, "morning")).is_taken
    assert NOW < (parts.quiet[2] or 0) <= NOW + 24 * 3_600_000
    notes = ["its user wants quiet", "its user wants quiet no longer", "its user wants quiet"]
    assert parts.recorder.notes == notes


async def test_surface_that_may_only_answer_takes_no_instruction() -> None:
    """It says which scope is needed."""
    parts = Parts("answer")
    told = [await parts.open().quiet(SENDER, 1.0), await parts.open().queue(SENDER, "s1", "go")]
    assert [outcome.is_taken for outcome in told] == [False, False]
    assert told[0].words == "Quiet needs the scope “instruct”, and Telegram has “answer”."
    assert parts.quiet == []


async def test_instruction_for_no_session_is_refused() -> None:
    """It may have ended long ago."""
    told = await Parts().open().queue(SENDER, "s1", "go")
    assert (told.is_taken, told.words) == (False, "There is no such session.")


def test_strangers_are_recorded_so_many_times_an_hour() -> None:
    """More than that would fill the record; after an hour there is room again."""
    parts = Parts()
    made = parts.open()
    for _ in range(MOST_STRANGERS + 2):
        made.stranger("eve", "x" * 999)
    assert len(parts.recorder.notes) == MOST_STRANGERS
    assert len(parts.recorder.notes[0]) < LONGEST + 100
    assert parts.recorder.drafts[0].by == "stranger:eve"
    parts.now += PER
    made.stranger("eve", "x")
    assert len(parts.recorder.notes) == MOST_STRANGERS
    parts.now += 1
    made.stranger("e" * 99, "x")
    assert len(parts.recorder.notes) == MOST_STRANGERS + 1
    assert len(parts.recorder.drafts[-1].by or "") <= len("stranger:") + 60
    assert made._strangers == deque([parts.now])
