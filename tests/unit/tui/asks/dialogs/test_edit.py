"""An input that is changed before it is allowed."""

import json

import pytest

from assent.tui.asks.dialogs.dialog import Done, Wrong
from assent.tui.asks.dialogs.edit import input_of
from tests.unit.tui.measured import text
from tests.unit.tui.shown_asks import edit, permission


def test_edited_command_keeps_the_rest_of_the_input() -> None:
    """Only the text is edited, with the safer one at hand."""
    made = input_of(permission())
    assert (made.title, made.before, made.instead) == ("Edit the command", "git clean -fdx && npm ci", "git stash -u")
    assert made.read("npm ci") == Done(
        {"choice": "allow_edited", "edited": {"command": "npm ci", "description": "Clean install"}}
    )
    assert made.read(made.before) == Wrong("Nothing was changed.")
    assert made.read(" \n") == Wrong("The command is empty.")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ('{"file_path": }', "This is not JSON: line 1, column 15: Expecting value."),
        ("[1]", "The input must be a JSON object, in braces."),
        ("[" * 100_000, "This is nested too deeply."),
        ('{"file_path": "src/auth.py"}', "Nothing was changed."),
    ],
)
def test_edited_json_that_cannot_be_is_explained(given: str, why: str) -> None:
    """A sentence with the place, and nothing is sent."""
    made = input_of(edit())
    assert made.title == "Edit the input, as JSON"
    assert made.read(given) == Wrong(why)


def test_edited_input_spells_out_invisible_characters() -> None:
    """A text field would hide it, or hand it to the terminal; JSON says it and takes it back."""
    ask = permission(card_view={"raw": {"command": "echo \u202e\x1b[2J\x7f\x9b ok"}})
    made = input_of(ask)
    assert made.is_spelled_out
    assert made.before.replace("\n", "").isprintable()
    assert made.before.isascii()
    assert json.loads(made.before) == ask.view.raw
    assert made.read(made.before) == Wrong("Nothing was changed.")


def test_difference_marks_the_words_that_changed() -> None:
    """Both lines, with what is gone struck through and what is new underlined."""
    made = input_of(permission("npm test --watch && ls", level="change"))
    lines = made.difference("npm test --run && ls\necho done", 60)
    assert text(lines, 60).splitlines() == [" − npm test --watch && ls", " + npm test --run && ls", " + echo done"]


def test_difference_shows_unchanged_lines_and_hidden_characters() -> None:
    """What stays stands between; what was typed or pasted unseen is drawn."""
    made = input_of(permission("a\nb\nc", level="change"))
    assert text(made.difference("a\nB\u200b\nc", 60), 60).splitlines() == ["   a", " − b", " + B⟨U+200B⟩", "   c"]
