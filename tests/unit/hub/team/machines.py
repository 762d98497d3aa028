"""Hubs of a team in one process: their parts over a relay that is a table, with a provider that is another one.

Everything crosses as JSON, as it does on the wire. ``Relay.twist`` is what a relay that was taken over does."""

import asyncio
import contextlib
import secrets
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from assent.asks.desk import Desk
from assent.asks.open_ask import Earlier, Held, Person, Release
from assent.config import Config
from assent.hub.bus import Bus
from assent.hub.recorder import Live, Recorder
from assent.hub.team.approvers import Approvers
from assent.hub.team.asks import TeamAsks, team_asks
from assent.hub.team.base import AwayError, Handler, RefusedByRelayError
from assent.hub.team.others import OtherCase
from assent.journal.memory import MemoryJournal
from assent.protocol.card import AnswerRequest
from assent.protocol.surfaces import Scope
from assent.protocol.team import (
    LONGEST_PROOF_MS,
    AnswerResult,
    AnswerVerdict,
    Gone,
    Hello,
    Identity,
    Proof,
    Revoked,
    Role,
    Snapshot,
    TeamAnswer,
    TeamAsk,
    TeamInfo,
    Whom,
)
from assent.redact import Redactor
from assent.team.keys import HubKey, binding, packed
from assent.team.membership import Membership
from assent.team.trust import UntrustedError
from tests.unit.asks.fake_case import FakeCase
from tests.unit.hub.doubles import InForce
from tests.waiting import seen

ISSUER = "https://id.example"
INFO = TeamInfo(1, "acme", ISSUER, "assent-team")
NOW = 1_790_000_000_000
# A machine that joined so long ago is no new one.
LONG_AGO = 20 * 60_000
ADA = Identity(ISSUER, "7", "ada@example.org", "Ada", ("dev",))
BOB = Identity(ISSUER, "8", "bob@example.org", "Bob", ("dev", "sre"))
PAGE = Person("person:ada", "page", Scope.GRANT, "iPhone")


class Vouching(Protocol):
    """An identity provider, and what a hub makes of its word."""

    def proof(self, key: HubKey, who: Identity, at: int) -> Proof: ...

    async def identity(self, proof: Proof, now_ms: int, longest: int = ...) -> Identity: ...

    async def close(self) -> None: ...


