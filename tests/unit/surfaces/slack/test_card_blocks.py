"""Text in blocks."""

from hypothesis import given
from hypothesis import strategies as st

from assent.surfaces.slack.card import plain, unescaped
from assent.text.safe import chat_line, escaped


@given(st.text(max_size=200), st.integers(10, 80))
def test_plain_text_fits_and_no_escape_is_torn(text: str, longest: int) -> None:
    """Whatever it is, it is neither empty nor too long, and has none of Slack's three signs but in escapes."""
    made = plain(text, longest)["text"]
    assert 0 < len(made) <= longest
    rest = made.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "")
    assert not set(rest) & set("&<>")


@given(st.text(max_size=100))
def test_what_people_write_comes_back_as_they_wrote_it(text: str) -> None:
    """Escapes in a text of theirs stay what they are."""
    assert unescaped(escaped(text)) == text


def test_a_line_has_nothing_hidden_and_shows_its_cut() -> None:
    """One line, whatever came."""
    assert chat_line("a\n\u202eb  c", 40) == "a ⟨U+202E⟩b c"
    assert chat_line("x" * 50, 10) == "x" * 9 + "⋯"
