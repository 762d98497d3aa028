"""A file that is read again when it changed, and keeps its last good value when it broke."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from assent.toml.document import ConfigError

T = TypeVar("T")

EVERY = 1.0
_Stamp = tuple[int, int, int, int]


class Watched(Generic[T]):
    """Looks at the disk on use, at most once a second. A bad file never replaces a good value."""

    def __init__(
        self,
        path: Path,
        load: Callable[[Path], T],
        default: T,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = path
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

    def hurry(self) -> None:
        """Look at the disk on the next use, however short ago that was done."""
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
                self._reload()
        return self._value

    def _reload(self) -> None:
        try:
            self._value = self._load(self.path)
            self._trouble = None
        except ConfigError as e:
            self._trouble = e


def _stamp(path: Path) -> _Stamp | None:
    try:
        seen = os.stat(path)  # noqa: PTH116 - measured on every event
    except OSError:
        return None
    return seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino
