"""Asks of this hub on screens of other machines: each goes out as it opens and changes, and is taken back as it ends.

Nothing here is waited for: the desk and the recorder go on whether or not there is a relay."""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from dataclasses import dataclass, field, replace

import msgspec
from msgspec import Struct, structs

from assent.asks.choices import SCOPES
from assent.asks.desk import Desk
from assent.asks.open_ask import Held
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.hub.team import cards, verdicts
from assent.hub.team.base import AwayError, RefusedByRelayError
from assent.hub.team.people import People
from assent.protocol.card import Card
from assent.protocol.record import is_counted
from assent.protocol.team import LARGEST_ASK, AskEnd, SharedAsk, TeamAsk, Whom
from assent.team.membership import Membership
from assent.team.whom import OWNER
from assent.text.safe import plain_line
from assent.views.asks import Answer, Ask
from assent.webapi.endpoint import is_too_deep

log = logging.getLogger("assent.hub")

OPEN = frozenset({"open", "doubtful"})
MOST_AT_ONCE = 8
# After a relay that is there could not take it.
AGAIN_AFTER = 2.0
# After a refusal for a sign-in that is too old: the link renews it as it hears of that.
RENEWED_WITHIN = 30.0
# Ends that were not told yet.
MOST_OVER = 1_000
MOST_TEXTS = 20
LAST_WORDS = 1.0
LONGEST_WHY = 200
TEAM = "team"
NO_ONE: tuple[tuple[str, ...], int] = ((), 0)
NOT_SHARED = "this is answered at the machine where the agent runs"


@dataclass(frozen=True, slots=True)
class Shared:
    """What others were shown of a revision of an ask."""

    rev: int
    # Of the card at this desk, to which an answer is bound in the end.
    hash: str
    card: Card
    # The same before it was made fit for elsewhere, and what the machine was called.
    drawn: Card
    machine: str
    whom: tuple[Whom, ...]
    # Who agreed so far, and how many are missing.
    agreed: tuple[tuple[str, ...], int]
    # Hashes of the texts: there can be several of one revision, such as one for each yes of several.
    shown: tuple[str, ...]
    message: TeamAsk


