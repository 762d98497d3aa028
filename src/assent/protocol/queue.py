"""Queued instructions of a session, told to the agent with a tool's result or when it would stop."""

from typing import Literal

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


# Who is told: the session's own agent or a sub-agent of it at the end of its turn, a teammate that has nothing to do,
# or the agent that calls a task done. "tool": the session's own agent with the next result of its tools, or at its stop
# where that comes first.
Goal = Literal["stop", "tool", "subagent", "teammate", "task"]
# "returned": it was on its way, and its agent was gone.
Did = Literal["added", "changed", "moved", "removed", "delivered", "returned"]

MOST_ITEMS = 20
LONGEST_TEXT = 4_000


class Item(Struct, frozen=True, omit_defaults=True):
    """One instruction, in a person's words."""

    id: str
    text: str
    at: int
    by: str
    to: Goal = "stop"
    # When the agent was told; None while it waits.
    delivered: int | None = None


class Queue(Struct, frozen=True):
    """Everything about one session's instructions that people are shown."""

    session: str
    # What waits, next first.
    items: tuple[Item, ...] = ()
    # The latest that were delivered, oldest first.
    delivered: tuple[Item, ...] = ()
    # How often this turn was kept going already, and how often it can be.
    used: int = 0
    most: int = 8
    # Why nothing can be given with a tool's result; "" where it can.
    no_tool: str = ""
    # Why nothing can be told now, so that nothing more is offered to be queued: the session has ended.
    note: str = ""


class QueueBody(Struct, frozen=True, omit_defaults=True, tag_field="what", tag="queue"):
    """One change of a queue, as it is recorded."""

    did: Did
    item: str
    text: str
    to: Goal
    # Where it stands now, counted from 1.
    place: int | None = None


class NewItem(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person asks to be queued."""

    text: str
    to: Goal = "stop"


class ItemChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Other words, another place (counted from 1), or both."""

    text: str | None = None
    place: int | None = None
