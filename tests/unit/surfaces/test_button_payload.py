"""A press means one thing, and cannot be made without the key."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from assent.surfaces import button_payload
from tests.shown_asks import OPENED, shown

KEY, OTHER = b"k" * 32, b"o" * 32


def test_a_press_is_read_back_as_it_was_made() -> None:
    """Ask, revision, hash, choice and end; each press is known from any other."""
    ask = shown()
    first, second = (button_payload.read(KEY, button_payload.signed(KEY, ask, "answer", 0, "1")) for _ in range(2))
    assert first is not None
    assert second is not None
    assert (first.ask, first.rev, first.hash, first.choice, first.argument) == ("kptwm", 1, "5" * 64, "answer", "1")
    assert first.until == OPENED + 600_000
    assert first.nonce != second.nonce


def test_an_ask_without_an_end_has_buttons_with_one() -> None:
    """A press that comes days later counts no more."""
    reply = button_payload.read(KEY, button_payload.signed(KEY, replace(shown(), expires_at=None), "deny", 1_000))
    assert reply is not None
    assert reply.until == 1_000 + button_payload.LIFE


def test_what_was_changed_or_made_elsewhere_is_none() -> None:
    """Every part is signed, and so is where one part ends."""
    text = button_payload.signed(KEY, shown(), "deny", 0)
    parts = text.split(":")
    changed = [":".join([*parts[:at], f"{part}x", *parts[at + 1 :]]) for at, part in enumerate(parts)]
    moved = [text.replace(":deny:", ":den:y"), text[:-1], f"{text}:", "", ":", "x" * 1_000]
    assert [found for found in (*changed, *moved) if button_payload.read(KEY, found) is not None] == []
    assert button_payload.read(OTHER, text) is None


@given(st.text())
def test_no_text_of_strangers_is_a_press(text: str) -> None:
    """Nor does any trip it over."""
    assert button_payload.read(KEY, text) is None
