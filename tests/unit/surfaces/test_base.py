"""What may be answered where."""

import msgspec

from assent.surfaces.base import Audience, Ref, Traits, offered
from tests.shown_asks import shown

CHAT = Traits(shows_all=True, may_answer=True, is_private=True)
LOCK_SCREEN = Traits(shows_all=False, may_answer=True, is_private=False)
SIGN = Traits(shows_all=False, may_answer=False, is_private=False)


def choices(traits: Traits, audience: Audience) -> list[str]:
    return [way.choice for way in offered(shown(), traits, audience)]


def test_a_whole_view_offers_what_the_ask_offers() -> None:
    """Who sees everything may answer everything that is theirs to answer."""
    assert choices(CHAT, Audience()) == ["deny", "allow", "hand_back"]


def test_a_masked_or_cut_view_offers_nothing_that_permits() -> None:
    """What is not shown cannot be agreed to."""
    assert choices(LOCK_SCREEN, Audience()) == ["deny", "hand_back"]
    assert choices(LOCK_SCREEN, Audience("open")) == ["deny", "hand_back"]
    shared = Traits(shows_all=True, may_answer=True, is_private=False)
    assert choices(shared, Audience("masked")) == ["deny", "hand_back"]


def test_a_message_for_many_asks_permits_none_of_them() -> None:
    """Fourteen asks are not allowed with one press."""
    assert choices(CHAT, Audience(gist="Paused: 14 asks in 8 s")) == ["deny", "hand_back"]


def test_a_surface_that_takes_no_answers_offers_none() -> None:
    """It leads to a place where they are taken."""
    assert choices(SIGN, Audience()) == []


def test_a_reference_survives_a_restart() -> None:
    """It is written to a file and read back."""
    ref = Ref("push", "kptwm", ("d1", "d2"))
    assert msgspec.json.decode(msgspec.json.encode(ref), type=Ref) == ref
