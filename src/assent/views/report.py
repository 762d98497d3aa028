"""Statistics as people and pages want them: a span of days, some projects, quantiles instead of buckets."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta

from msgspec import Struct

from assent.harnesses import names
from assent.protocol.usage import Usage
from assent.views import spread
from assent.views.days import Cells, Day, Decider, Ending, Tool, added
from assent.views.spread import Spread

MOST_DAYS = 1_000
MOST_TOOLS = 100
MOST_SHAPES = 20


class Quantiles(Struct, frozen=True):
    """Told within a tenth; None where nothing was measured."""

    count: int = 0
    p50: float | None = None
    p90: float | None = None
    p99: float | None = None


class Figures(Struct, frozen=True):
    events: int
    prompts: int
    calls: int
    decisions: dict[str, int]
    deciders: dict[Decider, int]
    unasked: int
    asks: int
    endings: dict[Ending, int]
    waited_ms: Quantiles
    took_us: Quantiles
    failures: int
    gaps: int
    bad_input: int
    unknown_events: int
    undelivered: int
    # What the agents used up; None where none of them tells it.
    used: Usage | None = None


class DayFigures(Struct, frozen=True):
    day: str
    figures: Figures


class ProjectFigures(Struct, frozen=True):
    project: str
    figures: Figures


class ToolFigures(Struct, frozen=True):
    name: str
    count: int
    failed: int
    total_ms: float
    took_ms: Quantiles
    # As people read it.
    label: str = ""


class ShapeFigures(Struct, frozen=True):
    name: str
    asks: int
    # The number of an ask's record by which people can stop being asked about it; 0 where there is none.
    record: int = 0


class ScreenFigures(Struct, frozen=True):
    name: str
    waited_ms: Quantiles


class Report(Struct, frozen=True):
    # First and last day, both included; every day between them is there, also an empty one.
    since: str
    until: str
    totals: Figures
    days: list[DayFigures]
    # The busiest first.
    projects: list[ProjectFigures]
    tools: list[ToolFigures]
    # What people were asked about, the most frequent first; and how long answers took, by screen.
    shapes: list[ShapeFigures] = []
    screens: list[ScreenFigures] = []
    # Of all of it; None where nothing is known.
    cost_usd: float | None = None
    tokens: int | None = None


class Counted(Struct, frozen=True):
    """A report, and how much of the record it knows: ``counted`` of ``of`` records."""

    complete: bool
    counted: int
    of: int
    report: Report


def report(cells: Cells, *, since: str, until: str, wanted: Callable[[str], bool] = lambda _: True) -> Report:
    """What happened from one day to another in the projects that are wanted. Begins where there is something."""
    chosen = {
        day: {project: counted for project, counted in of_day.items() if wanted(project)}
        for day, of_day in cells.items()
        if since <= day <= until
    }
    filled = [day for day, of_day in chosen.items() if of_day]
    first = max(since, min(filled, default=until))
    span = _days(first, until)
    projects = {project for of_day in chosen.values() for project in of_day}
    by_project = {name: added(of_day[name] for of_day in chosen.values() if name in of_day) for name in projects}
    total = added(by_project.values())
    return Report(
        since=span[0],
        until=until,
        totals=figures(total),
        days=[DayFigures(day, figures(added(chosen.get(day, {}).values()))) for day in span],
        projects=[ProjectFigures(name, figures(by_project[name])) for name in _busiest(by_project)],
        tools=_tools(total.tools),
        shapes=[ShapeFigures(name, asks, total.stays.get(name, 0)) for name, asks in _most(total.shapes)],
        screens=_screens(total.waited_on),
        cost_usd=total.used.cost_usd if total.used else None,
        tokens=total.used.tokens if total.used else None,
    )


def figures(day: Day) -> Figures:
    return Figures(
        events=day.events,
        prompts=day.prompts,
        calls=day.calls,
        decisions=day.decisions,
        deciders=day.deciders,
        unasked=day.unasked,
        asks=day.asks,
        endings=day.endings,
        waited_ms=quantiles(day.waited_ms),
        took_us=quantiles(day.took_us),
        failures=day.failures,
        gaps=day.gaps,
        bad_input=day.bad_input,
        unknown_events=day.unknown_events,
        undelivered=day.undelivered,
        used=day.used,
    )


def quantiles(measured: Spread) -> Quantiles:
    return Quantiles(spread.count(measured), *(spread.quantile(measured, share) for share in (0.5, 0.9, 0.99)))


def _tools(tools: dict[str, Tool]) -> list[ToolFigures]:
    busiest = sorted(tools.items(), key=lambda item: (-item[1].count, item[0]))[:MOST_TOOLS]
    return [
        ToolFigures(name, it.count, it.failed, it.total_ms, quantiles(it.took_ms), names.tool(name))
        for name, it in busiest
    ]


def _most(shapes: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(shapes.items(), key=lambda item: (-item[1], item[0]))[:MOST_SHAPES]


def _screens(waited: dict[str, Spread]) -> list[ScreenFigures]:
    screens = [ScreenFigures(name, quantiles(of)) for name, of in waited.items()]
    return sorted(screens, key=lambda screen: (-screen.waited_ms.count, screen.name))


def _busiest(projects: dict[str, Day]) -> Iterable[str]:
    return sorted(projects, key=lambda name: (-projects[name].calls, name))


def _days(first: str, last: str) -> list[str]:
    """Both included; the latest if there are too many."""
    end = date.fromisoformat(last)
    count = min(max((end - date.fromisoformat(first)).days, 0), MOST_DAYS - 1)
    return [(end - timedelta(days=ago)).isoformat() for ago in range(count, -1, -1)]
