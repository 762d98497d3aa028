"""Plans, finished turns and sheets, as a person at the terminal answers them."""

import pytest

from assent.protocol.card import Offer
from assent.protocol.queue import Item
from tests.component.tui.conftest import Sit
from tests.component.tui.stand_in import StandIn
from tests.unit.tui.shown_asks import ROUND, permission, plan, stop

pytestmark = pytest.mark.anyio

NPM = Offer(
    "rule:Bash(npm test)",
    "Exactly this command.",
    ("session", "project", "user"),
    {"project": "/home/dev/src/webshop/.claude/settings.local.json"},
    covers=("npm test",),
    leaves="npm publish",
)
WIDER = Offer("rule:Bash(npm test *)", "npm test with anything behind it.", ("session", "project"), suggested=True)


async def test_always_sheet_shows_what_it_means_and_waits_until_it_was_read(sit: Sit) -> None:
    """Keys that come with it are no yes; it gives the rule as it was edited, where it was wanted."""
    hub = StandIn(permission("npm test", level="change"))
    hub.granted = [NPM, WIDER]
    async with sit(hub=hub) as seat:
        await seat.press("R")
        await seat.sees("Always allow", "It would have let pass:", "npm publish")
        await seat.press("enter")
        assert "That came too soon" in seat.screen
        await seat.press("right")
        assert "settings.local.json" in seat.screen
        await seat.press("2", "e")
        await seat.type(" --ci")
        await seat.press("enter")
        await seat.sees("Bash(npm test *) --ci", "You changed the rule")
        assert seat.given == []
        await seat.read()
        await seat.press("enter")
        assert await seat.answered() == [("kptwm", "allow_project")]
        assert hub.answers[0][1].grant == "rule:Bash(npm test *) --ci"


async def test_sheet_says_yes_only_once_its_end_was_in_view(sit: Sit) -> None:
    """What is below the edge of a small screen is read first."""
    hub = StandIn(permission("npm test", level="change"))
    hub.granted = [NPM, WIDER]
    async with sit(hub=hub, size=(60, 14)) as seat:
        await seat.press("enter", "end")
        await seat.read()
        await seat.press("R")
        await seat.sees("Always allow", "more lines")
        await seat.read()
        await seat.press("enter")
        assert "Read to its end first" in seat.screen
        await seat.press("space", "space", "space")
        await seat.sees("npm publish")
        assert seat.given == []
        await seat.read()
        await seat.press("enter")
        assert await seat.answered() == [("kptwm", "allow_session")]


async def test_sheets_close_without_an_answer_and_keep_keys_to_themselves(sit: Sit) -> None:
    """Esc answers nothing, and no letter reaches the ask below; nor does an answer once it changed."""
    hub = StandIn(permission("npm test", level="change"))
    hub.granted = [NPM]
    async with sit(hub=hub) as seat:
        await seat.press("R")
        await seat.sees("Always allow")
        await seat.read()
        await seat.press("d", "x", "a", "s", "t")
        await seat.press("escape")
        await seat.until(lambda: len(seat.app.screen_stack) == 1, "the end of the sheet")
        await seat.read()
        await seat.press("R")
        await seat.sees("Always allow")
        await seat.tell(permission("npm test", level="change", rev=2))
        await seat.read()
        await seat.press("enter")
        assert "Nothing is sent: Esc closes this." in seat.screen
        assert seat.given == []


async def test_edit_sheet_starts_with_the_safer_command_and_asks_twice(sit: Sit) -> None:
    """Ctrl+S shows what changed, Enter allows it; Danger still wants its match word."""
    async with sit(permission()) as seat:
        await seat.press("e")
        await seat.sees("Edit the command", "git stash -u")
        await seat.press("ctrl+o")
        await seat.sees("git clean -fdx")
        await seat.press("ctrl+s")
        assert "Nothing was changed." in seat.screen
        await seat.press("ctrl+o")
        await seat.type(" -q")
        await seat.press("escape")
        assert "Esc once more drops what you changed." in seat.screen
        await seat.press("ctrl+s")
        await seat.sees("This is what will run in its place", "git stash -u -q")
        await seat.press("enter", "escape")
        await seat.press("ctrl+s")
        await seat.read()
        await seat.press("enter")
        await seat.sees("type the match word")
        assert seat.given == []
        await seat.type("uploads")
        await seat.press("enter")
        assert await seat.answered() == [("kptwm", "allow_edited")]
        assert seat.hub.answers[0][1].edited == {"command": "git stash -u -q", "description": "Clean install"}


