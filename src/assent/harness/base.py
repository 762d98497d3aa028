"""What a module in this folder offers for its agent."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from assent.protocol.decision import Decision
from assent.protocol.envelope import Output
from assent.protocol.events import Event


class UnreadableError(Exception):
    """A payload could not be read as the event it was sent for."""


class NotHonouredError(Exception):
    """The harness would ignore or void this decision on this event."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """How we listen to one event."""

    event: str
    transport: Literal["shim", "http"]
    # What we write as the hook's timeout, in seconds.
    timeout: int
    # Whether the hub may keep the agent waiting for a person.
    may_hold: bool = False


@dataclass(frozen=True, slots=True)
class Encoded:
    """The output for the shim, and what had to be left out because the harness would not honour it."""

    output: Output
    dropped: tuple[str, ...] = ()


class Harness(Protocol):
    """Satisfied by a module."""

    NAME: str
    HONOURED: Mapping[type[Event], frozenset[type[Decision]]]
    SUBSCRIPTIONS: Mapping[str, Subscription]

    def decode(self, payload: bytes, *, event_name: str) -> Event:
        """Raise UnreadableError where the bytes are not that event."""

    def encode(self, event: Event, decision: Decision) -> Output:
        """Raise NotHonouredError for a decision this event does not honour."""

    def encode_safely(self, event: Event, decision: Decision) -> Encoded:
        """Never raise, and never become more permissive: leave out what is not honoured and say so."""

    def unreadable(
        self,
        event_name: str,
        why: str,
        *,
        cause: Literal["bad_input", "too_large"] = "bad_input",
        may_drop_prompts: bool = False,
    ) -> tuple[Decision, Output]:
        """What is answered when this event could not be read; never a prompt where one may be dropped."""
