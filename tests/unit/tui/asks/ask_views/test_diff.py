"""Changes in files: signs say what comes and what goes, and nothing of it is left out."""

import pytest

from assent.protocol.card import FileDiff, Hunk
from assent.tui.asks.ask_views import diff
from assent.tui.drawing.text import width
from tests.unit.tui.drawn import plain, styles, texts
from tests.unit.tui.shown_asks import EDIT

TWO = FileDiff(
    "src/a.py",
    2,
    2,
    hunks=(Hunk(1, 1, ("-old = 1", "+new = 1", " same")), Hunk(20, 20, (" x", "-y", "+z"))),
    note="One line end changes.",
)


def test_unified_diff_shows_both_numbers_and_signs() -> None:
    """The head names the file and counts; grounds reach to the end of the line."""
    made, stops = diff.lines((EDIT,), 60, "unified")
    assert texts(made) == [
        "src/auth.py  +2 −1",
        "10 10   def check(token):",
        "11    −     return token == SECRET",
        "   11 +     given = token.strip()",
        "   12 +     return compare_digest(given, SECRET)",
        "12 13",
    ]
    assert stops == [0]
    assert all(width(line) == 60 for line in made[1:])
    assert "add" in styles(made, "given")
    assert "del" in styles(made, "SECRET")


def test_narrow_diff_has_one_number() -> None:
    """The old one where a line goes, the new one elsewhere."""
    made, _ = diff.lines((EDIT,), 40, "unified")
    assert [plain(line)[:4].rstrip() for line in made[1:4]] == ["10", "11 −", "11 +"]


def test_hunks_and_files_can_be_gone_to() -> None:
    """A file begins with its head, further hunks where their lines begin."""
    made, stops = diff.lines((EDIT, TWO), 60, "unified")
    shown = texts(made)
    assert [shown[stop] for stop in stops] == ["src/auth.py  +2 −1", "src/a.py  +2 −2", "20 20   x"]
    assert shown[stops[1] + 1] == "One line end changes."
    assert shown[stops[2] - 1] == "⋯"


def test_words_that_changed_are_marked() -> None:
    """Underlined and bold, so that no colour is needed."""
    made, _ = diff.lines((TWO,), 60, "words")
    assert {"strong", "under"} <= styles(made, "old")
    assert {"strong", "under"} <= styles(made, "new")
    assert "under" not in styles(made, " = 1")


def test_split_stands_side_by_side() -> None:
    """Where there is room for two; a new file has only one side."""
    made, _ = diff.lines((EDIT,), 141, "split")
    left, right = plain(made[2]).split(" │ ")
    assert left.strip() == "11 −     return token == SECRET"
    assert right.strip() == "11 +     given = token.strip()"
    assert plain(made[3]).split("│")[0].strip() == ""
    new = FileDiff("n", 1, 0, hunks=(Hunk(0, 1, ("+x",)),), is_new=True)
    made, _ = diff.lines((new,), 141, "split")
    assert texts(made) == ["n  new file  +1 −0", "  1 + x"]
    assert diff.modes(diff.WIDE - 1) == ("unified", "words")
    assert diff.modes(diff.WIDE) == ("unified", "split", "words")


def test_file_without_hunks_says_why() -> None:
    """Never an empty place where a change is expected."""
    assert texts(diff.lines((FileDiff("a", 0, 0, note="It cannot be read."),), 60, "unified")[0]) == [
        "a  +0 −0",
        "It cannot be read.",
    ]
    assert texts(diff.lines((FileDiff("a", 0, 0),), 60, "unified")[0])[1] == "Nothing in it would change."


@pytest.mark.parametrize("mode", ["unified", "split", "words"])
def test_hidden_characters_are_spelled_out_in_every_mode(mode: diff.Mode) -> None:
    """Also where the words of a line are marked."""
    hunk = Hunk(1, 1, ("-if admin:", "+if admin\u202e:", "+\tx\r"))
    for cells in (60, 150):
        made, _ = diff.lines((FileDiff("a.py", 2, 1, (hunk,)),), cells, mode)
        assert any("⟨U+202E⟩" in line for line in texts(made))
        assert any("⟨U+000D⟩" in line for line in texts(made))


def test_pieces_without_numbers_have_none() -> None:
    """Where their place in the file is unknown."""
    made, _ = diff.lines((FileDiff("a", 1, 1, (Hunk(0, 0, ("-x", "+y")),)),), 60, "unified")
    assert texts(made)[1:] == ["− x", "+ y"]
