"""One line on a terminal that says how far something is, and is gone when it is done."""

import sys
import time
from types import TracebackType

# What is done sooner needs no progress.
PATIENCE = 0.5
INTERVAL = 0.1


class Progress:
    """Silent where nobody looks: on standard error, and only if that is a terminal."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._next = time.monotonic() + PATIENCE
        self._is_shown = False

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._is_shown:
            self._write("")

    def show(self, far: str, *, at_once: bool = False) -> None:
        # None if it was closed at the start.
        if not sys.stderr or not sys.stderr.isatty() or (time.monotonic() < self._next and not at_once):
            return
        self._next = time.monotonic() + INTERVAL
        self._is_shown = True
        self._write(f"{self._what} {far} …")

    def _write(self, text: str) -> None:
        # Back to the beginning of the line, and clear what stood there.
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
