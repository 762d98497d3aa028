"""What relays of a team share in PostgreSQL: hubs for good, asks and answers as long as they are live."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct

from assent.protocol.team import Identity, KeyId, Member
from assent.relay.database import CHANNEL, Connection, Database
from assent.relay.hubs import KnownHub
from assent.relay.tables import NOW, SWEEPS

# The hub that holds it, and what it is called there.
AskKey = tuple[str, str]
# The same, the hub of the person who answered, and the answer's nonce.
AnswerKey = tuple[str, str, str, str]

# The server takes no longer ones than 8,000 bytes; the longest entry is an answer's.
ENTRIES_OF_A_NOTE = 24
# An ask is kept so long past its deadline, for clocks that differ.
GRACE_MS = 120_000
# How long after it ended an ask is known to be over, and a result can be asked for again.
REMEMBERED_MS = 15 * 60_000
# A relay that did not beat for so long is gone; so are asks of a hub that is connected to none for so long.
RELAY_GONE_MS, HUB_GONE_MS = 30_000, 60_000
# Rows of workloads that were not seen for so long are removed: each run of CI is a hub of its own.
WORKLOAD_FORGOTTEN_MS = 7 * 86_400_000


class Note(Struct, frozen=True, omit_defaults=True):
    """What one relay tells the others: ids alone, the rest is in the tables."""

    relay: str
    asks: tuple[AskKey, ...] = ()
    # Those that are over.
    gone: tuple[AskKey, ...] = ()
    answers: tuple[AnswerKey, ...] = ()
    results: tuple[AnswerKey, ...] = ()
    # Hubs to be read anew: revoked, gone from the team, or with other rights.
    hubs: tuple[KeyId, ...] = ()


@dataclass(slots=True)
class Changes:
    """What is live and not yet in the tables; of several changes of one ask the last one counts."""

    asks: dict[AskKey, "AskRow"] = field(default_factory=dict)
    gone: dict[AskKey, bytes] = field(default_factory=dict)
    # Removed without its hub's word: it may come back.
    dropped: set[AskKey] = field(default_factory=set)
    answers: dict[AnswerKey, bytes] = field(default_factory=dict)
    results: dict[AnswerKey, bytes] = field(default_factory=dict)

    def ask(self, row: "AskRow") -> None:
        self.dropped.discard(row.key)
        self.asks[row.key] = row

    def over(self, key: AskKey, gone: bytes) -> None:
        self.asks.pop(key, None)
        self.dropped.discard(key)
        self.gone[key] = gone

    def drop(self, key: AskKey) -> None:
        self.asks.pop(key, None)
        if key not in self.gone:
            self.dropped.add(key)

    def then(self, later: "Changes") -> "Changes":
        """Both, in this order."""
        for key in later.dropped:
            self.drop(key)
        for row in later.asks.values():
            self.ask(row)
        for key, gone in later.gone.items():
            self.over(key, gone)
        self.answers |= later.answers
        self.results |= later.results
        return self

    def parts(self) -> Iterator["Changes"]:
        """One by one, in an order in which they may be made."""
        yield from (Changes(dropped={key}) for key in self.dropped)
        yield from (Changes(asks={key: row}) for key, row in self.asks.items())
        yield from (Changes(gone={key: body}) for key, body in self.gone.items())
        yield from (Changes(answers={key: body}) for key, body in self.answers.items())
        yield from (Changes(results={key: body}) for key, body in self.results.items())

    def __bool__(self) -> bool:
        return bool(self.asks or self.gone or self.dropped or self.answers or self.results)


class AskRow(Struct, frozen=True):
    hub: KeyId
    ask: str
    change: int
    deadline: int
    # A TeamAsk as JSON.
    body: bytes
    owner: Identity
    is_workload: bool = False
    # A Gone as JSON.
    gone: bytes | None = None

    @property
    def key(self) -> AskKey:
        return self.hub, self.ask


class AnswerRow(Struct, frozen=True):
    hub: KeyId
    ask: str
    sender: KeyId
    nonce: str
    body: bytes
    result: bytes | None

    @property
    def key(self) -> AnswerKey:
        return self.hub, self.ask, self.sender, self.nonce


_HUB = "hub, key, issuer, subject, mail, name, groups, is_workload, machine, version, joined_at, proven_at, revoked_at"
_ASK = (
    "SELECT a.hub, a.ask, a.change, a.deadline, a.body, a.gone, h.issuer, h.subject, h.mail, h.is_workload"
    " FROM team_ask a JOIN team_hub h USING (hub)"
)
_ANSWER = "SELECT hub, ask, sender, nonce, body, result FROM team_answer"

# One statement, because the database may be far away. Its parts are of different rows: an ask is posted, over or
# dropped, and a result is in the row of its answer where both are new.
_WRITE = f"""
WITH dropped AS (
    DELETE FROM team_ask USING unnest(%s::text[], %s::text[]) AS k (h, a) WHERE (hub, ask) = (h, a) AND gone IS NULL
), asked AS (
    INSERT INTO team_ask (hub, ask, change, deadline, body)
    SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::bytea[])
    ON CONFLICT (hub, ask) DO UPDATE
    SET change = excluded.change, deadline = excluded.deadline, body = excluded.body, at = {NOW}
    WHERE team_ask.gone IS NULL AND team_ask.change <= excluded.change
), ended AS (
    INSERT INTO team_ask (hub, ask, change, deadline, body, gone)
    SELECT h, a, 0, 0, '', g FROM unnest(%s::text[], %s::text[], %s::bytea[]) AS k (h, a, g)
    ON CONFLICT (hub, ask) DO UPDATE SET body = '', gone = excluded.gone, at = {NOW}
), answered AS (
    INSERT INTO team_answer (hub, ask, sender, nonce, body, result)
    SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::bytea[], %s::bytea[])
    ON CONFLICT (hub, ask, sender, nonce) DO UPDATE
    SET result = coalesce(team_answer.result, excluded.result), at = {NOW}
), judged AS (
    UPDATE team_answer SET result = r, at = {NOW}
    FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::bytea[]) AS k (h, a, s, n, r)
    WHERE (hub, ask, sender, nonce) = (h, a, s, n)
)
SELECT pg_notify('{CHANNEL}', note) FROM unnest(%s::text[]) AS note
"""


class Store:
    """Each method raises AwayError where the database does not answer."""

    def __init__(self, database: Database, relay: str) -> None:
        self._database = database
        self._relay = relay

    async def hub(self, hub: KeyId) -> KnownHub | None:
        return next(iter(await self.hubs([hub])), None)

    async def hubs(self, hubs: Sequence[KeyId]) -> list[KnownHub]:
        rows = await self._rows(f"SELECT {_HUB} FROM team_hub WHERE hub = ANY(%s)", [list(hubs)])
        return [_hub(row) for row in rows]

    async def joined_since(self, at: int) -> list[KnownHub]:
        """Hubs of people that joined after this moment."""
        rows = await self._rows(f"SELECT {_HUB} FROM team_hub WHERE joined_at > %s AND NOT is_workload", [at])
        return [_hub(row) for row in rows]

    async def revoked(self) -> list[KeyId]:
        return [hub for (hub,) in await self._rows("SELECT hub FROM team_hub WHERE revoked_at IS NOT NULL")]

    async def join(self, hub: KnownHub) -> KnownHub:
        """As it stands in the table then: who comes again stays the same, and who was revoked stays so."""
        owner = hub.owner
        values: list[Any] = [hub.id, hub.key, owner.issuer, owner.subject, owner.mail, owner.name, list(owner.groups)]
        values += [hub.is_workload, hub.machine, hub.version, hub.joined_at, hub.proven_at]
        async with self._database.connection() as connection, connection.transaction():
            cursor = await connection.execute(
                f"INSERT INTO team_hub (hub, key, issuer, subject, mail, name, groups, is_workload, machine, version,"
                f" joined_at, proven_at) VALUES ({', '.join(['%s'] * 12)}) ON CONFLICT (hub) DO UPDATE SET"
                " issuer = excluded.issuer, subject = excluded.subject, mail = excluded.mail, name = excluded.name,"
                " groups = excluded.groups, is_workload = excluded.is_workload, machine = excluded.machine,"
                " version = excluded.version, proven_at = excluded.proven_at,"
                f" changed_at = {NOW} WHERE team_hub.revoked_at IS NULL AND team_hub.proven_at <= excluded.proven_at"
                f" RETURNING {_HUB}".encode(),
                values,
            )
            row = await cursor.fetchone()
            if row is not None:
                await self._note(connection, Note(self._relay, hubs=(hub.id,)))
        return _hub(row) if row is not None else (await self.hub(hub.id)) or hub

    async def prove(self, hub: KeyId, owner: Identity, proven_at: int) -> None:
        """What the identity provider says of the owner now. Never goes back to something older."""
        async with self._database.connection() as connection, connection.transaction():
            await connection.execute(
                f"UPDATE team_hub SET mail = %s, name = %s, groups = %s, proven_at = %s, changed_at = {NOW}"
                " WHERE hub = %s AND proven_at < %s".encode(),
                [owner.mail, owner.name, list(owner.groups), proven_at, hub, proven_at],
            )
            await self._note(connection, Note(self._relay, hubs=(hub,)))

    async def revoke(self, hub: KeyId, by: str) -> None:
        async with self._database.connection() as connection, connection.transaction():
            await connection.execute("SET LOCAL synchronous_commit = on")
            await connection.execute(
                f"UPDATE team_hub SET revoked_at = coalesce(revoked_at, {NOW}), revoked_by = coalesce(revoked_by, %s),"
                f" changed_at = {NOW} WHERE hub = %s".encode(),
                [by, hub],
            )
            await self._note(connection, Note(self._relay, hubs=(hub,)))

    async def leave(self, hub: KeyId) -> None:
        async with self._database.connection() as connection, connection.transaction():
            await connection.execute("DELETE FROM team_hub WHERE hub = %s AND revoked_at IS NULL", [hub])
            await self._note(connection, Note(self._relay, hubs=(hub,)))

    async def members(self, owner: Identity | None) -> list[Member]:
        """All, or those of one person."""
        where = "" if owner is None else "WHERE issuer = %s AND subject = %s"
        rows = await self._rows(
            f"SELECT {_HUB}, seen_at, EXISTS (SELECT FROM team_presence p WHERE p.hub = team_hub.hub"
            f" AND p.gone_at IS NULL) FROM team_hub {where} ORDER BY joined_at, hub",
            [] if owner is None else [owner.issuer, owner.subject],
        )
        return [_hub(row[:-2]).member(seen_at=row[-2], is_connected=row[-1]) for row in rows]

    async def write(self, changes: Changes) -> None:
        """All of it or nothing, and a note to the others."""
        judged = {key: changes.results.get(key) for key in changes.answers}
        values = [
            *_columns(2, sorted(changes.dropped)),
            *_columns(5, [(r.hub, r.ask, r.change, r.deadline, r.body) for _, r in sorted(changes.asks.items())]),
            *_columns(3, [(*key, body) for key, body in sorted(changes.gone.items())]),
            *_columns(6, [(*key, body, judged[key]) for key, body in sorted(changes.answers.items())]),
            *_columns(5, [(*key, body) for key, body in sorted(changes.results.items()) if key not in judged]),
            [msgspec.json.encode(note).decode() for note in _notes(self._relay, changes)],
        ]
        await self._rows(_WRITE, values)

    async def asks(self, keys: Sequence[AskKey] | None = None) -> list[AskRow]:
        """All that are not over, or these with their end if they have one."""
        if keys is None:
            rows = await self._rows(f"{_ASK} WHERE a.gone IS NULL AND h.revoked_at IS NULL")
        else:
            wanted = " JOIN unnest(%s::text[], %s::text[]) AS k (hub, ask) ON (a.hub, a.ask) = (k.hub, k.ask)"
            rows = await self._rows(_ASK + wanted, [[hub for hub, _ in keys], [ask for _, ask in keys]])
        return [
            AskRow(hub, ask, change, deadline, bytes(body), Identity(*owner), is_workload, gone and bytes(gone))
            for hub, ask, change, deadline, body, gone, *owner, is_workload in rows
        ]

    async def answers(self, keys: Iterable[AnswerKey]) -> list[AnswerRow]:
        columns = [list(column) for column in zip(*keys, strict=True)]
        wanted = (
            " JOIN unnest(%s::text[], %s::text[], %s::text[], %s::text[]) AS k (h, a, s, n)"
            " ON (hub, ask, sender, nonce) = (h, a, s, n)"
        )
        return [_answer(row) for row in await self._rows(_ANSWER + wanted, columns)]

    async def answers_of(self, hubs: Sequence[KeyId]) -> list[AnswerRow]:
        """Answers that these hubs still have to judge, and results that they may not have heard."""
        where = " WHERE (result IS NULL AND hub = ANY(%s)) OR (result IS NOT NULL AND sender = ANY(%s)) ORDER BY at"
        return [_answer(row) for row in await self._rows(_ANSWER + where, [list(hubs), list(hubs)])]

    async def beat(self, came: Sequence[KeyId], left: Sequence[KeyId]) -> None:
        """This relay is there; hubs that connected to it, and that did so no more, since the last time."""
        async with self._database.connection() as connection, connection.transaction():
            await connection.execute(
                f"INSERT INTO team_relay VALUES (%s, {NOW})"
                " ON CONFLICT (relay) DO UPDATE SET beat_at = excluded.beat_at".encode(),
                [self._relay],
            )
            if came:
                await connection.execute(
                    "INSERT INTO team_presence (hub, relay) SELECT h, %s FROM unnest(%s::text[]) AS h ORDER BY h"
                    " ON CONFLICT (hub) DO UPDATE SET relay = excluded.relay, gone_at = NULL",
                    [self._relay, sorted(came)],
                )
            if left:
                await connection.execute(
                    f"UPDATE team_presence SET gone_at = {NOW} WHERE hub = ANY(%s) AND relay = %s".encode(),
                    [sorted(left), self._relay],
                )
            if came or left:
                await connection.execute(
                    f"UPDATE team_hub SET seen_at = {NOW} WHERE hub = ANY(%s)".encode(),
                    [sorted({*came, *left})],
                )

    async def leave_all(self) -> None:
        async with self._database.connection() as connection, connection.transaction():
            await connection.execute(
                f"UPDATE team_presence SET gone_at = {NOW} WHERE relay = %s AND gone_at IS NULL".encode(),
                [self._relay],
            )
            await connection.execute("DELETE FROM team_relay WHERE relay = %s", [self._relay])

    async def sweep(self) -> None:
        """Remove what is over: for relays that died, hubs that never came back, and clocks that went on."""
        async with self._database.connection() as connection, connection.transaction():
            rows = await connection.execute("SELECT pg_try_advisory_xact_lock(%s)", [SWEEPS])
            if await rows.fetchone() != (True,):
                return  # Another relay does it.
            await connection.execute(
                f"UPDATE team_presence p SET gone_at = {NOW} WHERE gone_at IS NULL AND NOT EXISTS"
                f" (SELECT FROM team_relay r WHERE r.relay = p.relay AND r.beat_at > {NOW} - {RELAY_GONE_MS})".encode()
            )
            await connection.execute(f"DELETE FROM team_relay WHERE beat_at < {NOW} - {REMEMBERED_MS}".encode())
            await connection.execute(
                f"DELETE FROM team_ask WHERE gone IS NOT NULL AND at < {NOW} - {REMEMBERED_MS}".encode()
            )
            cursor = await connection.execute(
                f"DELETE FROM team_ask a WHERE gone IS NULL AND (deadline < {NOW} - {GRACE_MS}"
                f" OR (at < {NOW} - {HUB_GONE_MS} AND NOT EXISTS (SELECT FROM team_presence p WHERE p.hub = a.hub"
                f" AND (p.gone_at IS NULL OR p.gone_at > {NOW} - {HUB_GONE_MS})))) RETURNING hub, ask".encode()
            )
            swept = [(str(hub), str(ask)) for hub, ask in await cursor.fetchall()]
            await connection.execute(f"DELETE FROM team_answer WHERE at < {NOW} - {REMEMBERED_MS}".encode())
            await connection.execute(
                f"DELETE FROM team_hub WHERE is_workload AND revoked_at IS NULL AND"
                f" greatest(joined_at, seen_at) < {NOW} - {WORKLOAD_FORGOTTEN_MS}".encode()
            )
            for some in _in_parts(swept):
                # To all, the own relay too: what went is still in its memory.
                await self._note(connection, Note("", gone=tuple(some)))

    async def _rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        async with self._database.connection() as connection:
            cursor = await connection.execute(query.encode(), values)
            return await cursor.fetchall()

    @staticmethod
    async def _note(connection: Connection, note: Note) -> None:
        await connection.execute("SELECT pg_notify(%s, %s)", [CHANNEL, msgspec.json.encode(note).decode()])


def _columns(count: int, rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [[row[place] for row in rows] for place in range(count)]


def _notes(relay: str, changes: Changes) -> list[Note]:
    gone = [*changes.gone, *changes.dropped]
    return [
        *(Note(relay, asks=tuple(some)) for some in _in_parts(list(changes.asks))),
        *(Note(relay, gone=tuple(some)) for some in _in_parts(gone)),
        *(Note(relay, answers=tuple(some)) for some in _in_parts(list(changes.answers))),
        *(Note(relay, results=tuple(some)) for some in _in_parts(list(changes.results))),
    ]


def _in_parts(keys: list[Any]) -> list[list[Any]]:
    return [keys[start : start + ENTRIES_OF_A_NOTE] for start in range(0, len(keys), ENTRIES_OF_A_NOTE)]


def _hub(row: Sequence[Any]) -> KnownHub:
    hub, key, issuer, subject, mail, name, groups, is_workload, machine, version, joined, proven, revoked = row
    owner = Identity(issuer=issuer, subject=subject, mail=mail, name=name, groups=tuple(groups))
    return KnownHub(hub, key, owner, is_workload, machine, version, joined, proven, revoked)


def _answer(row: Sequence[Any]) -> AnswerRow:
    hub, ask, sender, nonce, body, result = row
    return AnswerRow(hub, ask, sender, nonce, bytes(body), result and bytes(result))
