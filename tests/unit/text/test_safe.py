"""Hostile text is inert in every kind of output."""

from collections.abc import Callable

import pytest
from hypothesis import given

from assent.text import safe
from tests.hostile import SAMPLES, STEERING, texts
from tests.services.telegram_markup import parsed

LINES: dict[str, Callable[[str], str]] = {
    "plain_line": safe.plain_line,
    "notification_line": lambda text: safe.notification_line(text, 80),
    "chat_line": lambda text: safe.chat_line(text, 80),
    "escaped_line": lambda text: safe.escaped_line(text, 80),
}
TEXTS: dict[str, Callable[[str], str]] = {
    "terminal_text": safe.terminal_text,
    "terminal_command": lambda text: safe.terminal_text(text, is_command=True),
    "terminal_ascii": lambda text: safe.terminal_text(text, is_ascii=True),
    "printed_text": lambda text: safe.printed_text(text, is_command=False),
    "printed_command": safe.printed_text,
    "chat_text": safe.chat_text,
    "chat_command": lambda text: safe.chat_text(text, is_command=True),
}


@pytest.mark.parametrize("name", [*LINES, *TEXTS])
@pytest.mark.parametrize("text", SAMPLES)
def test_nothing_that_steers_or_hides_is_left(name: str, text: str) -> None:
    """Escape codes, turns of direction, marks without width and halves of characters are spelled out."""
    shown = {**LINES, **TEXTS}[name](text)
    assert STEERING.search(shown) is None


@pytest.mark.parametrize("name", LINES)
@given(text=texts)
def test_a_line_stays_one_line_of_bounded_size(name: str, text: str) -> None:
    """Whatever it is made of."""
    shown = LINES[name](text)
    assert "\n" not in shown
    assert len(shown) <= safe.LONGEST


@given(texts)
def test_escaped_text_is_no_markup(text: str) -> None:
    """Telegram reads what was written; Slack escapes the same three characters."""
    shown = safe.escaped(safe.chat_text(text))
    assert not set(shown) & set("<>")
    assert parsed(shown) == safe.chat_text(text)


def test_what_is_pushed_out_of_sight_is_counted() -> None:
    """Blanks, tabs and line ends in a row are folded, and how many there were is said."""
    far = "ls" + " " * 200 + ";" + "\n" * 30 + "rm -rf ~"
    assert safe.terminal_text(far) == "ls⟨␣×200⟩;⟨↵×30⟩\nrm -rf ~"
    assert safe.printed_text(far) == "ls␣×200;↵×30\nrm -rf ~"
    assert safe.chat_text(far) == "ls␣×200;↵×30\nrm -rf ~"
