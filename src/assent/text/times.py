"""Times as people say them."""

import math
from collections.abc import Callable
from datetime import datetime

_UNITS = ((172_800_000, 86_400_000, "d"), (3_600_000, 3_600_000, "h"), (60_000, 60_000, "min"), (0, 1_000, "s"))


def age(ms: float) -> str:
    """How long something waits: ``42 s``, ``2 min``, ``3 h``."""
    return " ".join(_counted(max(0.0, ms), math.floor))


def waited(ms: float, left: float | None = None) -> str:
    """``2 min, 8 left``: how long it waits, and how long it will, by one unit where that says enough."""
    number, unit = _counted(max(0.0, ms), math.floor)
    if left is None:
        return f"{number} {unit}"
    rest, of = _counted(max(0.0, left), math.ceil)
    return f"{number} {unit}, {rest} left" if of == unit else f"{number} {unit}, {rest} {of} left"


def _counted(ms: float, whole: Callable[[float], int]) -> tuple[str, str]:
    size, _ = _unit(ms)
    rounded = whole(ms / size) * size
    # There is no sixtieth second, nor minute.
    size, unit = _unit(rounded)
    return str(whole(rounded / size)), unit


def _unit(ms: float) -> tuple[int, str]:
    return next((size, unit) for least, size, unit in _UNITS if ms >= least)


def clock(ms: float) -> str:
    """On the wall, to the second."""
    return datetime.fromtimestamp(ms / 1000).strftime("%H:%M:%S")


def hour_minute(ms: float) -> str:
    moment = datetime.fromtimestamp(ms / 1000)
    return f"{moment.hour}:{moment.minute:02}"


def duration(ms: float) -> str:
    if round(ms) < 1_000:
        return f"{round(ms)} ms"
    # Rounded before it is split: there is no sixtieth second.
    if round(ms / 1000, 1) < 60:
        return f"{ms / 1000:.1f} s"
    minutes, seconds = divmod(round(ms / 1000), 60)
    return f"{minutes} min {seconds} s"


def ago(ms: float) -> str:
    if ms < 60_000:
        return f"{max(0.0, ms) / 1000:.{1 if ms < 10_000 else 0}f} s ago"
    return f"{int(ms // 60_000)} min ago"


def span(ms: float) -> str:
    """``3s``, ``41s``, ``12m``, ``3h``, ``2d``: as much as one wants to know at a glance."""
    seconds = max(0.0, ms / 1000)
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return f"{int(seconds)}s"


def day_time(ms: float, now: float) -> str:
    """``14:20`` today, else ``18 Nov 14:20``, in another year with that."""
    moment, today = datetime.fromtimestamp(ms / 1000), datetime.fromtimestamp(now / 1000)
    if moment.date() == today.date():
        return hour_minute(ms)
    year = "" if moment.year == today.year else f" {moment.year}"
    return f"{moment.day} {moment:%b}{year} {hour_minute(ms)}"


def until(ms: float, now: float) -> str:
    """``until 14:20, 9 min left``"""
    minutes = max(0, -int(-(ms - now) // 60_000))
    left = (
        f"{minutes} min" if minutes < 120 else f"{minutes // 60} h" if minutes < 2_880 else f"{minutes // 1_440} days"
    )
    return f"until {day_time(ms, now)}, {left} left"
