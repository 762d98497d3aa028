"""The journals that exist, and a way to tamper with what each has kept."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

import msgspec
from hypothesis import settings
from msgspec.structs import replace

from assent.journal.base import Journal
from assent.journal.memory import MemoryJournal
from assent.journal.postgres import PostgresJournal, open_postgres
from assent.journal.sqlite import SqliteJournal, open_sqlite
from assent.protocol.record import Record
from tests.component import postgres
from tests.waiting import HANG


class Backend(Protocol):
    @property
    def journal(self) -> Journal: ...

    def change(self, seq: int) -> None:
        """Write other contents into a record."""

    def remove(self, *seqs: int) -> None: ...

    def swap(self, one: int, other: int) -> None:
        """Let two records change places."""


class Memory:
    def __init__(self, folder: Path) -> None:
        self.journal = self.memory = MemoryJournal()

    def change(self, seq: int) -> None:
        self._edit(lambda record: replace(record, body={"forged": True}) if record.seq == seq else record)

    def remove(self, *seqs: int) -> None:
        self._edit(lambda record: None if record.seq in seqs else record)

    def swap(self, one: int, other: int) -> None:
        places = {one: other, other: one}
        self._edit(lambda record: replace(record, seq=places.get(record.seq, record.seq)))

    def _edit(self, change: Callable[[Record], Record | None]) -> None:
        kept = [change(msgspec.json.decode(each, type=Record)) for each in self.memory._kept]
        ordered = sorted((record for record in kept if record), key=lambda record: record.seq)
        self.memory._kept = [msgspec.json.encode(record) for record in ordered]


class Sqlite:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.db"
        self.journal: SqliteJournal = open_sqlite(self.path)

    def change(self, seq: int) -> None:
        self._edit(f"""UPDATE entries SET body = '{{"forged":true}}' WHERE seq = {seq}""")

    def remove(self, *seqs: int) -> None:
        self._edit(f"DELETE FROM entries WHERE seq IN ({', '.join(map(str, seqs))})")

    def swap(self, one: int, other: int) -> None:
        for before, after in ((one, -1), (other, one), (-1, other)):
            self._edit(f"UPDATE entries SET seq = {after} WHERE seq = {before}")

    def _edit(self, statement: str) -> None:
        with closing(sqlite3.connect(self.path)) as connection, connection:
            connection.execute("DROP TRIGGER IF EXISTS entries_never_change")
            connection.execute(statement)


class Postgres:
    def __init__(self, folder: Path) -> None:
        self.url = postgres.emptied()
        self.journal: PostgresJournal = open_postgres(self.url, os.urandom(4).hex(), patience=HANG)
        assert self.journal.trouble is None, self.journal.trouble

    def change(self, seq: int) -> None:
        self._edit(f"""UPDATE assent_records SET body = '{{"forged":true}}' WHERE seq = {seq}""")

    def remove(self, *seqs: int) -> None:
        self._edit(f"DELETE FROM assent_records WHERE seq IN ({', '.join(map(str, seqs))})")

    def swap(self, one: int, other: int) -> None:
        for before, after in ((one, -1), (other, one), (-1, other)):
            self._edit(f"UPDATE assent_records SET seq = {after} WHERE seq = {before}")

    def _edit(self, statement: str) -> None:
        # As its owner, who can do anything: triggers are off for this one.
        postgres.execute(f"SET session_replication_role = replica; {statement}")


BACKENDS: dict[str, Callable[[Path], Backend]] = {"memory": Memory, "sqlite": Sqlite, "postgres": Postgres}


def fewer(name: str) -> settings:
    """For random tests: a server takes longer than a file, and what is random is the same."""
    most = settings.default.max_examples if settings.default else 100
    return settings(max_examples=max(1, most // 5) if name == "postgres" else most)
