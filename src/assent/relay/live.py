"""Asks and answers that are live, in memory: what a relay shows from, also while the database is away."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from assent.protocol.team import Identity, KeyId, Role, Whom
from assent.relay.hubs import KnownHub
from assent.relay.store import GRACE_MS, REMEMBERED_MS, AnswerKey, AskKey, AskRow
from assent.team import whom
from assent.team.roles import may_answer, may_see_all

MOST_OF_A_HUB = 400
MOST_BYTES_OF_A_HUB = 16 << 20
# Of all hubs: memory stays flat, whatever they do.
MOST_BYTES = 128 << 20
MOST_ANSWERS_OF_A_HUB = 200
MOST_ENDED = 100_000


class FullError(Exception):
    """No room for one more; says why."""


class _Audience(Struct):
    audience: tuple[Whom, ...]


@dataclass(slots=True, eq=False)
class LiveAsk:
    row: AskRow
    audience: tuple[Whom, ...]
    # Whether its hub posted it here, and not at another relay.
    is_own: bool
    # The hubs that were shown it.
    viewers: set[KeyId] = field(default_factory=set)
    confirm_by: int | None = None

    @property
    def names(self) -> Iterator[str]:
        """Who may be meant, as ``names_of`` calls them."""
        yield owner_name(self.row.owner)
        for one in self.audience:
            if one != whom.OWNER:
                yield one
                yield one.lower()

    def right_of(self, hub: KnownHub, roles: tuple[Role, ...], now: int) -> str:
        """What this hub's owner may do with it: "answer", "read" or nothing, which is ""."""
        if hub.is_workload or hub.id == self.row.hub:
            return ""
        owner = None if self.row.is_workload else self.row.owner
        if owner is not None and owner.id == hub.owner.id:
            return "answer"
        if not hub.is_fresh(now):
            return ""
        if may_answer(roles) and whom.is_any(self.audience, hub.owner, owner):
            return "answer"
        return "read" if may_see_all(roles) else ""


def names_of(hub: KnownHub, roles: tuple[Role, ...]) -> set[str]:
    """What an ask may call its owner; "*" for one who sees them all. ``LiveAsk.right_of`` decides."""
    owner = hub.owner
    if hub.is_workload:
        return set()
    persons = {owner.id, owner.subject, owner.mail, owner.mail.lower()}
    names = {f"{whom.PERSON}{name}" for name in persons} | {f"{whom.GROUP}{group}" for group in owner.groups}
    return names | {owner_name(owner)} | ({"*"} if may_see_all(roles) else set())


def owner_name(owner: Identity) -> str:
    return f"owner:{owner.id}"


def read(row: AskRow, *, is_own: bool) -> LiveAsk:
    return LiveAsk(row, msgspec.json.decode(row.body, type=_Audience).audience, is_own)


