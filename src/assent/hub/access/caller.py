"""Caller of a request: its listener, identity and scope."""

from dataclasses import dataclass, field
from enum import Enum

from starlette.requests import Request

from assent.hub.processes import Process
from assent.protocol.surfaces import Scope
from assent.webapi.endpoint import ProblemError

DESK = "desk"


@dataclass(frozen=True, slots=True)
class Peer:
    """The process at the other end of a Unix socket."""

    pid: int
    uid: int
    # With the id it tells a process from a later one; None where it cannot be told.
    birth: int | None = None
    # As it was when it connected.
    process: Process | None = field(default=None, compare=False, repr=False)


class Door(Enum):
    """Where a connection over TCP came in."""

    LOOPBACK = "loopback"
    # The second listener, for other machines; off by default.
    REMOTE = "remote"


@dataclass(frozen=True, slots=True)
class Caller:
    # What this very request may do.
    scope: Scope
    # What the one behind it may do: a page reads with a cookie, which may only look, and answers with its key. By this
    # it is told which answers to offer.
    could: Scope
    name: str
    # Where people see and answer asks: "desk" (a program of theirs on the desk socket), "page", or "" for no person.
    surface: str = ""
    # The id of a device; "" on the desk socket.
    device: str = ""
    # Why it may do less than its scope says; "" where it may do all of it.
    limit: str = ""
    # At the desk: what is said instead, where it may do less than a person.
    refusal: ProblemError | None = None

    @property
    def by(self) -> str:
        """As a record names a person."""
        # A device is called as its owner likes; only the desk is the desk.
        name = f"desk {self.device}" if self.device and self.name.lower() == DESK else self.name
        return f"person:{name.replace(' ', '-')}"


NOBODY = Caller(Scope.NONE, Scope.NONE, "nobody")
HOOK = Caller(Scope.POST, Scope.POST, "hook")


def desk(scope: Scope, refusal: ProblemError | None = None) -> Caller:
    return Caller(scope, scope, DESK, surface=DESK, limit=refusal.message if refusal else "", refusal=refusal)


def who(request: Request) -> Caller:
    """The caller the gatekeeper let pass."""
    caller = getattr(request.state, "caller", NOBODY)
    assert isinstance(caller, Caller)
    return caller


def peer_of(request: Request) -> Peer | None:
    peer = request.scope.get("state", {}).get("peer")
    return peer if isinstance(peer, Peer) else None


def door_of(request: Request) -> Door:
    door = request.scope.get("state", {}).get("door")
    # Unknown is the door with the most checks.
    return door if isinstance(door, Door) else Door.REMOTE