async def test_plan_is_noted_and_approved_with_a_mode(sit: Sit) -> None:
    """A note is seen at once and stands in the way of a yes; the yes asks what follows."""
    async with sit(plan()) as seat:
        await seat.press("tab", "tab", "enter")
        await seat.type("why")
        await seat.press("enter")
        await seat.sees("note: why")
        await seat.read()
        await seat.press("a")
        await seat.sees("You have notes that were not sent.")
        await seat.press("enter", *["backspace"] * 3, "enter")
        await seat.read()
        await seat.press("a")
        await seat.sees("ask before edits", "accept edits")
        await seat.read()
        await seat.press("2", "enter")
        assert await seat.answered() == [("kptwm", "approve")]
        assert seat.hub.answers[0][1].mode == "accept_edits"


async def test_turn_goes_on_with_a_second_key(sit: Sit) -> None:
    """A digit picks what comes next and leads to no other tab; Enter sends it."""
    async with sit(stop()) as seat:
        await seat.press("2")
        await seat.sees("> Run the tests.")
        assert seat.given == []
        await seat.read()
        await seat.press("enter")
        assert await seat.answered() == [("kptwm", "keep_going")]
        assert seat.hub.answers[0][1].message == "Run the tests."


async def test_quiet_sheet_tells_the_hub(sit: Sit) -> None:
    """Two keys, and phones are silent for a while."""
    async with sit() as seat:
        await seat.press("z", "2", "enter")
        await seat.until(lambda: seat.hub.wishes, "the wish")
        assert seat.hub.wishes == [3600]
        await seat.sees("Quiet for an hour.")


SNIPPETS = {"": ["Run the tests"], "/home/dev/src/webshop": ["Use pnpm here", "Explain first"]}


async def test_digit_in_the_empty_line_fills_in_an_own_reply(sit: Sit) -> None:
    """Nothing is sent before Enter, words can follow, and in a line with words a digit is a digit."""
    hub = StandIn(permission("npm test", level="change"))
    hub.hub = {"snippets": SNIPPETS}
    async with sit(hub=hub) as seat:
        await seat.press("D")
        await seat.sees("1 Use pnpm here", "2 Explain first")
        await seat.press("1")
        await seat.type(" 2")
        await seat.sees("Use pnpm here 2")
        assert seat.given == []
        await seat.press("enter")
        assert await seat.answered() == [("kptwm", "deny")]
        assert hub.answers[0][1].message == "Use pnpm here 2"


async def test_plan_read_as_a_difference_is_not_read_to_its_end(sit: Sit) -> None:
    """The whole plan is what is approved: its own end has to be in view."""
    long = "\n".join(f"{at}. Step {at}" for at in range(1, 60))
    async with sit(hub=StandIn(plan(long, round=ROUND)), size=(80, 24)) as seat:
        await seat.sees("Changed since", "You wrote")
        await seat.press("enter", "v")
        await seat.sees("+ 2. Keep the old names")
        await seat.press("end")
        await seat.read()
        await seat.press("v")
        await seat.press("a")
        assert seat.given == []
        assert len(seat.app.screen_stack) == 1


async def test_card_says_what_is_queued_for_its_session(sit: Sit) -> None:
    """And follows the queue while it is shown."""
    ask = permission("npm test", level="change")
    hub = StandIn(ask)
    hub.queues = {ask.subject.session: [Item("i1", "Run the tests", 0, "person:desk")]}
    async with sit(hub=hub) as seat:
        await seat.sees("Queued: 1. Next, when it stops: Run the tests")
