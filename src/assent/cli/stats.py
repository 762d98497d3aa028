"""``assent stats``: how much was asked, decided and saved, in a page that can be read in a minute."""

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from typing import Any

import click

from assent import filter as filters
from assent import paths as locations
from assent.cli import output
from assent.client import Client
from assent.harnesses import names
from assent.protocol.usage import Usage
from assent.text import wording
from assent.text.wording import Word
from assent.views import figures
from assent.views.report import Counted, Figures, Report, ToolFigures
from assent.views.sentences import span

# Eighths of a cell, from below and from the left.
RISING = " ▁▂▃▄▅▆▇█"
GROWING = " ▏▎▍▌▋▊▉█"
WIDEST_COLUMN = 4


@dataclass(frozen=True, slots=True)
class Ink:
    """What a chart is drawn with: ``rising`` and ``growing`` go from an empty cell to a full one."""

    rising: str = RISING
    growing: str = GROWING
    dash: str = "–"
    floor: str = "─"


BLOCKS = Ink()
ASCII = Ink(rising=" .:#", growing=" #", dash="-", floor="-")


def bar(value: float, most: float, width: int, ink: Ink = BLOCKS) -> str:
    """As long as its share of the most; something is never drawn as nothing."""
    if value <= 0 or most <= 0:
        return ""
    steps = len(ink.growing) - 1
    whole, part = divmod(max(1, round(value / most * width * steps)), steps)
    return ink.growing[-1] * whole + (ink.growing[part] if part else "")


def columns(values: Sequence[float], height: int, width: int, ink: Ink = BLOCKS) -> Iterator[str]:
    """One column a value, the top row first. Never wider than asked for: see ``grouped``."""
    each = column_width(len(values), width)
    gap = 1 if each > 1 else 0
    most = max(values, default=0)
    steps = len(ink.rising) - 1
    levels = [max(1, round(value / most * height * steps)) if value > 0 else 0 for value in values]
    for row in range(height - 1, -1, -1):
        cells = (ink.rising[min(max(level - row * steps, 0), steps)] for level in levels)
        yield "".join(cell * (each - gap) + " " * gap for cell in cells).rstrip()


