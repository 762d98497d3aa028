"""The least there is to know about what waits: for the status line of an agent's own terminal."""

from msgspec import Struct


class StatusLine(Struct, frozen=True, omit_defaults=True):
    # The hub's time, in Unix milliseconds.
    now: int
    # What waits, counted by risk, or by kind where it is no permission.
    asks: dict[str, int] = {}
    # What waits in other sessions.
    elsewhere: int = 0
    # When the first screen elsewhere was told of it, or when one will be.
    told: int | None = None
    due: int | None = None
    # Instructions for the next stops.
    queued: int = 0
    away: bool = False
    # Seconds the policy stays silent.
    paused_s: float = 0.0
