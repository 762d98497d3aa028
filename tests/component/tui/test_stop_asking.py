"""Stop asking for this here: the second answer, beside allow, and how it is taken back."""

import pytest

from assent.errors import AssentError
from assent.protocol.card import Denial, ShownAsk
from assent.protocol.lasting import Given, Stay
from assent.views.decisions import DecisionRow
from tests.component.tui.conftest import Sit
from tests.component.tui.stand_in import StandIn
from tests.unit.tui.shown_asks import OPENED, permission

pytestmark = pytest.mark.anyio

PUSH = Given(
    "3f9a1c20",
    "shape",
    "`git push` of feature to origin",
    "/home/dev/src/webshop",
    "claude-code",
    "person:desk",
    at=OPENED,
    saved=3,
)
TESTS = Given("77aa0011", "run", "tests, builds and linters", "/home/dev/src/billing", by="person:desk", at=OPENED)
SHEET = "Yes, and stop asking for this here"


async def test_stop_asking_sends_the_marked_answer_with_its_hours(sit: Sit) -> None:
    hub = StandIn(permission("npm test", level="care"))
    async with sit(hub=hub, size=(80, 24)) as seat:
        assert " a allow  A stop asking  d deny  s session " in seat.screen
        await seat.press("A")
        await seat.sees(SHEET, "`git push` of feature to origin", "Still asks")
        await seat.press("2", "h", "h")
        await seat.sees("Code the agent writes and then tests runs as you.", "(●) 8 h")
        assert seat.given == []
        await seat.read()
        await seat.press("enter")
        assert await seat.answered() == [("kptwm", "allow_here")]
        assert (hub.answers[0][1].grant, hub.answers[0][1].hours) == ("run", 8)
        await seat.sees("Allowed, and no longer asked about here")


async def test_stop_asking_stands_beside_allow_and_deny_on_a_narrow_screen(sit: Sit) -> None:
    async with sit(permission("npm test", level="care"), size=(60, 20)) as seat:
        await seat.press("enter")
        await seat.sees(" a allow  A stop asking  d deny ", "? help")


async def test_stop_asking_holds_until_taken_back_unless_a_time_is_chosen(sit: Sit) -> None:
    hub = StandIn(permission("git push origin feature", level="change"))
    async with sit(hub=hub) as seat:
        await seat.press("A")
        await seat.sees(SHEET)
        await seat.read()
        await seat.press("enter")
        await seat.answered()
        assert (hub.answers[0][1].grant, hub.answers[0][1].hours) == ("shape", None)


async def test_stop_asking_ignores_an_enter_that_came_with_it(sit: Sit) -> None:
    async with sit(permission("npm test", level="care")) as seat:
        await seat.press("A", "enter")
        await seat.sees("That came too soon")
        assert seat.given == []


async def test_stop_asking_is_left_without_an_answer(sit: Sit) -> None:
    """Esc closes it, and no letter typed on it reaches the ask below."""
    async with sit(permission("npm test", level="care")) as seat:
        await seat.press("A")
        await seat.sees(SHEET)
        await seat.read()
        await seat.press("d", "x", "a", "s", "t", "escape")
        await seat.until(lambda: len(seat.app.screen_stack) == 1, "the end of the sheet")
        assert seat.given == []


async def test_stop_asking_sends_nothing_once_the_ask_changed(sit: Sit) -> None:
    async with sit(permission("npm test", level="care")) as seat:
        await seat.press("A")
        await seat.sees(SHEET)
        await seat.tell(permission("npm test", level="care", rev=2))
        await seat.read()
        await seat.press("enter")
        await seat.sees("Nothing is sent: Esc closes this.")
        assert seat.given == []


@pytest.mark.parametrize(
    "ask", [permission(), permission("npm test", level="care", stays=()), permission("x", level="care", choices=())]
)
async def test_stop_asking_is_hidden_where_it_is_not_offered(sit: Sit, ask: ShownAsk) -> None:
    """For Danger, for what has no shape, and for those who may only watch."""
    async with sit(ask) as seat:
        assert "stop asking" not in seat.screen
        await seat.press("A")
        await seat.sees("is not possible here")
        assert len(seat.app.screen_stack) == 1


