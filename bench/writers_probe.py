"""Some of the hubs that write to one PostgreSQL, in the tree of its interpreter. Started by bench/writers.py.

Standard library, assent and psycopg only."""

import asyncio
import json
import os
import sys
import threading
import time
from typing import Any

import psycopg

from assent.journal.postgres import PostgresJournal, open_postgres
from assent.protocol.record import Draft

ROW = 500


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    if asked["does"] == "inserts":
        _bare(asked["url"], asked["hubs"])
    else:
        asyncio.run(_journals(asked["url"], asked["hubs"], hears=asked["does"] == "hears"))


async def _journals(url: str, names: list[str], *, hears: bool) -> None:
    journals = [open_postgres(url, name, patience=30.0) for name in names]
    for journal in journals:
        await journal.append(_drafts())
        if hears:
            journal.hear(lambda _: None)
    _say("ready")
    while line := await asyncio.to_thread(sys.stdin.readline):
        end = time.monotonic() + json.loads(line)
        laps = await asyncio.gather(*(_appended(each, end) for each in journals))
        _say([seconds for taken in laps for seconds in taken])
    for journal in journals:
        await journal.close()


async def _appended(journal: PostgresJournal, end: float) -> list[float]:
    """One event after the other, each durable before the next."""
    taken = []
    while time.monotonic() < end:
        drafts = _drafts()
        start = time.perf_counter()
        await journal.append(drafts)
        taken.append(time.perf_counter() - start)
    return taken


def _drafts() -> tuple[Draft, Draft]:
    shared: dict[str, Any] = {"session": "5a4e0a3c-5b43-4c53-8f0e-6d1fb1b6a1c5", "request": os.urandom(8).hex()}
    event = {"event": "PreToolUse", "harness": "claude-code", "transport": "shim", "payload": {"text": "x" * ROW}}
    decision = {"event": "PreToolUse", "tool": "Bash", "decision": {"type": "allow"}, "trace": [{"by": "rule:user#1"}]}
    at = 1_790_000_000_000
    return (
        Draft(at=at, kind="event", body=event, **shared),
        Draft(at=at, kind="decision", decision="allow", by="rule:user#1", body=decision, **shared),
    )


def _bare(url: str, names: list[str]) -> None:
    """Two rows and a commit, without a chain, an index or anybody who is told."""
    with psycopg.connect(url) as first:
        first.execute("SELECT pg_advisory_xact_lock(1)")
        first.execute("CREATE TABLE IF NOT EXISTS bare (seq bigserial PRIMARY KEY, body text)")
    connections = [psycopg.connect(url) for _ in names]
    _say("ready")
    for line in sys.stdin:
        end = time.monotonic() + json.loads(line)
        taken: list[list[float]] = [[] for _ in connections]
        threads = [
            threading.Thread(target=_inserted, args=(connection, end, times))
            for connection, times in zip(connections, taken, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        _say([seconds for times in taken for seconds in times])
    for connection in connections:
        connection.close()


def _inserted(connection: "psycopg.Connection[Any]", end: float, taken: list[float]) -> None:
    while time.monotonic() < end:
        start = time.perf_counter()
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO bare (body) VALUES (%s), (%s)", ("x" * ROW, "x" * ROW))
        connection.commit()
        taken.append(time.perf_counter() - start)


def _say(what: object) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
