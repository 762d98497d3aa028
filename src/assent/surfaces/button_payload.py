"""Signed payload of a button, for services that return a text: one choice about one revision of one ask.

Nothing about buttons is kept: they are verified with the key, also after a restart of the hub."""

import hmac
import secrets
from typing import get_args

from msgspec import Struct

from assent.protocol.bodies import Choice
from assent.protocol.card import ShownAsk
from assent.surfaces.signing import mac

# A press may come long after the button was sent; later than this it is no press any more.
LIFE = 12 * 3_600_000
LONGEST = 400
_CHOICES = frozenset(get_args(Choice))
_BETWEEN = ":"
_MARK = "assent1"


class ButtonPayload(Struct, frozen=True):
    """Made here, and unchanged since. Whether it still fits is for the hub to say."""

    ask: str
    rev: int
    hash: str
    choice: Choice
    # Until when it counts, in Unix milliseconds.
    until: int
    # Which option of a question.
    argument: str = ""
    # Known again, so that the same press counts once.
    nonce: str = ""


def signed(key: bytes, ask: ShownAsk, choice: Choice, now: int, argument: str = "") -> str:
    until = ask.expires_at or now + LIFE
    parts = (_MARK, ask.id, str(ask.rev), ask.hash, choice, argument, str(until), secrets.token_hex(8))
    return _BETWEEN.join((*parts, mac(key, *parts)))


def read(key: bytes, text: str) -> ButtonPayload | None:
    """None where it was not made with this key."""
    if len(text) > LONGEST:
        return None
    *parts, seal = text.split(_BETWEEN)
    if not hmac.compare_digest(mac(key, *parts).encode(), seal.encode("utf-8", "replace")):
        return None
    _, ask, rev, hash_, choice, argument, until, nonce = parts
    return ButtonPayload(ask, int(rev), hash_, choice, int(until), argument, nonce) if choice in _CHOICES else None  # type: ignore[arg-type]
