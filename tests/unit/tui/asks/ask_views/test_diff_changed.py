"""Which words of a line changed."""

from hypothesis import given
from hypothesis import strategies as st

from assent.tui.asks.ask_views.diff import changed_words


def test_only_what_differs_is_marked() -> None:
    """The words both lines have stand unmarked on both sides."""
    found = changed_words("return token == SECRET", "return given == SECRET")
    assert found == (
        [("return ", False), ("token", True), (" == SECRET", False)],
        [("return ", False), ("given", True), (" == SECRET", False)],
    )


def test_lines_with_little_in_common_are_not_compared() -> None:
    """Marks all over a line do not help; neither does an endless comparison."""
    assert changed_words("one two three", "4 5 6 7 8 9") is None
    assert changed_words("a b " * 200, "c d " * 200) is None


@given(st.text(max_size=40), st.text(max_size=40))
def test_nothing_is_lost(before: str, after: str) -> None:
    """Both sides are the lines they were made of."""
    found = changed_words(before, after)
    if found is not None:
        assert tuple("".join(text for text, _ in side) for side in found) == (before, after)
