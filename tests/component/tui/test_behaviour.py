"""What keys do in the terminal UI, and what they never do."""

import random
from typing import Any

import msgspec
import pytest

from assent.client import ApiError
from assent.protocol.card import Result, Said, ShownAsk
from assent.protocol.session import Session
from assent.tui.keys import GRACE
from tests.component.tui.conftest import Sit
from tests.component.tui.stand_in import StandIn
from tests.unit.tui.heard_rows import row
from tests.unit.tui.shown_asks import OPENED, WEBSHOP, edit, form, permission, plan, question, stop

pytestmark = pytest.mark.anyio


def change(name: str, after: int = 0, **more: Any) -> ShownAsk:
    """One key allows it."""
    view = {"verb": f"Write {name}"}
    at = OPENED + after * 1000
    return permission(f"touch {name}.txt", level="change", id=name, opened_at=at, card_view=view, **more)


def over(ask: ShownAsk, ending: Any = "terminal", **more: Any) -> ShownAsk:
    return msgspec.structs.replace(ask, state="closed", result=Result(ending, at=OPENED + 5_000, **more))


async def test_one_key_answers_and_the_next_is_shown_but_not_answered_by_it(sit: Sit) -> None:
    """After an answer the next ask is on the screen, and further presses answer nothing."""
    async with sit(change("first"), change("second", 1), change("third", 2)) as seat:
        await seat.press("a")
        assert await seat.answered() == [("first", "allow")]
        await seat.sees("touch second.txt")
        await seat.press("a", "a", "a")
        assert seat.given == [("first", "allow")]
        await seat.read()
        await seat.press("d")
        assert await seat.answered(2) == [("first", "allow"), ("second", "deny")]


async def test_a_held_key_answers_once(sit: Sit) -> None:
    """A terminal repeats a key that is held: it has to be let go before it answers again."""
    async with sit(change("first"), change("second", 1)) as seat:
        await seat.press("a")
        await seat.answered()
        for _ in range(60):
            seat.clock.now += 1 / 30
            await seat.press("a")
        assert seat.given == [("first", "allow")]


async def test_press_answers_what_was_read_or_nothing(sit: Sit) -> None:
    """Another ask comes, another revision, or another answer was faster, 0 to 400 ms before a key: 200 times, never a
    wrong answer."""
    chance = random.Random(20)
    async with sit(size=(100, 18)) as seat:
        answered = ignored = 0
        before: list[ShownAsk] = []
        for number in range(200):
            # One session would soon be paused for asking too much.
            subject = msgspec.structs.replace(WEBSHOP, session=f"s{number}")
            wanted = change(f"w{number}", 20 * number, subject=subject)
            seat.hub.answers.clear()
            await seat.tell(wanted, *map(over, before))
            seat.app.shared.go("inbox", wanted.id)
            await seat.read()
            what = chance.choice(("another", "revised", "over", "gone to"))
            swapped = change(f"x{number}", 20 * number + 1, subject=subject)
            if what == "revised":
                await seat.tell(msgspec.structs.replace(wanted, rev=2, hash="1" * 64))
            elif what == "over":
                await seat.tell(over(wanted))
            elif what == "gone to":
                await seat.tell(swapped)
                await seat.press("n")
            else:
                await seat.tell(swapped)
            waited = chance.uniform(0, 2 * GRACE)
            seat.clock.now += waited
            is_early = waited < GRACE
            await seat.press("a")
            allowed = {"another": (wanted.id, 1), "revised": (wanted.id, 2), "gone to": (swapped.id, 1)}.get(what)
            if what == "over" or (is_early and what != "another"):
                expected = []
                ignored += 1
            else:
                expected = [allowed]
                answered += 1
                await seat.answered()
            assert [(ask, answer.rev) for ask, answer in seat.hub.answers] == expected, (
                f"run {number}: {what}, {waited}"
            )
            before = [wanted, swapped]
        assert answered > 50
        assert ignored > 50


