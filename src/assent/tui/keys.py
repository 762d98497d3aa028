"""Which action a key means."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from assent.actions import BY_KEY, PREFIXES

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
