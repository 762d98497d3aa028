"""Confirmation steps of a yes: more as the risk grows. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assent.protocol.bodies import SAFE, Choice
from assent.protocol.card import AnswerRequest, Needs, ShownAsk

# The plain no and the plain yes to each kind, with the words on the keys.
ARMED_FOR = 10.0
CHANGED = "It changed while you typed. Press Esc and read it again."
UNREAD = "Read to its end first: press End, or Space for the next page."


@dataclass(frozen=True, slots=True)
class Give:
    """Post it; ``undo`` where it can be taken back for a moment."""

    request: AnswerRequest
    undo: bool


@dataclass(frozen=True, slots=True)
class Arm:
    """Waits for Enter."""

    choice: Choice


@dataclass(frozen=True, slots=True)
class WantMatch:
    """Waits for the match word."""

    choice: Choice


@dataclass(frozen=True, slots=True)
class No:
    """Nothing was answered, and why."""

    why: str


Step = Give | Arm | WantMatch | No


@dataclass(slots=True)
class Yes:
    """Bound to the ask as it is drawn: another revision gets another one of these."""

    ask: ShownAsk
    # Whether its end was in view.
    end_seen: bool = False
    armed: tuple[Choice, dict[str, Any], float] | None = None
    fields: dict[str, Any] = field(default_factory=dict)

    def needs(self, choice: Choice) -> Needs | None:
        """None where this is not offered."""
        return next((way.needs for way in self.ask.choices if way.choice == choice), None)

    def has(self, choice: Choice) -> bool:
        return self.needs(choice) is not None

    @property
    def may_instruct(self) -> bool:
        """Words of one's own need the same scope as an edit."""
        return any(self.has(choice) for choice in ("allow_edited", "revise", "keep_going"))

    def press(
        self, choice: Choice, fields: Mapping[str, Any] | None = None, *, now: float, is_sure: bool = False
    ) -> Step:
        """``is_sure``: a second press in another place was made already."""
        given = dict(fields or {})
        needs = self.needs(choice)
        self.armed = None
        if needs is None:
            return No("That cannot be answered from here.")
        if choice not in SAFE and not self.end_seen:
            return No(UNREAD)
        if needs == "match" and given.get("match", "").strip() != self.ask.risk.match:
            return (
                No("That is not the match word. It stands after the content.")
                if "match" in given
                else WantMatch(choice)
            )
        if needs == "confirm" and not is_sure:
            self.armed = (choice, given, now + ARMED_FOR)
            return Arm(choice)
        request = {"rev": self.ask.rev, "hash": self.ask.hash, "choice": choice} | given
        return Give(msgspec.convert(request, AnswerRequest), undo=needs == "confirm")

    def confirm(self, now: float) -> Step | None:
        """Enter: only what a key of its own has armed."""
        armed, self.armed = self.armed, None
        if armed is None or now > armed[2]:
            return None
        return self.press(armed[0], armed[1], now=now, is_sure=True)

    def disarm(self) -> bool:
        """True if there was something to disarm."""
        was, self.armed = self.armed is not None, None
        return was
