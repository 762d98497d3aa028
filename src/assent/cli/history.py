"""Helpers of ``review`` and ``replay``: the part of the record that is read, and progress."""

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from assent import filter as filters
from assent.cli import output
from assent.cli.output import Progress
from assent.filter import Filter, Term
from assent.learn.recorded_call import Case, History, cases
from assent.protocol.record import Record


def since(text: str, now: float) -> int:
    """``30d`` or a date in Unix milliseconds, as a filter reads it."""
    moment = filters.parse(f'since:"{text}"', now=now).terms[0].values[0]
    return int(moment)


def day_began(at: int) -> int:
    """The beginning of its local day, in Unix milliseconds."""
    return int(datetime.fromtimestamp(at / 1000).replace(hour=0, minute=0, second=0, microsecond=0).timestamp() * 1000)


def calls(
    history: History, project: str | None = None, also: Callable[[Record], None] = lambda _: None
) -> Iterator[Case]:
    """``also`` is given every record that is read."""
    wanted = Filter((Term("project", (project,)),)) if project else None
    for case in cases(_counted(history, len(history), also)):
        if wanted is None or wanted.matches(_about(case)):
            yield case


def _about(case: Case) -> Record:
    body = {"project": case.project}
    return Record(at=case.at, kind="event", body=body, hub="", seq=case.seq, prev="", hash="")


def _counted(records: Iterable[Record], total: int, also: Callable[[Record], None]) -> Iterator[Record]:
    with Progress("Reading the record:") as progress:
        for number, record in enumerate(records):
            if not number % 256:
                progress.show(f"{number:,} of {total:,}")
            also(record)
            yield record


def day(at: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at / 1000))


def times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count:,} times")


def folder(project: str) -> str:
    return output.said_by_agent(project.rstrip("/").rpartition("/")[2] or "/", 24)
