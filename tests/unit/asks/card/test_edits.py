"""Diffs of the editing tools against the file as it is now."""

from typing import Any

import msgspec
import pytest

from assent.asks.card import edits
from assent.harnesses import claude_code
from assent.protocol.card import FileDiff, Hunk
from assent.protocol.operations import FileChange, Part

FILE = "one\ntwo\nthree\n"


def shown(tool: str, given: dict[str, Any], text: str | None = FILE, *, there: bool | None = None) -> FileDiff:
    def is_there(_: str) -> bool:
        return bool(there)

    diff = edits.of_tool(
        claude_code.operation(tool, given), "/p/f", "f", lambda _: text, None if there is None else is_there
    )
    assert diff is not None
    return diff


def edit(old: str, new: str, **more: Any) -> dict[str, Any]:
    return {"file_path": "/p/f", "old_string": old, "new_string": new, **more}


def test_edit_is_shown_in_its_place() -> None:
    """With the lines around it and their numbers."""
    assert shown("Edit", edit("two", "TWO")).hunks == (Hunk(1, 1, (" one", "-two", "+TWO", " three")),)


def test_edit_of_part_of_a_line_shows_the_line() -> None:
    """A person reads lines."""
    assert shown("Edit", edit("hre", "HRE")).hunks[0].lines == (" one", " two", "-three", "+tHREe")


def test_edit_whose_old_text_is_gone_says_so() -> None:
    """The client will refuse it, and the texts are shown all the same."""
    diff = shown("Edit", edit("zwei", "drei"))
    assert diff.note == "The old text is not in the file as it is now, so this edit should fail."
    assert diff.hunks == (Hunk(0, 0, ("-zwei", "+drei")),)


def test_edit_that_fits_several_places_says_so() -> None:
    """Which one is meant is unknown."""
    assert "stands 2 times" in shown("Edit", edit("x", "y"), "x\nx\n").note
    assert shown("Edit", edit("x", "y", replace_all=True), "x\nx\n").added == 2


def test_edit_of_a_file_that_cannot_be_read_shows_its_texts() -> None:
    """Then line numbers are missing, and the note says why."""
    diff = shown("Edit", edit("two", "TWO"), None, there=True)
    assert diff == FileDiff("f", 1, 1, hunks=(Hunk(0, 0, ("-two", "+TWO")),), note=edits.UNREADABLE)


def test_edit_with_windows_line_ends_is_found() -> None:
    """The client compares with plain line feeds."""
    assert shown("Edit", edit("one\ntwo", "1\n2"), "one\r\ntwo\r\n").note == ""


def test_edits_are_made_one_after_another() -> None:
    """The second sees what the first made."""
    both = {"file_path": "/p/f", "edits": [edit("one", "two"), edit("two\ntwo", "2")]}
    assert shown("MultiEdit", both).hunks[0].lines == ("-one", "-two", "+2", " three")


def test_edit_that_fails_is_named_by_its_number() -> None:
    """Of several, the one that does not fit."""
    both = {"file_path": "/p/f", "edits": [edit("one", "1"), edit("nine", "9")]}
    assert shown("MultiEdit", both).note.startswith("The old text of edit 2 is not in the file")


@pytest.mark.parametrize(
    ("there", "is_new", "note"), [(False, True, ""), (True, False, edits.REPLACED), (None, False, edits.UNCERTAIN)]
)
def test_write_knows_new_files_from_unreadable_ones(there: bool | None, is_new: bool, note: str) -> None:
    """A file that cannot be read is not taken for one that is not there."""
    diff = shown("Write", {"file_path": "/p/f", "content": "x\n"}, None, there=there)
    assert (diff.is_new, diff.note, diff.added) == (is_new, note, 1)


def test_write_is_compared_with_the_file_as_it_is() -> None:
    """What is lost is seen."""
    assert shown("Write", {"file_path": "/p/f", "content": "one\n"}).hunks[0].lines == (" one", "-two", "-three")


