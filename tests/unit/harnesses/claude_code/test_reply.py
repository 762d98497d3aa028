"""Texts that are sent to the client."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.claude_code import reply

ANY_TEXT = st.text(alphabet=st.characters(), max_size=50)


def units(text: str) -> int:
    """How long JavaScript says it is."""
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("text", ["no", "x" * 9_500, "  padded  ", "two\nlines"])
def test_text_that_fits_is_sent_as_it_is(text: str) -> None:
    """Nothing is changed without need."""
    assert reply.text(text) == text


@pytest.mark.parametrize("text", ["x" * 12_000, "é" * 9_501, "😀" * 6_000, "a" + "😀" * 6_000])
def test_text_too_long_for_the_client_is_cut_with_a_mark(text: str) -> None:
    """The client would replace a longer text by a file's name, so we cut it and say so."""
    cut = reply.text(text)
    assert units(cut) <= 9_500
    kept, _, mark = cut.partition("\n[cut by Assent: ")
    assert text.startswith(kept)
    assert mark == f"{units(text):,} characters in all]"


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_text_that_is_blank_becomes_a_sentence(text: str) -> None:
    """A reason the model can read stands even where none was given."""
    assert reply.text(text) == "No reason was given."


@given(ANY_TEXT)
def test_text_can_always_be_encoded(text: str) -> None:
    """Not even half a surrogate pair stops an answer."""
    assert reply.text(text).encode()


def test_text_replaces_half_a_surrogate_pair() -> None:
    """What is no Unicode is shown as a replacement character."""
    assert reply.text("a\ud800b") == "a?b"
