"""The SQL files."""

import sqlite3
from contextlib import closing
from typing import Any

from assent.journal.schema import APPLICATION_ID, QUERY, load, migrate, migrations
from assent.protocol.record import Record


def test_queries_fit_the_schema() -> None:
    """Each named query is accepted by the tables that the migrations make."""
    with closing(sqlite3.connect(":memory:")) as connection:
        migrate(connection, migrations())
        queries = QUERY
        reading = {"hub", "head", "read", "tail", "decision_for", "story", "size", "checkpoint", "marks"}
        assert set(queries) == reading | {"insert", "remove", "give_back"} | {"first", "count", "window", "these"}
        for query in queries.values():
            values: Any = [None] * query.count("?") or dict.fromkeys(Record.__struct_fields__)
            connection.execute(f"EXPLAIN {query}", values)


def test_view_has_the_fields_of_a_record() -> None:
    """A row of the view is a record: no column more, none less."""
    with closing(sqlite3.connect(":memory:")) as connection:
        migrate(connection, migrations())
        columns = [row[1] for row in connection.execute("PRAGMA table_info(records)")]
        assert sorted(columns) == sorted(Record.__struct_fields__)
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


def test_migrations_are_numbered_without_gaps() -> None:
    """Steps are numbered 1, 2, 3 …, because the database remembers only the last."""
    assert list(migrations()) == list(range(1, len(migrations()) + 1))


def test_decision_and_story_are_found_without_a_scan() -> None:
    """A shim that asks again, or a person who reads one call, must not wait for a walk over the whole journal."""
    with closing(sqlite3.connect(":memory:")) as connection:
        migrate(connection, migrations())
        for name, index in {"decision_for": "entries_one_decision", "story": "entries_of_call"}.items():
            plan = connection.execute(f"EXPLAIN QUERY PLAN {load('sqlite')[name]}", ["r"]).fetchall()
            assert f"USING INDEX {index}" in plan[0][3]