def test_edit_from_nothing_makes_a_file() -> None:
    """An empty old text and no file is a new one."""
    assert shown("Edit", edit("", "x\n"), None, there=False).is_new


CELLS = [{"id": "c1", "source": ["a = 1\n", "b = 2"]}, {"source": "print()"}]
NOTEBOOK = msgspec.json.encode({"cells": CELLS}).decode()


def test_cell_is_compared_with_the_cell() -> None:
    """Not with the file's JSON."""
    diff = shown("NotebookEdit", {"notebook_path": "/p/f", "cell_id": "c1", "new_source": "a = 1\nb = 3"}, NOTEBOOK)
    assert (diff.hunks[0].lines, diff.note) == ((" a = 1", "-b = 2", "+b = 3"), "In cell c1.")


def test_cell_may_be_named_by_its_number() -> None:
    """As the client counts cells that have no id."""
    given = {"notebook_path": "/p/f", "cell_id": "cell-1", "new_source": "", "edit_mode": "delete"}
    diff = shown("NotebookEdit", given, NOTEBOOK)
    assert (diff.hunks[0].lines, diff.note) == (("-print()",), "Cell cell-1 is deleted.")


def test_new_cell_is_all_added() -> None:
    """And it says after which."""
    given = {"notebook_path": "/p/f", "cell_id": "c1", "new_source": "x", "edit_mode": "insert"}
    diff = shown("NotebookEdit", given, NOTEBOOK)
    assert (diff.hunks[0].lines, diff.note) == (("+x",), "A new cell after cell c1.")


@pytest.mark.parametrize("text", [None, "{", "[]", '{"cells": 3}'])
def test_notebook_that_cannot_be_read_shows_the_new_text(text: str | None) -> None:
    """With a word about what is missing."""
    diff = shown("NotebookEdit", {"notebook_path": "/p/f", "cell_id": "c9", "new_source": "x"}, text)
    assert diff.hunks[0].lines == ("+x",)
    assert "here; this is its new text" in diff.note


def test_other_tools_have_no_diff() -> None:
    """Nothing is edited, so nothing is compared."""
    assert (
        edits.of_tool(claude_code.operation("Read", {"file_path": "/p/f"}), "/p/f", "f", lambda _: FILE, None) is None
    )


def patched(*parts: Part, text: str | None = FILE, moved_from: str | None = None) -> FileDiff:
    file = FileChange(path="f", old="", new="", parts=parts, moved_from=moved_from)
    return edits.of_file(file, "/p/f", "f", lambda _: text, None)


def test_patch_is_shown_in_its_places() -> None:
    """Each part behind the one before it, with other spaces at the ends of lines, too; without old lines at the end."""
    parts = (Part(old="two  \n", new="TWO\n"), Part(old="", new="four\n"))
    assert patched(*parts).hunks == (Hunk(1, 1, (" one", "-two", "+TWO", " three", "+four")),)


def test_patch_of_a_line_that_stands_twice_is_shown_where_it_belongs() -> None:
    """Behind the line that its head names, else at the first."""
    part = Part(old="x\n", new="y\n", after="def g():")
    assert patched(part, text="def f():\nx\ndef g():\nx\n").hunks[0].lines[-2:] == ("-x", "+y")
    assert patched(Part(old="x\n", new="y\n"), text="x\nx\n").hunks[0].lines == ("-x", "+y", " x")


def test_patch_of_lines_that_are_not_there_says_so() -> None:
    assert "not in the file" in patched(Part(old="nine\n", new="ten\n")).note
    assert patched(Part(old="one\n", new="ten\n"), text=None).note == edits.UNREADABLE


def test_moved_file_shows_what_changes_and_where_it_was() -> None:
    diff = patched(Part(old="two\n", new="TWO\n"), moved_from="old/f")
    assert diff.note == "Moved from old/f."
    assert (diff.added, diff.removed) == (1, 1)
    assert "Moved from old/f." in patched(moved_from="old/f").note
