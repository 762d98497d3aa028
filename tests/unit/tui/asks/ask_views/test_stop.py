"""Finished turns in the terminal."""

from assent.protocol.card import StopView
from assent.protocol.queue import Item
from assent.tui.asks.actions import Hands
from assent.tui.asks.ask_view import Typing
from assent.tui.asks.ask_views.stop import Stop
from tests.unit.tui.measured import text
from tests.unit.tui.shown_asks import stop

ITEMS = (Item("i1", "Update the docs", 0, "person:desk"), Item("i2", "Then push", 0, "person:desk", to="subagent"))


def test_stop_shows_what_was_said_and_how_often_it_went_on() -> None:
    """The last message behind a bar, what still runs, and what one can say."""
    view = {"stop": StopView("**Done.**\n\n1 Keep going", used=2, most=8, background=("shell: npm\nrun dev",))}
    shown = text(Stop(stop(card_view=view), Hands()).lines(80), 80)
    assert shown.splitlines()[:3] == ["│ Done.", "│", "│ 1 Keep going"]
    assert "  - shell: npm run dev" in shown
    assert "  1 Keep going  2 Run the tests  3 Commit  c your own words…" in shown
    assert "2 of 8 continuations used" in shown
    assert "Queue" not in shown
    assert "It ended without a message." in text(Stop(stop(""), Hands()).lines(80), 80)


def test_stop_sends_what_was_picked_with_a_second_key() -> None:
    """A digit alone says nothing to the agent."""
    thing = Stop(stop(), Hands())
    assert thing.key("Enter") is False
    assert "Say what it should do next" in str(thing.read("keep_going"))
    assert thing.key("2") is True
    assert thing.key("Enter") == "keep_going"
    assert thing.read("keep_going") == {"message": "Run the tests."}
    assert thing.read("let_stop") == {}


def test_stop_takes_own_words() -> None:
    """Typed words take the place of what was picked."""
    thing = Stop(stop(), Hands())
    thing.key("1")
    line = thing.key("c")
    assert isinstance(line, Typing)
    assert line.take("  Write the changelog ") is None
    assert thing.read("keep_going") == {"message": "Write the changelog"}
    assert "> Write the changelog" in text(thing.lines(80), 80)


def test_stop_changes_the_queue_below_it() -> None:
    """Tab goes to an item; it is reworded, moved, and deleted with a second press."""
    did: list[tuple[object, ...]] = []
    hands = Hands(
        items=lambda: ITEMS,
        rewrite=lambda item, words: did.append(("rewrite", item, words)),
        move=lambda item, place: did.append(("move", item, place)),
        remove=lambda item: did.append(("remove", item)),
    )
    thing = Stop(stop(), hands)
    assert "Update the docs  delivered at next stop" in text(thing.lines(80), 80)
    thing.key("Tab")
    line = thing.key("Enter")
    assert isinstance(line, Typing)
    assert line.value == "Update the docs"
    assert line.take(" ") == "Nothing was written. X deletes an item."
    assert line.take("Update README") is None
    for key in ("K", "J", "X", "Tab", "X", "X"):
        assert thing.key(key) is True
    assert did == [("rewrite", "i1", "Update README"), ("move", "i1", 2), ("remove", "i2")]
    lines = thing.lines(80)
    assert thing.cursor is not None
    assert text([lines[thing.cursor]], 80).startswith("▌ Then push")
    thing.key("Tab")
    assert thing.key("X") is False


def test_stop_offers_own_replies_after_the_usual_ones() -> None:
    """Each with its digit, as far as digits go; the line to type has them too."""
    thing = Stop(stop(), Hands(snippets=lambda: ["Use pnpm here", *(f"Reply {at}" for at in range(8))]))
    assert "4 Use pnpm here" in text(thing.lines(120), 120)
    assert thing.key("4") is True
    assert thing.read("keep_going") == {"message": "Use pnpm here"}
    assert thing.keys()[1] == ("1-9", "pick")
    line = thing.key("c")
    assert isinstance(line, Typing)
    assert line.picks[0] == "Use pnpm here"
