"""The ladder as it stands in the settings: when a surface is told, and a step for one that has none."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import msgspec

from assent.config import Presence, Step
from assent.errors import AssentError
from assent.hub import settings_file
from assent.paths import Paths

# How old an ask is when a surface is told that nobody has put on the ladder.
AFTER = {"desktop": "0s", "webhook": "0s"}
USUALLY_AFTER = "20s"


def after(presence: Presence, surface: str) -> list[float]:
    """How many seconds old asks are when this surface is told, whatever their risk."""
    return sorted({step.after.total_seconds() for step in _steps(presence) if step.surface == surface})


def add(paths: Paths, presence: Presence, written: Mapping[str, Any], surface: str) -> str:
    """What was done or is left to do, in a sentence; "" where it has a step."""
    if after(presence, surface):
        return ""
    step = f"{surface}@{AFTER.get(surface, USUALLY_AFTER)}"
    try:
        settings_file.change(paths, {"presence.ladder": [*_texts(presence, written), step]})
    except AssentError:
        return f'Nothing is sent there before you write "{step}" into ladder, in [presence] of {paths.config}.'
    return f"Asks reach it as “{step}” of the ladder says; [presence] in {paths.config} has it."


def _steps(presence: Presence) -> Iterator[Step]:
    yield from presence.ladder
    for own in msgspec.structs.astuple(presence.ladder_for):
        yield from own or ()


def _texts(presence: Presence, written: Mapping[str, Any]) -> list[str]:
    """As they stand in the file, or as they would."""
    own = (written.get("presence") or {}).get("ladder")
    if isinstance(own, list):
        return [str(step) for step in own]
    return [f"{step.surface}@{_span(step.after)}" for step in presence.ladder]


def _span(after: timedelta) -> str:
    seconds = int(after.total_seconds())
    return f"{seconds // 60}m" if seconds and seconds % 60 == 0 else f"{seconds}s"
