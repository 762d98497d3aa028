"""Unified diffs as changes of files."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.patches import from_unified
from assent.protocol.operations import FileChange

LINES = st.lists(st.text(alphabet="ab+-@ \t", max_size=6).map(lambda text: f"{text}\n"), max_size=8)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("--- a/dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n", FileChange(path="/f", old=None, new="x\n")),
        ("--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", FileChange(path="/f", old="x\n", new=None)),
        ("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n", FileChange(path="/f", old="x\n", new="y\n")),
    ],
)
def test_file_is_made_deleted_or_changed(head: str, expected: FileChange) -> None:
    assert from_unified(head, "/f") == (expected,)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no diff at all",
        "--- a/f\n+++ b/f\n",
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\ndiff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n",
    ],
)
def test_what_is_no_diff_of_one_file_is_none(text: str) -> None:
    """A second file must not hide behind the first."""
    assert from_unified(text, "/f") == ()


@given(LINES, LINES)
def test_whole_diff_gives_back_both_texts(old: list[str], new: list[str]) -> None:
    """With as much around each change as there is, nothing of either text is lost."""
    diff = "".join(difflib.unified_diff(old, new, "a/f", "b/f", n=100))
    if diff:
        assert from_unified(diff, "/f") == (FileChange(path="/f", old="".join(old), new="".join(new)),)
