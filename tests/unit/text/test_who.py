"""Projects, sessions and agents have the same names everywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from assent.protocol.card import Subject
from assent.words import who
from tests.unit.tui.hostile import texts
from tests.unit.tui.shown_asks import WEBSHOP


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("webshop", "WB"),
        ("api", "AP"),
        ("docs", "DC"),
        ("ci-fix", "CF"),
        ("myProject", "MP"),
        ("x", "X "),
        ("", "??"),
        ("---", "??"),
        ("проект", "ПР"),
        ("中文", "中"),
        ("a中", "A?"),
    ],
)
def test_two_letters_stand_for_a_project(name: str, letters: str) -> None:
    """Initials, or the first letter and the consonant after a vowel; always as wide as two."""
    assert who.letters(name) == letters


@given(st.one_of(texts, st.text(max_size=6)))
def test_letters_are_two_cells_wide(name: str) -> None:
    """Whatever a folder is called, the names behind the brackets stand below each other."""
    made = who.letters(name)
    assert cell_len(made) == 2
    assert made.isprintable()


# What ``hue`` of the page's names.js says.
HUES = {"webshop": 3, "api": 2, "docs": 3, "": 1, "日本": 1, "straße": 4}


def test_hue_is_the_one_of_the_page() -> None:
    """The same name has the same colour on every screen."""
    assert {name: who.hue(name) for name in HUES} == HUES
    assert all(0 <= who.hue(str(number)) < 8 for number in range(100))


def test_project_is_named_after_its_folder() -> None:
    """Or after the folder it works in, or at last after its session."""
    assert who.project(WEBSHOP) == "webshop"
    assert who.project(Subject("claude-code", folder="/home/dev/notes")) == "notes"
    assert who.project(Subject("claude-code", session="5c9f2d1e-1234")) == "5c9f2d1e"
    assert who.project(Subject("claude-code", project="/p/a\x1b[2Jb")) == "a⟨U+001B⟩[2Jb"


def test_agents_are_told_apart() -> None:
    """The main one, and others by their type or the beginning of their id."""
    assert who.which_agent(WEBSHOP) == "main agent"
    assert who.which_agent(Subject("claude-code", agent="0123456789")) == "⑂ 01234567"
    assert who.which_agent(Subject("claude-code", agent="0", agent_type="explorer")) == "⑂ explorer"
    assert who.identity(WEBSHOP) == "[WB] webshop · Fix flaky login · main agent"
    assert who.agent_name("claude-code") == "Claude"
    assert who.agent_name("other\n") == "other"
    assert who.agent_name("") == "the agent"
