"""One hub per state folder."""

import os
from pathlib import Path

import pytest

from assent.lock import HeldError, Holder, Lock, read_holder

HOLDER = Holder(pid=os.getpid(), version="9.9", started=1, port=8717)


def test_second_lock_says_who_holds_the_first(tmp_path: Path) -> None:
    """The second process learns the pid and what to do."""
    lock = Lock.take(tmp_path / "hub.lock")
    lock.write(HOLDER)
    with pytest.raises(HeldError, match=f"pid {os.getpid()}, version 9.9") as caught:
        Lock.take(tmp_path / "hub.lock")
    assert caught.value.holder == HOLDER
    assert caught.value.hint is not None
    assert "assent status" in caught.value.hint
    lock.release()


def test_released_lock_can_be_taken_again(tmp_path: Path) -> None:
    """A hub that stopped leaves room for the next, and no claim to be running."""
    lock = Lock.take(tmp_path / "hub.lock")
    lock.write(HOLDER)
    lock.release()
    assert read_holder(tmp_path / "hub.lock") is None
    Lock.take(tmp_path / "hub.lock").release()


def test_lock_of_a_dead_process_is_free(tmp_path: Path) -> None:
    """The kernel lets go of the lock of a killed hub, whatever its file says."""
    path = tmp_path / "hub.lock"
    pid = os.fork()
    if pid == 0:
        Lock.take(path).write(HOLDER)
        os._exit(0)
    os.waitpid(pid, 0)
    assert read_holder(path) == HOLDER
    Lock.take(path).release()
