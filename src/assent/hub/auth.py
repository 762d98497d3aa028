"""Who may do what: scopes, and the four ways to prove one has them."""

import hashlib
import hmac
import secrets
import time
from collections import deque
from dataclasses import dataclass, field

from assent.protocol.scope import Scope as Scope

# A link printed in a terminal is opened at once or not at all.
CODE_SECONDS = 120.0
COOKIE_SECONDS = 30 * 24 * 3600
MOST_CLAIMS_A_MINUTE = 10


@dataclass(frozen=True, slots=True)
class Peer:
    """The process at the other end of the desk socket."""

    pid: int
    uid: int


@dataclass(slots=True)
class Codes:
    """One-time codes that turn an opened link into a cookie."""

    _live: dict[str, float] = field(default_factory=dict)
    _claims: deque[float] = field(default_factory=deque)

    def mint(self) -> str:
        now = time.monotonic()
        self._live = {code: until for code, until in self._live.items() if until > now}
        code = secrets.token_urlsafe(18)
        self._live[code] = now + CODE_SECONDS
        return code

    def is_flooded(self) -> bool:
        """Whether somebody is guessing."""
        now = time.monotonic()
        while self._claims and self._claims[0] < now - 60:
            self._claims.popleft()
        self._claims.append(now)
        return len(self._claims) > MOST_CLAIMS_A_MINUTE

    def claim(self, code: str) -> bool:
        until = self._live.pop(code, 0.0)
        return until > time.monotonic()


def make_cookie(key: bytes, now: float) -> str:
    """Says until when; needs no memory, so it outlives a restart of the hub."""
    until = str(int(now) + COOKIE_SECONDS)
    return f"{until}.{_mac(key, until)}"


def is_cookie(key: bytes, cookie: str, now: float) -> bool:
    until, _, mac = cookie.partition(".")
    if not hmac.compare_digest(mac.encode("utf-8", "replace"), _mac(key, until).encode()):
        return False
    return until.isdigit() and int(until) > now


def is_token(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode("utf-8", "replace"))


def _mac(key: bytes, until: str) -> str:
    return hmac.new(key, b"watch." + until.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
