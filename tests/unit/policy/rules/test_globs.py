"""Wildcards."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.rules.globs import PathGlob, TextGlob


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("git status", "git status", True),
        ("git status", "git status -s", False),
        ("ls *", "ls", True),
        ("ls *", "ls -la", True),
        ("ls *", "lsof", False),
        ("ls*", "lsof", True),
        ("npm run:*", "npm run", True),
        ("npm run:*", "npm run test", True),
        ("npm run:*", "npm runner", False),
        ("git * main", "git push origin main", True),
        ("git * main", "git main", False),
        ("* --version", "node --version", True),
        ("* --version", "node --version x", False),
        ("git * push *", "git -C x push", True),
        ("*", "", True),
        ("*", "a\nb", True),
        ("a*b*c", "abc", True),
        ("a*b*c", "acb", False),
        ("aa*aa", "aaa", False),
        (r"echo \*", "echo *", True),
        (r"echo \*", "echo a", False),
        (r"echo \(a\)", "echo (a)", True),
        ("", "", True),
        ("", "a", False),
    ],
)
def test_text_glob_follows_the_client(pattern: str, text: str, fits: bool) -> None:
    """A star is any text; a blank and a star at the end are optional together."""
    assert TextGlob(pattern).fits(text) is fits


@pytest.mark.parametrize(("pattern", "wild"), [("ls", False), ("ls *", True), ("ls:*", True), (r"ls \*", False)])
def test_text_glob_knows_whether_it_is_wild(pattern: str, wild: bool) -> None:
    """An escaped star is a character."""
    assert TextGlob(pattern).is_wild is wild


@given(st.text(alphabet="ab*"), st.text(alphabet="ab"))
def test_text_glob_agrees_with_regular_expressions(pattern: str, text: str) -> None:
    """The fast way and the obvious way."""
    obvious = re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL)
    assert TextGlob(pattern).fits(text) is bool(obvious)


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("src", "src", True),
        ("src", "src/a/b.py", True),
        ("src", "src2", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/a/b.py", False),
        ("src/**", "src/a/b.py", True),
        ("**/*.env", ".env", True),
        ("**/*.env", "a/b/prod.env", True),
        ("**/test/*.py", "a/test/b.py", True),
        ("**/test/*.py", "a/test/c/b.py", False),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**/b", "a/x/y/c", False),
        ("a/**/b/**/c", "a/b/x/b/y/c", True),
        ("*.py", "a/b.py", False),
        ("[ab].py", "a.py", True),
        ("[!ab].py", "a.py", False),
        ("?.py", "a.py", True),
        ("./src/", "src/a", True),
        ("", "anything", True),
        ("**", "anything/at/all", True),
    ],
)
def test_path_glob_follows_gitignore(pattern: str, path: str, fits: bool) -> None:
    """A star stays in one name, two stars cross folders, a folder means all below it."""
    assert PathGlob(pattern).fits(path) is fits


def test_path_glob_tells_a_path_from_what_lies_below_it() -> None:
    """To name a folder is not to name a file in it."""
    assert PathGlob("src").fits_whole("src")
    assert not PathGlob("src").fits_whole("src/a")


@pytest.mark.parametrize("pattern", ["**/a/" * 12 + "b", "*a" * 12 + "b", "**/" * 30 + "x"])
def test_path_glob_stays_quick_on_hostile_patterns(pattern: str) -> None:
    """A repository's rules must not stop the hub; a backtracking matcher would need hours here."""
    glob = PathGlob(pattern)
    start = time.process_time()
    assert not glob.fits("a/" * 500 + "a" * 200 + "!")
    assert time.process_time() - start < 5


@given(st.text(alphabet="ab*/?[]!"), st.text(alphabet="ab/"))
def test_path_glob_never_raises(pattern: str, path: str) -> None:
    """Patterns come from other people's repositories, too."""
    PathGlob(pattern).fits(path)
