"""What ``review`` and ``replay`` have in common: which part of the record is read, and how far they are."""

import time
from collections.abc import Iterable, Iterator

from assent import filter as filters
from assent.cli import output
from assent.cli.progress import Progress
from assent.filter import Filter, Term
from assent.learn.case import Case
from assent.learn.cases import cases
from assent.learn.history import History
from assent.protocol.record import Record


def since(text: str, now: float) -> int:
    """``30d`` or a date in Unix milliseconds, as a filter reads it."""
    moment = filters.parse(f'since:"{text}"', now=now).terms[0].values[0]
    return int(moment)


def calls(history: History, project: str | None = None) -> Iterator[Case]:
    wanted = Filter((Term("project", (project,)),)) if project else None
    for case in cases(_counted(history, len(history))):
        if wanted is None or wanted.matches(_about(case)):
            yield case


def _about(case: Case) -> Record:
    body = {"project": case.project}
    return Record(at=case.at, kind="event", body=body, hub="", seq=case.seq, prev="", hash="")


def _counted(records: Iterable[Record], total: int) -> Iterator[Record]:
    with Progress("Reading the record:") as progress:
        for number, record in enumerate(records):
            if not number % 256:
                progress.show(f"{number:,} of {total:,}")
            yield record


def day(at: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at / 1000))


def times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def folder(project: str) -> str:
    return output.said_by_agent(project.rstrip("/").rpartition("/")[2] or "/", 24)
