"""Small state files: replaced in one step, for this user alone."""

import logging
import os
import stat
from pathlib import Path

import pytest

from assent.hub import state_file
from assent.hub.state_file import DebouncedFile


def test_file_is_replaced_and_private(tmp_path: Path) -> None:
    """Whatever the umask, and whatever an interrupted write left; nothing else stays in the folder."""
    path = tmp_path / "a.json"
    (tmp_path / ".a.json.fresh").write_bytes(b"half")
    before = os.umask(0)
    state_file.write(path, b"1")
    state_file.write(path, b"2")
    os.umask(before)
    assert (state_file.read(path), stat.S_IMODE(path.stat().st_mode)) == (b"2", 0o600)
    assert list(tmp_path.iterdir()) == [path]


def test_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    """And nothing half written."""
    path = tmp_path / "folder"
    (path / "inside").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        state_file.write(path, b"1")
    assert list(tmp_path.iterdir()) == [path]


def test_missing_file_reads_as_none(tmp_path: Path) -> None:
    """The caller makes its state anew."""
    assert state_file.read(tmp_path / "a") is None
    assert DebouncedFile(tmp_path / "a").read() is None


@pytest.mark.anyio
async def test_of_many_puts_the_last_is_written(tmp_path: Path) -> None:
    """One write at a time; what is put meanwhile follows."""
    file = DebouncedFile(tmp_path / "a")
    for content in (b"1", b"2", b"3"):
        file.put(content)
    await file.flush()
    assert file.read() == b"3"
    file.put(b"4")
    await file.flush()
    assert file.read() == b"4"


@pytest.mark.anyio
async def test_flush_without_a_write_returns(tmp_path: Path) -> None:
    """Nothing is made."""
    await DebouncedFile(tmp_path / "a").flush()
    assert os.listdir(tmp_path) == []


@pytest.mark.anyio
async def test_trouble_is_logged_and_the_next_put_tries_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A full disk does not end the hub."""
    file = DebouncedFile(tmp_path / "later" / "a")
    with caplog.at_level(logging.WARNING):
        file.put(b"1")
        await file.flush()
    assert "a could not be written" in caplog.text
    file.path.parent.mkdir()
    file.put(b"2")
    await file.flush()
    assert file.read() == b"2"