async def test_care_needs_enter_and_can_be_taken_back(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the same key again; for a moment it can be taken back, and then it is sent."""
    monkeypatch.setattr("assent.tui.asks.answers.UNDO", 30.0)
    async with sit(permission("npm ci", level="care", id="first")) as seat:
        await seat.press("a")
        await seat.sees("press Enter")
        await seat.press("a")
        await seat.read()
        assert seat.given == []
        await seat.press("a")
        await seat.read()
        await seat.press("enter")
        await seat.sees("u takes it back")
        await seat.press("u")
        await seat.sees("Taken back. Nothing was sent.")
        monkeypatch.setattr("assent.tui.asks.answers.UNDO", 0.0)
        await seat.read()
        await seat.press("a")
        await seat.read()
        await seat.press("enter")
        assert await seat.answered() == [("first", "allow")]


async def test_escape_disarms_and_never_answers(sit: Sit) -> None:
    """Enter after it does nothing, and neither does any way out."""
    async with sit(permission("npm ci", level="care", id="first")) as seat:
        await seat.press("a", "escape")
        await seat.read()
        await seat.press("enter")
        await seat.read()
        assert seat.given == []
        assert "press Enter" not in seat.screen
        await seat.press("escape", "escape")
        await seat.sees("q leaves.")


async def test_danger_takes_its_word_only(sit: Sit) -> None:
    """Letters typed there are no keys; a wrong word stays where it can be corrected."""
    async with sit(permission(level="danger")) as seat:
        await seat.press("a")
        await seat.sees("type the match word")
        await seat.type("add")
        await seat.press("enter")
        await seat.sees("That is not the match word")
        assert seat.given == []
        await seat.press("ctrl+u")
        await seat.type("uploads")
        await seat.press("enter")
        assert await seat.answered() == [("kptwm", "allow")]
        assert seat.hub.answers[0][1].match == "uploads"


async def test_yes_only_once_its_end_was_on_the_screen(sit: Sit) -> None:
    """A no may come at any time; what is longer than the screen has to be read before a yes."""
    long = "\n".join(f"echo line {number}" for number in range(100))
    async with sit(permission(long, level="change")) as seat:
        assert "more lines" in seat.screen
        await seat.press("a")
        await seat.sees("Read to its end first")
        assert seat.given == []
        await seat.press("end")
        await seat.read()
        await seat.press("a")
        assert await seat.answered() == [("kptwm", "allow")]


async def test_deny_and_tell_sends_the_words(sit: Sit) -> None:
    """And letters typed on right after it are no answer to the next."""
    async with sit(change("first"), change("second", 1)) as seat:
        await seat.press("D")
        await seat.type("No, ask me first.")
        await seat.press("enter", "a", "d", "x")
        assert await seat.answered() == [("first", "deny")]
        assert seat.hub.answers[0][1].message == "No, ask me first."


async def test_what_was_answered_elsewhere_turns_grey_in_its_place_and_leaves_after_three_seconds(sit: Sit) -> None:
    """Nothing moves before a press."""
    asks = [change("first"), change("second", 1), change("third", 2)]
    async with sit(*asks) as seat:
        await seat.press("j")
        stood = seat.place("◐ Write first")
        await seat.tell(over(asks[0], why="allowed at the terminal"))
        assert seat.place("◐ Write first") == stood
        assert "→ Allowed in the terminal" in seat.lines[stood + 2]
        assert "touch second.txt" in seat.screen
        assert "Done" not in seat.screen
        await seat.later(2)
        assert "Done" not in seat.screen
        await seat.later(2)
        assert "─ Done" in seat.screen
        assert "touch second.txt" in seat.screen


async def test_an_answer_that_came_too_late_says_so(sit: Sit) -> None:
    """It is not hidden, and the ask can be read again."""
    async with sit(change("first")) as seat:
        seat.hub.refusal = ApiError(409, "too-late", "It is answered.")
        await seat.press("a")
        await seat.sees("Your answer came too late and was not used.")


async def test_a_question_is_answered_by_number_and_review(sit: Sit) -> None:
    """Digits pick and lead to no other tab; half an answer is refused with words."""
    async with sit(question()) as seat:
        await seat.press("a")
        await seat.read()
        assert seat.given == []
        await seat.press("2", "right")
        await seat.sees("2 of 2")
        await seat.press("1", "2", "right")
        await seat.sees("Review")
        await seat.read()
        await seat.press("a")
        assert await seat.answered() == [("kptwm", "answer")]
        assert seat.hub.answers[0][1].answers == {"Which database?": "PostgreSQL", "Which features?": "Search, Export"}


async def test_a_plan_goes_back_with_notes(sit: Sit) -> None:
    """Tab goes from part to part, Enter writes a note on it."""
    async with sit(plan()) as seat:
        await seat.press("tab", "tab", "enter")
        await seat.type("Only this.")
        await seat.press("enter")
        await seat.sees("Only this.")
        await seat.read()
        await seat.press("S")
        assert await seat.answered() == [("kptwm", "revise")]
        assert "Only this." in (seat.hub.answers[0][1].message or "")


async def test_many_at_once_are_one_row_until_opened(sit: Sit) -> None:
    """Six within seconds cannot be allowed by pressing on; they are reviewed one by one, or stopped together."""
    async with sit(*(change(f"n{number}", number) for number in range(6))) as seat:
        await seat.sees("Paused: 6 asks in 5 s.")
        await seat.press("a")
        await seat.read()
        await seat.press("x")
        assert {choice for _, choice in await seat.answered(6)} == {"deny_and_stop"}
    async with sit(*(change(f"n{number}", number) for number in range(6))) as seat:
        await seat.press("enter")
        await seat.sees("touch n0.txt")
        assert seat.given == []


async def test_filter_palette_and_help(sit: Sit) -> None:
    """The palette answers only what was on the screen; what was not is shown first."""
    async with sit(change("first"), edit(id="second", opened_at=OPENED + 1000)) as seat:
        await seat.press("/")
        await seat.type("auth")
        await seat.press("enter")
        await seat.sees("Edit auth.py")
        await seat.later(0)
        assert "first.txt" not in seat.screen
        await seat.press("escape")
        await seat.sees("◐ Write first")
        assert seat.place("◐ Write first") < seat.place("◐ Edit auth.py")
        shown, hidden = ("first", "second") if "│ touch first.txt" in seat.screen else ("second", "first")
        await seat.press(":")
        await seat.type(f"ask.deny {hidden}")
        await seat.press("enter")
        await seat.sees("Here it is.")
        assert seat.given == []
        await seat.read()
        await seat.press(":")
        await seat.type(f"ask.deny {hidden}")
        await seat.press("enter")
        assert await seat.answered() == [(hidden, "deny")]
        await seat.press("g", "f", ":")
        await seat.type(f"ask.deny {shown}")
        await seat.press("enter")
        await seat.sees("Here it is.", "Needs you (1)")
        assert len(seat.given) == 1
        await seat.press("?")
        await seat.sees("Inbox: help")
        await seat.press("escape")
        await seat.sees("Needs you")


async def test_every_size_shows_the_ask_and_takes_an_answer(sit: Sit) -> None:
    """Two columns, one above the other, one at a time; nothing is wider than the terminal."""
    async with sit(change("first"), change("second", 1)) as seat:
        for width in (240, 100, 99, 80, 60, 59, 40, 240):
            await seat.pilot.resize_terminal(width, 24)
            await seat.settle()
            assert all(len(line) == width for line in seat.lines), width
            assert ("│ touch first.txt" in seat.screen) == (width >= 60), width
        await seat.pilot.resize_terminal(50, 24)
        await seat.read()
        await seat.press("enter")
        await seat.sees("│ touch first.txt")
        assert "Needs you" not in seat.screen
        await seat.read()
        await seat.press("a")
        assert await seat.answered() == [("first", "allow")]


async def test_without_a_hub_no_key_answers_and_with_it_all_is_back(sit: Sit) -> None:
    """Old things are marked as old; `u` starts the hub."""
    started: list[str] = []
    async with sit(change("first"), start_hub=lambda: started.append("hub")) as seat:
        seat.hub.is_down = True
        seat.hub.end_stream()
        await seat.sees("hub not running", "Keys for answers are off.")
        await seat.read()
        await seat.press("a", "d")
        assert seat.given == []
        await seat.press("u")
        await seat.until(lambda: started, "the hub is started")
        seat.hub.is_down = False
        await seat.until(lambda: seat.app.shared.is_live, "the hub is back")
        await seat.read()
        await seat.press("a")
        assert await seat.answered() == [("first", "allow")]


async def test_unrecorded_trouble_is_told(sit: Sit) -> None:
    """A hub whose disk is full has no record to tell it by: it is asked how it is, now and then."""
    async with sit() as seat:
        seat.hub.hub = {"journal": {"trouble": "The disk is full."}}
        seat.app._wonder()
        await seat.later(1)
        await seat.sees("▲ The disk is full.")


async def test_hub_that_does_not_say_what_is_looked_for_ends_nothing(sit: Sit) -> None:
    """One of another version: a screen stays empty, and the sentence says why."""

    class Other(dict[str, Any]):
        def __missing__(self, _: str) -> Any:
            raise ApiError(200, "odd", "The hub's answer cannot be read.")

    async with sit() as seat:
        seat.hub.listed = Other()
        await seat.press("5")
        await seat.sees("▲ The hub's answer cannot be read.")


async def test_other_terminals_are_named_and_the_first_answer_wins(sit: Sit) -> None:
    """An answer from elsewhere is told as such."""
    async with sit(change("first")) as seat:
        seat.hub.beat(at=seat.clock.ms, screens=["pts/1", "pts/4"])
        await seat.sees("also open on pts/4")
        answer = Said(OPENED + 4_000, "person:desk", "allow")
        await seat.tell(msgspec.structs.replace(change("first"), state="answered", answer=answer))
        await seat.sees("Allowed at the desk")
        await seat.read()
        await seat.press("d")
        assert seat.given == []


async def test_what_is_still_held_is_not_sent_by_leaving(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaving while a yes can be taken back takes it back."""
    monkeypatch.setattr("assent.tui.asks.answers.UNDO", 30.0)
    async with sit(permission("npm ci", level="care", id="first")) as seat:
        await seat.press("a")
        await seat.read()
        await seat.press("enter")
        await seat.sees("u takes it back")
        seat.send("ctrl+c")
        await seat.until(lambda: seat.app.return_value == 130, "the end")
        assert seat.given == []


async def test_nothing_at_all_tells_what_to_do(sit: Sit) -> None:
    """First with no session, then with one that works."""
    async with sit() as seat:
        await seat.sees("No sessions seen yet.")
        await seat.tell(session=Session(id="s1", state="working", project="/x/docs", last=OPENED))
        await seat.sees("Nothing needs you. 1 session live.", "Working (1)")
        await seat.tell(stop(), form(id="other"))
        await seat.sees("2 need you")


async def test_sessions_stand_under_their_state(sit: Sit) -> None:
    """One that waits in its terminal is not called working, and one whose ask stands above is not repeated."""
    async with sit(permission("npm ci", id="first")) as seat:
        await seat.tell(session=Session(id="s1", state="working", project="/x/docs", last=OPENED))
        await seat.tell(session=Session(id="s2", state="idle", turn="idle", project="/x/api", last=OPENED))
        await seat.tell(session=Session(id="s3", state="waiting", dialogs=(("", ""),), project="/x/site", last=OPENED))
        await seat.tell(session=Session(id="s4", state="waiting", needs=1, project="/x/hidden", last=OPENED))
        await seat.sees("Waiting for you (1)", "Working (1)", "Your turn (1)")
        places = [seat.place(text) for text in ("Waiting for you", "◆ [ST]", "◐ [DC]", "● [AP]")]
        assert places == sorted(places)
        assert "hidden" not in seat.screen


async def test_stand_in_is_no_hub(sit: Sit) -> None:
    """Started without one, the screen says what is the matter."""
    hub = StandIn()
    hub.is_down = True
    async with sit(hub=hub) as seat:
        await seat.sees("hub not running", "u starts the hub")


async def test_what_a_session_does_is_known_from_the_start(sit: Sit) -> None:
    """Not only from the next event on."""
    session = Session(id=WEBSHOP.session, project=WEBSHOP.project, title="Fix flaky login", last=OPENED)
    running = row(1, session=session.id, kind="call", name="Bash", what="pytest -q", state="running")
    async with sit(hub=StandIn(sessions=[session], rows=[running])) as seat:
        await seat.sees("Bash pytest -q")
