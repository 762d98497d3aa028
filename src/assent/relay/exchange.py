"""Who is shown which ask, and where answers go: between the hubs of this relay at once, to others by the database."""

import asyncio
import functools
import logging
import time

import msgspec
from msgspec import structs

from assent.errors import AssentError
from assent.protocol.team import (
    LARGEST_ANSWER,
    LARGEST_ASK,
    NEW_MACHINE_MS,
    AnswerResult,
    Gone,
    Hello,
    KeyId,
    Revoked,
    Role,
    TeamAnswer,
    TeamAsk,
)
from assent.relay.held import Held
from assent.relay.hubs import KnownHub, Roster
from assent.relay.live import FullError, LiveAnswer, LiveAnswers, LiveAsk, LiveAsks, names_of, read
from assent.relay.messages import check, check_name, check_size
from assent.relay.newcomers import Newcomers
from assent.relay.store import AnswerKey, AnswerRow, AskKey, AskRow, Note, Store
from assent.relay.streams import LARGEST_SNAPSHOT, Stream, Streams, event, shown
from assent.relay.writer import Writer
from assent.team import whom
from assent.team.roles import RoleTable
from assent.webapi.endpoint import ProblemError

log = logging.getLogger("assent.relay")

MOST_NAMED = 50
LARGEST_NUMBER = 1 << 53
LONGEST_DEADLINE_MS = 31 * 86_400_000
SMALL = 16 << 10
# After a hub connected, its asks are posted again; what is not by then is over.
CONFIRMED_WITHIN_MS = 30_000
# Asks of other relays that the tables do not have after a break: their relays put them there again meanwhile.
DOUBT_SECONDS = 10.0
UPKEEP_SECONDS = 5.0
SWEEP_SECONDS = 30.0
# Before, hubs and relays are still coming back, and what is theirs is not removed.
SETTLED_SECONDS = 90.0
AT_ONCE = 500


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Exchange:
    def __init__(self, store: Store, writer: Writer, relay: str, roles: RoleTable) -> None:
        self.roster = Roster()
        self.streams = Streams()
        self.newcomers = Newcomers(self.streams)
        self.asks = LiveAsks()
        self.answers = LiveAnswers()
        self.revoked: set[KeyId] = set()
        self._store = store
        self.writer = writer
        self._relay = relay
        self._roles = roles
        self._doubtful: set[AskKey] = set()
        # Since when nothing went wrong with the database.
        self._well_since = time.monotonic()
        self._swept_at = 0.0
        self._beating = asyncio.Lock()

    # Hubs.

    def roles_of(self, hub: KnownHub) -> tuple[Role, ...]:
        return hub.roles(self._roles, now_ms())

    async def hub(self, hub: KeyId) -> KnownHub | None:
        """Raises AwayError where only the database could know it."""
        known = self.roster.get(hub)
        if known is None and (known := await self._store.hub(hub)) is not None:
            self.roster.put(known)
        return known

    async def reload(self, hubs: list[KeyId]) -> None:
        """What the tables say of them now: revoked, gone, with other groups."""
        for start in range(0, len(hubs), AT_ONCE):
            some = hubs[start : start + AT_ONCE]
            found = {hub.id: hub for hub in await self._store.hubs(some)}
            for hub in some:
                self._has_changed(hub, found.get(hub))
            for known in found.values():
                self.newcomers.announce(known, now_ms())
            newly = [hub for hub, known in found.items() if known.revoked_at is not None and hub not in self.revoked]
            if newly:
                self._are_revoked(newly)

    def _has_changed(self, hub: KeyId, known: KnownHub | None) -> None:
        before = self.roster.get(hub)
        if known is None:
            self.roster.remove(hub)
            self._expel(hub)
        elif before is not None and before != known:
            self.take(known)

    def _are_revoked(self, hubs: list[KeyId]) -> None:
        self.revoked.update(hubs)
        log.info("%d hubs were revoked", len(hubs))
        self.streams.broadcast(event("revoked", Revoked(tuple(sorted(hubs)))))
        for hub in hubs:
            self.newcomers.remove(hub)
            self._expel(hub)

    def take(self, hub: KnownHub) -> None:
        """What is known of it now; its stream follows."""
        self.roster.put(hub)
        stream = self.streams.get(hub.id)
        if stream is None or hub.revoked_at is not None:
            return
        before, is_fresh = (stream.hub.owner, stream.is_fresh), hub.is_fresh(now_ms())
        self.streams.rename(stream, hub, self._names(hub), is_fresh=is_fresh)
        if before != (hub.owner, is_fresh):
            self._show_all(stream)

    def _names(self, hub: KnownHub) -> frozenset[str]:
        return frozenset(names_of(hub, self.roles_of(hub)))

    def _expel(self, hub: KeyId) -> None:
        if stream := self.streams.get(hub):
            self.close(stream)
        for ask in self.asks.of(hub):
            self._is_over(ask.row.key, ask, None)
            self.writer.changes.drop(ask.row.key)
            self.writer.wake()

    # Streams.

    def open(self, hub: KnownHub, wire: Held) -> Stream:
        """In place of an older one of the same hub."""
        if older := self.streams.get(hub.id):
            self.close(older)
        stream = Stream(hub, wire, self._names(hub), hub.is_fresh(now_ms()))
        roles = self.roles_of(hub)
        stream.write(
            event("hello", Hello(relay=self._relay, at=now_ms(), roles=roles, revoked=tuple(sorted(self.revoked))))
        )
        self.streams.add(stream)
        self.newcomers.greet(stream)
        self._show_all(stream)
        for ask in self.asks.of(hub.id):
            ask.confirm_by = now_ms() + CONFIRMED_WITHIN_MS
        for answer in self.answers.for_hub(hub.id):
            self._tell(stream, answer)
        wire.on_lost(functools.partial(self.close, stream))
        return stream

    async def catch_up(self, stream: Stream) -> None:
        """Answers and results that wait in the database for the hub that just connected."""
        try:
            rows = await self._store.answers_of([stream.hub.id])
        except AssentError:
            return  # They come with all others once the database is back.
        for row in rows:
            self._take_answer(row)

    def close(self, stream: Stream) -> None:
        """Once more does nothing: its hub may have another one by then."""
        if self.streams.get(stream.hub.id) is stream:
            self.streams.remove(stream)
            for key in stream.shown:
                if ask := self.asks.get(key):
                    ask.viewers.discard(stream.hub.id)
        stream.end()

    def _show_all(self, stream: Stream) -> None:
        bodies: list[bytes] = []
        size = left_out = 0
        now, roles = now_ms(), self.roles_of(stream.hub)
        found = sorted(self.asks.named(stream.names), key=lambda ask: ask.row.deadline)
        for key in stream.shown:
            if ask := self.asks.get(key):
                ask.viewers.discard(stream.hub.id)
        stream.shown.clear()
        for ask in found:
            right = ask.right_of(stream.hub, roles, now)
            if not right:
                continue
            if size + len(ask.row.body) > LARGEST_SNAPSHOT:
                left_out += 1
                continue
            bodies.append(shown(ask, right))
            size += len(ask.row.body)
            self._mark_shown(stream, ask)
        if left_out:
            log.warning("%d asks are not shown to hub %s, which has too many", left_out, stream.hub.id)
        stream.snapshot(bodies)

    @staticmethod
    def _mark_shown(stream: Stream, ask: LiveAsk) -> None:
        stream.shown.add(ask.row.key)
        ask.viewers.add(stream.hub.id)

    # What hubs post.

    async def post_ask(self, hub: KnownHub, ask: TeamAsk) -> bool:
        """Whether other relays have it by now, too. Raises ProblemError."""
        check(ask.hub == hub.id, "an ask is posted by the hub that holds it")
        check_name(ask.ask)
        check(0 <= ask.change < LARGEST_NUMBER and 0 <= ask.rev < LARGEST_NUMBER, "a number is out of range")
        check(0 <= ask.deadline <= now_ms() + LONGEST_DEADLINE_MS, "the deadline is too far away")
        check(
            len(ask.audience) <= MOST_NAMED and not any(map(whom.problem, ask.audience)),
            "the audience is not well formed",
        )
        check_size(ask.text, LARGEST_ASK)
        check(hub.is_workload or ask.proof is not None, "it does not prove whose it is")
        ask = structs.replace(
            ask,
            workload=hub.owner.id if hub.is_workload else "",
            read_only=False,
            proof=None if hub.is_workload else ask.proof,
        )
        row = AskRow(hub.id, ask.ask, ask.change, ask.deadline, msgspec.json.encode(ask), hub.owner, hub.is_workload)
        if self.asks.has_ended(row.key):
            raise ProblemError(409, "ask-over", "This ask is over: its hub said so before.")
        self.check_room(row)
        before = self.asks.get(row.key)
        if before is None or before.row.change <= row.change:
            self._take_ask(read(row, is_own=True))
            self.writer.changes.ask(row)
            self.writer.wake()
        return await self.writer.is_written()

    def check_room(self, row: AskRow) -> None:
        try:
            self.asks.check_room(row)
        except FullError as error:
            raise ProblemError(429, "too-many-asks", str(error), hint="answer some of them.") from None

    async def post_gone(self, hub: KnownHub, gone: Gone) -> bool:
        check(gone.hub == hub.id, "an ask is ended by the hub that holds it")
        check_name(gone.ask)
        check_size(gone.text, SMALL)
        key, body = (hub.id, gone.ask), msgspec.json.encode(gone)
        self._is_over(key, self.asks.end(key, now_ms()), body)
        self.writer.changes.over(key, body)
        self.writer.wake()
        return await self.writer.is_written()

    async def post_answer(self, hub: KnownHub, answer: TeamAnswer) -> bool:
        check(answer.sender == hub.id, "an answer is posted by the hub of the person who gave it")
        check_name(answer.ask)
        check_name(answer.nonce)
        check_size(answer.text, LARGEST_ANSWER)
        key = answer.hub, answer.ask, answer.sender, answer.nonce
        ask = await self._found((answer.hub, answer.ask))
        right = ask.right_of(hub, self.roles_of(hub), now_ms()) if ask else ""
        if right == "read":
            raise ProblemError(403, "read-only", "Your role lets you read this ask, and not answer it.")
        if not right:
            if ask is not None and not hub.is_fresh(now_ms()):
                raise proof_too_old()
            raise ProblemError(404, "no-such-ask", "No such ask is open for you at the relay; it may be over.")
        if self.answers.get(key) is None:
            body = msgspec.json.encode(answer)
            try:
                self.answers.check_room(key, body)
            except FullError as error:
                raise ProblemError(429, "too-many-answers", str(error), hint="wait a few minutes.") from None
            self._take_answer(AnswerRow(*key, body, None))
            self.writer.changes.answers[key] = body
            self.writer.wake()
        return await self.writer.is_written()

    async def _found(self, key: AskKey) -> LiveAsk | None:
        """Also where another relay has it, whose note has not come yet."""
        if self.asks.get(key) is None and not self.asks.has_ended(key):
            for row in await self._store.asks([key]):
                self._take_row(row)
        return self.asks.get(key)

    async def post_result(self, hub: KnownHub, result: AnswerResult) -> bool:
        check_name(result.ask)
        check_name(result.nonce)
        check_size(result.text, SMALL)
        key = hub.id, result.ask, result.sender, result.nonce
        known = self.answers.get(key)
        if known is None:
            # It may have come to its hub by another relay.
            row = next(iter(await self._store.answers([key])), None)
            if row is None:
                raise ProblemError(404, "no-such-answer", "The relay carried no such answer to this hub.")
            known = LiveAnswer(key, row.body, now_ms(), row.result)
        if known.result is None:
            body = msgspec.json.encode(result)
            self._take_answer(AnswerRow(*key, known.body, body))
            self.writer.changes.results[key] = body
            self.writer.wake()
        return await self.writer.is_written()

    # What becomes of it here.

    def _take_ask(self, ask: LiveAsk) -> None:
        key = ask.row.key
        before = self.asks.get(key)
        self.asks.put(ask)
        self._doubtful.discard(key)
        if before is not None and before.row.body == ask.row.body:
            return
        now = now_ms()
        chunks: dict[str, bytes] = {}
        for stream in self.streams.named(ask.names):
            if right := ask.right_of(stream.hub, self.roles_of(stream.hub), now):
                chunk = chunks.get(right) or chunks.setdefault(right, event("ask", shown(ask, right)))
                stream.write(chunk)
                self._mark_shown(stream, ask)

    def _is_over(self, key: AskKey, ask: LiveAsk | None, gone: bytes | None) -> None:
        """Tell those who were shown it. Answers to it stay: what became of them may come later than its end."""
        self._doubtful.discard(key)
        if ask is None:
            return
        self.asks.remove(key)
        chunk = event("gone", gone or msgspec.json.encode(Gone(*key)))
        for hub in ask.viewers:
            if stream := self.streams.get(hub):
                stream.shown.discard(key)
                stream.write(chunk)

    def _take_answer(self, row: AnswerRow) -> None:
        known = self.answers.get(row.key)
        if known is not None and known.result is not None and row.result is None:
            return  # What became of it is on its way to the table.
        answer = LiveAnswer(row.key, row.body, now_ms(), row.result)
        self.answers.put(answer)
        if stream := self.streams.get(row.hub if row.result is None else row.sender):
            self._tell(stream, answer)

    @staticmethod
    def _tell(stream: Stream, answer: LiveAnswer) -> None:
        """Once in the life of a stream."""
        told = answer.key, answer.result is not None
        if told not in stream.told:
            stream.told.add(told)
            stream.write(event("answer", answer.body) if answer.result is None else event("result", answer.result))

    # What other relays say, and what time does.

    async def on_there(self) -> None:
        """Notes come from now on; what happened before is in the tables, or is lost and put there again."""
        revoked = set(await self._store.revoked())
        for hub in self.revoked - revoked:
            # A server that took over from another may lack the last seconds.
            await self._store.revoke(hub, "a relay that knew of it")
        await self.reload(list(dict.fromkeys([*self.roster.ids(), *(stream.hub.id for stream in self.streams.all())])))
        if newly := revoked - self.revoked:
            self._are_revoked(list(newly))
        for newcomer in await self._store.joined_since(now_ms() - NEW_MACHINE_MS):
            self.newcomers.announce(newcomer, now_ms())
        rows = {row.key: row for row in await self._store.asks()}
        for row in rows.values():
            self._take_row(row)
        # Ends of which no note came here.
        for row in await self._store.asks([ask.row.key for ask in self.asks.all() if ask.row.key not in rows]):
            self._take_row(row)
        for ask in self.asks.all():
            row_there = rows.get(ask.row.key)
            if row_there is None and not ask.is_own:
                self._doubtful.add(ask.row.key)
            elif ask.is_own and (row_there is None or row_there.change < ask.row.change):
                self.writer.changes.ask(ask.row)
        for answer in self.answers.all():
            self.writer.changes.answers.setdefault(answer.key, answer.body)
            if answer.result is not None:
                self.writer.changes.results.setdefault(answer.key, answer.result)
        self.writer.wake()
        here = [stream.hub.id for stream in self.streams.all()]
        for start in range(0, len(here), AT_ONCE):
            for row_found in await self._store.answers_of(here[start : start + AT_ONCE]):
                self._take_answer(row_found)
        self.streams.all_came()
        self._well_since = time.monotonic()
        log.info("connected to the database: %d asks are open", len(self.asks))

    async def on_note(self, payload: str) -> None:
        try:
            note = msgspec.json.decode(payload, type=Note)
        except msgspec.DecodeError:
            log.warning("a note that no relay wrote was passed over")
            return
        if note.relay == self._relay:
            return
        if note.hubs:
            await self.reload(list(note.hubs))
        if keys := (*note.asks, *note.gone):
            rows = {row.key: row for row in await self._store.asks(keys)}
            for key in keys:
                if (row := rows.get(key)) is not None:
                    self._take_row(row)
                elif key in note.gone:
                    self._is_over(key, self.asks.get(key), None)
        if keys_of_answers := self._wanted(note):
            for answer in await self._store.answers(keys_of_answers):
                self._take_answer(answer)

    def _wanted(self, note: Note) -> list[AnswerKey]:
        """Answers that a hub here waits for."""
        for_judges = [key for key in note.answers if self.streams.get(key[0]) or self.answers.get(key)]
        return for_judges + [key for key in note.results if self.streams.get(key[2]) or self.answers.get(key)]

    def _take_row(self, row: AskRow) -> None:
        if row.gone is not None:
            self._is_over(row.key, self.asks.end(row.key, now_ms()), row.gone)
            return
        before = self.asks.get(row.key)
        if self.asks.has_ended(row.key):
            # A relay that has not heard so put it there again.
            self.writer.changes.over(row.key, msgspec.json.encode(Gone(*row.key)))
            self.writer.wake()
        elif before is None or before.row.change < row.change:
            try:
                self._take_ask(read(row, is_own=False))
            except msgspec.DecodeError:
                log.warning("an ask of hub %s that no relay wrote was passed over", row.hub)
        elif before.row.change == row.change:
            before.confirm_by = None
            self._doubtful.discard(row.key)

    async def run_forever(self) -> None:
        doubt_from = time.monotonic()
        while True:
            await asyncio.sleep(UPKEEP_SECONDS)
            self.sweep_memory()
            if not self._doubtful:
                doubt_from = time.monotonic()
            try:
                await self.beat()
                now = time.monotonic()
                if now - self._well_since > SETTLED_SECONDS and now - self._swept_at > SWEEP_SECONDS:
                    self._swept_at = now
                    await self.sweep_tables()
                if self._doubtful and time.monotonic() - doubt_from > DOUBT_SECONDS:
                    await self.settle_doubts()
            except AssentError:
                self._well_since = time.monotonic()  # Logged by those who listen and write.

    def sweep_memory(self) -> None:
        now = now_ms()
        for ask in self.asks.overdue(now):
            self._is_over(ask.row.key, ask, None)
            if ask.is_own:
                self.writer.changes.drop(ask.row.key)
                self.writer.wake()
        self.answers.forget_old(now)
        self.newcomers.forget_old(now)
        for stream in self.streams.all():
            if stream.is_fresh and not stream.hub.is_fresh(now):
                self.streams.rename(stream, stream.hub, self._names(stream.hub), is_fresh=False)
                self._show_all(stream)

    async def beat(self) -> None:
        """Tell the tables which hubs are here."""
        async with self._beating:
            came, left = self.streams.moves()
            try:
                await self._store.beat(came, left)
            except AssentError:
                self.streams.put_back(came, left)
                raise

    async def sweep_tables(self) -> None:
        await self._store.sweep()

    async def leave(self) -> None:
        """This relay ends: its hubs are elsewhere from now on."""
        await self._store.leave_all()

    async def settle_doubts(self) -> None:
        """Asks that no relay put into the tables again are over."""
        doubtful = list(self._doubtful)
        rows = await self._store.asks(doubtful)
        for row in rows:
            self._take_row(row)
        # Those that came while the database was asked are not in doubt any more.
        for key in self._doubtful.intersection(doubtful) - {row.key for row in rows}:
            self._is_over(key, self.asks.get(key), None)
        self._doubtful.difference_update(doubtful)


def proof_too_old() -> ProblemError:
    return ProblemError(
        403,
        "proof-too-old",
        "What the identity provider said of this hub's owner is too old.",
        hint="renew it at /team/proof, or sign in again: `assent team sign-in`.",
    )
