"""Answers that come from other hubs to asks of this one: everything about them is checked here, whatever a relay says.

An answer counts where its author's identity provider vouches for the key that signed it, the key signed an answer to
just what this hub shows, and its author is a person whose answer this hub asks for. Everything else is refused, with
its cause on record."""

import asyncio
import hashlib
import logging
from collections import OrderedDict, deque
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct

from assent.asks import choices, decide
from assent.asks.desk import Desk
from assent.asks.open_ask import Person, RefusedError
from assent.hub.asking import late_answers
from assent.hub.recorder import Live, Recording
from assent.hub.team import verdicts
from assent.hub.team.base import AwayError, RefusedByRelayError
from assent.hub.team.people import People, is_key_of, is_logged
from assent.hub.team.sharing import TEAM, Shared, Sharing
from assent.protocol.bodies import SAFE
from assent.protocol.card import AnswerRequest
from assent.protocol.modes import PlanMode
from assent.protocol.surfaces import SURFACES, Scope
from assent.protocol.team import (
    LARGEST_ANSWER,
    LONGEST_ANSWER_MS,
    LONGEST_PROOF_MS,
    NEW_MACHINE_MS,
    AnswerResult,
    AnswerVerdict,
    Identity,
    KeyId,
    SharedAnswer,
    TeamAnswer,
)
from assent.team.keys import is_signed
from assent.team.trust import UntrustedError
from assent.team.whom import OWNER, is_any, is_whom
from assent.text import times
from assent.text.safe import plain_line
from assent.webapi.endpoint import is_too_deep

log = logging.getLogger("assent.hub")

MOST_AT_ONCE = 16
# Further ones are refused unread.
MOST_WAITING = 200
# Nonces of answers that were given within the time that counts, and results for those that come again.
MOST_NONCES = 20_000
MOST_RESULTS = 1_000
# Answers whose author is not known, on record within an hour.
MOST_STRANGERS, PER = 20, 3_600_000
LONGEST_NAME, LONGEST_NOTE = 100, 300
AGAIN_AFTER = 2.0


class Result(Struct, frozen=True):
    code: str = ""
    why: str = ""
    missing: int = 0


