"""Counters of one day in one project. Days add up: to weeks, to all projects."""

import functools
import time
from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from msgspec import Struct

from assent.protocol.usage import Usage
from assent.views import spread
from assent.views.spread import Spread

# Who decided a call: our voices, a person on one of our screens or at the terminal, or the client by itself.
Decider = Literal["floor", "rule", "permission", "stance", "person", "terminal", "client", "unknown"]
# How it ended when a person was asked. At the terminal: with a yes, with a no, or unknown.
Ending = Literal[
    "allowed",
    "denied",
    "terminal_allowed",
    "terminal_denied",
    "terminal",
    "expired",
    "handed_back",
    "withdrawn",
    "unknown",
]

# Names come from agents, and every one costs memory for as long as statistics are kept.
MOST_TOOLS = 60
MOST_PROJECTS = 60
MOST_SHAPES = 60
MOST_SCREENS = 20
MOST_CELLS = 3_000
LONGEST_NAME = 200
OTHER = "(other)"
# Everything that begins on a quarter of an hour is on one day, in every time zone there is.
_QUARTER = 900_000
_LAST = 253_370_764_800_000


class Tool(Struct, omit_defaults=True):
    count: int = 0
    failed: int = 0
    total_ms: float = 0
    took_ms: Spread = {}


class Day(Struct, omit_defaults=True):
    """What happened on one day in one project."""

    events: int = 0
    prompts: int = 0
    calls: int = 0
    decisions: dict[str, int] = {}
    deciders: dict[Decider, int] = {}
    # Calls that a rule or the stance allowed, so that no person had to.
    unasked: int = 0
    asks: int = 0
    endings: dict[Ending, int] = {}
    waited_ms: Spread = {}
    # The same by the screen the answer came from.
    waited_on: dict[str, Spread] = {}
    # How often people were asked about what, such as ``git push``.
    shapes: dict[str, int] = {}
    # Of those that an answer could have ended for good: the number of the newest ask's record.
    stays: dict[str, int] = {}
    # The hub's own time from a hook's arrival to its decision.
    took_us: Spread = {}
    tools: dict[str, Tool] = {}
    failures: int = 0
    gaps: int = 0
    bad_input: int = 0
    unknown_events: int = 0
    undelivered: int = 0
    # What the agents used up, where they tell it.
    used: Usage | None = None

    def tool(self, name: str) -> Tool:
        tool = self.tools.get(name)
        if tool is None:
            name = name[:LONGEST_NAME] if len(self.tools) < MOST_TOOLS else OTHER
            tool = self.tools.setdefault(name, Tool())
        return tool

    def waited(self, screen: str, ms: float) -> None:
        spread.add(self.waited_ms, ms)
        name = screen[:LONGEST_NAME] if screen in self.waited_on or len(self.waited_on) < MOST_SCREENS else OTHER
        spread.add(self.waited_on.setdefault(name, {}), ms)

    def prompted(self, shape: str, *, stays: int = 0) -> None:
        """``stays``: the number of the record of an ask that could have been answered for good."""
        name = shape[:LONGEST_NAME] if shape in self.shapes or len(self.shapes) < MOST_SHAPES else OTHER
        self.shapes[name] = self.shapes.get(name, 0) + 1
        if stays and name == shape:
            self.stays[name] = stays

    def use(self, used: Usage) -> None:
        self.used = self.used or Usage()
        self.used.add(used)


# Day as written in ISO 8601, then project.
Cells = dict[str, dict[str, Day]]


def cell(cells: Cells, day: str, project: str) -> Day:
    of_day = cells.get(day)
    if of_day is None:
        if sum(map(len, cells.values())) >= MOST_CELLS:
            del cells[min(cells)]
        of_day = cells.setdefault(day, {})
    counted = of_day.get(project)
    if counted is None:
        project = project[:LONGEST_NAME] if len(of_day) < MOST_PROJECTS else OTHER
        counted = of_day.setdefault(project, Day())
    return counted


def day_of(at: int) -> str:
    """The local day of Unix milliseconds."""
    return _day_of(min(max(at, 0), _LAST) // _QUARTER, time.tzname)


@functools.lru_cache(maxsize=4096)
def _day_of(quarter: int, _zone: tuple[str, str]) -> str:
    return datetime.fromtimestamp(quarter * _QUARTER / 1000).date().isoformat()


def added(days: Iterable[Day]) -> Day:
    """All of them together."""
    whole = Day()
    for day in days:
        _merge(whole, day)
    return whole


def _merge(into: Day, other: Day) -> None:
    for name in Day.__struct_fields__:
        theirs = getattr(other, name)
        if not theirs or name in ("tools", "used", "waited_on", "stays"):
            continue
        if isinstance(theirs, int):
            setattr(into, name, getattr(into, name) + theirs)
        else:
            spread.merge(getattr(into, name), theirs)
    if other.used is not None:
        into.use(other.used)
    for name, seq in other.stays.items():
        into.stays[name] = max(seq, into.stays.get(name, 0))
    for name, waited in other.waited_on.items():
        spread.merge(into.waited_on.setdefault(name, {}), waited)
    for name, tool in other.tools.items():
        total = into.tools.setdefault(name, Tool())
        total.count += tool.count
        total.failed += tool.failed
        total.total_ms += tool.total_ms
        spread.merge(total.took_ms, tool.took_ms)