@dataclass
class Provider:
    """Tokens it has given out, each with whom it names, the key it is bound to, and when."""

    tokens: dict[str, tuple[Identity, str, int]] = field(default_factory=dict)

    def proof(self, key: HubKey, who: Identity, at: int) -> Proof:
        # Its own hub reads in it when it was made.
        claims = packed(msgspec.json.encode({"iat": at // 1000, "jti": secrets.token_hex(8)}))
        token, salt = f"e30.{claims}.{secrets.token_urlsafe(40)}", secrets.token_urlsafe(24)
        self.tokens[token] = (who, binding(key.public, salt), at)
        return Proof(key.public, salt, token)

    async def close(self) -> None:
        pass

    async def identity(self, proof: Proof, now_ms: int, longest: int = LONGEST_PROOF_MS) -> Identity:
        await asyncio.sleep(0)
        try:
            who, nonce, at = self.tokens[proof.token]
            is_bound = nonce == binding(proof.key, proof.salt)
        except (KeyError, ValueError):
            raise UntrustedError("bad-token", "The provider gave out no such token.") from None
        if proof.fresh:
            if proof.fresh not in self.tokens:
                raise UntrustedError("bad-token", "The provider gave out no such token.")
            who, _, at = self.tokens[proof.fresh]
        if not is_bound:
            raise UntrustedError("wrong-key", "The token names another key.")
        if now_ms - at > longest:
            raise UntrustedError("proof-too-old", "What the provider said is too old.")
        return who


@dataclass(repr=False)
class Relay:
    provider: Vouching = field(default_factory=Provider)
    now: int = NOW
    info: TeamInfo = INFO
    links: dict[str, "FakeLink"] = field(default_factory=dict)
    asks: dict[tuple[str, str], TeamAsk] = field(default_factory=dict)
    answers: list[TeamAnswer] = field(default_factory=list)
    results: list[AnswerResult] = field(default_factory=list)
    gone: list[Gone] = field(default_factory=list)
    # Every ask that was taken, whether or not it is still open.
    taken: list[TeamAsk] = field(default_factory=list)
    # What becomes of a message on its way: another one, several, or none.
    twist: Callable[[Any], list[Any]] = lambda message: [message]

    @property
    def verdicts(self) -> list[AnswerVerdict]:
        """What the results say."""
        return [msgspec.json.decode(result.text, type=AnswerVerdict) for result in self.results]

    def take_time(self) -> None:
        """What no hub that is back has posted again is over."""
        for hub, name in list(self.asks):
            link = self.links[hub]
            if link.is_connected and name not in link.posted:
                del self.asks[hub, name]
                for other in self.links.values():
                    other.hear(Gone(hub, name))

    def resent(self, sender: "FakeLink", message: Any) -> None:
        """Something that came before comes once more."""
        with contextlib.suppress(RefusedByRelayError):
            self.post(sender, message)

    def post(self, sender: "FakeLink", message: Any) -> None:
        match message:
            case TeamAsk():
                if (message.hub, message.ask) in {(gone.hub, gone.ask) for gone in self.gone}:
                    raise RefusedByRelayError(409, "ask-over", "This ask is over: its hub said so before.")
                sender.posted.add(message.ask)
                self.taken.append(message)
                known = self.asks.get((message.hub, message.ask))
                if known is not None and known.change > message.change:
                    return
                self.asks[message.hub, message.ask] = message
                to = [link for link in self.links.values() if link is not sender]
            case Gone():
                self.asks.pop((message.hub, message.ask), None)
                self.gone.append(message)
                to = [link for link in self.links.values() if link is not sender]
            case TeamAnswer():
                self.answers.append(message)
                to = [self.links[message.hub]] if message.hub in self.links else []
            case AnswerResult():
                self.results.append(message)
                to = [self.links[message.sender]] if message.sender in self.links else []
            case _:
                raise AssertionError(message)
        for link in to:
            for one in self.twist(message):
                link.hear(one)


PATHS = {"/team/asks": TeamAsk, "/team/gone": Gone, "/team/answers": TeamAnswer, "/team/results": AnswerResult}
EVENTS = {"TeamAsk": "ask", "TeamAnswer": "answer", "AnswerResult": "result", "NewMachine": "machine"}


@dataclass(frozen=True, eq=False, slots=True)
class Unconfirmed:
    """A post that the relay has taken, and has said nothing about."""

    message: Any
    word: "asyncio.Future[None]"

    def confirm(self) -> None:
        if not self.word.done():
            self.word.set_result(None)

    def lose(self) -> None:
        """The connection broke first."""
        if not self.word.done():
            self.word.set_exception(AwayError("The relay is away."))


@dataclass(repr=False)
class FakeLink:
    relay: Relay
    key: HubKey
    membership: Membership | None
    is_connected: bool = False
    # Posts fail, as where a relay does not answer.
    is_mute: bool = False
    # Posts arrive, and what the relay says to them waits.
    is_slow: bool = False
    # Each post is refused with it.
    refusal: RefusedByRelayError | None = None
    unconfirmed: list[Unconfirmed] = field(default_factory=list)
    # Asks that the relay was told of over this connection.
    posted: set[str] = field(default_factory=set)
    trouble: str = ""
    roles: tuple[Role, ...] = ("member",)
    handlers: dict[str, list[Handler]] = field(default_factory=lambda: defaultdict(list))
    connected: list[Callable[[], None]] = field(default_factory=list)

    async def send(self, path: str, message: Struct) -> bytes:
        await asyncio.sleep(0)
        if not self.is_connected or self.is_mute:
            raise AwayError("The relay is away.")
        if self.refusal is not None:
            raise self.refusal
        self.relay.post(self, msgspec.json.decode(msgspec.json.encode(message), type=PATHS[path]))
        if self.is_slow:
            post = Unconfirmed(message, asyncio.get_running_loop().create_future())
            self.unconfirmed.append(post)
            try:
                await post.word
            finally:
                self.unconfirmed.remove(post)
        return b"{}"

    async def waits_for_word(self, kind: type[Struct]) -> Unconfirmed:
        """The first post of this kind that the relay has taken and not confirmed."""
        return await seen(
            lambda: next((post for post in self.unconfirmed if isinstance(post.message, kind)), None),
            f"a {kind.__name__} at the relay",
        )

    def on(self, event: str, handler: Handler) -> None:
        self.handlers[event].append(handler)

    def on_connected(self, handler: Callable[[], None]) -> None:
        self.connected.append(handler)

    def hear(self, message: Any) -> None:
        event = EVENTS.get(type(message).__name__, type(message).__name__.lower())
        if self.is_connected:
            again = msgspec.json.decode(msgspec.json.encode(message), type=type(message))
            for handler in self.handlers[event]:
                asyncio.get_running_loop().call_soon(handler, again)

    def connect(self, revoked: tuple[str, ...] = ()) -> None:
        self.is_connected = True
        self.posted.clear()
        self.hear(Hello("relay", self.relay.now, self.roles, revoked))
        for handler in self.connected:
            asyncio.get_running_loop().call_soon(handler)
        assert self.membership is not None
        me = self.membership.hub
        self.hear(Snapshot(tuple(ask for ask in self.relay.asks.values() if ask.hub != me)))
        told = {(result.sender, result.nonce): result for result in self.relay.results}
        waits = [answer for answer in self.relay.answers if (answer.sender, answer.nonce) not in told]
        mine = [answer for answer in waits if answer.hub == me]
        for message in (*mine, *(result for result in told.values() if result.sender == me)):
            for one in self.relay.twist(message):
                self.hear(one)

    def cut(self) -> None:
        self.is_connected = False


@dataclass(repr=False)
class Machine:
    name: str
    link: FakeLink
    journal: MemoryJournal
    live: Live
    desk: Desk
    team: TeamAsks
    policy: InForce
    # What an earlier life left, by request.
    earlier: dict[str, Earlier]
    tasks: list["asyncio.Task[Release]"] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.link.key.id

    async def ask(self, case: FakeCase, hold: timedelta = timedelta(minutes=10)) -> Held:
        """An agent of this machine asks."""
        self.tasks.append(asyncio.create_task(self.desk.ask(case, hold)))
        return await seen(
            lambda: next((held for held in self.desk.waiting if held.case is case and held.expiry), None), "the ask"
        )

    def names(self) -> set[str]:
        """Of the asks of other machines that wait here, as they are called there."""
        return {held.case.shared.ask for held in self.others() if isinstance(held.case, OtherCase)}

    def others(self) -> list[Held]:
        return [held for held in self.desk.waiting if isinstance(held.case, OtherCase) and held.expiry]

    async def shown(self) -> Held:
        """The first ask of another machine that waits here."""
        return await seen(lambda: next(iter(self.others()), None), f"an ask of another machine on {self.name}")

    async def answer(self, held: Held, choice: str, who: Person = PAGE, **more: Any) -> None:
        await self.desk.answer(held.name, saying(held, choice, **more), who)

    async def bodies(self, kind: str) -> list[dict[str, Any]]:
        return [record.body for record in await self.records(kind)]

    async def records(self, kind: str) -> list[Any]:
        for _ in range(20):
            await asyncio.sleep(0)
        return [record for record in await self.journal.tail(500) if record.kind == kind]

    async def kinds(self) -> list[str]:
        await self.records("")
        return [record.kind for record in await self.journal.tail(500)]


@dataclass(repr=False)
class Team:
    relay: Relay = field(default_factory=Relay)
    machines: list[Machine] = field(default_factory=list)

    def machine(
        self,
        name: str,
        who: Identity | None = ADA,
        *,
        answerers: tuple[Whom, ...] = ("owner",),
        roles: tuple[Role, ...] = ("member",),
        is_connected: bool = True,
        joined_ago: int = LONG_AGO,
    ) -> Machine:
        relay, key = self.relay, HubKey.create()
        membership = Membership(
            urls=("https://relay.example",),
            info=relay.info,
            hub=key.id,
            machine=name,
            owner=who.label if who else "acme/app",
            joined_at=relay.now - joined_ago,
            identity=who,
            proof=relay.provider.proof(key, who, relay.now - joined_ago) if who else None,
            answerers=answerers,
        )
        link = FakeLink(relay, key, membership, roles=roles)
        relay.links[key.id] = link
        journal, bus, policy = MemoryJournal(name), Bus(), InForce(Config())
        earlier: dict[str, Earlier] = {}
        live = Live(bus=bus)
        recorder = Recorder(journal, live)
        desk = Desk(
            recorder.record,
            lambda: relay.now,
            lambda: live.seq,
            team=Approvers(link, lambda: relay.now),
            widened=bus.audience,
            offset=len(self.machines) * 1_000,
        )
        redactor = Redactor(lambda text: f"{len(text):08x}")
        team = team_asks(
            link,
            desk,
            policy,
            live,
            recorder,
            redactor,
            earlier.get,
            lambda _: relay.provider,
            lambda: relay.now,
        )
        bus.register(team)
        machine = Machine(name, link, journal, live, desk, team, policy, earlier)
        self.machines.append(machine)
        if is_connected:
            link.connect()
        return machine

    async def close(self) -> None:
        for machine in self.machines:
            machine.link.cut()
            for post in list(machine.link.unconfirmed):
                post.lose()
            await machine.team.close()
            for task in machine.tasks:
                task.cancel()
            await asyncio.gather(*machine.tasks, return_exceptions=True)

    def revoke(self, machine: Machine) -> None:
        for link in self.relay.links.values():
            link.hear(Revoked((machine.id,)))


def saying(held: Held, choice: str, **more: Any) -> AnswerRequest:
    return AnswerRequest(rev=held.rev, hash=held.drawn.hash, choice=choice, **more)  # type: ignore[arg-type]


async def settled() -> None:
    """What was set off has come to its end, where nothing waits for time."""
    for _ in range(200):
        await asyncio.sleep(0)
