"""When a hub is killed: at a moment of a client's exchange, in a commit, or just so."""

import os
import signal
import threading
import time
from collections.abc import Callable

from tests.waiting import let_pass

# Half a line was sent; a whole one was; a reply came.
EXCHANGE = ("half", "sent", "reply")


class Gun:
    """Armed by one thread, fired by whichever thread sees the moment; once."""

    def __init__(self) -> None:
        self._door = threading.Lock()
        self._pid = 0
        self._moment = ""
        self._left = 0
        self._delay = 0.0
        self.fired = threading.Event()

    def arm(self, pid: int, moment: str, count: int, delay: float = 0.0) -> None:
        """Kill ``pid`` when ``moment`` comes for the ``count``-th time, and ``delay`` seconds after that."""
        with self._door:
            self._pid, self._moment, self._left, self._delay = pid, moment, count, delay
            self.fired.clear()

    def waits_for(self, moment: str) -> bool:
        return self._moment == moment

    def at(self, moment: str) -> None:
        with self._door:
            if self._moment != moment:
                return
            self._left -= 1
            if self._left > 0:
                return
            self._moment = ""
            until = time.monotonic() + self._delay
            while time.monotonic() < until:
                pass  # Sleeping would blur moments that are shorter than a turn of the scheduler.
            os.kill(self._pid, signal.SIGKILL)
            self.fired.set()

    def at_each_change(self, moment: str, probe: Callable[[], object], deadline: float) -> None:
        """Look so often that the kill comes while the change is still under way."""
        end, before = time.monotonic() + deadline, probe()
        while not self.fired.is_set() and time.monotonic() < end:
            now = probe()
            if now != before:
                before = now
                self.at(moment)
            let_pass(0.0001)  # for the clients: without them nothing changes
