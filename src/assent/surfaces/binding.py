"""Binding of a chat account: the sender of a code that only the person at the desk has seen may answer.

The code lives in memory alone. Nothing that could be read from a file connects an account."""

import hmac
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

LIFE = 600.0
MOST_WRONG = 5
_CODE = re.compile(r"(?:/start\s+)?([0-9]{3})\s?([0-9]{3})")

State = Literal["", "waiting", "bound", "too_late", "too_many"]
_WORDS: dict[State, str] = {
    "": "",
    "waiting": "Waiting for the code.",
    "bound": "Connected.",
    "too_late": "The code was not sent within ten minutes. Run `assent connect {name}` again.",
    "too_many": "Five wrong codes came, so this one counts no more. Run `assent connect {name}` again.",
}


@dataclass(slots=True)
class Binding:
    """One code of one bot."""

    code: str
    until: float
    clock: Callable[[], float] = time.monotonic
    wrong: int = 0
    is_used: bool = False

    @property
    def state(self) -> State:
        if self.is_used:
            return "bound"
        if self.wrong >= MOST_WRONG:
            return "too_many"
        return "waiting" if self.clock() < self.until else "too_late"

    def tried(self, text: str) -> bool | None:
        """Whether this is the code; None where it is no code at all, or none is waited for."""
        match = _CODE.fullmatch(text.strip())
        if match is None or self.state != "waiting":
            return None
        if hmac.compare_digest(match[1] + match[2], self.code):
            self.is_used = True
            return True
        self.wrong += 1
        return False


def words(state: State, name: str) -> str:
    """For people, of the surface of this name."""
    return _WORDS[state].format(name=name)


# By a name for the bot that no other has. Set when it is connected, read by the surface that listens.
_CODES: dict[str, Binding] = {}


def begun(bot: str, clock: Callable[[], float] = time.monotonic) -> Binding:
    """A new code; the one before counts no more."""
    made = _CODES[bot] = Binding(f"{secrets.randbelow(1_000_000):06}", clock() + LIFE, clock)
    return made


def of(bot: str) -> Binding | None:
    return _CODES.get(bot)


def standing(bot: str, *, is_anybody: bool) -> State:
    """How far the connecting of a person is."""
    binding = of(bot)
    if binding is None:
        return "bound" if is_anybody else ""
    # The code came, and who sent it is still being written down.
    return "waiting" if binding.state == "bound" and not is_anybody else binding.state


def forgotten(bot: str) -> None:
    _CODES.pop(bot, None)
