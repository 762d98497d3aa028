"""Opening a journal's file: what is made, what is refused, and what is never touched."""

import asyncio
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest

from assent.journal.base import Break, Checked, Head, JournalError
from assent.journal.chain import follow
from assent.journal.schema import migrate, migrations, open_for_writing
from assent.journal.sqlite import open_sqlite
from assent.protocol.record import GENESIS, Draft, Record

NOBODY = 65534


@contextmanager
def left_as_it_was(folder: Path, but: str = "nothing") -> Iterator[None]:
    """Neither a byte of the files nor the list of them changes."""

    def files() -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith(but)}

    before = files()
    yield
    assert files() == before


def make(path: Path) -> None:
    """A journal with one record, closed again."""
    mode_of_files(path)


def mode_of_files(path: Path) -> dict[str, int]:
    """The modes of the journal's files while it is in use."""

    async def use() -> dict[str, int]:
        journal = open_sqlite(path)
        await journal.append([Draft(at=1, kind="event")])
        modes = {name: stat.S_IMODE(os.stat(path.parent / name).st_mode) for name in os.listdir(path.parent)}
        await journal.close()
        return modes

    return asyncio.run(use())


def edit(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_new_journal_is_for_its_owner_alone(tmp_path: Path) -> None:
    """The file and its side files have mode 0600 whatever the umask, also when it was wider before."""
    path = tmp_path / "journal.db"
    ours = {"journal.db": 0o600, "journal.db-wal": 0o600, "journal.db-shm": 0o600}
    old = os.umask(0)
    try:
        assert mode_of_files(path) == ours
    finally:
        os.umask(old)
    path.chmod(0o644)
    assert mode_of_files(path) == ours


def test_write_connection_syncs_every_commit(tmp_path: Path) -> None:
    """Write-ahead log, FULL: what is acknowledged has reached the disk."""
    with closing(open_for_writing(tmp_path / "journal.db", busy_timeout=1)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA secure_delete").fetchone() == (1,)
        assert connection.execute("PRAGMA busy_timeout").fetchone() == (1000,)
        assert connection.execute("PRAGMA user_version").fetchone() == (max(migrations()),)


def test_opening_writes_nothing(tmp_path: Path) -> None:
    """A journal that is only looked at stays the same, byte for byte."""
    path = tmp_path / "journal.db"
    make(path)
    with left_as_it_was(tmp_path):
        asyncio.run(open_sqlite(path).close())


def test_record_cannot_be_updated(tmp_path: Path) -> None:
    """The database itself refuses to change a record."""
    path = tmp_path / "journal.db"
    make(path)
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        edit(path, "UPDATE entries SET body = '{}'")


def test_newer_schema_is_refused_untouched(tmp_path: Path) -> None:
    """A journal of a newer assent is not opened, not even partly."""
    path = tmp_path / "journal.db"
    make(path)
    edit(path, "PRAGMA user_version = 99")
    with left_as_it_was(tmp_path), pytest.raises(JournalError, match="newer assent") as refused:
        open_sqlite(path)
    assert str(path) in refused.value.message
    assert "Update assent" in str(refused.value.hint)


def test_newer_schema_still_in_the_side_file_is_refused_untouched(tmp_path: Path) -> None:
    """A newer assent that was killed leaves its version in the write-ahead log: that counts, and stays there."""
    path, killed = tmp_path / "journal.db", tmp_path / "killed" / "journal.db"
    killed.parent.mkdir()
    make(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA user_version = 99")
        for file in tmp_path.glob("journal.db*"):
            shutil.copy(file, killed.parent)
    # Every reader rebuilds the log's shared index, which holds nothing of its own.
    with left_as_it_was(killed.parent, but="-shm"), pytest.raises(JournalError, match="newer assent"):
        open_sqlite(killed)


@pytest.mark.parametrize("contents", [b"a long letter " * 1000, b"x", b"\x00" * 8192])
def test_file_that_is_no_database_is_refused_untouched(tmp_path: Path, contents: bytes) -> None:
    """Anything else under the journal's name stays what it is, and the refusal says what to do."""
    path = tmp_path / "journal.db"
    path.write_bytes(contents)
    with left_as_it_was(tmp_path), pytest.raises(JournalError, match="is damaged") as refused:
        open_sqlite(path)
    assert str(path) in refused.value.message
    assert "backup" in str(refused.value.hint)


@pytest.mark.parametrize("make_other", [os.mkdir, os.mkfifo])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, make_other: Callable[[Path], None]) -> None:
    """A folder or a pipe in the journal's place is named; opening does not wait on the pipe."""
    path = tmp_path / "journal.db"
    make_other(path)
    with pytest.raises(JournalError, match="is not a file") as refused:
        open_sqlite(path)
    assert str(path) in refused.value.message
    assert not path.is_file()


def test_damaged_database_is_refused(tmp_path: Path) -> None:
    """A journal with overwritten tables is refused when it is opened, with the bytes as they were."""
    path = tmp_path / "journal.db"
    make(path)
    contents = bytearray(path.read_bytes())
    contents[100:4096] = b"\xff" * 3996
    path.write_bytes(contents)
    with left_as_it_was(tmp_path), pytest.raises(JournalError, match="is damaged"):
        open_sqlite(path)


def test_journal_without_its_hub_id_is_refused(tmp_path: Path) -> None:
    """A journal that does not know whose chain it holds does not begin another one."""
    path = tmp_path / "journal.db"
    make(path)
    edit(path, "DELETE FROM meta")
    with pytest.raises(JournalError, match="hub id is missing"):
        open_sqlite(path)


def test_database_of_another_program_is_refused_untouched(tmp_path: Path) -> None:
    """Another program's database gets no tables of ours."""
    path = tmp_path / "journal.db"
    edit(path, "CREATE TABLE theirs (a)")
    with left_as_it_was(tmp_path), pytest.raises(JournalError, match="another program"):
        open_sqlite(path)


def test_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    """A hub killed between making the file and filling it is no reason to refuse the next one."""
    path = tmp_path / "journal.db"
    path.touch()
    make(path)
    half = tmp_path / "half.db"
    edit(half, "PRAGMA journal_mode = WAL")
    make(half)
    assert half.stat().st_size


def test_missing_folder_is_named(tmp_path: Path) -> None:
    """Without its folder there is no journal, and the message names the place."""
    path = tmp_path / "gone" / "journal.db"
    with pytest.raises(JournalError, match="No such file or directory") as refused:
        open_sqlite(path)
    assert str(path) in refused.value.message


@contextmanager
def user_without_rights() -> Iterator[None]:
    """Root may write anywhere, so switch to the user nobody for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Not below tmp_path, which only its owner may enter."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


def test_folder_that_may_not_be_written_is_named(open_folder: Path) -> None:
    """A read-only folder is a journal error with a remedy."""
    open_folder.chmod(0o555)
    with user_without_rights(), pytest.raises(JournalError, match="Permission denied") as refused:
        open_sqlite(open_folder / "journal.db")
    assert str(open_folder) in str(refused.value.hint)


def test_file_that_may_not_be_written_is_refused_untouched(open_folder: Path) -> None:
    """A read-only journal in a read-only folder is refused and stays as it is."""
    path = open_folder / "journal.db"
    make(path)
    path.chmod(0o444)
    open_folder.chmod(0o555)
    with left_as_it_was(open_folder), user_without_rights(), pytest.raises(JournalError, match="cannot be used"):
        open_sqlite(path)


def test_file_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    """All records of an older journal are there afterwards, in a chain that holds, but for damaged ones."""
    path = tmp_path / "journal.db"
    records, head, _ = follow(
        Head("aabbccdd", 0, GENESIS), [Draft(at=n, kind="event", body={"n": n}) for n in range(50)]
    )
    fields = Record.__struct_fields__
    columns = ", ".join(f'"{name}"' for name in fields)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, {1: migrations()[1]})
        connection.execute("UPDATE meta SET value = 'aabbccdd'")
        for record in records:
            values = {**msgspec.structs.asdict(record), "body": msgspec.json.encode(record.body).decode()}
            row = [values[name] for name in fields]
            connection.execute(f"INSERT INTO records ({columns}) VALUES ({', '.join('?' * len(row))})", row)

    async def read() -> None:
        journal = open_sqlite(path)
        assert await journal.read() == list(records)
        assert await journal.verify() == Checked(head)
        (after,) = await journal.append([Draft(at=1, kind="event")])
        assert after.prev == head.hash
        await journal.close()

    asyncio.run(read())


def test_tampered_hash_does_not_stop_the_migration(tmp_path: Path) -> None:
    """What is no hash stays what it is, and the check names its record."""
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, {1: migrations()[1]})
        connection.execute(
            "INSERT INTO records (hub, seq, at, kind, body, prev, hash) "
            "SELECT value, 1, 1, 'event', '{}', ?, 'no hash' FROM meta",
            (GENESIS,),
        )

    async def check() -> None:
        journal = open_sqlite(path)
        assert (await journal.verify()).broken == Break(1, "record 1 was changed")
        await journal.close()

    asyncio.run(check())


def test_new_file_gives_back_what_pruning_frees(tmp_path: Path) -> None:
    """Both can be said only before the first table: pages of 8 KiB, and free ones that can be cut off."""
    with closing(open_for_writing(tmp_path / "journal.db", busy_timeout=1)) as connection:
        assert connection.execute("PRAGMA page_size").fetchone() == (8192,)
        assert connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)
