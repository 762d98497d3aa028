"""The link to a team's relay, as the other parts of the hub know it.

Nothing here may be waited for by judging or by answers at this machine: ``send`` fails at once while the relay is
away, and events come by handlers that return at once."""

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from assent.errors import AssentError
from assent.team.http import RefusedByRelayError
from assent.team.keys import HubKey
from assent.team.membership import Membership

__all__ = ["AwayError", "Handler", "Link", "RefusedByRelayError"]


class AwayError(AssentError):
    """No relay of the team can be reached, or this hub is in none. Nothing is known to have arrived."""


# Called on the hub's loop with what came, of the type that ``protocol.team.STREAM`` has for the event. What takes a
# while is left to a task.
Handler = Callable[[Any], None]


class Link(Protocol):
    @property
    def membership(self) -> Membership | None:
        """None where this hub is in no team. It changes while the hub runs: people join and leave, proofs are
        renewed."""

    @property
    def trouble(self) -> str:
        """Why what was written down about the team is not used; "" where it is."""

    @property
    def key(self) -> HubKey | None:
        """There whenever the link is connected."""

    @property
    def is_connected(self) -> bool: ...

    async def send(self, path: str, message: Struct) -> bytes:
        """Post it, such as a ``TeamAsk`` to "/team/asks"; what the relay answered. Raises AwayError and
        RefusedByRelayError."""

    def on(self, event: str, handler: Handler) -> None:
        """Hear each event of this name, in the order in which they come."""

    def on_connected(self, handler: Callable[[], None]) -> None:
        """Hear that the stream is there, also again: after the "hello" and before the "snapshot". What is open here
        has to be posted then."""
