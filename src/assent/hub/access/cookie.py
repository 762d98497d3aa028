"""Cookies by which a browser reads the page: good for one device, for a month, and for looking only."""

import hashlib
import hmac

SECONDS = 30 * 24 * 3600


def make(key: bytes, device: str, now: float) -> str:
    claim = f"{device}.{int(now) + SECONDS}"
    return f"{claim}.{_mac(key, claim)}"


def device_of(key: bytes, cookie: str, now: float) -> str | None:
    """The device it was made for, or None if it is not one of ours or too old."""
    claim, _, mac = cookie.rpartition(".")
    if not hmac.compare_digest(mac.encode("utf-8", "replace"), _mac(key, claim).encode()):
        return None
    device, _, until = claim.rpartition(".")
    return device if device and until.isdigit() and int(until) > now else None


def _mac(key: bytes, claim: str) -> str:
    return hmac.new(key, b"read." + claim.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
