"""Diffs: right, whole, and honest about what they leave out."""

import time

from hypothesis import given
from hypothesis import strategies as st

from assent.asks.card.edits import MOST_SHOWN, between
from assent.protocol.card import FileDiff, Hunk

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "d"]), max_size=30)
TEXT = LINES.map(lambda lines: "".join(f"{line}\n" for line in lines))


def applied(old: str, diff: FileDiff) -> str:
    """What the diff makes of the old text."""
    lines = old.split("\n")[:-1] if old.endswith("\n") or not old else old.split("\n")
    out: list[str] = []
    at = 0
    for hunk in diff.hunks:
        start = max(hunk.old_start - 1, 0)
        out += lines[at:start]
        at = start
        for line in hunk.lines:
            if line[0] != "+":
                assert lines[at] == line[1:]
                at += 1
            if line[0] != "-":
                out.append(line[1:])
    return "".join(f"{line}\n" for line in out + lines[at:])


def test_change_is_shown_with_three_lines_around_it() -> None:
    """Enough to see where it is."""
    old = "".join(f"{n}\n" for n in range(1, 21))
    diff = between("f", old, old.replace("10\n", "ten\n"))
    assert diff.hunks == (Hunk(7, 7, (" 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13")),)
    assert (diff.added, diff.removed, diff.note) == (1, 1, "")


def test_changes_far_apart_are_hunks_of_their_own() -> None:
    """What lies between is left out, and the numbers say so."""
    old = "".join(f"{n}\n" for n in range(1, 41))
    diff = between("f", old, old.replace("5\n", "five\n", 1).replace("30\n", "thirty\n"))
    assert [(hunk.old_start, hunk.new_start) for hunk in diff.hunks] == [(2, 2), (27, 27)]


def test_changes_are_one_hunk_while_the_lines_around_them_touch() -> None:
    """Three lines after the first and three before the second: six between them, not seven."""
    old = "".join(f"{n}\n" for n in range(10, 40))
    near = between("f", old, old.replace("15\n", "x\n").replace("22\n", "y\n"))
    apart = between("f", old, old.replace("15\n", "x\n").replace("23\n", "y\n"))
    assert (len(near.hunks), len(apart.hunks)) == (1, 2)


def test_new_file_is_all_added() -> None:
    """There is nothing to compare with."""
    diff = between("f", "", "one\ntwo\n", is_new=True)
    assert diff == FileDiff("f", 2, 0, hunks=(Hunk(0, 1, ("+one", "+two")),), is_new=True)


def test_nothing_changed_is_said() -> None:
    """An empty diff is never without a word."""
    assert between("f", "a\n", "a\n").note == "Nothing changes."
    assert between("f", "a\n", "a").note == "Only the line break at the end changes."
    assert between("f", "", "", is_new=True).note == "The file is empty."


def test_lines_end_at_line_feeds_only() -> None:
    """Other characters that some programs take for an end stay in the line, to be drawn there."""
    assert between("f", "", "a\rb\u2028c\x0bd\n", is_new=True).hunks[0].lines == ("+a\rb\u2028c\x0bd",)


def test_long_diff_keeps_beginning_and_end_and_says_how_much_is_missing() -> None:
    """No silent cut."""
    new = "".join(f"line {n}\n" for n in range(5_000))
    diff = between("f", "", new, is_new=True)
    shown = [line for hunk in diff.hunks for line in hunk.lines]
    assert len(shown) == MOST_SHOWN
    assert (shown[0], shown[-1]) == ("+line 0", "+line 4999")
    assert diff.note == "3,000 more lines are not shown here; the whole input has them."
    assert (diff.added, diff.hunks[-1].new_start) == (5_000, 4_001)


def test_too_much_to_compare_is_shown_as_old_and_new() -> None:
    """Work is bounded, and the note says what that means."""
    old, new = ("".join(f"{what} {n}\n" for n in range(2_500)) for what in ("old", "new"))
    started = time.process_time()
    diff = between("f", old, new)
    assert time.process_time() - started < 2
    assert diff.note.startswith("Too much to compare line by line")
    assert (diff.added, diff.removed) == (2_500, 2_500)


@given(TEXT, TEXT)
def test_diff_makes_the_new_text_of_the_old(old: str, new: str) -> None:
    """Applied by hand, it gives exactly what will be written."""
    diff = between("f", old, new)
    assert applied(old, diff) == new
    assert diff.added - diff.removed == new.count("\n") - old.count("\n")
    assert sum(line[0] == "+" for hunk in diff.hunks for line in hunk.lines) == diff.added
    assert sum(line[0] == "-" for hunk in diff.hunks for line in hunk.lines) == diff.removed
