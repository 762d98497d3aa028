"""The journal alone: how fast records become durable, beside what the disk itself takes."""

import asyncio
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assent.journal.base import Journal
from assent.journal.postgres import open_postgres
from assent.journal.sqlite import open_sqlite
from assent.protocol.record import Draft
from bench import machine
from bench.machine import Effort
from bench.stats import Spread, short
from bench.table import Report, Table
from scripts.postgres_server import CannotBeHadError, Server

NAME = "append"
ROW = 500
DISK = "4 KiB written and synced, no database"
BARE = "bare sqlite3, WAL, FULL: 1 row per commit"
ONE = "**journal**: 1 client, event and decision in one append"
MANY = "**journal**: 50 clients at once"
SHARED_ONE = "**journal in PostgreSQL**: 1 client, event and decision in one append"
SHARED_MANY = "**journal in PostgreSQL**: 50 clients at once"
CLIENTS = 50


def measure(effort: Effort) -> Report:
    rounds, each = effort.pick(5, 1), effort.pick(200, 100)
    taken: dict[str, list[float]] = {}
    rate: dict[str, list[float]] = {}
    with machine.folder() as root, _server() as url:
        journal = open_sqlite(root / "journal.db")
        shared = open_postgres(url, "bench000") if url else None
        bare = _bare(root / "bare.db")

        async def rounds_of_all() -> None:
            for number in range(rounds):
                machine.say(f"  append: round {number + 1} of {rounds}")
                laps = {
                    DISK: _disk(root / "file", each),
                    BARE: _insert(bare, each),
                    ONE: await _append(journal, 1, each),
                    MANY: await _append(journal, CLIENTS, each),
                }
                if shared:
                    laps[SHARED_ONE] = await _append(shared, 1, each)
                    laps[SHARED_MANY] = await _append(shared, CLIENTS, each)
                for name, (times, seconds, records) in laps.items():
                    taken.setdefault(name, []).extend(times)
                    rate.setdefault(name, []).append(records / seconds)
            for each_journal in (journal, shared):
                if each_journal:
                    await each_journal.close()

        asyncio.run(rounds_of_all())
        bare.close()
    rows = tuple(
        (name, *Spread.of(times).cells(1e3), short(Spread.of(rate[name]).p50)) for name, times in taken.items()
    )
    columns = ("until durable, ms", "min", "p50", "p99", "times", "records per second")
    note = (
        "Group commit: what waits while the disk works goes into the next transaction together. PostgreSQL runs on the "
        "same machine, reached over loopback."
    )
    return Report(NAME, (Table("The journal alone", columns, rows, note),))


Lap = tuple[list[float], float, int]


def _disk(path: Path, count: int) -> Lap:
    times = []
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    start = time.perf_counter()
    for number in range(count):
        began = time.perf_counter()
        os.pwrite(fd, b"x" * 4096, number % 64 * 4096)
        os.fdatasync(fd)
        times.append(time.perf_counter() - began)
    seconds = time.perf_counter() - start
    os.close(fd)
    return times, seconds, count


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE records (seq INTEGER PRIMARY KEY, body TEXT)")
    return connection


def _insert(connection: sqlite3.Connection, count: int) -> Lap:
    times = []
    body = "x" * ROW
    start = time.perf_counter()
    for _ in range(count):
        began = time.perf_counter()
        connection.execute("INSERT INTO records (body) VALUES (?)", (body,))
        times.append(time.perf_counter() - began)
    return times, time.perf_counter() - start, count


@contextmanager
def _server() -> Iterator[str | None]:
    """The address of a server on this machine, or None where there is no PostgreSQL."""
    try:
        server = Server()
    except CannotBeHadError as error:
        machine.say(f"  append: without PostgreSQL: {error}")
        yield None
        return
    try:
        yield server.place.url
    finally:
        server.remove()


async def _append(journal: Journal, clients: int, count: int) -> Lap:
    times: list[float] = []

    async def client() -> None:
        for _ in range(count):
            drafts = _drafts()
            began = time.perf_counter()
            await journal.append(drafts)
            times.append(time.perf_counter() - began)

    start = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    return times, time.perf_counter() - start, clients * count * 2


def _drafts() -> tuple[Draft, Draft]:
    request = os.urandom(8).hex()
    shared = {"session": "5a4e0a3c-5b43-4c53-8f0e-6d1fb1b6a1c5", "call": "c0123456789ab", "request": request}
    event = {"event": "PreToolUse", "harness": "claude_code", "transport": "shim", "payload": {"text": "x" * ROW}}
    decision = {"event": "PreToolUse", "tool": "Bash", "decision": {"type": "allow"}, "trace": [{"by": "rule:user#1"}]}
    return (
        Draft(at=1_790_000_000_000, kind="event", body=event, **shared),
        Draft(at=1_790_000_000_000, kind="decision", decision="allow", by="rule:user#1", body=decision, **shared),
    )
