"""A real PostgreSQL server for tests: one for the whole run, a database for each process that runs tests."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import psycopg
import pytest

from scripts.postgres_server import CannotBeHadError, Place, Shared
from tests.waiting import HANG


def url() -> str:
    """The address of a database that only this process uses. Skips the test where there is no PostgreSQL."""
    shared = _shared()
    if isinstance(shared, str):
        if os.environ.get("CI"):
            pytest.fail(f"CI is set, and {shared}")
        pytest.skip(shared)
    return _database(shared.place)


def emptied() -> str:
    """The address of that database, as a hub finds it that was never there before.

    Whatever the tests before did to it: among them are some that leave a newer schema, or foreign tables."""
    address = url()
    execute("DROP SCHEMA IF EXISTS team CASCADE; DROP SCHEMA public CASCADE")
    execute("CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC")
    return address


def execute(statement: str, *values: object, to: str | None = None) -> list[tuple[object, ...]]:
    """Run statements as the owner of the database; the rows of the last one."""
    with psycopg.connect(to or url(), autocommit=True) as connection:
        done = connection.execute(statement.encode(), values or None)
        while done.nextset():
            pass
        return done.fetchall() if done.description else []


@contextmanager
def listening(channel: str) -> Iterator[Callable[[], str]]:
    """From now on; the payload of the next note, waited for."""
    with psycopg.connect(url(), autocommit=True) as connection:
        connection.execute(f"LISTEN {channel}".encode())
        yield lambda: next(connection.notifies(timeout=HANG)).payload


@cache
def _shared() -> Shared | str:
    # All workers of one run agree on it; a run without workers is one of its own.
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or f"alone-{os.getpid()}"
    try:
        return Shared(Path(tempfile.gettempdir()) / f"assent-tests-{os.getuid()}-{run}")
    except CannotBeHadError as error:
        return str(error)


@cache
def _database(place: Place) -> str:
    name = f"test_{os.getpid()}"
    execute(f"CREATE DATABASE {name}", to=place.url)
    return place.url.replace("/postgres", f"/{name}")
