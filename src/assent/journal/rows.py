"""Records as rows of SQLite."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import msgspec

from assent.journal.base import Head
from assent.journal.queries import load
from assent.protocol.record import GENESIS, Record

QUERY = load("sqlite") | load("sqlite_search")


def head_of(connection: sqlite3.Connection, hub: str) -> Head:
    row = connection.execute(QUERY["head"], (hub,)).fetchone()
    return Head(hub, *row) if row else Head(hub, 0, GENESIS)


def each(connection: sqlite3.Connection, query: str, *values: Any) -> Iterator[Record]:
    with closing(connection.execute(query, values)) as rows:
        columns = [column[0] for column in rows.description]
        for row in rows:
            yield _record(dict(zip(columns, row, strict=True)))


def _record(row: dict[str, Any]) -> Record:
    kept = row.get("body")
    try:
        body = msgspec.json.decode(kept or "")
    except (msgspec.DecodeError, TypeError):
        # Somebody wrote over it. One such record must not hide the others, and verify will name it.
        body = {"unreadable": str(kept)}
    try:
        return Record(**{**row, "body": body})
    except TypeError as error:
        raise sqlite3.DatabaseError("its columns are not those of a journal") from error


def row(record: Record) -> dict[str, Any]:
    fields = msgspec.structs.asdict(record)
    fields["body"] = msgspec.json.encode(record.body).decode()
    fields["prev"], fields["hash"] = bytes.fromhex(record.prev), bytes.fromhex(record.hash)
    return fields
