"""How long an agent may be kept waiting for a person."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from assent.config import Asks

# "beside": the terminal's own dialog is open meanwhile. "before": it opens only once we let go.
# "instead": there is no terminal. "after": the turn is over, and nobody waits but the agent.
Way = Literal["beside", "before", "instead", "after"]
# Let go before the harness loses patience: its timeout looks like a failure.
MARGIN = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Attention:
    """Where the person is, as far as anybody knows."""

    away: bool = False
    # Some screen of theirs would show it now.
    reachable: bool = False


def hold(way: Way, settings: Asks, attention: Attention, hook_timeout: int) -> timedelta:
    """Zero: do not ask, let the harness go on as if nobody was there."""
    longest = timedelta(seconds=hook_timeout) - MARGIN
    return min(_wanted(way, settings, attention, longest), longest)


def _wanted(way: Way, settings: Asks, attention: Attention, longest: timedelta) -> timedelta:
    nothing = timedelta(0)
    if way == "beside":
        return settings.wait
    if way == "before":
        if attention.away:
            return settings.wait
        return min(settings.subagent_hold, settings.wait) if attention.reachable else nothing
    if way == "instead":
        is_wanted = settings.unattended == "always" or (settings.unattended == "reachable" and attention.reachable)
        return settings.wait if is_wanted else nothing
    is_wanted = settings.hold_stops == "always" or (settings.hold_stops == "away" and attention.away)
    return longest if is_wanted else nothing
