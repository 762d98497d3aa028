"""A command line in parts: all of it, and the guilty ones marked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.asks.card.segments import split
from assent.protocol.card import Segment
from assent.protocol.decision import Seen, Step, Trial
from tests.unit.asks.judged import bash, tried


def parts(command: str, level: str = "care") -> tuple[Segment, ...]:
    return split(command, tried(bash(command)), level)


def needing(command: str) -> list[str]:
    return [segment.text for segment in parts(command) if segment.needs_you]


def made_up(command: str, *steps: Step) -> Trial:
    return Trial(command, "ask", "danger", "Because.", (), (), "judge", steps=steps)


DELETES = Seen("delete", "danger", "x", "It deletes.")


@pytest.mark.parametrize(
    ("command", "guilty"),
    [
        ("ls && rm -rf uploads", ["rm -rf uploads"]),
        ("git clean -fdx && npm ci", ["git clean -fdx", "npm ci"]),
        ("cd src; npm ci; ls", ["npm ci"]),
        ("ls | xargs -0 cat > out.txt; git status", ["xargs -0 cat > out.txt"]),
        ("echo $(npm ci)", ["npm ci"]),
        ("bash -c 'rm -rf uploads; ls'", ["rm -rf uploads"]),
        ("if true; then rm x; else ls; fi", ["rm x"]),
        ("echo 'rm -rf uploads' && rm -rf uploads", ["rm -rf uploads"]),
        ("ls x.sh; sh x.sh", ["sh x.sh"]),
    ],
)
def test_parts_that_are_not_look_need_a_person(command: str, guilty: list[str]) -> None:
    """The eye goes to what matters, and a text in quotes is not taken for a command."""
    assert needing(command) == guilty


def test_quoted_twin_of_a_command_is_not_marked() -> None:
    """Where the same text stands twice, the one that runs is marked."""
    found = parts("echo 'rm -rf uploads' && rm -rf uploads")
    assert [(segment.text, segment.risk) for segment in found] == [
        ("echo 'rm -rf uploads'", "look"),
        (" && ", ""),
        ("rm -rf uploads", "danger"),
    ]


def test_function_is_marked_where_it_is_called_and_where_it_stands() -> None:
    """Both places have to do with it."""
    assert needing("tidy() { rm -rf uploads; }; tidy") == ["rm -rf uploads", "tidy"]


def test_everything_needs_a_person_where_nothing_stands_out() -> None:
    """It is asked about all the same."""
    assert needing("ls && pwd") == ["ls", "pwd"]


def test_part_says_what_it_would_do() -> None:
    """The reason stands beside the part, not only beside the whole."""
    [first, _, second] = parts("git clean -fdx && npm ci")
    assert first.why == "It deletes files that git does not know and cannot bring back."
    assert second.why == "It installs packages, and their scripts run then."


def test_unjudged_line_is_one_part() -> None:
    """Without a judgement all of it needs a person."""
    assert split("rm x; ls", None, "care") == (Segment("rm x; ls", "care", needs_you=True),)


def test_danger_that_is_not_found_in_the_text_is_on_all_of_it() -> None:
    """What the judge saw is never lost because its place is unknown."""
    trial = made_up("ls; $x", Step("ls", "look"), Step("rm -rf /", "danger", (DELETES,)))
    assert split("ls; $x", trial, "danger") == (Segment("ls; $x", "danger", needs_you=True, why="Because."),)


def test_danger_inside_a_command_that_is_not_found_is_on_the_command() -> None:
    """A command answers for what it starts."""
    trial = made_up("go; ls", Step("go", "danger", (), (Step("rm x", "danger", (DELETES,)),)), Step("ls", "look"))
    [first, *_] = split("go; ls", trial, "danger")
    assert first == Segment("go", "danger", needs_you=True, why="It deletes.")


def test_rest_of_a_line_that_was_cut_needs_a_person() -> None:
    """The judge names only so many commands; what comes after them was not looked through one by one."""
    command = "ls;" * 300 + "rm -rf uploads"
    last = parts(command, "danger")[-1]
    assert last.needs_you
    assert last.risk == "danger"
    assert last.text.endswith("rm -rf uploads")


WORDS = st.sampled_from(
    ["ls", "rm -rf uploads", "npm ci", "'", '"', "$(", ")", "`", "|", "&&", ";", "\n", " ", "<<E", "E", "{", "}", "f()"]
)


@given(st.lists(WORDS, max_size=15).map("".join))
def test_parts_together_are_the_line(command: str) -> None:
    """Nothing is lost and nothing added, however odd the line is."""
    assert "".join(segment.text for segment in parts(command)) == command


TEXTS = st.text("ab ;", max_size=12)


@given(TEXTS, st.lists(st.tuples(TEXTS, st.lists(TEXTS, max_size=3)), max_size=5))
def test_parts_are_the_line_whatever_the_judge_says(command: str, said: list[tuple[str, list[str]]]) -> None:
    """Even where the judge names commands that are not there."""
    steps = [
        Step(text, "danger", (DELETES,), tuple(Step(inner, "danger", (DELETES,)) for inner in starts))
        for text, starts in said
    ]
    found = split(command, made_up(command, *steps), "danger")
    assert "".join(segment.text for segment in found) == command
    assert not command or not steps or any(segment.needs_you for segment in found)
