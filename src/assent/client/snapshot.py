"""What is right now: asks, sessions, queues."""

from typing import Any

from msgspec import Struct

from assent.protocol.card import ShownAsk
from assent.protocol.queue import Item
from assent.protocol.session import Session


class Snapshot(Struct, frozen=True):
    """A stream from ``seq`` on goes on from it."""

    seq: int
    asks: list[ShownAsk]
    sessions: list[Session]
    hub: dict[str, Any] = {}
    queues: dict[str, list[Item]] = {}
    presence: dict[str, Any] = {}


class SessionsBody(Struct):
    sessions: list[Session]
