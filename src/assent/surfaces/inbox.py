"""What people can do from a surface. A surface knows who is there; only the hub knows what counts."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from assent.protocol.card import AnswerRequest, ShownAsk
from assent.views.sessions import Session


class Sender(Struct, frozen=True):
    """The person at the other end, as the service vouches for them."""

    # "Ada", or a number where the service tells no name. What they call themselves is theirs to choose.
    name: str
    # By which the service knows them: what was written down when they were connected.
    id: str


class Outcome(Struct, frozen=True):
    """What became of what somebody said."""

    is_taken: bool
    # One sentence for them.
    words: str
    # How the ask stands now, where there was one.
    ask: ShownAsk | None = None


class Inbox(Protocol):
    """Everything is done in the name of one surface; nothing here raises."""

    async def answer(self, sender: Sender, ask: str, said: AnswerRequest) -> Outcome:
        """Bound to the revision and hash of what they saw; refused like any other answer, and on record either way."""
        ...

    def ask(self, name: str) -> ShownAsk | None:
        """As it is now, with what may be answered on this surface."""
        ...

    def asks(self) -> Sequence[ShownAsk]:
        """Those that wait, in the order in which they came."""
        ...

    def sessions(self) -> Sequence[Session]:
        """The newest first."""
        ...

    async def queue(self, sender: Sender, session: str, text: str) -> Outcome:
        """Told to the session's agent when it would stop."""
        ...

    async def quiet(self, sender: Sender, wish: float | Literal["morning"]) -> Outcome:
        """Seconds without a push, until morning, or 0 to be told again."""
        ...

    def stranger(self, who: str, what: str) -> None:
        """Somebody who is not connected tried something: on record, a few times an hour at most. No secrets in it."""
        ...
