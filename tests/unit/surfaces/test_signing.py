"""What a button carries."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from assent.surfaces import signing as seal
from assent.surfaces.signing import Signer
from tests.services.telegram import LONGEST_DATA
from tests.shown_asks import shown

ADA = "12345678"


@given(st.text(max_size=80))
def test_what_a_button_carries_is_never_believed_unread(data: str) -> None:
    """Whatever it says, without the key it is none of ours."""
    pressed = seal.read(data)
    assert pressed is None or not Signer(b"k").is_of(pressed, ADA, shown())


def test_seal_binds_every_part_and_fits_on_a_button() -> None:
    """Another ask, revision, hash, chat, act or argument is another seal."""
    mine, ask = Signer(b"k" * 32), shown()
    data = mine.data(ADA, "o", ask, "12.12")
    pressed = seal.read(data)
    assert pressed is not None
    assert mine.is_of(pressed, ADA, ask)
    assert len(data.encode()) <= LONGEST_DATA
    for other in (replace(ask, rev=2), replace(ask, hash="6" * 64), replace(ask, id="other"), None):
        assert not mine.is_of(pressed, ADA, other)
    for changed in (replace(pressed, act="a"), replace(pressed, argument="1.1"), replace(pressed, mac="ü" * 16)):
        assert not mine.is_of(changed, ADA, ask)
    assert not mine.is_of(pressed, "1", ask)
    assert not Signer(b"other").is_of(pressed, ADA, ask)
