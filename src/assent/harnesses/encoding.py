"""What encoders of all harnesses share: the first of several decisions that a client honours, and texts it can take."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from assent.harnesses.base import Encoded, NotHonouredError
from assent.protocol.decision import Decision
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event

NO_REASON = "No reason was given."


def first_honoured(
    encode: Callable[[Event, Decision], Output],
    event: Event,
    candidates: Iterable[Decision | None],
    dropped: list[str],
) -> Encoded:
    """The first that the client takes on this event, else silence; ``dropped`` tells what was left out."""
    for candidate in candidates:
        if candidate is not None:
            try:
                return Encoded(encode(event, candidate), tuple(dropped))
            except NotHonouredError as error:
                dropped.append(f"{error}.")
    return Encoded(SILENT, tuple(dropped))


def is_json(value: Any) -> bool:
    """Whether it can be sent at all."""
    if value is None:
        return True
    try:
        msgspec.json.encode(value)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False
    return True


def sendable(words: str, limit: int) -> str:
    """What can be sent of a text: valid Unicode, not blank, and short enough, counted in UTF-16 units."""
    units = str(words).encode("utf-16-le", "replace")
    if len(units) > 2 * limit:
        mark = f"\n[cut by Assent: {len(units) // 2:,} characters in all]"
        return units[: 2 * (limit - len(mark))].decode("utf-16-le", "ignore") + mark
    text = units.decode("utf-16-le")
    return text if text.strip() else NO_REASON
