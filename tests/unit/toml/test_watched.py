"""A file that is read again when it changed."""

import functools
import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from assent.toml.document import ConfigError, read
from assent.toml.watched import SMALL, Watched


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


class Aside(Executor):
    """Reads when it is told to."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, functools.partial(fn, *args, **named)))
        return future

    def work(self) -> None:
        for future, load in self.waiting:
            try:
                future.set_result(load())
            except ConfigError as error:
                future.set_exception(error)
        self.waiting.clear()


@pytest.fixture
def aside() -> Aside:
    return Aside()


@pytest.fixture
def large(tmp_path: Path, clock: Clock, aside: Aside) -> Watched[int]:
    def load(path: Path) -> int:
        document = read(path)
        return 0 if document is None else int(document.data["a"])

    return Watched(tmp_path / "a.toml", load, -1, clock=clock, aside=aside)


def written(number: object) -> str:
    return f"# {'x' * SMALL}\na = {number}"


def test_large_file_is_read_aside_and_swapped(large: Watched[int], clock: Clock, aside: Aside) -> None:
    """Until it is read, what was in force stays in force."""
    large.path.write_text(written(1))
    assert large.current() == 1, "the first use waits"
    large.path.write_text(written(22))
    clock.now += 1
    assert large.current() == 1
    aside.work()
    assert large.current() == 22


def test_bad_large_file_leaves_the_good_value(large: Watched[int], clock: Clock, aside: Aside) -> None:
    """And says so, once it was read."""
    large.path.write_text(written(1))
    large.current()
    large.path.write_text(written("= 2"))
    clock.now += 1
    assert large.current() == 1
    assert large.trouble is None
    aside.work()
    assert large.current() == 1
    assert isinstance(large.trouble, ConfigError)


def test_of_two_readings_the_later_counts(large: Watched[int], clock: Clock, aside: Aside) -> None:
    """A file that changes while it is read is read again."""
    large.path.write_text(written(1))
    large.current()
    for number in (22, 333):
        large.path.write_text(written(number))
        clock.now += 1
        assert large.current() == 1
    aside.waiting.reverse()
    aside.work()
    assert large.current() == 333


def test_small_file_is_read_at_once(large: Watched[int], clock: Clock, aside: Aside) -> None:
    """That takes no longer than to hand it over. A reading under way is then of an older file."""
    large.path.write_text(written(1))
    large.current()
    large.path.write_text(written(22))
    clock.now += 1
    large.current()
    large.path.write_text("a = 3")
    clock.now += 1
    assert large.current() == 3
    aside.work()
    assert large.current() == 3


def test_hurry_waits_for_a_large_file(tmp_path: Path, clock: Clock) -> None:
    """What was just written holds for the next call, also where it is being read already."""
    path = tmp_path / "a.toml"
    path.write_text("0")
    begun, go = threading.Event(), threading.Event()

    def load(path: Path) -> int:
        if threading.current_thread() is not threading.main_thread():
            begun.set()
            go.wait()
        return len(path.read_text())

    with ThreadPoolExecutor(1) as aside:
        watched = Watched(path, load, -1, clock=clock, aside=aside)
        assert watched.current() == 1
        path.write_text("0" * SMALL * 2)
        clock.now += 1
        assert watched.current() == 1
        begun.wait()
        watched.hurry()
        go.set()
        assert watched.current() == SMALL * 2
        path.write_text("0" * SMALL * 3)
        go.clear()
        watched.hurry()
        assert watched.current() == SMALL * 3, "read here and now"
