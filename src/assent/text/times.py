"""Times as people say them."""

from datetime import datetime


def stopwatch(ms: float) -> str:
    """How long something waits: 0:42, 1:02:07."""
    seconds = max(0, int(ms // 1000))
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


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
