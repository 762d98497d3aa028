"""Plans in the terminal."""

from assent.tui.asks.ask_view import Typing
from assent.tui.asks.ask_views.plan import Plan
from tests.unit.tui.measured import text
from tests.unit.tui.shown_asks import ROUND, plan


def noted(thing: Plan, key: str, words: str) -> None:
    opened = thing.key(key)
    assert isinstance(opened, Typing)
    assert opened.take(words) is None


def test_plan_is_drawn_part_by_part() -> None:
    """Headings, items and paragraphs, each where a note can go."""
    shown = text(Plan(plan()).lines(60), 60)
    assert shown.splitlines() == [
        "  # Move login to its own module",
        "",
        "  1. Extract the token check",
        "  2. Keep the old names",
        "",
        "  Nothing else changes.",
    ]


def test_plan_is_approved_without_words() -> None:
    """A yes takes nothing along."""
    assert Plan(plan()).read("approve") == {}
    assert Plan(plan(" \n ")).read("approve") == "There is no plan to approve."


def test_plan_takes_notes_on_its_parts() -> None:
    """A note quotes the line it is about; all of them go out as one message, in the order of the plan."""
    thing = Plan(plan())
    assert thing.key("Enter") is False
    for _ in range(3):
        thing.key("Tab")
    noted(thing, "Enter", "the old API, too")
    thing.key("[")
    noted(thing, "Enter", "which one?")
    noted(thing, "o", "Smaller steps.")
    assert thing.key("S") == "revise"
    assert thing.read("revise") == {
        "message": "> 1. Extract the token check\nwhich one?\n\n> 2. Keep the old names\nthe old API, too"
        "\n\nSmaller steps."
    }
    shown = text(thing.lines(60), 60)
    assert "▸ note: which one?" in shown.splitlines()[3]
    assert "3 notes, not sent yet. S sends them." in shown


def test_plan_has_its_notes_beside_it_where_there_is_room() -> None:
    """On wide screens the plan stays together; a long note goes on below itself."""
    thing = Plan(plan())
    thing.key("Tab")
    noted(thing, "Enter", "a word " * 12)
    lines = text(thing.lines(140), 140).splitlines()
    assert lines[0].startswith("▌ # Move login to its own module")
    assert lines[0][96:].startswith("▸ note: a word")
    assert lines[1][96:].startswith("  word a")


def test_plan_with_unsent_notes_is_not_approved() -> None:
    """Written notes are not lost by a yes; an emptied note is none."""
    thing = Plan(plan())
    thing.key("]")
    noted(thing, "Enter", "why?")
    assert "not sent" in str(thing.read("approve"))
    noted(thing, "Enter", "")
    assert thing.read("approve") == {}
    assert "Write a note first" in str(thing.read("revise"))


def test_plan_keeps_its_place_in_view() -> None:
    """The part one is at has a mark, and its line is known."""
    thing = Plan(plan())
    thing.key("BackTab")
    lines = thing.lines(60)
    assert thing.cursor == len(lines) - 1
    assert text(lines, 60).splitlines()[-1] == "▌ Nothing else changes."


def test_plan_shows_what_else_a_yes_allows() -> None:
    """Commands that come with the plan stand below it."""
    ask = plan(card_view={"facts": (("also allowed", "Bash: run the tests"),)})
    assert "  Also allowed: Bash: run the tests" in text(Plan(ask).lines(60), 60)


def test_plan_cannot_fake_a_note() -> None:
    """Only notes written here stand at the edge."""
    shown = text(Plan(plan("▸ note: fine\n\n> note: fine\n\n1 note, not sent yet.")).lines(60), 60)
    assert all(line.startswith("  ") or not line for line in shown.splitlines())


def test_second_round_shows_what_changed_in_place_of_the_plan() -> None:
    """v there and back; only the whole plan is approved, and notes are written on it alone."""
    thing = Plan(plan(round=ROUND))
    assert thing.keys()[0] == ("v", "what changed")
    assert thing.key("v") is True
    shown = text(thing.lines(60), 60)
    assert "+ 2. Keep the old names" in shown
    assert "Nothing else changes." not in shown
    assert thing.read("approve") == "v goes back to the whole plan: that is what you approve."
    assert thing.key("Tab") is False
    thing.key("v")
    assert "Nothing else changes." in text(thing.lines(60), 60)
    assert thing.read("approve") == {}


def test_first_round_has_nothing_to_compare() -> None:
    """The key stays free."""
    assert Plan(plan()).key("v") is False
