"""A file that is read again when it changed, and keeps its last good value when it broke."""

import os
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Generic, TypeVar

from assent.toml.document import ConfigError

T = TypeVar("T")

EVERY = 1.0
# What is no larger is read in less time than it takes to wait for another thread.
SMALL = 16 << 10
_Stamp = tuple[int, int, int, int]


class Watched(Generic[T]):
    """Looks at the disk on use, at most once a second. A bad file never replaces a good value.

    With an executor, a large file that changed is read there, and the value before it is in force until that is done.
    It is waited for at the first use, and after ``hurry``."""

    def __init__(
        self,
        path: Path,
        load: Callable[[Path], T],
        default: T,
        *,
        clock: Callable[[], float] = time.monotonic,
        aside: Executor | None = None,
        if_broken: Callable[[], T] | None = None,
    ) -> None:
        """``if_broken`` is what is in force where the file is broken before anything good was read of it."""
        self.path = path
        self._if_broken = if_broken
        self._aside = aside
        self._reading: Future[T] | None = None
        self._is_urgent = True
        self._load = load
        self._value = default
        self._trouble: ConfigError | None = None
        self._clock = clock
        self._looked: float | None = None
        self._stamp: _Stamp | None = None

    @property
    def trouble(self) -> ConfigError | None:
        """What is wrong with the file as it is now; the value in force is then an older one, or the default."""
        return self._trouble

    @property
    def next_look(self) -> float:
        """Until then, by the clock, the value stays the same, unless it is hurried."""
        return self._clock() if self._looked is None or self._reading is not None else self._looked + EVERY

    def hurry(self) -> None:
        """Look at the disk on the next use, however short ago that was done, and wait for what stands there."""
        self._is_urgent = True
        if self._looked is not None:
            self._looked = self._clock() - EVERY

    def current(self) -> T:
        now = self._clock()
        if self._looked is None or now - self._looked >= EVERY:
            first = self._looked is None
            self._looked = now
            # Taken before reading: a change in between is then seen next time.
            stamp = _stamp(self.path)
            if first or stamp != self._stamp:
                self._stamp = stamp
                self._read(stamp)
        if self._reading is not None and (self._is_urgent or self._reading.done()):
            self._take(self._reading.result)
        self._is_urgent = False
        return self._value

    def _read(self, stamp: _Stamp | None) -> None:
        """Of two readings under way, only the later one counts."""
        if self._aside is None or self._is_urgent or stamp is None or stamp[2] <= SMALL:
            self._take(lambda: self._load(self.path))
        else:
            self._reading = self._aside.submit(self._load, self.path)

    def _take(self, result: Callable[[], T]) -> None:
        self._reading = None
        try:
            self._value = result()
            self._trouble = None
        except ConfigError as e:
            self._trouble = e
            if self._if_broken is not None:
                self._value = self._if_broken()
        self._if_broken = None


def _stamp(path: Path) -> _Stamp | None:
    try:
        seen = os.stat(path)  # noqa: PTH116 - measured on every event
    except OSError:
        return None
    return seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino
