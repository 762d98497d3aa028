"""Interface of surfaces: places where people see an ask, and perhaps answer it.

The hub calls ``show`` when an ask is to reach the surface, ``update`` when something about it changed, and ``withdraw``
when it is over. Calls about one ask come one after the other; each may take its time or fail, for the agent waits for
none of them. An answer goes to the hub with id, revision and hash of what was shown; only the hub says if it counts."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from assent.errors import AssentError
from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest, ShownAsk, Way
from assent.protocol.session import Session

# "masked": that an answer is needed, where, and how dangerous it is. "open": what it is about as well.
Privacy = Literal["masked", "open"]

# Begins the key of every Ref that is about a turn and not about an ask.
TURN = "turn-"

# No agent gets to do anything by these.
HARMLESS: frozenset[Choice] = frozenset({"deny", "deny_and_stop", "decline", "cancel", "let_stop", "hand_back"})


class Traits(Struct, frozen=True):
    """What a surface declares about itself."""

    # Everything of an ask is on it, in full. Where that is not so, nothing can be agreed to.
    shows_all: bool
    # People can answer on it; where not, it only leads to a place where they can.
    may_answer: bool
    # Whether others could read along: the service that carries it, or people who see a locked phone.
    is_private: bool


class Audience(Struct, frozen=True, omit_defaults=True):
    """To whom a message goes, and what else there is to say."""

    privacy: Privacy = "masked"
    # Said instead of what this one ask is about, for it stands for many.
    gist: str = ""
    # It was sent before, and not answered.
    is_reminder: bool = False


class Notice(Struct, frozen=True, omit_defaults=True):
    """A turn of a session ended unseen. Nothing waits for an answer."""

    session: str
    what: Literal["finished", "failed"]
    at: int
    # Its folder, the session's title, the agent's last words or what went wrong: an agent's text, in full.
    project: str = ""
    title: str = ""
    text: str = ""

    @property
    def key(self) -> str:
        """What its Ref is called: no ask is called so. One of a session takes the place of the one before."""
        return f"{TURN}{self.session[:40]}"


class Ref(Struct, frozen=True, omit_defaults=True):
    """What was shown, so that it can be found again, even by a later life of the hub. Kept in a file: no secrets."""

    surface: str
    key: str
    # Whatever the surface needs: a message's number, the devices it went to.
    more: tuple[str, ...] = ()


class Surface(Protocol):
    name: str
    traits: Traits

    @property
    def trouble(self) -> str:
        """Why nothing can be shown here now, in words; "" where it can."""
        ...

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        """Raises RateLimitedError, GoneError or FailedError."""
        ...

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:
        """Something about it changed. Raises as ``show`` does."""
        ...

    async def withdraw(self, ref: Ref, why: str) -> None:
        """It is over, and this is how. Nothing may be left that looks as if it could be answered."""
        ...

    async def close(self) -> None:
        """The hub stops."""
        ...


class Listening(Surface, Protocol):
    """A surface on which people answer."""

    async def listen(self) -> None:
        """Take in what people say, until cancelled. Survives whatever the network does; raises GoneError where trying
        on is no use, such as a token that was revoked."""
        ...


class Notifying(Surface, Protocol):
    """A surface that also tells of turns that ended."""

    async def notify(self, notice: Notice, audience: Audience) -> Ref:
        """Raises as ``show`` does. The Ref has the notice's key. What people reply there is queued for its session, if
        they can reply at all. ``withdraw`` follows when the session goes on: a chat may leave it where it stands, a
        lock screen clears it."""
        ...


class Probing(Surface, Protocol):
    """A surface whose service can be asked how it is."""

    async def probe(self) -> str:
        """What the service said of itself, in a sentence. Nothing is shown and nothing changes; a webhook,
        which can be asked in no other way, is sent a greeting. Raises as ``show`` does."""
        ...


class BadSettingsError(AssentError):
    """Its table in the settings cannot be used. The sentence names the setting."""


class SurfaceError(AssentError):
    """A surface did not do what it was told. The sentence goes on record: no addresses, no tokens."""

    # What got through nevertheless, and must be withdrawn one day.
    ref: Ref | None = None


class RateLimitedError(SurfaceError):
    """Too much at once: nothing more to this surface for a while."""

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class GoneError(SurfaceError):
    """The receiver is gone; trying again is no use."""


class FailedError(SurfaceError):
    """It may work later."""


def offered(ask: ShownAsk, traits: Traits, audience: Audience) -> tuple[Way, ...]:
    """What may be answered on a surface: where something is masked, cut or stands for many, only what is harmless."""
    if not traits.may_answer:
        return ()
    sees_all = traits.shows_all and not audience.gist and (traits.is_private or audience.privacy == "open")
    return tuple(way for way in ask.choices if sees_all or way.choice in HARMLESS)


class Sender(Struct, frozen=True):
    """The person at the other end, as the service vouches for them."""

    # "Ada", or a number where the service tells no name. What they call themselves is theirs to choose.
    name: str
    # By which the service knows them: what was written down when they were connected.
    id: str


class Outcome(Struct, frozen=True):
    """Outcome of an answer or instruction."""

    is_taken: bool
    # One sentence for them.
    words: str
    # How the ask stands now, where there was one.
    ask: ShownAsk | None = None


class Inbox(Protocol):
    """Everything is done in the name of one surface; nothing here raises."""

    async def answer(self, sender: Sender, ask: str, answer: AnswerRequest) -> Outcome:
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

    def stranger(self, who: str, action: str) -> None:
        """A stranger tried something: on record, a few times an hour at most. No secrets in it."""
        ...