@pytest.mark.parametrize("columns", [40, 60, 80, 120, 200])
async def test_stop_asking_keeps_its_shape_at_every_width(sit: Sit, columns: int) -> None:
    """Nothing of a hostile branch name or folder reaches the terminal as it was written."""
    ask = permission("git push", level="care")
    evil = "\x1b[2J\u202efe\u0430ture \u65e5\u672c" + "x" * 30
    stays = tuple(type(stay)(stay.kind, evil, evil, evil) for stay in ask.stays)
    async with sit(permission("git push", level="care", stays=stays), size=(columns, 40)) as seat:
        if columns < 80:
            await seat.press("enter", "end")
            await seat.read()
        await seat.press("A")
        await seat.sees("How long")
        assert "⟨U+202E⟩" in seat.screen.replace("│\n│", "").replace(" ", "")
        assert seat.screen.replace("\n", "").isprintable()


async def test_allowed_for_longer_is_listed_and_taken_back_in_two_steps(sit: Sit) -> None:
    hub = StandIn()
    hub.hub, hub.lasting = {"home": "/home/dev"}, [PUSH, TESTS]
    async with sit(hub=hub, size=(80, 24)) as seat:
        await seat.press("5")
        await seat.sees("Grants  d takes", "let 3 calls pass", "~/src/webshop, Claude only", "not used yet")
        await seat.press("j", "d")
        await seat.sees("Enter takes it back, Esc keeps")
        await seat.press("j")
        assert "back, Esc keeps" not in seat.screen
        await seat.press("k", "d", "escape")
        assert hub.lasting == [PUSH, TESTS]
        await seat.press("d", "enter")
        await seat.until(lambda: hub.lasting == [TESTS], "the permission to be taken back")
        await seat.sees("Taken back: `git push` of feature to origin. It asks again from now on.")
        await seat.until(lambda: "~/src/webshop" not in seat.screen, "the list without it")


async def test_allowed_for_longer_is_taken_back_by_name(sit: Sit) -> None:
    hub = StandIn()
    hub.lasting = [PUSH]
    async with sit(hub=hub, size=(100, 30)) as seat:
        await seat.press("5")
        await seat.sees("Grants  d takes")
        await seat.press("j", ":")
        await seat.type("rules.take_back")
        await seat.press("enter")
        await seat.sees("Enter takes it back, Esc keeps")
        await seat.press("enter")
        await seat.until(lambda: hub.lasting == [], "the permission to be taken back")


async def test_allowed_for_longer_that_stays_says_why(sit: Sit) -> None:
    class Stubborn(StandIn):
        def take_back(self, _: str) -> None:
            raise AssentError("Nothing changed: the disk is full.")

    hub = Stubborn()
    hub.lasting = [PUSH]
    async with sit(hub=hub, size=(100, 30)) as seat:
        await seat.press("5")
        await seat.sees("Grants  d takes")
        await seat.press("j", "d", "enter")
        await seat.sees("Nothing changed: the disk is full.")
        assert hub.lasting == [PUSH]


async def test_allowed_for_longer_shows_what_it_decided(sit: Sit) -> None:
    hub = StandIn()
    hub.lasting = [PUSH]
    hub.decided = [DecisionRow(1, OPENED, "5" * 64, decision="allow", by="permission:3f9a1c20", what="git push")]
    async with sit(hub=hub, size=(100, 30)) as seat:
        await seat.press("5")
        await seat.sees("Grants  d takes")
        await seat.press("j", "enter")
        await seat.sees("by:permission:3f9a1c20", "git push")


async def test_some_minutes_are_ten_unless_chosen(sit: Sit) -> None:
    timed = (Stay("shape", "`npm test` in webshop", "Tests.", "Others."), Stay("exact", "exactly this call"))
    hub = StandIn(permission("npm test", level="care", timed=timed))
    async with sit(hub=hub, size=(80, 24)) as seat:
        await seat.press("m")
        await seat.sees("Yes, and for some minutes without asking", "exactly this call", "(●) 10 min")
        await seat.press("2", "h")
        await seat.sees("(●) 30 min")
        await seat.read()
        await seat.press("enter")
        assert await seat.answered() == [("kptwm", "allow_for")]
        assert (hub.answers[0][1].grant, hub.answers[0][1].minutes) == ("exact", 30)


async def test_no_for_good_sends_the_marked_rule(sit: Sit) -> None:
    hub = StandIn(permission())
    hub.denied = [Denial("rule:Bash(git clean -fd)", "This."), Denial("rule:Bash(git clean *)", "All of it.")]
    async with sit(hub=hub, size=(80, 24)) as seat:
        await seat.press("N")
        await seat.sees("Deny this from now on", "deny Bash(git clean *)")
        await seat.press("2")
        await seat.read()
        await seat.press("enter")
        assert await seat.answered() == [("kptwm", "deny_here")]
        assert hub.answers[0][1].grant == "rule:Bash(git clean *)"
