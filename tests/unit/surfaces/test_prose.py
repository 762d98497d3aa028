"""Sentences and Markdown as runs of text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.surfaces import prose
from assent.surfaces.prose import Run, document, sentence
from assent.text.safe import chat_text
from tests.hostile import SAMPLES
from tests.unit.tui.shown_asks import PLAN

# What chats make links of: addresses, names, commands, tags.
LINK = re.compile(r"\w+://\S|[\w-]\.[a-z]{2,}\b|(?<!\S)[@#/$]\w|\w@\w", re.IGNORECASE)
TRICKY = st.text(alphabet="ab1.:/@#$ -_`“”()*[]\n", max_size=80)


def marked(runs: list[Run]) -> str:
    """With ``|`` around what is code."""
    return "".join(f"|{run.text}|" if run.style == "code" else run.text for run in runs)


def plain(runs: "tuple[Run, ...] | list[Run]") -> str:
    return "".join("\n" if run.style == "code" else run.text for run in runs)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Delete untracked files", "Delete untracked files"),
        ("Install express-rate-limit@7", "Install |express-rate-limit@7|"),
        ("It writes inside the project: shop/login.py.", "It writes inside the project: |shop/login.py|."),
        ("It cannot be undone: “git clean -fdx”.", "It cannot be undone: |git clean -fdx|."),
        ("It installs packages (“npm i --save x”).", "It installs packages (|npm i --save x|)."),
        ("Auto mode refused it: “It sends data away”.", "Auto mode refused it: “It sends data away”."),
        ("Until 9:58, 2.4 and 214 files, don't ask", "Until 9:58, 2.4 and 214 files, don't ask"),
        ("`git push` of feature to origin", "|git push| of feature to origin"),
        ("Fetch evil.example and 10.0.0.1", "Fetch |evil.example| and |10.0.0.1|"),
        ("a.b c.d", "|a.b c.d|"),
    ],
)
def test_words_are_prose_and_names_of_things_are_code(text: str, shown: str) -> None:
    """A command in quotes is one piece of code, without its quotes."""
    assert marked(sentence(text, 200)) == shown


def test_sentence_of_many_names_is_code_as_a_whole() -> None:
    """Services bound how much formatting a message may have."""
    assert [run.style for run in sentence(" and ".join(f"{n}.py" for n in "abcdefgh"), 200)] == ["code"]


@given(TRICKY)
def test_no_sentence_holds_a_link(text: str) -> None:
    """Whatever a chat would make one of stands in code."""
    assert LINK.search(plain(sentence(text, 200))) is None


@given(TRICKY)
def test_no_plan_holds_a_link(text: str) -> None:
    """Not even where pieces of different styles touch."""
    lines, _ = document(text, 2_000)
    assert [line for line in lines if line.kind != "code" and LINK.search(plain(line.runs))] == []


def test_plan_is_lines_with_their_kind() -> None:
    """Headings bold, numbers kept, and nothing of it left out."""
    lines, left = document(PLAN, 2_000)
    assert [(line.kind, line.number, line.text) for line in lines] == [
        ("heading", 0, "Move login to its own module"),
        ("number", 1, "Extract the token check"),
        ("number", 2, "Keep the old names"),
        ("text", 0, "Nothing else changes."),
    ]
    assert lines[0].runs[0].style == "bold"
    assert left == 0


def test_nested_lists_code_tables_and_quotes() -> None:
    """Code and tables are blocks, a list in a list is indented, a link shows its address."""
    text = "- a\n  - **b**\n\n```sh\nls\n```\n\n| x | y |\n|---|---|\n| long | 1 |\n\n> said\n\nSee [it](https://e.example)."
    lines, _ = document(text, 2_000)
    assert [(line.kind, line.depth, line.text) for line in lines] == [
        ("bullet", 0, "a"),
        ("bullet", 1, "b"),
        ("code", 0, "ls"),
        ("code", 0, "x     y\nlong  1"),
        ("quote", 0, "said"),
        ("text", 0, "See it (https://e.example)."),
    ]


@pytest.mark.parametrize("room", [60, 400])
def test_cut_plan_says_how_much_is_left(room: int) -> None:
    """Between lines; a line that is too long by itself is cut within."""
    lines, left = document("A step of it.\n\n" * 100, room)
    assert 0 < len(lines) < 100
    assert left == (100 - len(lines)) * len("A step of it.")
    (only,), left = document("x" * 5_000, room)
    assert len(only.text) + left == 5_000


@pytest.mark.parametrize("text", SAMPLES)
def test_hostile_markdown_keeps_its_letters(text: str) -> None:
    """Drawn or as written, every letter of it is there."""
    lines, left = document(text, 20_000)
    seen = [c for line in lines for c in line.text if c.isalnum()]
    wanted = [c for c in chat_text(text) if c.isalnum()]
    assert left == 0 or sum(bool(run.style) for line in lines for run in line.runs) >= prose.MOST_RUNS - 1
    assert left or [c for c in seen if c.isalpha()] == [c for c in wanted if c.isalpha()]
