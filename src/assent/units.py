"""Parsing of durations, sizes and times of day."""

import re
from datetime import time, timedelta

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_BYTES = {
    "B": 1,
    "kB": 1000,
    "KB": 1000,
    "MB": 1000**2,
    "GB": 1000**3,
    "TB": 1000**4,
    "KiB": 1024,
    "MiB": 1024**2,
    "GiB": 1024**3,
    "TiB": 1024**4,
}
_PART = re.compile(r"([0-9]{1,9})(ms|[smhdw])", re.ASCII)
_SIZE = re.compile(r"([0-9]{1,12}) ?([kKMGT]?i?B)", re.ASCII)
_CLOCK = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])", re.ASCII)


def duration(text: str) -> timedelta:
    """``90s``, ``10m``, ``1h30m``, ``180d``. Raises ValueError."""
    if not re.fullmatch(rf"(?:{_PART.pattern})+", text, re.ASCII):
        raise ValueError('a duration is written like "20s", "10m", "1h30m" or "180d"')
    try:
        return timedelta(seconds=sum(int(count) * _SECONDS[unit] for count, unit in _PART.findall(text)))
    except OverflowError:
        raise ValueError("this duration is longer than any clock runs") from None


def size(text: str) -> int:
    """``512MiB``, ``2GiB``, ``10GB`` in bytes. Raises ValueError."""
    match = _SIZE.fullmatch(text)
    if match is None or match[2] not in _BYTES:
        raise ValueError('a size is written like "500MB" or "2GiB"')
    return int(match[1]) * _BYTES[match[2]]


def clock(text: str) -> time:
    """``22:00``. Raises ValueError."""
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError('a time of day is written like "07:00" or "22:30"')
    return time(int(match[1]), int(match[2]))
