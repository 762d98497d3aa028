"""Text in Telegram's HTML."""

from hypothesis import given
from hypothesis import strategies as st

from assent.surfaces.telegram import card
from assent.text import safe
from tests.services.telegram_markup import parsed

TEXT = st.text(max_size=300) | st.text(alphabet="<>&a\n", max_size=300)


@given(TEXT)
def test_block_reads_as_it_was_written(text: str) -> None:
    """Telegram shows every character of it."""
    assert parsed(card.block(text)) == text


@given(TEXT, st.integers(20, 200))
def test_one_line_is_one_line_of_bounded_size(text: str, longest: int) -> None:
    """Escapes count, and none of them is torn."""
    line = safe.escaped_line(text, longest)
    assert safe.size(line) <= longest + 1
    assert "\n" not in parsed(line)
