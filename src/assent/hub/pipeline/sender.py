"""Who sent an event: some clients also run the hooks that stand in another one's settings."""

from dataclasses import replace
from functools import lru_cache

from assent.harnesses import registry
from assent.harnesses.base import Harness
from assent.hub.pipeline.arrival import Arrival


def routed(arrival: Arrival) -> Arrival | None:
    """The event under the name of the client that sent it; None where that has hooks of its own, which send it, too.

    One that cannot be read as its sender's stays with the harness whose entry it came through, which is answered in
    the form that it asked for."""
    sender = _sender(arrival)
    if sender is None:
        return arrival
    if registry.is_installed(sender):
        return None
    return replace(arrival, harness=sender.NAME) if sender.is_own(arrival.payload) else arrival


def _sender(arrival: Arrival) -> Harness | None:
    """Another client than the one whose hook entry this is; None where it is the same, or that is in doubt."""
    own = registry.of(arrival.harness)
    if own is None or own.MARKER in arrival.env:
        return None
    others = _others(arrival.harness, len(registry.HARNESSES))
    for each in others:
        if each.is_own(arrival.payload):
            return each
    if not own.PID_VARIABLE or own.PID_VARIABLE in arrival.env:
        # Its own process is behind it, and the variables of the other are inherited; or it could not be told, and then
        # a variable that a repository sets must not silence it.
        return None
    return next((each for each in others if each.MARKER and each.MARKER in arrival.env), None)


@lru_cache(maxsize=64)
def _others(name: str, _harnesses: int) -> tuple[Harness, ...]:
    """Every event asks for them."""
    return tuple(each for other, each in registry.HARNESSES.items() if other != name)