class LiveAsks:
    """By hub and id, and by who may be meant."""

    def __init__(self) -> None:
        self._asks: dict[AskKey, LiveAsk] = {}
        self._of_hub: dict[KeyId, dict[AskKey, LiveAsk]] = {}
        self._named: dict[str, dict[AskKey, LiveAsk]] = {}
        self._bytes_of: dict[KeyId, int] = {}
        self._bytes = 0
        # Asks whose hub said that they are over, and until when that is remembered.
        self._ended: dict[AskKey, int] = {}

    def __len__(self) -> int:
        return len(self._asks)

    def get(self, key: AskKey) -> LiveAsk | None:
        return self._asks.get(key)

    def all(self) -> list[LiveAsk]:
        return list(self._asks.values())

    def of(self, hub: KeyId) -> list[LiveAsk]:
        return list(self._of_hub.get(hub, {}).values())

    def named(self, names: Iterable[str]) -> list[LiveAsk]:
        """Each that may be for someone of these names, once."""
        if "*" in names:
            return self.all()
        found: dict[AskKey, LiveAsk] = {}
        for name in names:
            found |= self._named.get(name, {})
        return list(found.values())

    def has_ended(self, key: AskKey) -> bool:
        return key in self._ended

    def check_room(self, row: AskRow) -> None:
        """Raises FullError."""
        before = self._asks.get(row.key)
        more = len(row.body) - (len(before.row.body) if before else 0)
        if before is None and len(self._of_hub.get(row.hub, ())) >= MOST_OF_A_HUB:
            raise FullError(f"This hub has {MOST_OF_A_HUB} open asks at the relay, which is the most.")
        if self._bytes_of.get(row.hub, 0) + more > MOST_BYTES_OF_A_HUB:
            raise FullError(f"The open asks of this hub take more than {MOST_BYTES_OF_A_HUB >> 20} MiB.")
        if self._bytes + more > MOST_BYTES:
            raise FullError("The relay holds as many open asks as it can.")

    def put(self, ask: LiveAsk) -> None:
        """In place of an older change of it; who was shown that one has been shown this one."""
        key = ask.row.key
        if before := self._asks.get(key):
            ask.viewers |= before.viewers
            self._forget(before)
        self._asks[key] = ask
        self._of_hub.setdefault(ask.row.hub, {})[key] = ask
        for name in ask.names:
            self._named.setdefault(name, {})[key] = ask
        self._count(ask, 1)

    def remove(self, key: AskKey) -> LiveAsk | None:
        if ask := self._asks.get(key):
            self._forget(ask)
        return ask

    def end(self, key: AskKey, now: int) -> LiveAsk | None:
        """By its hub's word: it does not come back."""
        self._ended.pop(key, None)
        self._ended[key] = now + REMEMBERED_MS
        if len(self._ended) > MOST_ENDED:
            del self._ended[next(iter(self._ended))]
        return self.remove(key)

    def overdue(self, now: int) -> list[LiveAsk]:
        """Past their deadline, or not posted again after their hub came back."""
        self._ended = {key: until for key, until in self._ended.items() if until > now}
        return [
            ask
            for ask in self._asks.values()
            if ask.row.deadline + GRACE_MS < now or (ask.confirm_by is not None and ask.confirm_by < now)
        ]

    def _forget(self, ask: LiveAsk) -> None:
        key = ask.row.key
        del self._asks[key]
        of_hub = self._of_hub[ask.row.hub]
        del of_hub[key]
        if not of_hub:
            del self._of_hub[ask.row.hub]
        for name in ask.names:
            named = self._named.get(name)
            if named is not None:
                named.pop(key, None)
                if not named:
                    del self._named[name]
        self._count(ask, -1)

    def _count(self, ask: LiveAsk, sign: int) -> None:
        size = sign * len(ask.row.body)
        self._bytes += size
        left = self._bytes_of.get(ask.row.hub, 0) + size
        if left:
            self._bytes_of[ask.row.hub] = left
        else:
            self._bytes_of.pop(ask.row.hub, None)


@dataclass(slots=True, eq=False)
class LiveAnswer:
    key: AnswerKey
    body: bytes
    at: int
    # An AnswerResult, once the hub that holds the ask has judged it.
    result: bytes | None = None

    @property
    def size(self) -> int:
        return len(self.body) + len(self.result or b"")


class LiveAnswers:
    """Those that were posted here, or that a hub connected here is to judge or waits to hear of."""

    def __init__(self) -> None:
        self._answers: dict[AnswerKey, LiveAnswer] = {}
        self._bytes = 0

    def get(self, key: AnswerKey) -> LiveAnswer | None:
        return self._answers.get(key)

    def all(self) -> list[LiveAnswer]:
        return list(self._answers.values())

    def for_hub(self, hub: KeyId) -> list[LiveAnswer]:
        """What it has to judge, and what became of its own."""
        return [
            answer
            for answer in self._answers.values()
            if (answer.key[0] if answer.result is None else answer.key[2]) == hub
        ]

    def check_room(self, key: AnswerKey, body: bytes) -> None:
        """Raises FullError."""
        unjudged = sum(1 for other in self._answers.values() if other.key[2] == key[2] and other.result is None)
        if unjudged >= MOST_ANSWERS_OF_A_HUB:
            raise FullError(f"{MOST_ANSWERS_OF_A_HUB} answers of this hub wait for other machines, which is the most.")
        if self._bytes + len(body) > MOST_BYTES:
            raise FullError("The relay holds as many answers as it can.")

    def put(self, answer: LiveAnswer) -> None:
        self.remove(answer.key)
        if answer.result is not None:
            # It was judged, so it is not sent any more.
            answer.body = b""
        self._answers[answer.key] = answer
        self._bytes += answer.size

    def remove(self, key: AnswerKey) -> None:
        if before := self._answers.pop(key, None):
            self._bytes -= before.size

    def forget_old(self, now: int) -> None:
        for key in [key for key, answer in self._answers.items() if answer.at + REMEMBERED_MS < now]:
            self.remove(key)
