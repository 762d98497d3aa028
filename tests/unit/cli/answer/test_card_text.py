"""Text of agents in the shell: all of it is there, and none of it is more than text."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.cli.answer.card import cells, flat, lines
from assent.text.safe import printed_text

HOSTILE = "\x1b[2J\x1b]0;x\x07\x9b31m\u202eab\u200b\u2066\ufeff\r\x00\x7f\u2028\ud800"


@pytest.mark.parametrize("is_code", [True, False])
def test_nothing_hostile_is_left_in_text(is_code: bool) -> None:
    """Escape codes, turns of direction and marks without width are spelled out."""
    shown = printed_text(f"a{HOSTILE}b", is_command=is_code)
    assert shown.isprintable()
    assert "⟨U+001B⟩[2J" in shown
    assert "⟨U+202E⟩" in shown


@given(st.text(st.characters() | st.sampled_from(HOSTILE + "\t\n e\u0301\u4e2d"), max_size=80), st.integers(20, 100))
def test_lines_are_printable_and_never_too_wide(text: str, width: int) -> None:
    """Whatever an agent writes, no line is wider than the screen and none can steer it."""
    for is_code in (True, False):
        for line in lines(text, width, code=is_code, breaks=is_code):
            assert line.isprintable()
            assert cells(line) <= width + 1  # the sign for a line break


@given(st.text(string.ascii_letters + string.digits, min_size=1, max_size=300))
def test_no_character_of_a_command_is_lost(text: str) -> None:
    """Wrapping adds and removes nothing."""
    assert "".join(lines(text, 40)) == text


def test_runs_of_blanks_and_breaks_are_counted() -> None:
    """Sixty blanks or line breaks push nothing out of sight."""
    assert printed_text("a" + " " * 60 + "b") == "a␣×60b"
    assert printed_text("a" + "\n" * 60 + "b") == "a↵×60\nb"
    assert printed_text("a" + "\t" * 9 + "b") == "a⇥×9b"


def test_breaks_of_a_command_are_told_from_long_lines() -> None:
    """Where it goes on below because there was no room, no sign stands."""
    assert lines("one\ntwo three four five six", 12, breaks=True) == ["one↵", "two three fo", "ur five six"]


def test_prose_breaks_between_words() -> None:
    """A sentence is not torn apart in the middle of a word."""
    assert lines("one two three four five", 14, code=False) == ["one two three", "four five"]


def test_wide_letters_take_two_cells() -> None:
    """A line of them is as wide as it looks."""
    assert cells("中a\u0301") == 3
    assert lines("中" * 10, 10) == ["中" * 5, "中" * 5]


def test_piled_signs_are_spelled_out() -> None:
    """Letters that would climb over the lines above do not."""
    assert flat("a" + "\u0301" * 5) == "a" + "⟨U+0301⟩" * 5
