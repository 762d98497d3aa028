"""Cuts a connection whose server takes too long: the driver would wait for ever for one that hangs."""

import math
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from psycopg import Connection

TICK = 0.1


class Watchdog:
    """One thread, asleep while nobody waits for a server."""

    def __init__(self) -> None:
        self._limits: dict[object, tuple[float, int]] = {}
        self._wake = threading.Event()
        # Held while a connection is cut: its number must not have become another one's meanwhile.
        self._door = threading.Lock()
        threading.Thread(target=self._run, name="journal-watchdog", daemon=True).start()

    @contextmanager
    def limit(self, connection: Connection, seconds: float) -> Iterator[None]:
        if seconds == math.inf:
            yield
            return
        key = object()
        self._limits[key] = (time.monotonic() + seconds, connection.fileno())
        self._wake.set()
        try:
            yield
        finally:
            with self._door:
                del self._limits[key]

    def _run(self) -> None:
        while self._wake.wait():
            time.sleep(TICK)
            now = time.monotonic()
            with self._door:
                for until, number in list(self._limits.values()):
                    if now > until:
                        cut(number)
            # In this order: whoever comes in between is seen, or sets it again.
            self._wake.clear()
            if self._limits:
                self._wake.set()


def cut(number: int) -> None:
    """End what goes through a socket; whoever waits for it wakes up and learns that it is broken."""
    try:
        with socket.socket(fileno=os.dup(number)) as other_handle:
            other_handle.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It was broken already.


@cache
def the_watchdog() -> Watchdog:
    return Watchdog()
