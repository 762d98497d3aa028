"""Signatures of buttons, each for one action on one revision of one ask in one place.

Nothing about buttons is kept: they are verified with the key, also after a restart of the hub."""

import base64
import hashlib
import hmac
from dataclasses import dataclass

from msgspec import Struct

from assent.protocol.card import ShownAsk

LONGEST = 255
_MAC = 16
_BETWEEN = ":"


class Pressed(Struct, frozen=True):
    """As the button says; not to be believed before it was checked."""

    act: str
    ask: str
    argument: str
    mac: str


@dataclass(frozen=True, slots=True)
class Signer:
    key: bytes

    def data(self, where: str, act: str, ask: ShownAsk | None = None, argument: str = "") -> str:
        name = ask.id if ask is not None else ""
        return _BETWEEN.join((act, name, argument, self._mac(where, act, ask, argument)))

    def is_of(self, pressed: Pressed, where: str, ask: ShownAsk | None) -> bool:
        """Whether this was made here, about the ask as it is now."""
        expected = self._mac(where, pressed.act, ask, pressed.argument)
        return hmac.compare_digest(expected.encode(), pressed.mac.encode("utf-8", "replace"))

    def _mac(self, where: str, act: str, ask: ShownAsk | None, argument: str) -> str:
        bound = (ask.id, str(ask.rev), ask.hash) if ask is not None else ("", "", "")
        return mac(self.key, "button", where, act, argument, *bound)[:_MAC]


def mac(key: bytes, *parts: str) -> str:
    """In letters that may stand in an address."""
    message = "\0".join(parts).encode("utf-8", "surrogatepass")
    return base64.urlsafe_b64encode(hmac.digest(key, message, hashlib.sha256)).decode().rstrip("=")


def read(data: str) -> Pressed | None:
    parts = data.split(_BETWEEN)
    return Pressed(*parts) if len(parts) == 4 and len(data) <= LONGEST else None
