"""Hubs that were shut out, as a relay tells."""

import pytest

from assent.hub.team import revoked_hubs
from assent.hub.team.revoked_hubs import RevokedHubs
from assent.protocol.team import Hello, Revoked
from assent.team.keys import HubKey
from tests.unit.hub.team.machines import FakeLink, Relay, settled

pytestmark = pytest.mark.anyio


async def test_hub_that_was_shut_out_stays_so() -> None:
    """Also where a later greeting does not name it."""
    link = FakeLink(Relay(), HubKey.create(), None, is_connected=True)
    shut_out = RevokedHubs(link)
    link.hear(Hello("relay", 1, revoked=("a" * 43,)))
    link.hear(Revoked(("b" * 43,)))
    link.hear(Hello("relay", 2))
    await settled()
    assert [name * 43 in shut_out for name in "abc"] == [True, True, False]


async def test_relay_cannot_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those it named first are kept."""
    monkeypatch.setattr(revoked_hubs, "MOST", 3)
    link = FakeLink(Relay(), HubKey.create(), None, is_connected=True)
    shut_out = RevokedHubs(link)
    for names in ("ab", "cd", "ef"):
        link.hear(Revoked(tuple(name * 43 for name in names)))
    await settled()
    assert [name * 43 in shut_out for name in "abcdef"] == [True, True, True, False, False, False]