def column_width(count: int, width: int) -> int:
    return max(1, min(WIDEST_COLUMN, width // max(1, count)))


def grouped(values: Sequence[float], width: int) -> tuple[int, list[float]]:
    """So many values together in one column that all fit; the last column is whole, the first may be short."""
    size = max(1, -(-len(values) // width))
    first = len(values) % size
    sums = [sum(values[start : start + size]) for start in range(first, len(values), size)]
    return size, ([sum(values[:first])] if first else []) + sums


NARROWEST, WIDEST = 60, 200
CHART_ROWS = 5
MOST_NAMES = 8
LONGEST_NAME = 28
INDENT = "  "
NOTHING = f"Nothing was recorded in these days. Start {names.PROGRAM}, or replay a session with `assent demo`."
NOTHING_THERE = (
    "Nothing was recorded in these days in this project. `assent stats` without --project shows all of them."
)
NOT_YET = "These days are not counted yet: the oldest records come first. Ask again in a moment."


@click.command("stats")
@click.option("--since", default="30d", show_default=True, help="The first day: 7d, today, 2026-01-31.")
@click.option("--until", default="", help="The last day. [default: today]")
@click.option("--project", default="", metavar="NAME", help="One project only, by its folder's name or path.")
@click.option("--ascii", "in_ascii", is_flag=True, help="Draw with plain characters.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(since: str, until: str, project: str, in_ascii: bool, as_json: bool) -> None:
    """Show what happened day by day: how often people were asked and how fast they answered, what was decided
    without them and by whom, which tools were busy and which were slow, and how fast hooks were answered.

    Days are local days. A call counts as decided at the terminal if its dialog opened, it was not answered here, and
    it ran, or its turn went on without it.

    \b
    Examples:
      assent stats
      assent stats --since 7d --project webshop
      assent stats --since 2026-01-01 --until 2026-01-31 --json
    """
    for name, moment in (("since", since), ("until", until)):
        if moment:
            filters.parse(f"{name}:{moment}", now=time.time())
    counted = Client(locations.find()).stats(since=since, until=until, project=project)
    if as_json:
        output.say_json(counted)
        return
    width = min(max(shutil.get_terminal_size((80, 24)).columns, NARROWEST), WIDEST)
    ink = ASCII if in_ascii or not _shows_blocks() else BLOCKS
    for line in page(counted, width, ink, project):
        output.say(line)


def page(counted: Counted, width: int, ink: Ink, project: str = "") -> Iterator[str]:
    report = counted.report
    yield output.styled(_heading(report, ink, project), "strong")
    if not counted.complete:
        share = counted.counted / max(1, counted.of)
        yield output.styled(f"Still counting: {counted.counted:,} of {counted.of:,} records, {share:.0%}.", "warn")
    yield ""
    if not report.totals.events and not report.totals.gaps:
        yield NOT_YET if not counted.complete else NOTHING_THERE if project else NOTHING
        return
    yield from _wrapped(_sentences(report), width)
    yield from _per_day(report, width, ink)
    if report.totals.asks:
        endings = _named(report.totals.endings, wording.ASKS_ENDED)
        open_now = report.totals.asks - sum(report.totals.endings.values())
        waiting = [("waiting now", "place", open_now)] if open_now > 0 else []
        yield from _bars(f"How the {_number(report.totals.asks, 'ask')} ended", [*endings, *waiting], width, ink)
        yield from _shapes(report, width, ink)
        yield from _screens(report, width, ink)
    if report.totals.calls:
        deciders = _named(report.totals.deciders, wording.DECIDERS)
        yield from _bars(_decided(report.totals), deciders, width, ink)
    yield from _tools(report.tools, width, ink)
    yield from _projects(report, width, ink)
    yield ""
    yield from _wrapped(_notes(report.totals), width)


def _decided(totals: Figures) -> str:
    """A call that waits, or was left to its client, was decided by none of them."""
    calls, decided = _number(totals.calls, "call"), sum(totals.deciders.values())
    return f"Who decided the {calls}" if decided == totals.calls else f"Who decided {decided:,} of the {calls}"


def _heading(report: Report, ink: Ink, project: str) -> str:
    first, last = date.fromisoformat(report.since), date.fromisoformat(report.until)
    year = "" if first.year == last.year else f" {first.year}"
    begin = f"{_day(report.since)}{year} {ink.dash} " if first < last else ""
    where = f" in {output.said_by_agent(project, LONGEST_NAME)}" if project else ""
    return f"{begin}{_day(report.until)} {last.year}{where}"


def _sentences(report: Report) -> Iterator[str]:
    totals, days = report.totals, len(report.days)
    if totals.asks:
        rate = totals.asks / days
        often = f", {rate:,.{0 if rate >= 10 else 1}f} a day" if days > 1 else ""
        yield f"People were asked {_times(totals.asks)}{often}."
    else:
        yield "People were not asked about anything."
    waited = totals.waited_ms
    if waited.p50 is not None and waited.count == 1:
        yield f"The answer came after {span(waited.p50)}."
    elif waited.p50 is not None and waited.p90 is not None:
        yield f"Half of {waited.count:,} answers came within {span(waited.p50)}, nine in ten within {span(waited.p90)}."
    if totals.unasked:
        share = f", {totals.unasked / totals.calls:.0%} of {totals.calls:,}" if totals.calls else ""
        yield f"{_number(totals.unasked, 'call')} ran without asking: a rule or the stance allowed them{share}."
    denied = totals.decisions.get("deny", 0)
    yield f"The answer was no {_times(denied)}, by the policy or by a person." if denied else "Nothing was denied."
    if totals.used:
        yield _used(totals.used)


def _used(used: Usage) -> str:
    by_cost = sorted(used.models.items(), key=lambda item: -item[1].cost_usd)[:MOST_NAMES]
    named = [
        f"{output.said_by_agent(model or 'unnamed', LONGEST_NAME)} {figures.dollars(of.cost_usd)}"
        for model, of in by_cost
    ]
    models = f" ({', '.join(named)})" if len(named) > 1 else ""
    return (
        f"The agents cost {figures.dollars(used.cost_usd)}{models}, by their own reckoning, for {figures.tokens(used)}."
    )


def _wrapped(sentences: Iterator[str], width: int) -> Iterator[str]:
    for sentence in sentences:
        yield from textwrap.wrap(sentence, width, initial_indent=INDENT, subsequent_indent=INDENT)


def _per_day(report: Report, width: int, ink: Ink) -> Iterator[str]:
    title, values = "Asks", [it.figures.asks for it in report.days]
    if not any(values):
        title, values = "Calls", [it.figures.calls for it in report.days]
    if len(values) < 2 or not any(values):
        return
    room = width - 2 * len(INDENT)
    size, sums = grouped(values, room)
    per = "per day" if size == 1 else f"every {size} days"
    most = max(sums)
    yield from ("", f"{output.styled(f'{title} {per}', 'strong')}{output.styled(f'  up to {most:,.0f}', 'faint')}")
    for line in columns(sums, CHART_ROWS, room, ink):
        yield f"{INDENT}{output.styled(line, 'place')}"
    drawn = column_width(len(sums), room) * len(sums)
    first, last = _day(report.since), _day(report.until)
    yield f"{INDENT}{output.styled(ink.floor * drawn, 'faint')}"
    yield f"{INDENT}{output.styled(f'{first}{last:>{max(drawn - len(first), len(last) + 1)}}', 'faint')}"


def _bars(title: str, rows: Sequence[tuple[str, str, int]], width: int, ink: Ink) -> Iterator[str]:
    if not rows:
        return
    yield from ("", output.styled(title, "strong"))
    total = sum(count for _, _, count in rows)
    most = max(count for _, _, count in rows)
    widest = max(len(name) for name, _, _ in rows)
    for name, style, count in rows:
        head = f"{INDENT}{name:<{widest}}  {count:>{len(f'{most:,}')},}  {count / total:>4.0%}  "
        yield f"{head}{output.styled(bar(count, most, width - len(head), ink), style)}".rstrip()


def _shapes(report: Report, width: int, ink: Ink) -> Iterator[str]:
    if shapes := report.shapes[:MOST_NAMES]:
        caption = f"  of {_number(report.totals.asks, 'ask')}"
        yield from ("", output.styled("What prompted most", "strong") + output.styled(caption, "faint"))
        asks = max(1, report.totals.asks)
        rows = [(it.name or "unnamed", f"{it.asks:,}", f"{it.asks / asks:.0%}", float(it.asks)) for it in shapes]
        yield from _columns(rows, width, ink, "place")


def _screens(report: Report, width: int, ink: Ink) -> Iterator[str]:
    if screens := [it for it in report.screens if it.waited_ms.p50 is not None][:MOST_NAMES]:
        title = output.styled("Time to answer, by screen", "strong")
        yield from ("", title + output.styled("  answers, half of them within", "faint"))
        medians = [(wording.screen(it.name), it.waited_ms.count, it.waited_ms.p50 or 0) for it in screens]
        rows = [(name, f"{count:,}", span(p50), p50) for name, count, p50 in medians]
        yield from _columns(rows, width, ink, "place")


def _tools(tools: Sequence[ToolFigures], width: int, ink: Ink) -> Iterator[str]:
    busiest = sorted((it for it in tools if it.count), key=lambda it: -it.count)[:MOST_NAMES]
    if busiest:
        yield from ("", output.styled("Busiest tools", "strong") + output.styled("  calls, failed", "faint"))
        rows = [
            (it.label or it.name, f"{it.count:,}", f"{it.failed:,}" if it.failed else "", float(it.count))
            for it in busiest
        ]
        yield from _columns(rows, width, ink, "place")
    slowest = sorted((it for it in tools if it.took_ms.p90), key=lambda it: -(it.took_ms.p90 or 0))[:MOST_NAMES]
    if slowest:
        caption = "  half of the calls within, nine in ten within"
        yield from ("", output.styled("Slowest tools", "strong") + output.styled(caption, "faint"))
        quantiles = [(it.label or it.name, it.took_ms.p50 or 0, it.took_ms.p90 or 0) for it in slowest]
        yield from _columns([(name, span(p50), span(p90), p90) for name, p50, p90 in quantiles], width, ink, "warn")


def _projects(report: Report, width: int, ink: Ink) -> Iterator[str]:
    busiest = [it for it in report.projects if it.figures.calls][:MOST_NAMES]
    if len(busiest) < 2:
        return
    yield from ("", output.styled("Projects", "strong") + output.styled("  calls, asks", "faint"))
    rows = [
        (
            PurePosixPath(it.project).name or "no folder",
            f"{it.figures.calls:,}",
            f"{it.figures.asks:,}",
            it.figures.calls,
        )
        for it in busiest
    ]
    yield from _columns(rows, width, ink, "place")


def _columns(rows: Sequence[tuple[str, str, str, float]], width: int, ink: Ink, style: str) -> Iterator[str]:
    """A name that an agent may have chosen, two figures, and a bar."""
    names = [output.said_by_agent(name, LONGEST_NAME) for name, *_ in rows]
    widths = [max(map(len, names)), max(len(row[1]) for row in rows), max(len(row[2]) for row in rows)]
    most = max(row[3] for row in rows)
    for name, (_, one, other, size) in zip(names, rows, strict=True):
        head = f"{INDENT}{name:<{widths[0]}}  {one:>{widths[1]}}  {other:>{widths[2]}}  "
        yield f"{head}{output.styled(bar(size, most, width - len(head), ink), style)}".rstrip()


def _notes(totals: Figures) -> Iterator[str]:
    took = totals.took_us
    if took.p50 is not None and took.p99 is not None:
        yield (
            f"The hub decided half of {_number(took.count, 'hook')} within {_fine(took.p50)}, "
            f"99 in 100 within {_fine(took.p99)}. What a person was asked is not among them."
        )
    trouble = (
        (totals.failures, "call failed", "calls failed"),
        (totals.gaps, "hook reached no hub", "hooks reached no hub"),
        (totals.undelivered, "decision could not be delivered", "decisions could not be delivered"),
        (totals.bad_input, "event could not be read", "events could not be read"),
        (totals.unknown_events, "event was of an unknown kind", "events were of an unknown kind"),
    )
    if problems := [f"{count:,} {one if count == 1 else many}" for count, one, many in trouble if count]:
        yield f"{', '.join(problems)}."
    if totals.used is None:
        yield "Cost and tokens are not known: no agent sends its telemetry here. `assent doctor` says how that stands."


def _named(counts: Mapping[Any, int], words: Mapping[str, Word]) -> list[tuple[str, str, int]]:
    """Word, style and count, the most frequent first."""
    rows = [(word.word, output.ROLES[word.role], counts[name]) for name, word in words.items() if counts.get(name)]
    return sorted(rows, key=lambda row: -row[2])


def _fine(us: float) -> str:
    return f"{us / 1000:.1g} ms" if us < 995 else f"{us / 1000:.1f} ms" if us < 9_950 else span(us / 1000)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _day(text: str) -> str:
    day = date.fromisoformat(text)
    return f"{day.day} {day:%b}"


def _shows_blocks() -> bool:
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    return encoding == "utf8" and os.environ.get("LC_ALL") not in ("C", "POSIX")
