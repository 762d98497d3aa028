"""Key bindings."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from assent.actions import BY_KEY, PREFIXES

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
        """Something changed and is not painted yet, so it cannot have been read."""
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


PREFIX_FOR = 1.5
_NAMES = {
    "enter": "Enter",
    "escape": "Escape",
    "down": "Down",
    "up": "Up",
    "left": "Left",
    "right": "Right",
    "home": "Home",
    "end": "End",
    "space": "Space",
    "pagedown": "PageDown",
    "pageup": "PageUp",
    "tab": "Tab",
    "shift+tab": "BackTab",
}


def named(key: str, character: str | None) -> str:
    """As the table of actions and the help spell it; "" for what they do not know."""
    if key in _NAMES:
        return _NAMES[key]
    return character if character and character.isprintable() and len(character) == 1 else ""


@dataclass(slots=True)
class Keyboard:
    clock: Callable[[], float] = time.monotonic
    prefix: str = ""
    _pressed_at: float = 0.0

    def meaning(self, key: str) -> str:
        """The action's name; "" if there is none, or if a second key has to come."""
        before = self.prefix if self.clock() - self._pressed_at < PREFIX_FOR else ""
        self.prefix = ""
        if before:
            action = BY_KEY.get(f"{before} {key}")
        elif key in PREFIXES:
            self.prefix, self._pressed_at = key, self.clock()
            return ""
        else:
            action = BY_KEY.get(key)
        return action.name if action else ""
