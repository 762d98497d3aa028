"""Which machines a relay announces, and to whom."""

from dataclasses import replace
from typing import Any

import pytest

from assent.protocol.team import NEW_MACHINE_MS, Identity
from assent.relay.held import Held
from assent.relay.hubs import KnownHub
from assent.relay.live import names_of
from assent.relay.newcomers import Newcomers
from assent.relay.streams import Stream, Streams

pytestmark = pytest.mark.anyio

NOW = 1_790_000_000_000
ADA = Identity("https://id.example", "7", "ada@example.org")
BOB = Identity("https://id.example", "8", "bob@example.org")


class Wire(Held):
    """Keeps what is written, without a connection."""

    def __init__(self) -> None:
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data

    def behind(self) -> int:
        return 0

    def cut(self) -> None:
        raise AssertionError("nothing here is behind")


def known(name: str, owner: Identity = ADA, **more: Any) -> KnownHub:
    return replace(KnownHub(name * 43, "", owner, False, f"machine-{name}", "1", NOW, NOW), **more)


def stream(streams: Streams, hub: KnownHub) -> Wire:
    wire = Wire()
    names = frozenset(names_of(hub, ("auditor",) if hub.owner == BOB else ()))
    streams.add(Stream(hub, wire, names, True))
    return wire


async def test_others_of_its_owner_hear_of_it_once() -> None:
    """Not the machine itself, nor other people, whatever they may see otherwise."""
    streams = Streams()
    newcomers = Newcomers(streams)
    new = known("a")
    own, of_ada, of_bob = stream(streams, new), stream(streams, known("b")), stream(streams, known("c", BOB))
    for _ in range(2):
        newcomers.announce(new, NOW)
    assert of_ada.written.count(b"event: machine\n") == 1
    assert b"machine-a" in of_ada.written
    assert (own.written, of_bob.written) == (b"", b"")


@pytest.mark.parametrize("more", [{"is_workload": True}, {"revoked_at": NOW}, {"joined_at": NOW - NEW_MACHINE_MS}])
async def test_others_are_none(more: dict[str, Any]) -> None:
    """Jobs come and go, and what joined long ago is known."""
    streams = Streams()
    wire = stream(streams, known("b"))
    Newcomers(streams).announce(known("a", **more), NOW)
    assert wire.written == b""


async def test_hub_that_connects_later_hears_of_those_that_are_still_new() -> None:
    """One that was shut out meanwhile is none of them."""
    streams = Streams()
    newcomers = Newcomers(streams)
    for hub in (known("a"), known("b"), known("c", joined_at=NOW - NEW_MACHINE_MS + 1)):
        newcomers.announce(hub, NOW)
    newcomers.remove("b" * 43)
    newcomers.forget_old(NOW + 1)
    wire = stream(streams, known("d"))
    here = streams.get("d" * 43)
    assert here is not None
    newcomers.greet(here)
    assert wire.written.count(b"event: machine\n") == 1
    assert b"machine-a" in wire.written
