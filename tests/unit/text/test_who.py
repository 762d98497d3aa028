"""Projects, sessions and agents have the same names everywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from assent.protocol.card import Subject
from assent.text import who
from tests.hostile import texts
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


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        (Subject("claude-code"), "main agent"),
        (Subject("claude-code", agent="a1", agent_type="Explore"), "↳ Explore"),
        (Subject("copilot"), "Copilot"),
        (Subject("codex", agent="a1"), "↳ a1 of Codex"),
        (Subject("acp:gemini-cli"), "Gemini (ACP)"),
        (Subject(""), "main agent"),
    ],
)
def test_agent_of_another_client_is_named_by_it(subject: Subject, words: str) -> None:
    """Where several work in one project it matters whose call it is."""
    assert who.which_agent(subject) == words


@given(st.one_of(texts, st.text(max_size=6)))
def test_letters_are_two_cells_wide(name: str) -> None:
    """Whatever a folder is called, the names behind the brackets stand below each other."""
    made = who.letters(name)
    assert cell_len(made) == 2
    assert made.isprintable()


# What ``hue`` of the page's names.js says.
HUES = {"webshop": 6, "api": 5, "docs": 4, "": 6, "日本": 6, "straße": 3}


def test_hue_is_the_one_of_the_page() -> None:
    """The same name has the same colour on every screen."""
    assert {name: who.hue(name) for name in HUES} == HUES
    assert {who.hue(str(number)) for number in range(100)} == {1, 2, 3, 4, 5, 6}


def test_project_is_named_after_its_folder() -> None:
    """Or after the folder it works in, or at last after its session."""
    assert who.project(WEBSHOP) == "webshop"
    assert who.project(Subject("claude-code", folder="/home/dev/notes")) == "notes"
    assert who.project(Subject("claude-code", session="5c9f2d1e-1234")) == "5c9f2d1e"
    assert who.project(Subject("claude-code", project="/p/a\x1b[2Jb")) == "a⟨U+001B⟩[2Jb"


def test_agents_are_told_apart() -> None:
    """The main one, and others by their type or the beginning of their id."""
    assert who.which_agent(WEBSHOP) == "main agent"
    assert who.which_agent(Subject("claude-code", agent="0123456789")) == "↳ 01234567"
    assert who.which_agent(Subject("claude-code", agent="0", agent_type="explorer")) == "↳ explorer"
    assert who.identity(WEBSHOP) == "[WB] webshop · Fix flaky login · main agent"
    assert who.agent_name("claude-code") == "Claude"
    assert who.agent_name("other\n") == "other"
    assert who.agent_name("") == "the agent"


@pytest.mark.parametrize(
    ("by", "words"),
    [
        ("rule:user#3", "your rule 3"),
        ("rule:project#1", "the project's rule 1"),
        ("rule:agent.local", "the agent's own local settings"),
        ("stance:balanced", "the stance balanced"),
        ("floor:delete-everything", "the floor (delete-everything)"),
        ("person:Chrome-on-Linux", "Chrome on Linux"),
        ("permission:3f9a1c20", "an answer of yours that stays"),
        ("timeout", "the time limit"),
        ("newer\x1b[2J", "newer⟨U+001B⟩[2J"),
        ("", "somebody"),
    ],
)
def test_who_decided_is_told_in_words(by: str, words: str) -> None:
    """As records name them, for people; an unknown one is told as it is."""
    assert who.decider(by) == words
