"""Unintended ways to a yes, each tried and prevented."""

import msgspec
import pytest

from assent.protocol.card import ShownAsk
from tests.component.tui.conftest import Sit
from tests.component.tui.stand_in import StandIn
from tests.component.tui.test_behaviour import change, over
from tests.component.tui.test_sheets import NPM, WIDER
from tests.unit.tui.shown_asks import form, permission, question

pytestmark = pytest.mark.anyio


def long(name: str, lines: int, after: int = 0) -> ShownAsk:
    """One key allows it, once its end was seen."""
    ask = permission("\n".join(f"echo {name} {at}" for at in range(lines)), level="change", id=name)
    return msgspec.structs.replace(ask, opened_at=ask.opened_at + after * 1000)


async def test_end_of_one_card_is_not_the_end_of_the_next(sit: Sit) -> None:
    """Reading a long card to its end does not count for the one that takes its place."""
    async with sit(long("first", 200), long("second", 90, 1)) as seat:
        await seat.press("end")
        await seat.read()
        await seat.press("n")
        await seat.sees("echo second 0")
        await seat.read()
        await seat.press("a")
        await seat.sees("Read to its end first")
        assert seat.given == []


async def test_end_of_the_raw_input_is_not_the_end_of_the_card(sit: Sit) -> None:
    """The input as it came is something else than the card."""
    async with sit(long("first", 90)) as seat:
        await seat.press("r", "end", "r")
        await seat.read()
        await seat.press("a")
        await seat.sees("Read to its end first")
        assert seat.given == []


async def test_keys_that_came_together_are_not_read_in_between(sit: Sit) -> None:
    """The end is seen when it was painted, not when a key asked for it."""
    async with sit(long("first", 200)) as seat:
        seat.send("end")
        seat.send("a")
        await seat.settle()
        assert seat.given == []
        await seat.read()
        await seat.press("a")
        assert await seat.answered() == [("first", "allow")]
    async with sit(permission("npm ci", level="care", id="first")) as seat:
        seat.send("a")
        seat.send("enter")
        await seat.sees("press Enter")
        assert seat.app.shared.answers.given == {}
    hub = StandIn(permission("npm test", level="change"))
    hub.granted = [NPM, WIDER]
    async with sit(hub=hub, size=(60, 14)) as seat:
        await seat.press("enter", "end")
        await seat.read()
        await seat.press("R")
        await seat.sees("Always allow", "more lines")
        await seat.read()
        for key in ("space", "space", "space", "enter"):
            seat.send(key)
        await seat.sees("Read to its end first")
        assert seat.given == []


async def test_card_that_is_not_on_the_screen_is_not_answered(sit: Sit) -> None:
    """In a slim terminal the list covers the card: what was never shown there is not allowed."""
    async with sit(change("first"), change("second", 1), size=(56, 30)) as seat:
        await seat.press("enter")
        await seat.read()
        await seat.press("escape", "j")
        await seat.read()
        assert "│ touch second.txt" not in seat.screen
        await seat.press("a")
        await seat.read()
        assert seat.given == []


async def test_palette_answers_the_ask_it_was_opened_for(sit: Sit) -> None:
    """Another one may take its place below the palette."""
    async with sit(change("first"), change("second", 1)) as seat:
        await seat.press(":")
        await seat.type("ask.allow")
        await seat.tell(over(change("first")))
        await seat.later(10)
        await seat.press("enter")
        await seat.sees("touch second.txt", "so nothing was done")
        await seat.read()
        assert seat.given == []


async def test_what_lay_below_a_sheet_is_read_first(sit: Sit) -> None:
    """The next ask came while the help covered it."""
    async with sit(change("first"), change("second", 1)) as seat:
        await seat.press("?")
        await seat.tell(over(change("first")))
        await seat.later(10)
        await seat.read()
        await seat.press("escape", "a")
        assert seat.given == []


async def test_words_are_for_the_ask_they_were_typed_for(sit: Sit) -> None:
    """A note and the number of an option, typed while another ask took the place."""
    first, which, other = change("first"), question(id="which"), question(id="other")
    async with sit(first) as seat:
        for ask, name, words in ((first, "ask.note", "use stash"), (which, "view.pick", "1")):
            await seat.tell(ask)
            await seat.read()
            await seat.press(":")
            await seat.type(name)
            await seat.press("enter")
            await seat.type(words)
            await seat.tell(over(ask), which if ask is first else other)
            await seat.later(10)
            await seat.press("enter")
            await seat.sees("It changed while you typed.")
            await seat.press("escape")
        assert seat.given == []
        assert seat.app._inbox._detail.doings.note == ""


async def test_page_is_not_opened_by_a_key_for_something_else(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same key means another answer on a question, which stood there a moment before."""
    opened: list[str] = []

    def visited(address: str) -> str:
        opened.append(address)
        return "Opened."

    monkeypatch.setattr("assent.tui.asks.actions.visited", visited)
    page = form(id="pages", mode="url", url="https://evil.example/x", host="evil.example")
    async with sit(question(id="which"), msgspec.structs.replace(page, opened_at=page.opened_at + 1)) as seat:
        await seat.press("n")
        await seat.sees("evil.example")
        await seat.press("o", "o")
        assert opened == []
        await seat.read()
        await seat.press("o")
        await seat.until(lambda: opened, "the page")


async def test_copied_text_has_nothing_in_it_that_cannot_be_seen(sit: Sit) -> None:
    """The end of a paste and an Enter, hidden in a command, would run it in the shell it is pasted into."""
    async with sit(permission("ls\x1b[201~\rreboot\r\nnext", level="change")) as seat:
        await seat.press("y")
        await seat.sees("Copied")
        assert seat.app.clipboard == "ls⟨U+001B⟩[201~⟨U+000D⟩reboot⟨U+000D⟩\nnext"


async def test_answer_is_taken_back_at_any_moment(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also right after something changed: the grace period does not apply to it."""
    monkeypatch.setattr("assent.tui.asks.answers.UNDO", 30.0)
    async with sit(permission("npm ci", level="care", id="first")) as seat:
        await seat.press("a")
        await seat.read()
        await seat.press("enter")
        await seat.sees("u takes it back")
        seat.app.shared.grace.change()
        await seat.press("u")
        await seat.sees("Taken back. Nothing was sent.")
        assert seat.app.shared.answers.given == {}


async def test_ask_that_comes_back_changed_is_answered_anew(sit: Sit) -> None:
    """The answer to one revision is neither used for the next, nor does it stand in its way."""
    async with sit(change("first")) as seat:
        await seat.press("a")
        await seat.answered()
        await seat.tell(msgspec.structs.replace(change("first"), rev=2, hash="2" * 64))
        await seat.press("a")
        assert len(seat.given) == 1
        await seat.read()
        await seat.press("d")
        assert await seat.answered(2) == [("first", "allow"), ("first", "deny")]
        assert seat.hub.answers[1][1].rev == 2
