"""What cannot be seen is drawn, and what people need is left alone."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.text.invisible import drawn, has_hidden, marks

HIDDEN = {
    "bidi": "echo \u202egnp.exe",
    "isolate": "ls \u2066x\u2069",
    "zero width": "rm\u200b -rf",
    "escape code": "echo \x1b[2J",
    "backspace": "echo a\b\b",
    "carriage return": "echo ok\rrm -rf x",
    "tag": "ls \U000e0041",
    "no-break space": "rm\u00a0-rf x",
    "Cyrillic letter": "c\u0430t file",
    "whole word of look-alikes": "\u0441\u0440 a b",
    "slash that is none": "cat a\u2215b",
    "dash that is none": "rm \u2013rf x",
    "Hangul filler": "echo \u3164",
    "private use": "echo \ue000",
    "variant without an emoji": "rm a\ufe0f",
    "joiner between plain letters": "r\u200dm",
    "word joiner": "r\u2060m",
    "blanks that push away": "ls" + " " * 40 + "; rm x",
    "empty lines that push away": "ls" + "\n" * 12 + "rm x",
    "mathematical letters": "\U0001d42b\U0001d426 a",
    "byte order mark": "\ufeffls",
}
PLAIN = {
    "plain": "git commit -m 'x'",
    "several lines and tabs": "cat <<EOF\n\ta\nEOF",
    "umlauts": "git commit -m 'Größe geändert'",
    "Russian": "git commit -m 'Исправил ошибку в корзине, а также тест'",
    "Chinese": "echo 你好，世界",
    "Japanese": "echo こんにちは",
    "curly quotes and a dash inside": "git commit -m 'don’t – “ever”'",
    "emoji": "echo ✅ done ⚠️ careful",
    "family emoji": "echo 👩\u200d💻",
    "blanks at the end": "ls" + " " * 60,
    "indented code": "python - <<E\n" + " " * 60 + "x = 1\nE",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN.keys())
def test_hidden_text_in_a_command_is_found(text: str) -> None:
    """Whatever a person would not see for what it is counts."""
    assert has_hidden(text)


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN.keys())
def test_ordinary_text_is_left_alone(text: str) -> None:
    """Languages, emoji and layout are no tricks."""
    assert not has_hidden(text)
    assert marks(text) == ()


@pytest.mark.parametrize(
    "text", ["a\r\nb\r\n", "\ufeffname,price\n", "prix\u00a0: 3 €", "می\u200cخواهم", "क्\u200dष", " " * 60 + "x = 1"]
)
def test_texts_and_files_may_hold_what_they_need(text: str) -> None:
    """Line ends, marks at the start of a file and joiners of scripts are ordinary outside of commands."""
    assert not has_hidden(text, is_command=False)


@pytest.mark.parametrize("text", ["if (admin\u202e \u2066) {", "x = 'a\u200bb'", "p\u0430ssword = 1", "\x1b]0;x\x07"])
def test_hidden_text_in_a_file_is_found(text: str) -> None:
    """Code that reads otherwise than it runs is no better in a file."""
    assert has_hidden(text, is_command=False)


def test_marks_name_the_character_and_its_place() -> None:
    """A surface can draw it where it stands."""
    assert marks("a\u202eb") == ((1, 2, "⟨U+202E⟩"),)
    assert drawn("rm\u200b \u0441at") == "rm⟨U+200B⟩ ⟨U+0441⟩at"


@given(st.text())
def test_drawing_changes_nothing_but_the_marked(text: str) -> None:
    """All other characters stay, in order."""
    found = marks(text)
    assert all(before.end <= after.start for before, after in itertools.pairwise(found))
    rest = "".join(c for at, c in enumerate(text) if not any(mark.start <= at < mark.end for mark in found))
    shown = drawn(text)
    for mark in reversed(found):
        assert mark.drawn in shown
    assert len(shown) == len(rest) + sum(len(mark.drawn) for mark in found)
