"""For a moment after something changed, a key was meant for what stood there before, and is ignored."""

import time
from collections.abc import Callable
from dataclasses import dataclass

GRACE = 0.4
# A terminal does not tell a key that is held down from one that is pressed again. It repeats after half a second or so,
# so a key that answered must be let go for longer than that before it answers again.
HELD = 1.0


@dataclass(slots=True)
class Grace:
    clock: Callable[[], float] = time.monotonic
    _until: float = 0.0
    _last: tuple[str, float] = ("", 0.0)

    def begin(self) -> None:
        """Something changed and is not painted yet: nobody can have read it."""
        self._until = float("inf")

    def painted(self) -> None:
        self._until = self.clock() + GRACE

    def change(self) -> None:
        """Something changed that needs no painting: the terminal got the focus, a text field was left."""
        self._until = max(self._until, self.clock() + GRACE)

    @property
    def is_on(self) -> bool:
        return self.clock() < self._until

    def counts(self, key: str) -> bool:
        """Whether this press is an answer. One that came too early asks for a whole moment of silence again."""
        now = self.clock()
        last, at = self._last
        self._last = (key, now)
        if now < self._until:
            if self._until != float("inf"):
                self._until = now + GRACE
            return False
        return not (key == last and now - at < HELD)
