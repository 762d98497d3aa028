"""Settings changed in the terminal: the same ones as on the page, with the hub's own validation."""

from pathlib import Path

import pytest

from assent.client import ApiError
from tests.component.hub_process import running_hub
from tests.component.tui.conftest import Seat, Sit
from tests.component.tui.real_hub import real

pytestmark = pytest.mark.anyio


async def opened(seat: Seat) -> None:
    await seat.press("g", ",")
    await seat.sees("Stance, where no rule speaks")
    await seat.read()


async def go_to(seat: Seat, label: str) -> None:
    for _ in range(20):
        if any("▌" in line and label in line for line in seat.lines):
            return
        await seat.press("j")
    raise AssertionError(f"{label} is not reached:\n{seat.screen}")


async def test_screen_shows_values_in_words_and_its_keys(sit: Sit) -> None:
    async with sit(size=(80, 24)) as seat:
        await opened(seat)
        await seat.sees("balanced: Look passes, Danger is always asked", "1h30m")
        await seat.sees("j k move  Enter change  Space next page  Esc close")


async def test_picked_value_is_sent_and_shown(sit: Sit) -> None:
    """The options stand below the setting; Enter sets the marked one."""
    async with sit() as seat:
        await opened(seat)
        await go_to(seat, "Stance")
        await seat.press("enter")
        await seat.sees("2 (●) balanced", "1-3 pick  Enter set it")
        await seat.press("3", "enter")
        await seat.sees("Written to /home/dev/.config/assent/config.toml.", "strict: Look passes, Care is asked")
        assert seat.hub.wishes == [{"stance": "strict"}]


async def test_esc_leaves_a_setting_as_it_was_and_then_the_screen(sit: Sit) -> None:
    async with sit() as seat:
        await opened(seat)
        await go_to(seat, "Stance")
        await seat.press("enter", "3", "escape")
        assert "( ) strict" not in seat.screen
        await seat.press("escape")
        await seat.until(lambda: len(seat.app.screen_stack) == 1, "the end of the screen")
        assert seat.hub.wishes == []


async def test_refusal_is_told_and_what_was_typed_is_kept(sit: Sit) -> None:
    """The hub says what is wrong; the next try begins with the same text."""
    async with sit() as seat:
        await opened(seat)
        await go_to(seat, "How long an ask waits")
        seat.hub.refusal = ApiError(422, "bad-setting", 'a duration is written like "20s" or "10m"')
        await seat.press("enter")
        await seat.type("x")
        await seat.press("enter")
        await seat.sees('a duration is written like "20s" or "10m"')
        seat.hub.refusal = None
        await seat.press("enter")
        await seat.sees("1h30mx")
        await seat.press("backspace", "backspace", "enter")
        await seat.until(lambda: seat.hub.wishes, "the change")
        assert seat.hub.wishes == [{"asks.wait": "1h30"}]


async def test_no_quiet_hours_are_written_as_never(sit: Sit) -> None:
    """From one moment to the same, as the page writes it."""
    async with sit() as seat:
        await opened(seat)
        await go_to(seat, "Quiet hours")
        await seat.press("enter", "enter")
        await seat.until(lambda: seat.hub.wishes, "the change")
        assert seat.hub.wishes == [{"presence.quiet": "00:00-00:00"}]


async def test_going_away_and_coming_back(sit: Sit) -> None:
    async with sit() as seat:
        await opened(seat)
        await go_to(seat, "Where you are")
        await seat.press("enter", "j", "enter")
        await seat.sees("The hub knows that you are away.", "away: asks go to your other screens at once")
        await seat.read()
        await seat.press("enter", "k", "enter")
        await seat.sees("The hub knows that you are here.")
        assert seat.hub.wishes == [("away", None), "back"]


async def test_real_hub_writes_the_file_and_refuses_what_is_wrong(sit: Sit, tmp_path: Path) -> None:
    """Its error stands on the screen, and the file stays as it was until the value is right."""
    with running_hub(tmp_path) as hub:
        before = hub.paths.config.read_text()
        async with sit(hub=real(hub), size=(80, 24)) as seat:
            await opened(seat)
            await go_to(seat, "How long an ask waits")
            await seat.press("enter")
            await seat.type("?")
            await seat.press("enter")
            await seat.sees("a duration is written like")
            assert hub.paths.config.read_text() == before
            await seat.press("enter", "ctrl+u")
            await seat.type("20m")
            await seat.press("enter")
            await seat.sees("Written to", "20m")
            assert 'wait = "20m"' in hub.paths.config.read_text()