@dataclass(slots=True)
class Judging:
    people: People
    sharing: Sharing
    desk: Desk
    live: Live
    recorder: Recording
    again_after: float = AGAIN_AFTER
    # How many were not looked at because too many came at once.
    left: int = 0
    _nonces: dict[tuple[str, str], int] = field(default_factory=dict)
    # By the whole message: the same one that comes again gets the same result; None while it is judged.
    _results: OrderedDict[bytes, Result | None] = field(default_factory=OrderedDict)
    # Results that no relay has taken yet.
    _untold: dict[tuple[str, str], AnswerResult] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE))
    _strangers: deque[int] = field(default_factory=deque)
    _is_closed: bool = False

    def __post_init__(self) -> None:
        self.people.link.on("answer", self._came)
        self.people.link.on_connected(self._connected)

    async def close(self) -> None:
        self._is_closed = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _came(self, answer: TeamAnswer) -> None:
        membership = self.people.membership
        if self._is_closed or membership is None or answer.hub != membership.hub:
            return
        if len(self._tasks) >= MOST_WAITING or len(answer.text) > LARGEST_ANSWER:
            self.left += 1
            if is_logged(self.left):
                log.warning("more answers of the team than can be judged: %d are left", self.left)
            return
        self._start(self._handled(answer))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _handled(self, answer: TeamAnswer) -> None:
        key = hashlib.sha256(msgspec.json.encode(answer)).digest()
        if key not in self._results:
            self._results[key] = None
            while len(self._results) > MOST_RESULTS:
                self._results.popitem(last=False)
            async with self._room:
                self._results[key] = await self._judged(answer)
        result = self._results[key]
        if result is None:
            # It came twice, and the first of the two is told.
            return
        signing = self.people.link.key
        if signing is None:
            # The team was left meanwhile.
            return
        verdict = AnswerVerdict(
            answer.hub,
            answer.sender,
            answer.ask,
            answer.nonce,
            not result.code,
            result.code,
            result.why,
            result.missing,
        )
        told = verdicts.result(signing, verdict)
        self._untold[told.sender, told.nonce] = told
        while len(self._untold) > MOST_RESULTS:
            del self._untold[next(iter(self._untold))]
        await self._tell(told)

    async def _judged(self, answer: TeamAnswer) -> Result:
        try:
            given = _read(answer)
            identity = await self._author(answer)
        except (RefusedError, UntrustedError) as error:
            self._note_stranger(answer, error.why)
            return Result(error.code, error.why)
        except Exception:
            log.exception("an answer of the team could not be judged")
            return Result("failed", "The hub failed at this; its log says why. Nothing was taken.")
        request, person = self._bound(given), self._person(given, identity, answer.sender)
        if self._was_taken(given, person):
            return Result()
        try:
            self._check(given, identity, answer.sender)
        except RefusedError as error:
            self._note(given, request, person, error.why)
            return Result(error.code, error.why)
        try:
            missing = await self.desk.answer(given.ask, request, person)
        except RefusedError as error:
            if self.desk.held(given.ask) is None:
                self._note(given, request, person, error.why)
            return Result(error.code, error.why)
        except Exception:
            log.exception("an answer of the team could not be taken")
            return Result("failed", "The hub failed at this; its log says why.")
        return Result(missing=missing)

    async def _author(self, answer: TeamAnswer) -> Identity:
        """Who gave it, as far as key and provider prove. Raises RefusedError and UntrustedError."""
        # First what costs least.
        if not is_key_of(answer.sender, answer.proof.key):
            raise RefusedError("another-key", "The proof is of another key than the machine's that sent it.")
        if not is_signed(answer.proof.key, "answer", answer.text, answer.signature):
            raise RefusedError("bad-signature", "The signature is not that of the machine that sent it.")
        return await self.people.person(answer.sender, answer.proof, LONGEST_PROOF_MS)

    def _check(self, given: SharedAnswer, identity: Identity, sender: KeyId) -> None:
        """That it is about what is shown now, given now, and theirs to give. Raises RefusedError."""
        now = self.people.now_ms()
        if abs(now - given.at) > LONGEST_ANSWER_MS:
            minutes = LONGEST_ANSWER_MS // 60_000
            raise RefusedError("wrong-time", f"It was given more than {minutes} minutes ago, or a clock is wrong.")
        self._take_nonce(identity, given, now)
        shared = self.sharing.shared(given.ask)
        if shared is None:
            raise RefusedError("too-late", "This does not wait for an answer any more.")
        if given.rev != shared.rev or given.shown not in shared.shown:
            raise RefusedError("changed", "What you answered is not what waits now. Look again.")
        self._check_author(shared, given, identity)
        self._check_age(given, identity, sender)
        card, screen = shared.card, given.screen
        scope, request = self._scope(identity), self._bound(given)
        has_words, lasts = decide.has_words(card, request), decide.lasts(request)
        why = choices.refusal(card, given.choice, scope, has_words=has_words, lasts=lasts, screen=screen)
        if why is not None:
            raise RefusedError("not-offered", why)

    def _was_taken(self, given: SharedAnswer, person: Person) -> bool:
        """By an earlier life of this hub, that ended before it could tell."""
        ask = self.live.asks.by_id.get(given.ask)
        answer = ask.answer if ask is not None and ask.rev == given.rev else None
        if answer is None or answer.at < given.at - LONGEST_ANSWER_MS:
            return False
        said = (answer.by, answer.surface, answer.device, answer.choice, answer.message)
        return said == (person.by, person.surface, person.device, given.choice, given.message.strip())

    def _check_author(self, shared: Shared, given: SharedAnswer, identity: Identity) -> None:
        if is_any(shared.whom, identity, self.people.me) or (given.choice in SAFE and self._is_owner(identity)):
            return
        names = plain_line(", ".join(shared.whom), LONGEST_NAME)
        raise RefusedError("not-asked", f"This is for others to answer: {names}.")

    def _check_age(self, given: SharedAnswer, identity: Identity, sender: KeyId) -> None:
        until = 0 if given.choice in SAFE else self.people.denies_until(sender, identity)
        if until:
            minutes = NEW_MACHINE_MS // 60_000
            ago = times.age(self.people.now_ms() - until + NEW_MACHINE_MS)
            here = self.people.membership.machine if self.people.membership is not None else "the machine that asks"
            raise RefusedError(
                "new-machine",
                f"{plain_line(given.machine, LONGEST_NAME) or 'This machine'} joined the team {ago} ago; for {minutes}"
                f" minutes it may only deny, until {times.hour_minute(until)} on {here}.",
            )

    def _take_nonce(self, identity: Identity, given: SharedAnswer, now: int) -> None:
        """Of two texts with one nonce the second is refused."""
        name = (identity.id, given.nonce)
        if self._nonces.get(name, 0) > now:
            raise RefusedError("replayed", "An answer with this number came before; it counts once.")
        if len(self._nonces) >= MOST_NONCES:
            self._nonces = {name: until for name, until in self._nonces.items() if until > now}
            if len(self._nonces) >= MOST_NONCES:
                raise RefusedError("too-many", "Too many answers came within minutes. Wait for some.")
        self._nonces[name] = given.at + 2 * LONGEST_ANSWER_MS

    def _is_owner(self, identity: Identity) -> bool:
        return is_whom(OWNER, identity, self.people.me)

    def _scope(self, identity: Identity) -> Scope:
        """Their own hub held them to what the screen may; what lasts is for the owner alone."""
        return Scope.GRANT if self._is_owner(identity) else Scope.INSTRUCT

    def _person(self, given: SharedAnswer, identity: Identity, sender: KeyId) -> Person:
        entry = SURFACES.get(given.surface)
        screen = given.device or (entry.title if entry else given.surface)
        return Person(
            by=f"person:{plain_line(identity.label, LONGEST_NAME).replace(' ', '-')}",
            surface=TEAM,
            scope=self._scope(identity),
            device=plain_line(f"{given.machine}: {screen}", LONGEST_NAME),
            identity=identity,
            on=given.screen,
            hub=sender,
        )

    def _bound(self, given: SharedAnswer) -> AnswerRequest:
        """To the card of this desk that the text was made of."""
        shared = self.sharing.shared(given.ask)
        return AnswerRequest(
            rev=given.rev,
            hash=shared.hash if shared is not None else "",
            choice=given.choice,
            message=given.message,
            edited=given.edited,
            match=given.match,
            answers=given.answers,
            content=given.content,
            mode=msgspec.convert(given.mode, PlanMode),
        )

    def _note(self, given: SharedAnswer, request: AnswerRequest, person: Person, why: str) -> None:
        held, ask = self.desk.held(given.ask), self.live.asks.by_id.get(given.ask)
        if held is not None:
            self.desk.note_refusal(held, request, person, why)
        elif ask is not None:
            late_answers.note(self.desk, ask, request, person, why)
        else:
            self._note_hub(f"an answer of {person.by.removeprefix('person:')} was refused: {why}", person.by)

    def _note_stranger(self, answer: TeamAnswer, why: str) -> None:
        by = f"stranger:{answer.sender[:8]}"
        self._note_hub(f"an answer of another machine to ask {plain_line(answer.ask, 20)} was refused: {why}", by)

    def _note_hub(self, text: str, by: str) -> None:
        now = self.people.now_ms()
        while self._strangers and now - self._strangers[0] > PER:
            self._strangers.popleft()
        if len(self._strangers) < MOST_STRANGERS:
            self._strangers.append(now)
            self.recorder.note(plain_line(text, LONGEST_NOTE), by)

    def _connected(self) -> None:
        for told in list(self._untold.values()):
            self._start(self._tell(told))

    async def _tell(self, told: AnswerResult) -> None:
        try:
            await self.people.link.send("/team/results", told)
        except AwayError:
            self._later(told)
            return
        except RefusedByRelayError as error:
            if error.status == 429 or error.status >= 500:
                self._later(told)
                return
            log.info("the relay takes no result for ask %s: %s", told.ask[:20], error)
        self._untold.pop((told.sender, told.nonce), None)

    def _later(self, told: AnswerResult) -> None:
        asyncio.get_running_loop().call_later(self.again_after, self._once_more, told)

    def _once_more(self, told: AnswerResult) -> None:
        """Without a connection it is told with the next one."""
        if not self._is_closed and self.people.link.is_connected and (told.sender, told.nonce) in self._untold:
            self._start(self._tell(told))


def _read(answer: TeamAnswer) -> SharedAnswer:
    """Raises RefusedError."""
    text = answer.text.encode()
    if len(text) > LARGEST_ANSWER or is_too_deep(text):
        raise RefusedError("unfit", "It is too large to be an answer.")
    try:
        given = msgspec.json.decode(text, type=SharedAnswer)
        msgspec.convert(given.mode, PlanMode)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError("unfit", f"It cannot be read: {plain_line(str(error), LONGEST_NAME)}") from None
    if (given.hub, given.ask, given.nonce) != (answer.hub, answer.ask, answer.nonce):
        raise RefusedError("another-ask", "What was signed is about something else than it was sent for.")
    return given
