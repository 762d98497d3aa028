"""A code is good once and for two minutes, and a phone is in only after the words were compared."""

from dataclasses import dataclass

import pytest

from assent.hub.access import pairing
from assent.hub.access.devices import Device
from assent.hub.access.pairing import Invitation, Pairing
from assent.webapi.endpoint import ProblemError


@dataclass
class Clock:
    now: float = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(pairing, "time", clock)
    return clock


INVITATION = Invitation("code", "phone", "answer")


def phone(name: str = "ab12") -> Device:
    return Device(id=name, name="phone", kind="phone", scope="answer", created_at=0)


def test_code_is_good_once() -> None:
    """The second who opens a link gets nothing, and is told why."""
    pairing_ = Pairing()
    code = pairing_.invite("desk", "admin").code
    assert pairing_.take(code).scope == "admin"
    with pytest.raises(ProblemError, match="used already"):
        pairing_.take(code)


def test_code_expires(clock: Clock) -> None:
    """A link that lies around is no key."""
    pairing_ = Pairing()
    code = pairing_.invite("desk", "admin").code
    clock.now += pairing.SECONDS
    with pytest.raises(ProblemError, match="too old"):
        pairing_.take(code)


def test_claim_is_settled_once() -> None:
    """Two people who answer for one phone: the first counts."""
    pairing_ = Pairing()
    claim = pairing_.wait(phone(), INVITATION, "key", "192.0.2.7")
    assert pairing_.of_token(claim.token).outcome == "waiting"
    pairing_.settle("ab12", "refused")
    with pytest.raises(ProblemError, match="no longer waits"):
        pairing_.settle("ab12", "active")
    assert pairing_.of_token(claim.token).outcome == "refused"


def test_unanswered_claim_is_over(clock: Clock) -> None:
    """Silence lets no device in."""
    pairing_ = Pairing()
    claim = pairing_.wait(phone(), INVITATION, "key", "192.0.2.7")
    clock.now += pairing.SECONDS
    assert pairing_.waiting() == []
    assert pairing_.of_token(claim.token).outcome == "expired"
    with pytest.raises(ProblemError, match="no longer waits"):
        pairing_.settle("ab12", "active")


def test_made_up_token_finds_no_claim() -> None:
    """Only the phone that claimed hears how it ended."""
    pairing_ = Pairing()
    pairing_.wait(phone(), INVITATION, "key", "192.0.2.7")
    for token in ("", "x", "é"):
        with pytest.raises(ProblemError):
            pairing_.of_token(token)


def test_waiting_claims_are_few() -> None:
    """A phone cannot be hidden among a hundred others."""
    pairing_ = Pairing()
    for number in range(pairing.MOST_WAITING):
        pairing_.wait(phone(str(number)), INVITATION, "key", "192.0.2.7")
    with pytest.raises(ProblemError, match="Too many"):
        pairing_.wait(phone("more"), INVITATION, "key", "192.0.2.7")


def test_words_differ_with_secret_and_key() -> None:
    """Another phone with the same code, or the same phone with another code, shows other words."""
    found = {pairing.words_of(secret, proof) for secret in ("a", "b") for proof in ("k", "l")}
    assert len(found) == 4
    assert all(len(three) == pairing.COUNT for three in found)
    assert pairing.words_of("a", "k") == pairing.words_of("a", "k")


def test_words_are_many_short_and_distinct() -> None:
    """Easy to read aloud, hard to hit by chance."""
    known = pairing.known_words()
    assert len(known) == len(set(known)) >= 256
    assert all(word.isascii() and word.islower() and 3 <= len(word) <= 9 for word in known)
    assert len({word[:4] for word in known}) > 240
