"""Timeouts: how long an agent waits for a person."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from assent.config import Asks

# "beside": the terminal's own dialog is open meanwhile. "before": it opens only once we let go.
# "instead": there is no terminal. "after": the turn is over, and only the agent waits.
Way = Literal["beside", "before", "instead", "after"]
# Let go before the harness loses patience: its timeout looks like a failure. And before the hook that listens does.
MARGIN = timedelta(seconds=30)
HOOK_MARGIN = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Attention:
    """Where the person is, as far as is known."""

    away: bool = False
    # Some screen of theirs would show it now.
    reachable: bool = False


def longest(timeout: int, waits: int | None) -> timedelta:
    """How long a hook can be held: by the time it says it listens, else by the timeout that is usually written."""
    if not timeout or waits is None:
        return timedelta(seconds=timeout) - MARGIN
    return timedelta(seconds=waits) - HOOK_MARGIN


def hold(way: Way, settings: Asks, attention: Attention, longest: timedelta) -> timedelta:
    """How long to hold. Zero: do not ask, let the harness go on as without Assent."""
    return min(_wanted(way, settings, attention, longest), longest)


def appeal(settings: Asks, attention: Attention, *, is_subagent: bool) -> timedelta:
    """How long an attended session waits for a person after its own check refused a call. The ask stays open longer:
    the main agent can be told of a late yes, a sub-agent that has reported cannot."""
    if not attention.away and not attention.reachable:
        return timedelta(0)
    is_whole = attention.away or is_subagent
    return settings.wait if is_whole else min(settings.subagent_hold, settings.wait)


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
