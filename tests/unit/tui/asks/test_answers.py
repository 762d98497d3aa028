"""An answer given in the terminal: one an ask, taken back while it is held, and loud when it is not used."""

import threading

import msgspec
import pytest

from assent.client import ApiError
from assent.protocol.card import AnswerRequest, AnswersRequest, ShownAsk, Taken
from assent.tui.asks import answers as module
from assent.tui.asks.answers import Answers
from tests.unit.tui import shown_asks as asks

pytestmark = pytest.mark.anyio


class Desk:
    """A hub that remembers what it was told."""

    def __init__(self, refusal: ApiError | None = None) -> None:
        self.told: list[tuple[str, AnswerRequest]] = []
        self.refusal = refusal

    def answer(self, ask: str, said: AnswerRequest) -> None:
        assert threading.current_thread() is not threading.main_thread(), "the screen must not wait for the hub"
        if self.refusal:
            raise self.refusal
        self.told.append((ask, said))

    def answer_all(self, given: AnswersRequest) -> list[Taken]:
        """The first is taken, the others come too late."""
        if self.refusal:
            raise self.refusal
        first, *rest = given.asks
        self.told.append((first.id, AnswerRequest(rev=first.rev, hash=first.hash, choice=given.choice)))
        return [Taken(first.id), *(Taken(member.id, "too-late", "It is over.") for member in rest)]


class Screen:
    def __init__(self, desk: Desk, now: ShownAsk | None) -> None:
        self.now = now
        self.warned: list[str] = []
        self.answers = Answers(desk, lambda _: self.now, lambda _: None, self.warned.append)


def request(ask: ShownAsk) -> AnswerRequest:
    return AnswerRequest(rev=ask.rev, hash=ask.hash, choice="allow")


async def test_a_second_answer_is_not_given() -> None:
    """Two presses of a key are one answer."""
    ask, desk = asks.permission(), Desk()
    screen = Screen(desk, ask)
    screen.answers.give(ask.id, request(ask), undo=False)
    screen.answers.give(ask.id, request(ask), undo=False)
    await screen.answers.settled()
    assert len(desk.told) == 1
    assert screen.answers.phase(ask.id) == "sent"


async def test_a_held_answer_can_be_taken_back() -> None:
    """Nothing is sent then, and the ask can be answered again."""
    ask, desk = asks.permission(), Desk()
    screen = Screen(desk, ask)
    screen.answers.give(ask.id, request(ask), undo=True)
    assert screen.answers.phase(ask.id) == "held"
    assert screen.answers.undo_latest()
    await screen.answers.settled()
    assert desk.told == []
    assert screen.answers.phase(ask.id) is None


async def test_what_is_held_at_the_end_is_not_sent() -> None:
    """Leaving is no yes."""
    ask, desk = asks.permission(), Desk()
    screen = Screen(desk, ask)
    screen.answers.give(ask.id, request(ask), undo=True)
    assert screen.answers.drop_held() == 1
    await screen.answers.settled()
    assert desk.told == []


async def test_an_ask_that_changed_while_the_answer_was_held_is_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is bound to what was shown."""
    monkeypatch.setattr(module, "UNDO", 0)
    ask, desk = asks.permission(), Desk()
    screen = Screen(desk, msgspec.structs.replace(ask, rev=ask.rev + 1))
    screen.answers.give(ask.id, request(ask), undo=False)
    await screen.answers.settled()
    assert desk.told == []
    assert screen.warned == ["It changed before your answer was sent, so nothing was sent. Look again."]


async def test_without_a_hub_nothing_is_sent() -> None:
    """And it is said."""
    ask, desk = asks.permission(), Desk()
    screen = Screen(desk, None)
    screen.answers.give(ask.id, request(ask), undo=False)
    await screen.answers.settled()
    assert desk.told == []
    assert "Nothing was sent" in screen.warned[0]


async def test_an_answer_that_was_not_used_is_loud() -> None:
    """Late and refused answers are told in words, and can be given again."""
    ask = asks.permission()
    screen = Screen(Desk(ApiError(409, "too-late", "It is answered.")), ask)
    screen.answers.give(ask.id, request(ask), undo=False)
    await screen.answers.settled()
    assert screen.warned == ["Your answer came too late and was not used."]
    assert screen.answers.refused[ask.id] == screen.warned[0]
    assert screen.answers.phase(ask.id) is None


async def test_of_several_each_has_its_own_result() -> None:
    """What was not taken is named, and can be answered again."""
    first, second = asks.permission(id="first"), asks.permission(id="second")
    screen = Screen(Desk(), first)
    screen.answers.give_all([first, second], "deny")
    assert [screen.answers.phase(name) for name in ("first", "second")] == ["posting", "posting"]
    await screen.answers.settled()
    assert (screen.answers.phase("first"), screen.answers.phase("second")) == ("sent", None)
    assert screen.warned == ["1 of 2 not answered. second: too late"]


async def test_several_are_not_answered_where_one_was_already() -> None:
    """Nothing is sent at all."""
    first, second, desk = asks.permission(id="first"), asks.permission(id="second"), Desk()
    screen = Screen(desk, first)
    screen.answers.give("first", request(first), undo=True)
    screen.answers.give_all([first, second], "allow")
    assert screen.warned == ["One of them was answered meanwhile. Nothing was sent."]
    assert screen.answers.undo_latest()
    await screen.answers.settled()
    assert desk.told == []
