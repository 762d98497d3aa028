"""Instructions in order: added, changed, moved, removed, taken."""

from collections.abc import Callable

import pytest

from assent.asks import queue
from assent.asks.queue import Items, QueueError
from assent.protocol.queue import LONGEST_TEXT, MOST_ITEMS, Goal, Item


def item(name: str, text: str = "Run the tests.", to: Goal = "stop") -> Item:
    return Item(id=name, text=text, at=1, by="person:desk", to=to)


def filled(names: str) -> Items:
    return tuple(item(name) for name in names)


def order(items: Items) -> str:
    return "".join(each.id for each in items)


def test_added_item_comes_last() -> None:
    """Who comes later waits longer."""
    assert order(queue.added(filled("ab"), item("c"))) == "abc"


def test_text_is_kept_without_space_around_it() -> None:
    """A stray newline is not part of the instruction."""
    (only,) = queue.added((), item("a", "  Run the tests.\n"))
    assert only.text == "Run the tests."


@pytest.mark.parametrize(
    ("name", "place", "after"), [("c", 1, "cab"), ("a", 2, "bac"), ("a", 99, "bca"), ("b", 2, "abc")]
)
def test_moved_item_stands_where_it_was_put(name: str, place: int, after: str) -> None:
    """Places count from 1, and past the end means last."""
    assert order(queue.moved(filled("abc"), name, place)) == after


def test_changed_item_keeps_its_place() -> None:
    """New words, same place."""
    items = queue.changed(filled("abc"), "b", "Commit.")
    assert order(items) == "abc"
    assert [each.text for each in items] == ["Run the tests.", "Commit.", "Run the tests."]


def test_first_for_looks_at_those_it_is_meant_for() -> None:
    """What is meant for a sub-agent does not hold up what is meant for the session."""
    items = (item("a", to="subagent"), item("b"), item("c"))
    assert queue.first_for(items, ("stop",)) == items[1]
    assert queue.first_for(items, ("subagent",)) == items[0]
    assert queue.first_for(items, ("task",)) is None


@pytest.mark.parametrize(
    ("attempt", "code"),
    [
        (lambda: queue.added(filled("x" * MOST_ITEMS), item("y")), "queue-full"),
        (lambda: queue.added((), item("a", " \n ")), "no-text"),
        (lambda: queue.added((), item("a", "x" * (LONGEST_TEXT + 1))), "too-long"),
        (lambda: queue.changed(filled("a"), "a", ""), "no-text"),
        (lambda: queue.changed(filled("a"), "b", "Commit."), "no-such-item"),
        (lambda: queue.moved(filled("a"), "a", 0), "bad-place"),
        (lambda: queue.moved(filled("a"), "b", 1), "no-such-item"),
        (lambda: queue.removed(filled("a"), "b"), "no-such-item"),
    ],
)
def test_refused_change_says_why(attempt: Callable[[], Items], code: str) -> None:
    """Caps hold, and what is gone cannot be changed."""
    with pytest.raises(QueueError) as refused:
        attempt()
    assert refused.value.code == code
