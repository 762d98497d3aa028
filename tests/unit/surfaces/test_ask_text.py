"""Text of agents in chats: nothing of it is markup, and a cut never goes through a character."""

from hypothesis import given
from hypothesis import strategies as st

from assent.surfaces import ask_text
from assent.text import safe
from tests.services.telegram_markup import parsed

TEXT = st.text(max_size=300) | st.text(alphabet="<>&a\n", max_size=300)


@given(TEXT)
def test_escaped_text_reads_as_it_was_written(text: str) -> None:
    """Telegram shows every character of it."""
    assert parsed(safe.escaped(text)) == text


@given(TEXT, st.integers(10, 80), st.integers(1, 5))
def test_pieces_are_all_of_it_or_none(text: str, room: int, most: int) -> None:
    """Nothing is lost between two messages."""
    found = ask_text.pieces(text, room, most)
    if found is not None:
        assert "".join(found) == text
        assert len(found) <= most
        assert all(safe.size(safe.escaped(piece)) <= room for piece in found)
    else:
        assert safe.size(safe.escaped(text)) > room


@given(TEXT, st.integers(60, 200))
def test_both_ends_fit_and_say_how_much_is_missing(text: str, room: int) -> None:
    """Beginning and end are what people need to recognise it."""
    found = ask_text.both_ends(text, room)
    assert safe.size(safe.escaped(found)) <= room + 20
    assert (found == text) == (safe.size(safe.escaped(text)) <= room)


def test_text_that_hides_something_is_drawn() -> None:
    """Turned round, without width, or pushed out of sight."""
    assert safe.chat_text("rm\u202e -rf\x1b[2J", is_command=True) == "rm⟨U+202E⟩ -rf⟨U+001B⟩[2J"
    assert safe.chat_text("ls" + " " * 200 + "; rm -rf ~") == "ls␣×200; rm -rf ~"
    assert safe.chat_text("ls" + "\n" * 30 + "rm -rf ~") == "ls↵×30\nrm -rf ~"
