"""The inbox: where the list stands, and that the card never passes for another row's."""

import msgspec
import pytest

from assent.protocol.card import ShownAsk
from tests.component.tui.conftest import Seat, Sit
from tests.component.tui.test_behaviour import change
from tests.unit.tui.shown_asks import OPENED, edit, permission, plan, question, stop

pytestmark = pytest.mark.anyio


def kinds() -> list[ShownAsk]:
    every = [permission(), permission("npm ci", level="care"), edit(), question(), plan(), stop()]
    return [msgspec.structs.replace(ask, id=f"ask{at}", opened_at=OPENED + at * 60_000) for at, ask in enumerate(every)]


def line_below_list(seat: Seat) -> int:
    """From edge to edge, which no rule within the card is."""
    return next(at for at, line in enumerate(seat.lines) if set(line) <= {"─"} and line)


@pytest.mark.parametrize("rows", [16, 24, 50])
async def test_narrow_screen_has_a_line_between_list_and_card(sit: Sit, rows: int) -> None:
    """Above it a few lines of the list, and most of the screen below it."""
    async with sit(*kinds(), size=(80, rows)) as seat:
        line = line_below_list(seat)
        assert "DANGER" in seat.lines[line + 1]
        assert 4 <= line - 2 <= max(4, rows // 5)


async def test_selected_row_is_whole_on_a_small_screen(sit: Sit) -> None:
    """Down through all, up again, and after the screen became smaller."""
    asks = kinds()
    async with sit(*asks, size=(80, 24)) as seat:

        def marked() -> int:
            return sum("▌" in line for line in seat.lines[: line_below_list(seat)])

        heights = {ask.id: 3 if ask.view.line else 2 for ask in asks}
        for key in ("", *["j"] * 5, *["k"] * 5):
            await seat.press(*([key] if key else []))
            assert marked() == heights[seat.app._inbox._rows.selected or ""], seat.screen
        await seat.press("j")
        await seat.pilot.resize_terminal(80, 18)
        await seat.settle()
        assert marked() == 3


async def test_card_is_grey_until_it_is_the_selected_one(sit: Sit) -> None:
    """From the moment the selection moves; heading, text and status, and no key answers meanwhile."""
    async with sit(change("first"), change("second", 1)) as seat:
        inbox = seat.app._inbox
        detail = inbox._detail
        inbox._step(1)
        assert inbox._rows.selected == "second"
        assert detail.ask is not None
        assert detail.ask.id == "first"
        text = detail._text
        drawn = [text.source.line(y, text.cells, is_selected=False) for y in range(len(text.source))]
        styles = {style for line in (*drawn, *detail._heading(60)) for _, style in line}
        assert all(style.startswith("text-3") for style in styles), styles
        assert "first" not in "".join(piece for line in detail._status(60) for piece, _ in line)
        assert not detail.can_answer
        assert "ask.allow" not in inbox.commands()
        await seat.settle()
        await seat.sees("touch second.txt")
        assert not detail.is_behind


async def test_keys_pressed_while_the_selection_moves_answer_nothing(sit: Sit) -> None:
    """Neither the ask that was read nor the one that comes: however many keys arrive at once."""
    async with sit(change("first"), change("second", 1), change("third", 2)) as seat:
        for keys in (("j", "a"), ("j", "a", "d"), ("k", "k", "a", "enter")):
            for key in keys:
                seat.send(key)
            await seat.settle()
        assert seat.given == []
        assert seat.app.shared.answers.given == {}
        await seat.read()
        await seat.press("a")
        assert await seat.answered() == [("first", "allow")]


async def test_key_right_after_a_move_is_for_the_selected_row(sit: Sit) -> None:
    """A digit picks there and does not go to a tab."""
    asks = [change("first"), question(id="which", opened_at=OPENED + 60_000)]
    async with sit(*asks) as seat:
        seat.send("j")
        seat.send("2")
        await seat.sees("(●) PostgreSQL")
