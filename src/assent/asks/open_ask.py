"""State of one open ask, and the interface of its subject."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from assent.asks import approval
from assent.asks.approval import Yes
from assent.asks.state import Life
from assent.asks.timeouts import Way
from assent.protocol.approval import ApprovalView
from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest, Card, GrantScope, State
from assent.protocol.decision import Decision
from assent.protocol.envelope import Output
from assent.protocol.events import Event
from assent.protocol.permission import Grant
from assent.protocol.record import Draft
from assent.protocol.surfaces import Scope, Screen, screen_of
from assent.protocol.team import Identity
from assent.team.whom import OWNER


class RefusedError(Exception):
    """An answer that is not used: why, and where the ask stands."""

    def __init__(self, code: str, why: str, state: State = "closed") -> None:
        super().__init__(why)
        self.code, self.why, self.state = code, why, state


@dataclass(frozen=True, slots=True)
class Person:
    """Who answers, on which screen, and how much they may."""

    by: str
    surface: str
    scope: Scope
    device: str = ""
    # Who that is for the team, where it is known: as a signature from another machine proves it, or as the owner of
    # this hub joined.
    identity: Identity | None = None
    # The screen it was given on, where that is not the surface's own: of another machine, the one it names.
    on: Screen | None = None
    # The hub of theirs that signed it, where that is another one.
    hub: str = ""

    @property
    def screen(self) -> Screen:
        return self.on or screen_of(self.surface)


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is shown, the hash an answer is bound to, and what the policy says by now."""

    card: Card
    hash: str
    decision: Decision


class Case(Protocol):
    """What is asked about, as the hub knows it."""

    event: Event
    harness: str
    request: str
    call: str | None
    tool_use_id: str | None
    project: str
    way: Way

    async def look(self) -> bool:
        """Look for what led to it, for a moment; whether there is more to draw."""

    def draw(self) -> Drawn:
        """As it was judged when it came."""

    def denial_refused(self, grant: str) -> str | None:
        """Why this is no rule that could deny what is asked about from now on; None where it is one."""

    def redraw(self) -> Drawn:
        """Judged anew: files and rules may have changed."""

    def stored(self, card: Card) -> dict[str, Any]:
        """The card as it may be written down."""

    def restored(self, edited: dict[str, Any]) -> dict[str, Any]:
        """The input with every mark put back to what it stands for."""

    def edit_refused(self, drawn: Drawn, edited: dict[str, Any]) -> str | None:
        """Why this input may not take the place of what was asked for; judged like any other."""

    def content_refused(self, card: Card, content: dict[str, Any] | None) -> str | None:
        """What is wrong with a filled-in form."""

    def grant_of(self, text: str, scope: GrantScope) -> Grant:
        """Raises ValueError with a sentence."""

    def keeps(self, answer: AnswerRequest) -> bool:
        """Whether Assent remembers what this answer grants, because the client cannot be told to. Raises ValueError
        with a sentence where it is not one of the things that are offered."""

    def lasting(self, answer: AnswerRequest) -> tuple[Grant, ...]:
        """What the agent's own settings get as well, where Assent remembers an answer and they can say the same."""

    def undecided(self, decision: Decision) -> Decision:
        """Reply to the agent without a decision: silence, but never where silence could run the call."""

    def encode(self, decision: Decision) -> tuple[Output, tuple[str, ...]]:
        """What goes to the agent, and what had to be left out."""

    def decided(self, decision: Decision, by: str, ask: str) -> tuple[Draft, ...]:
        """What is recorded of it; nothing where another hub decides."""


@runtime_checkable
class Elsewhere(Protocol):
    """A case of another hub: an answer counts once that hub has taken it, and nothing is decided here."""

    async def forward(self, answer: AnswerRequest, who: Person) -> int | None:
        """Returns once it was taken there, how many more are needed. Raises RefusedError where it was not taken, or is
        not known to be."""


class Team(Protocol):
    """This hub's end of its team, as far as the desk needs it."""

    @property
    def is_joined(self) -> bool:
        """False where this hub is in no team by now."""

    @property
    def owner(self) -> Identity | None:
        """Who the owner of this hub is; None where a workload owns it."""

    @property
    def answerers(self) -> tuple[str, ...]:
        """Who stands for the owner where a workload owns it."""

    @property
    def trouble(self) -> str:
        """Why no one can be reached now; "" where they can."""

    def is_revoked(self, hub: str) -> bool:
        """Whether that hub was shut out of the team."""

    @property
    def damage(self) -> str:
        """Why it is not known whether this hub is in a team, and who owns it there; "" where it is."""


@dataclass(frozen=True, slots=True)
class Release:
    """The agent need not wait any longer."""

    decision: Decision
    output: Output


@dataclass(frozen=True, slots=True)
class Earlier:
    """The same ask as an earlier life of the hub recorded it."""

    name: str
    rev: int
    shown: str
    opened_at: int
    deadline: int | None
    call: str | None = None
    # What was said so far, to the same revision.
    yeses: tuple[Yes, ...] = ()


@dataclass(slots=True, eq=False)
class Held:
    name: str
    case: Case
    drawn: Drawn
    opened_at: int
    deadline: int
    released: asyncio.Future[Release]
    rev: int = 1
    life: Life = field(default_factory=Life)
    # Set while the answer that won is on its way to the disk and the agent: whatever else comes now is too late.
    choice: Choice | None = None
    expiry: asyncio.TimerHandle | None = None
    doubt: asyncio.TimerHandle | None = None
    leaving: asyncio.TimerHandle | None = None
    refusals: int = 0
    # How many connections wait for the answer: a shim that lost one comes back over another.
    hooks: int = 1
    # Where several have to agree: who did, to this revision, and one answer at a time.
    yeses: tuple[Yes, ...] = ()
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    rung: asyncio.TimerHandle | None = None

    @property
    def takes_answers(self) -> bool:
        return self.choice is None and self.life.is_answerable and not self.released.done()

    @property
    def needs(self) -> ApprovalView | None:
        """Whose yes it needs, where this hub is the one that counts them."""
        return None if isinstance(self.case, Elsewhere) else self.drawn.card.approval

    def whom_now(self, now_ms: int) -> tuple[str, ...]:
        """Who is asked by now; the owner alone where no approval is needed."""
        needs = self.drawn.card.approval
        return (OWNER,) if needs is None else approval.whom_now(needs, now_ms - self.opened_at)

    def stop_timers(self) -> None:
        for timer in (self.expiry, self.doubt, self.leaving, self.rung):
            if timer is not None:
                timer.cancel()
