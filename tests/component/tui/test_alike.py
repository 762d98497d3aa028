"""Asks that are alike, answered at once from the terminal: all of each is shown, and each has its own answer."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assent.client import ApiError
from assent.protocol.card import ShownAsk
from tests.component.hub.ask_client import hook, one
from tests.component.hub.ask_client import permission as request
from tests.component.hub_process import running_hub
from tests.component.tui.conftest import Seat, Sit
from tests.component.tui.real_hub import real
from tests.unit.tui.shown_asks import OPENED, permission

pytestmark = pytest.mark.anyio

NAMES = ("one", "two", "three")


def run_of_tests(name: str, after: int = 0, **more: Any) -> ShownAsk:
    at = OPENED + after * 60_000
    return permission(f"pytest -q {name}.py", level="care", id=name, opened_at=at, **more)


def three() -> list[ShownAsk]:
    return [run_of_tests(name, at) for at, name in enumerate(NAMES)]


async def opened(seat: Seat, count: int = 3) -> None:
    await seat.press("=")
    await seat.sees(f"Answer these {count} at once")
    await seat.read()


@pytest.mark.parametrize(("key", "choice"), [("a", "allow"), ("d", "deny")])
async def test_each_is_shown_whole_and_answered_as_it_was_shown(sit: Sit, key: str, choice: str) -> None:
    """Bound to the revision and the hash of each."""
    asks = [msgspec.structs.replace(ask, rev=at + 1, hash=f"{at}" * 64) for at, ask in enumerate(three())]
    async with sit(*asks, size=(100, 60)) as seat:
        assert "= these 3…" in seat.screen
        await opened(seat)
        for at, name in enumerate(NAMES):
            assert f"{at + 1} of 3 · {name}" in seat.screen
            assert f"│ pytest -q {name}.py" in seat.screen
        await seat.press(key)
        assert await seat.answered(3) == [(name, choice) for name in NAMES]
        assert [(answer.rev, answer.hash) for _, answer in seat.hub.answers] == [(ask.rev, ask.hash) for ask in asks]


async def test_key_that_comes_with_the_sheet_answers_nothing(sit: Sit) -> None:
    """It was not read yet."""
    async with sit(*three(), size=(100, 60)) as seat:
        await seat.press("=")
        await seat.sees("Answer these 3 at once")
        await seat.press("a")
        await seat.sees("That came too soon")
        await seat.press("escape")
        assert seat.given == []


async def test_allow_waits_for_the_end_and_a_deny_does_not(sit: Sit) -> None:
    """On a screen that holds one of them at a time."""
    async with sit(*three(), size=(80, 24)) as seat:
        await opened(seat)
        await seat.press("a")
        await seat.sees("Read to its end first")
        assert seat.given == []
        await seat.read()
        await seat.press("d")
        assert await seat.answered(3) == [(name, "deny") for name in NAMES]


async def test_esc_answers_nothing(sit: Sit) -> None:
    async with sit(*three()) as seat:
        await opened(seat)
        await seat.press("escape")
        await seat.until(lambda: len(seat.app.screen_stack) == 1, "the end of the sheet")
        assert seat.given == []
        assert seat.app.shared.answers.given == {}


async def test_late_and_changed_ones_are_named_and_the_others_answered(sit: Sit) -> None:
    """While the sheet is open one is answered elsewhere and one comes back as something else."""
    async with sit(*three(), size=(100, 60)) as seat:
        await opened(seat)
        changed = run_of_tests("two", 1, rev=2, hash="2" * 64)
        await seat.tell(msgspec.structs.replace(seat.hub.asks["one"], state="told"), changed)
        await seat.read()
        await seat.press("a")
        assert await seat.answered() == [("three", "allow")]
        await seat.sees("2 of 3 not answered. one: too late; two: it changed meanwhile")
        assert {*seat.app.shared.answers.refused} == {"one", "two"}
        assert seat.given == [("three", "allow")]


async def test_hub_that_refuses_all_of_them_is_told_once(sit: Sit) -> None:
    """None was answered, and all can be answered again."""
    async with sit(*three(), size=(100, 60)) as seat:
        seat.hub.refusal = ApiError(409, "not-alike", "These are not alike any more. Nothing was answered.")
        await opened(seat)
        await seat.press("a")
        await seat.sees("These are not alike any more.")
        assert seat.app.shared.answers.given == {}
        assert {*seat.app.shared.answers.refused} == {*NAMES}


@pytest.mark.parametrize("other", [{"level": "danger"}, {"card_view": {"verb": "Something else"}}])
async def test_what_has_no_other_like_it_offers_nothing(sit: Sit, other: dict[str, Any]) -> None:
    """Danger never does."""
    asks = [run_of_tests("one"), permission("pytest -q two.py", **({"level": "care"} | other), id="two")]
    async with sit(*asks) as seat:
        assert "these" not in seat.lines[-1]
        assert "ask.alike" not in seat.app.possible()


async def test_two_of_danger_offer_nothing(sit: Sit) -> None:
    async with sit(permission(id="one"), permission(id="two", opened_at=OPENED + 60_000)) as seat:
        assert "ask.alike" not in seat.app.possible()


async def test_real_hub_records_each_by_itself(sit: Sit, tmp_path: Path) -> None:
    """Both agents go on, and both records say that two were answered."""
    with running_hub(tmp_path) as hub, ExitStack() as stack:
        held = [
            stack.enter_context(hook(hub, request(f"pytest -q {name}.py", session_id=name))) for name in ("one", "two")
        ]
        async with sit(hub=real(hub), size=(100, 60)) as seat:
            await seat.sees("= these 2…")
            await opened(seat, 2)
            await seat.press("a")
            await seat.until(lambda: all(one(hub, ask["id"]).get("answer") for _, ask in held), "both answers")
        assert [run.decision["behavior"] for run, _ in held] == ["allow", "allow"]
        assert [one(hub, ask["id"])["answer"]["together"] for _, ask in held] == [2, 2]
