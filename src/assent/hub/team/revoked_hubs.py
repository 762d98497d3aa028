"""Hubs that were shut out of the team, as its relay tells."""

from assent.hub.team.base import Link
from assent.protocol.team import Hello, KeyId, Revoked

# Whatever a relay sends, memory stays flat. One that hides a hub among others could as well say nothing of it.
MOST = 100_000


class RevokedHubs:
    """None of them is ever let in again."""

    def __init__(self, link: Link) -> None:
        self._hubs: set[KeyId] = set()
        link.on("hello", self._greeted)
        link.on("revoked", self._revoked)

    def __contains__(self, hub: KeyId) -> bool:
        return hub in self._hubs

    def _greeted(self, hello: Hello) -> None:
        self._add(hello.revoked)

    def _revoked(self, revoked: Revoked) -> None:
        self._add(revoked.hubs)

    def _add(self, hubs: tuple[KeyId, ...]) -> None:
        newly = [hub for hub in hubs if hub not in self._hubs]
        self._hubs.update(newly[: MOST - len(self._hubs)])
