"""A journal that cannot be used: no allow, the other verdicts stand, it is said everywhere, and it ends."""

import asyncio
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from assent.journal.sqlite import open_sqlite
from assent.protocol.record import Draft
from tests.component.hub_process import HubProcess, bash, until
from tests.waiting import HANG

SECRETS = bash("", tool_name="Read", tool_input={"file_path": "/p/.env"})


def says(hub: HubProcess, event: dict[str, Any]) -> str:
    told = hub.send(event).get("stdout_json") or {}
    return str(told.get("hookSpecificOutput", {}).get("permissionDecision", "silent"))


def allows(hub: HubProcess) -> bool:
    return says(hub, bash("make build")) == "allow"


def assert_guarded(hub: HubProcess) -> None:
    """No allow; the floor, a rule that denies and Danger need no record."""
    said = [says(hub, event) for event in (bash("make build"), bash("rm -rf /"), bash("git push x"), SECRETS)]
    assert said == ["silent", "deny", "deny", "ask"]


def assert_said(hub: HubProcess, *words: str) -> None:
    """In one sentence that names the file: to the page, in `status` and in `doctor`."""
    page = hub.api("GET", "/api/snapshot")[1]["hub"]["journal"]["trouble"]
    told = [page, command(hub, 0, "status"), command(hub, 1, "doctor")]
    for text in told:
        assert str(hub.paths.journal) in text
        assert [word for word in words if word not in text] == [], text


def command(hub: HubProcess, code: int, *arguments: str) -> str:
    argv = [sys.executable, "-m", "assent", *arguments]
    done = subprocess.run(argv, env={**hub.environ, "NO_COLOR": "1"}, capture_output=True, text=True, timeout=HANG)
    assert done.returncode == code, done
    return done.stdout


def make(path: Path, records: int = 1) -> None:
    async def write() -> None:
        journal = open_sqlite(path)
        await journal.append([Draft(at=n, kind="event", body={"pad": f"{n} " + "x" * 500}) for n in range(records)])
        await journal.close()

    asyncio.run(write())


def edit(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def newer(path: Path) -> None:
    make(path)
    edit(path, "PRAGMA user_version = 99")


def of_another_program(path: Path) -> None:
    edit(path, "CREATE TABLE theirs (a)", "INSERT INTO theirs VALUES (1)")


def damaged_tables(path: Path) -> None:
    make(path)
    overwrite(path, 100, 2000)


def damaged_records(path: Path) -> None:
    """Not the newest ones, which are read to go on with the chain."""
    make(path, records=200)
    overwrite(path, path.read_bytes().index(b"100 xxx") - 100, 600)


def overwrite(path: Path, at: int, size: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(b"\xa5" * size)


@pytest.mark.parametrize(
    ("arrange", "words"),
    [
        (newer, ("newer assent", "Update assent")),
        (of_another_program, ("another program", "left as it is")),
        (damaged_tables, ("damaged", "left as it is", "backup")),
        (damaged_records, ("damaged", "left as it is", "backup")),
        (os.mkdir, ("is not a file", "Move")),
        (os.mkfifo, ("is not a file", "Move")),
    ],
)
def test_journal_that_cannot_be_opened_is_said_and_left(
    idle_hub: HubProcess, arrange: Callable[[Path], None], words: tuple[str, ...]
) -> None:
    """The hub starts without it and guards all the same; moved away, a new one begins."""
    arrange(idle_hub.paths.journal)
    before = contents(idle_hub.paths.journal)
    idle_hub.start()
    assert_guarded(idle_hub)
    assert_said(idle_hub, *words, "assent restart")
    idle_hub.stop()
    assert contents(idle_hub.paths.journal) == before

    for file in idle_hub.paths.state.glob("journal.db*"):
        file.rename(file.with_name(f"away-{file.name}"))
    idle_hub.start()
    assert allows(idle_hub)


def contents(path: Path) -> bytes | int:
    return path.read_bytes() if path.is_file() else path.stat().st_ino


@pytest.mark.skipif(sys.platform != "linux", reason="another process's limits can be set on Linux alone")
def test_full_disk_stops_allows_until_there_is_room(idle_hub: HubProcess) -> None:
    """Without a byte of room left every reply comes; with room again, allows do, and nothing needs a restart."""
    idle_hub.start()
    assert allows(idle_hub)
    assert idle_hub.process is not None
    # What a full disk is to a process, without filling a disk: no file of its may grow.
    limits = resource.prlimit(idle_hub.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    try:
        for _ in range(3):
            assert_guarded(idle_hub)
        assert_said(idle_hub, "room")
        lost = idle_hub.api("GET", "/api/status")[1]["journal"]["lost"]
        assert lost >= 12
    finally:
        resource.prlimit(idle_hub.process.pid, resource.RLIMIT_FSIZE, limits)
    until(lambda: allows(idle_hub), "allows again")
    status = idle_hub.api("GET", "/api/status")[1]["journal"]
    assert (status["trouble"], status["lost"]) == (None, lost)
    assert idle_hub.api("GET", "/api/log/verify")[1]["broken"] is None


@pytest.mark.parametrize("is_replaced", [False, True])
def test_journal_moved_away_stops_allows_until_it_is_back(idle_hub: HubProcess, is_replaced: bool) -> None:
    """Records in a file without a name are lost; with the file back in its place the chain goes on."""
    idle_hub.start()
    assert allows(idle_hub)
    away = idle_hub.paths.journal.with_name("away.db")
    idle_hub.paths.journal.rename(away)
    if is_replaced:
        shutil.copy(away, idle_hub.paths.journal)
    before = contents(idle_hub.paths.journal) if is_replaced else None
    assert_guarded(idle_hub)
    assert_said(idle_hub, "removed or replaced", "assent restart")
    if is_replaced:
        assert contents(idle_hub.paths.journal) == before
    away.rename(idle_hub.paths.journal)
    until(lambda: allows(idle_hub), "allows again")
    assert idle_hub.api("GET", "/api/log/verify")[1]["broken"] is None


def test_removed_journal_begins_anew_with_a_restart(idle_hub: HubProcess) -> None:
    """What a killed hub left beside a removed journal is no obstacle, and is not taken for records of the new one."""
    idle_hub.start()
    assert allows(idle_hub)
    assert idle_hub.process is not None
    idle_hub.process.kill()
    idle_hub.process.communicate()
    idle_hub.paths.journal.unlink()
    assert idle_hub.paths.journal.with_name("journal.db-wal").exists()
    idle_hub.start()
    assert allows(idle_hub)
    checked = idle_hub.api("GET", "/api/log/verify")[1]
    assert checked["broken"] is None
    lines = [record["line"] for record in idle_hub.api("GET", "/api/log")[1]["records"]]
    assert len([line for line in lines if line.startswith("hub: started")]) == 1


READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


def test_read_only_journal_is_said_and_left(idle_hub: HubProcess) -> None:
    """A journal on a file system that is mounted read-only, where the permissions of root do not help."""
    namespace = ("unshare", "-Urm")
    if not shutil.which("unshare") or subprocess.run([*namespace, "true"], capture_output=True).returncode:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("mounting needs user namespaces, which are off here")
    make(idle_hub.paths.journal)
    before = contents(idle_hub.paths.journal)
    idle_hub.start(*namespace, "sh", "-c", READ_ONLY, str(idle_hub.paths.journal), sys.executable, "-m", "assent", "up")
    assert_guarded(idle_hub)
    assert_said(idle_hub, "Read-only file system")
    idle_hub.stop()
    assert contents(idle_hub.paths.journal) == before
