"""The stop mark: what passes for it, and what does not."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assent.paths import Paths
from assent.shim import stopped


@pytest.fixture
def paths(tmp_path: Path) -> Iterator[Paths]:
    before = os.umask(0)
    yield Paths(tmp_path / "config", tmp_path / "state")
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_mark_of_the_last_hub_is_known(paths: Paths) -> None:
    """Only after it was left."""
    secret = stopped.arm(paths)
    assert len(bytes.fromhex(secret)) == 32
    assert not stopped.is_left(paths)
    stopped.leave(paths, secret)
    assert stopped.is_left(paths)


def test_mark_of_an_earlier_hub_is_stale(paths: Paths) -> None:
    """The next hub takes it away, and one that comes back later does not pass."""
    secret = stopped.arm(paths)
    stopped.leave(paths, secret)
    stopped.arm(paths)
    assert not paths.stopped_mark.exists()
    stopped.leave(paths, secret)
    assert not stopped.is_left(paths)


def test_files_and_folders_are_for_this_user_alone(paths: Paths) -> None:
    """Whatever the umask; and nothing half written stays."""
    stopped.leave(paths, stopped.arm(paths))
    assert [mode(path) for path in (paths.stop_digest, paths.stopped_mark)] == [0o600, 0o600]
    assert [mode(path) for path in (paths.keys, paths.run)] == [0o700, 0o700]
    assert [path.name for path in paths.run.iterdir()] == [paths.stopped_mark.name]


def test_start_forgets_who_was_told_of_the_stop(paths: Paths) -> None:
    """The next stop is told anew."""
    paths.told_of_stop.mkdir(parents=True)
    (paths.told_of_stop / "one").touch()
    stopped.arm(paths)
    assert not paths.told_of_stop.exists()


def _link(path: Path, text: str) -> None:
    other = path.with_name("other")
    other.write_text(text)
    path.symlink_to(other)


@pytest.mark.parametrize(
    "put",
    [
        pytest.param(lambda path, _: path.touch(), id="empty"),
        pytest.param(lambda path, _: path.mkdir(), id="folder"),
        pytest.param(lambda path, _: os.mkfifo(path), id="pipe"),
        pytest.param(_link, id="link"),
        pytest.param(lambda path, secret: path.write_text(secret + "x"), id="longer"),
        pytest.param(lambda path, secret: path.write_text(secret[1:]), id="shorter"),
    ],
)
def test_something_else_is_no_mark(paths: Paths, put: Callable[[Path, str], None]) -> None:
    """And looking at it neither waits nor fails."""
    secret = stopped.arm(paths)
    paths.run.mkdir(parents=True)
    put(paths.stopped_mark, secret)
    assert not stopped.is_left(paths)


def test_empty_mark_does_not_pass_with_the_digest_of_nothing(paths: Paths) -> None:
    """Two stray empty files are no order of the person."""
    stopped.leave(paths, "")
    paths.keys.mkdir(parents=True, exist_ok=True)
    paths.stop_digest.write_text("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    assert not stopped.is_left(paths)
