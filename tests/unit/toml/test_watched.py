"""A file that is read again when it changed."""

import os
from pathlib import Path

import pytest

from assent.toml.document import ConfigError, read
from assent.toml.watched import Watched


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def watched(tmp_path: Path, clock: Clock) -> Watched[int]:
    def load(path: Path) -> int:
        document = read(path)
        return 0 if document is None else int(document.data["a"])

    return Watched(tmp_path / "a.toml", load, -1, clock=clock)


def test_watched_reads_at_first_use(watched: Watched[int]) -> None:
    """Before that, nothing looks at the disk."""
    watched.path.write_text("a = 1")
    assert watched.current() == 1
    assert watched.trouble is None


def test_watched_looks_at_most_once_a_second(watched: Watched[int], clock: Clock) -> None:
    """Events come by the thousand; the file changes by hand."""
    watched.path.write_text("a = 1")
    watched.current()
    watched.path.write_text("a = 22")
    clock.now += 0.9
    assert watched.current() == 1
    clock.now += 0.2
    assert watched.current() == 22


def test_watched_keeps_the_last_good_value_of_a_bad_file(watched: Watched[int], clock: Clock) -> None:
    """And says what is wrong, until the file is good again."""
    watched.path.write_text("a = 1")
    watched.current()
    watched.path.write_text("a = = 1")
    clock.now += 1
    assert watched.current() == 1
    assert isinstance(watched.trouble, ConfigError)
    watched.path.write_text("a = 333")
    clock.now += 1
    assert watched.current() == 333
    assert watched.trouble is None


def test_watched_starts_with_the_default_when_the_file_is_bad(watched: Watched[int]) -> None:
    """The hub never refuses to start over it."""
    watched.path.write_text("nonsense")
    assert watched.current() == -1
    assert watched.trouble is not None


def test_watched_notices_a_file_that_comes_and_goes(watched: Watched[int], clock: Clock) -> None:
    """A missing file is what the loader says it is."""
    assert watched.current() == 0
    watched.path.write_text("a = 1")
    clock.now += 1
    assert watched.current() == 1
    watched.path.unlink()
    clock.now += 1
    assert watched.current() == 0


def test_watched_notices_a_change_that_keeps_the_time_and_size(watched: Watched[int], clock: Clock) -> None:
    """Replaced by another file with the same modification time, as some tools do."""
    watched.path.write_text("a = 1")
    seen = watched.path.stat()
    watched.current()
    other = watched.path.with_name("b.toml")
    other.write_text("a = 2")
    os.utime(other, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    other.replace(watched.path)
    clock.now += 1
    assert watched.current() == 2


def test_watched_does_not_read_an_unchanged_file_again(tmp_path: Path, clock: Clock) -> None:
    """One stat, no reading."""
    reads: list[Path] = []
    (tmp_path / "a.toml").write_text("a = 1")
    watched: Watched[None] = Watched(tmp_path / "a.toml", reads.append, None, clock=clock)
    for _ in range(5):
        watched.current()
        clock.now += 1
    assert len(reads) == 1