@dataclass(slots=True)
class Sharing:
    people: People
    desk: Desk
    policy: SettingsInForce
    again_after: float = AGAIN_AFTER
    renewed_within: float = RENEWED_WITHIN
    _shared: dict[str, Shared] = field(default_factory=dict)
    # What the relay has of it over this connection.
    _posted: dict[str, Struct] = field(default_factory=dict)
    # By the name of an ask, as it is on record.
    _agreed: dict[str, tuple[tuple[str, ...], int]] = field(default_factory=dict)
    _over: OrderedDict[str, AskEnd] = field(default_factory=OrderedDict)
    # Names of asks of which the relay does not know the newest.
    _due: set[str] = field(default_factory=set)
    _sending: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE))
    # How often there was one.
    _connection: int = 0
    _change: int = 0
    _is_closed: bool = False
    _began: int = 0

    def __post_init__(self) -> None:
        self._began = self.people.now_ms()
        self.people.link.on_connected(self._connected)

    def shared(self, name: str) -> Shared | None:
        """What others see of it by now."""
        return self._shared.get(name)

    def on_ask(self, ask: Ask) -> None:
        membership = self.people.membership
        if membership is None or not is_counted(ask.session):
            return
        if ask.state in OPEN:
            held = self.desk.held(ask.id)
            if held is not None and self._may_share(held):
                self._agreed[ask.id] = _agreed(ask)
                self._want(ask.id)
        elif ask.id in self._shared or (ask.at < self._began and ask.state == "closed"):
            # Of an earlier life as well: a relay may still show it.
            self._end(ask.id, _ended(ask, membership))
        elif ask.id not in self._over:
            # Its end is told even if the ask itself was still on its way.
            self._due.discard(ask.id)
            self._agreed.pop(ask.id, None)

    async def close(self) -> None:
        """What has just ended is still told, where a relay takes it at once."""
        self._is_closed = True
        tasks = list(self._sending.values())
        if tasks:
            await asyncio.wait(tasks, timeout=LAST_WORDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def on_audience(self, ask: str) -> None:
        if self.people.membership is not None:
            self._want(ask)

    def on_settings(self) -> None:
        """Perhaps what is asked here is not to be seen elsewhere any more; what was taken back stays here."""
        membership = self.people.membership
        if membership is None:
            return
        for name in list(self._shared):
            held = self.desk.held(name)
            if held is not None and not self._may_share(held):
                self._end(name, AskEnd(membership.hub, name, why=NOT_SHARED))
        self._look()

    def _may_share(self, held: Held) -> bool:
        """What others have to approve goes to them in any case."""
        is_wanted = self.policy.config.team.share or held.drawn.card.approval is not None
        return is_wanted and is_counted(held.case.event.session_id)

    def _end(self, name: str, end: AskEnd) -> None:
        self._shared.pop(name, None)
        self._agreed.pop(name, None)
        self._posted.pop(name, None)
        self._over[name] = end
        while len(self._over) > MOST_OVER:
            self._over.popitem(last=False)
        self._want(name)

    def _connected(self) -> None:
        """A relay knows nothing that it did not hear over this connection."""
        self._connection += 1
        self._posted.clear()
        self._look()

    def _look(self) -> None:
        if self.people.membership is None:
            return
        for held in self.desk.waiting:
            if held.expiry is not None and held.name not in self._posted and self._may_share(held):
                self._want(held.name)
        for name in self._over:
            self._want(name)

    def _want(self, name: str) -> None:
        if self._is_closed:
            return
        self._due.add(name)
        if name not in self._sending and self.people.link.is_connected:
            self._sending[name] = asyncio.create_task(self._send(name))

    async def _send(self, name: str) -> None:
        try:
            async with self._room:
                while name in self._due and await self._sent(name):
                    pass
        except Exception:
            log.exception("ask %s could not be shared", name)
        finally:
            del self._sending[name]

    async def _sent(self, name: str) -> bool:
        """Whether to go on with what came meanwhile."""
        self._due.discard(name)
        over, held = self._over.get(name), self.desk.held(name)
        membership = self.people.membership
        if membership is None:
            return False
        message: Struct
        if held is not None and held.life.is_answerable and self._may_share(held):
            # It may have been taken back before.
            self._over.pop(name, None)
            path, message = "/team/asks", self._drawn(held, membership)
        elif over is not None and (key := self.people.link.key) is not None:
            path, message = "/team/gone", verdicts.gone(key, over)
        else:
            return False
        if self._posted.get(name) is message:
            return True
        connection = self._connection
        try:
            await self.people.link.send(path, message)
        except AwayError:
            self._later(name, 0.0)
            return False
        except RefusedByRelayError as error:
            if error.status == 429 or error.status >= 500:
                self._later(name, error.retry_after or 0.0)
                return False
            log.warning("the relay refuses ask %s: %s", name, error)
            if error.code == "proof-too-old":
                self._later(name, self.renewed_within)
                return False
        if connection != self._connection:
            # It was an earlier relay's word, or the same one's before it asked to be told again.
            self._due.add(name)
            return True
        if path == "/team/asks":
            self._posted[name] = message
            return True
        self._posted.pop(name, None)
        if self._over.get(name) is over:
            del self._over[name]
        return True

    def _later(self, name: str, after: float) -> None:
        """Without a connection it is wanted again with the next one."""
        self._due.add(name)
        asyncio.get_running_loop().call_later(max(self.again_after, after), self._once_more, name)

    def _once_more(self, name: str) -> None:
        if name in self._due:
            self._want(name)

    def _drawn(self, held: Held, membership: Membership) -> TeamAsk:
        """The same text for the same thing: who was about to answer need not look again."""
        known = self._shared.get(held.name)
        agreed = self._agreed.get(held.name, NO_ONE)
        if known is None or known.agreed != agreed or not _is_same(known, held, membership):
            is_same_rev = known is not None and (known.rev, known.hash) == (held.rev, held.drawn.hash)
            known = self._made(held, membership, known.shown if known is not None and is_same_rev else ())
        audience, proof = self._audience(held, membership), membership.proof
        if (known.message.audience, known.message.proof) != (audience, proof):
            message = structs.replace(known.message, audience=audience, proof=proof, change=self._next_change())
            known = replace(known, message=message)
        self._shared[held.name] = known
        return known.message

    def _made(self, held: Held, membership: Membership, earlier: tuple[str, ...]) -> Shared:
        card = cards.carried(held.drawn.card, membership.machine)
        made = self._signed(held, membership, card)
        if len(msgspec.json.encode(made)) > LARGEST_ASK or is_too_deep(made.text.encode()):
            card = cards.shortened(card)
            made = self._signed(held, membership, card)
        return Shared(
            rev=held.rev,
            hash=held.drawn.hash,
            drawn=held.drawn.card,
            card=card,
            machine=membership.machine,
            agreed=self._agreed.get(held.name, NO_ONE),
            whom=_whom(card, membership),
            shown=(*earlier, text_hash(made.text))[-MOST_TEXTS:],
            message=made,
        )

    def _signed(self, held: Held, membership: Membership, card: Card) -> TeamAsk:
        case, key = held.case, self.people.link.key
        agreed, missing = self._agreed.get(held.name, NO_ONE)
        assert key is not None, "there is a key whenever there is a connection"
        shared = SharedAsk(
            hub=membership.hub,
            ask=held.name,
            rev=held.rev,
            hash=held.drawn.hash,
            at=self.people.now_ms(),
            opened_at=held.opened_at,
            deadline=held.deadline,
            machine=membership.machine,
            harness=case.harness,
            event=case.event.name,
            session=case.event.session_id,
            card=card,
            whom=_whom(card, membership),
            agreed=agreed,
            missing=missing,
        )
        text = msgspec.json.encode(shared).decode()
        return TeamAsk(
            hub=membership.hub,
            ask=held.name,
            rev=held.rev,
            change=self._next_change(),
            deadline=held.deadline,
            audience=self._audience(held, membership),
            text=text,
            signature=key.sign("ask", text),
            proof=membership.proof,
            key=key.public if membership.proof is None else "",
        )

    def _audience(self, held: Held, membership: Membership) -> tuple[Whom, ...]:
        """Who is to see it by now. Owners see what their agents ask, also where others have to agree."""
        if not membership.is_workload:
            return tuple(dict.fromkeys((OWNER, *held.whom_now(self.people.now_ms()))))
        return membership.answerers if held.needs is None else held.whom_now(self.people.now_ms())

    def _next_change(self) -> int:
        # An earlier life of this hub counted as well.
        self._change = max(self._change + 1, self.people.now_ms())
        return self._change


def _agreed(ask: Ask) -> tuple[tuple[str, ...], int]:
    last = ask.approvals[-1:]
    return tuple(said.yes.label for said in ask.approvals), last[0].missing if last else 0


def text_hash(text: str) -> str:
    """What an answer names of the text that was shown."""
    return hashlib.sha256(text.encode()).hexdigest()


def _is_same(known: Shared, held: Held, membership: Membership) -> bool:
    message = known.message
    return (known.rev, known.hash, known.machine, message.hub, message.deadline, known.drawn) == (
        held.rev,
        held.drawn.hash,
        membership.machine,
        membership.hub,
        held.deadline,
        held.drawn.card,
    )


def _whom(card: Card, membership: Membership) -> tuple[Whom, ...]:
    return cards.whom_of(card, membership.answerers if membership.is_workload else (OWNER,))


def _ended(ask: Ask, membership: Membership) -> AskEnd:
    answer = ask.answer
    by = _who(answer, membership) if answer is not None else ""
    # Any word can stand in a record.
    choice = answer.choice if answer is not None and answer.choice in SCOPES else None
    return AskEnd(membership.hub, ask.id, ask.ending, by, choice, plain_line(ask.why, LONGEST_WHY))


def _who(answer: Answer, membership: Membership) -> str:
    """``ada@example.org``, and of those who sit at this machine ``ada@example.org on laptop``."""
    if answer.surface == TEAM:
        return plain_line(answer.by.removeprefix("person:"), LONGEST_WHY)
    return plain_line(f"{membership.owner} on {membership.machine}", LONGEST_WHY)
