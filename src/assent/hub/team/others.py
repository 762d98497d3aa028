"""Asks of other hubs at this desk: shown where key and provider prove whose they are, and where they are for its owner.

What came in is dealt with in order, one after the other; of one ask only the newest counts."""

import asyncio
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

import msgspec
from msgspec import structs

from assent.asks import approval
from assent.asks.decide import ENDINGS
from assent.asks.desk import Desk
from assent.asks.open_ask import Drawn, Earlier, Person, RefusedError
from assent.asks.timeouts import Way
from assent.hub.team import cards, verdicts
from assent.hub.team.answers import Answers
from assent.hub.team.people import LONGEST_FOR_SHOWING_MS, People, is_key_of, is_logged
from assent.hub.team.sharing import text_hash
from assent.protocol import bodies
from assent.protocol.bodies import Choice, OutcomeBody
from assent.protocol.card import AnswerRequest, Card, GrantScope
from assent.protocol.decision import Decision, NoOpinion
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event
from assent.protocol.permission import Grant
from assent.protocol.record import Draft
from assent.protocol.team import (
    LARGEST_ASK,
    LONGEST_ANSWER_MS,
    AskEnd,
    Gone,
    Identity,
    KeyId,
    SharedAsk,
    Snapshot,
    TeamAsk,
)
from assent.redact import Redactor
from assent.team.keys import is_signed
from assent.team.trust import UntrustedError
from assent.team.whom import OWNER, is_any, is_whom
from assent.text import wording
from assent.text.safe import plain_line
from assent.webapi.endpoint import is_too_deep

log = logging.getLogger("assent.hub")

# Of all others together and of one of them: a desk has room for its own agents as well.
MOST_SHOWN, MOST_OF_HUB = 100, 20
# Further ones wait until others are over.
MOST_KNOWN = 1_000
# Of texts that were not looked at yet or that there is no room for: memory stays flat, whatever a relay sends.
MOST_BYTES = 32 << 20
# As a relay takes them.
LONGEST_HOLD_MS = 31 * 86_400_000
# How long the relay may be away before its asks are taken off the screens, and how often that is looked at.
GRACE, PAUSE = 30.0, 1.0
# After its end by its own clock another hub says how it ended; clocks differ.
SLACK_MS = 5_000
LONGEST_WHY = 200
MOST_AGREED = 20

AWAY = "the team's relay cannot be reached, so this is answered at the machine itself"
_NOT_HERE = "This is decided at the machine where the agent runs."
UNLISTED = "it does not wait any more"
NOT_KNOWN = "not known whose"
Key = tuple[KeyId, str]


class OtherEvent(Event, frozen=True, kw_only=True, tag="OtherMachine"):
    """What is asked about elsewhere. Only its name and session are known here."""

    called: str = ""

    @property
    def name(self) -> str:
        return self.called


@dataclass(slots=True, eq=False, repr=False)
class OtherCase:
    """An ask that another hub holds. Nothing about it is decided here."""

    shared: SharedAsk
    # Hash of the text that is shown: answers here and there are bound to it.
    shown: str
    card: Card
    answers: Answers
    redactor: Redactor
    event: Event = field(init=False)
    harness: str = field(init=False)
    request: str = field(init=False)
    project: str = field(init=False)
    call: str | None = None
    tool_use_id: str | None = None
    way: Way = "instead"
    # What was answered here and decided there.
    answered: Choice | None = None
    # Told that an answer from here was dealt with there.
    goes_on: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        shared, subject = self.shared, self.card.subject
        self.event = OtherEvent(
            session_id=cards.session_here(shared),
            agent_id=plain_line(subject.agent, LONGEST_WHY) or None,
            called=plain_line(shared.event, 60),
        )
        self.harness = plain_line(shared.harness, 40)
        self.request = f"team:{shared.hub}:{plain_line(shared.ask, 20)}"
        self.project = plain_line(subject.project, LONGEST_WHY)

    async def look(self) -> bool:
        return False

    @property
    def hash(self) -> str:
        """More can be said once this machine is no new one."""
        return content_hash(self.shared, is_new="new_machine" in self.card.flags)

    def draw(self) -> Drawn:
        return Drawn(self.card, self.hash, NoOpinion("answered_elsewhere"))

    def redraw(self) -> Drawn:
        return self.draw()

    def stored(self, card: Card) -> dict[str, Any]:
        return cards.stored(card, self.redactor)

    async def forward(self, answer: AnswerRequest, who: Person) -> int:
        if answer.hash != self.hash:
            raise RefusedError("changed", "It has changed since it was shown. Look again.")
        try:
            missing = (await self.answers.give(self.shared, self.shown, answer, who)).missing
        finally:
            # Once this desk takes other answers again, if it does.
            asyncio.get_running_loop().call_soon(self.goes_on)
        self.answered = None if missing else answer.choice
        return missing

    def undecided(self, decision: Decision) -> Decision:
        return decision

    def encode(self, _: Decision) -> tuple[Output, tuple[str, ...]]:
        return SILENT, ()

    # The desk asks these of what is decided here alone.

    def denial_refused(self, _: str) -> str | None:
        return _NOT_HERE

    def restored(self, edited: dict[str, Any]) -> dict[str, Any]:
        return edited

    def edit_refused(self, _drawn: Drawn, _edited: dict[str, Any]) -> str | None:
        return _NOT_HERE

    def content_refused(self, _card: Card, _content: dict[str, Any] | None) -> str | None:
        return _NOT_HERE

    def grant_of(self, _text: str, _scope: GrantScope) -> Grant:
        raise ValueError(_NOT_HERE)

    def keeps(self, _: AnswerRequest) -> bool:
        return False

    def lasting(self, _: AnswerRequest) -> tuple[Grant, ...]:
        return ()

    def decided(self, _decision: Decision, _by: str, _ask: str) -> tuple[Draft, ...]:
        return ()


@dataclass(slots=True, eq=False, repr=False)
class _Entry:
    message: TeamAsk
    case: OtherCase
    # Of this desk; "" until it is asked.
    name: str = ""
    # What the other hub said of its end.
    end: AskEnd | None = None
    task: "asyncio.Task[None] | None" = None
    is_over: bool = False


@dataclass(slots=True)
class Others:
    people: People
    answers: Answers
    desk: Desk
    redactor: Redactor
    # An ask of an earlier life of this hub that still waits, by its request.
    earlier: Callable[[str], Earlier | None]
    grace: float = GRACE
    pause: float = PAUSE
    # How many were not shown because nothing proves whose they are.
    unproven: int = 0
    # And how many because too much came at once.
    left: int = 0
    _news: dict[Key, TeamAsk | Gone] = field(default_factory=dict)
    _known: dict[Key, _Entry] = field(default_factory=dict)
    # There is no room for them yet.
    _later: dict[Key, TeamAsk] = field(default_factory=dict)
    _working: "asyncio.Task[None] | None" = None
    _watching: "asyncio.Task[None] | None" = None
    _is_closed: bool = False

    def __post_init__(self) -> None:
        link = self.people.link
        link.on("ask", self._came)
        link.on("gone", self._went)
        link.on("snapshot", self._listed)

    @property
    def shown(self) -> int:
        return sum(not entry.is_over for entry in self._known.values())

    async def close(self) -> None:
        """What is shown stays so: the next life of this hub goes on with it."""
        self._is_closed = True
        tasks = [entry.task for entry in self._known.values()]
        for task in (self._working, self._watching, *tasks):
            if task is not None and not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    def _came(self, ask: TeamAsk) -> None:
        self._note((ask.hub, ask.ask), ask)

    def _went(self, gone: Gone) -> None:
        self._note((gone.hub, gone.ask), gone)

    def _listed(self, snapshot: Snapshot) -> None:
        listed = {(ask.hub, ask.ask) for ask in snapshot.asks}
        for key in {*self._known, *self._later, *self._news} - listed:
            self._note(key, Gone(*key))
        for ask in snapshot.asks:
            self._came(ask)

    def _note(self, key: Key, news: TeamAsk | Gone) -> None:
        membership = self.people.membership
        if self._is_closed or membership is None or key[0] == membership.hub:
            return
        if (key not in self._news and len(self._news) >= MOST_KNOWN) or self._is_too_much(key, news):
            self.left += 1
            if is_logged(self.left):
                log.warning("more asks of other machines than can be looked at: %d are left", self.left)
            return
        # Last of all: of one ask only the newest counts.
        self._news.pop(key, None)
        self._news[key] = news
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())

    def _is_too_much(self, key: Key, news: TeamAsk | Gone) -> bool:
        if not isinstance(news, TeamAsk):
            return False
        waiting = [(other, each) for some in (self._news, self._later) for other, each in some.items() if other != key]
        held = sum(len(each.text) for _, each in waiting if isinstance(each, TeamAsk))
        return len(news.text) > LARGEST_ASK or held + len(news.text) > MOST_BYTES

    async def _work(self) -> None:
        while self._news:
            key = next(iter(self._news))
            news = self._news.pop(key)
            try:
                if isinstance(news, Gone):
                    self._over(key, news)
                else:
                    await self._take(key, news)
            except UntrustedError as error:
                self.unproven += 1
                if is_logged(self.unproven):
                    log.warning("an ask of another machine is not shown, the %d.: %s", self.unproven, error.why)
            except Exception:
                log.exception("an ask of another machine could not be shown")

    async def _take(self, key: Key, message: TeamAsk) -> None:
        """Raises UntrustedError."""
        shared = _read(message)
        author = await self._author(message)
        case = self._case(message, shared, author)
        if case is None:
            return
        entry = self._known.get(key)
        if entry is not None and entry.end is not None and entry.task is not None:
            # Posted again, as after a relay that had lost it: shown on, or anew where it is off the screens by now.
            if (held := self.desk.held(entry.name)) is not None and not held.released.done():
                entry.end = None
            else:
                await asyncio.wait({entry.task})
                entry = self._known.get(key)
        if entry is not None and (_is_same(entry.case, case) or _age(shared) < _age(entry.case.shared)):
            return
        if entry is not None and not entry.is_over:
            # Its case is the same for the desk: only what is shown changes.
            entry.message = message
            entry.case.shared, entry.case.shown, entry.case.card = case.shared, case.shown, case.card
            self.desk.changed(entry.name)
            self._agree(entry)
            return
        if entry is not None and entry.case.shared.rev == shared.rev:
            # It was answered here, or its time was up here.
            return
        self._open(key, message, case)

    async def _author(self, message: TeamAsk) -> Identity | None:
        """Who owns the hub that sent it; None where a workload does. Raises UntrustedError."""
        key = message.proof.key if message.proof is not None else message.key
        if not is_key_of(message.hub, key) or not is_signed(key, "ask", message.text, message.signature):
            raise UntrustedError("bad-signature", "it is not signed by the machine it is said to come from")
        if message.proof is None:
            return None
        return await self.people.person(message.hub, message.proof, LONGEST_FOR_SHOWING_MS)

    def _case(self, message: TeamAsk, shared: SharedAsk, author: Identity | None) -> OtherCase | None:
        """None where it is not for this hub's owner."""
        me = self.people.me
        if me is None:
            return None
        is_mine = author is not None and is_whom(OWNER, me, author)
        is_asked = is_any(shared.whom, me, author)
        if not (is_mine or is_asked or message.read_only or self.people.is_auditor):
            return None
        needs = shared.card.approval
        may_say_yes = is_asked and (needs is None or approval.counts(needs, me, author, sys.maxsize))
        # Without a name it would look like one of this person's own machines.
        owner = "" if is_mine else author.label if author is not None else message.workload or NOT_KNOWN
        is_new, may_say_no = self.people.i_deny_until > 0, is_mine or is_asked
        card = cards.here(shared, owner, may_say_yes=may_say_yes, may_say_no=may_say_no, is_new=is_new)
        return OtherCase(shared, text_hash(message.text), card, self.answers, self.redactor)

    def _open(self, key: Key, message: TeamAsk, case: OtherCase) -> None:
        hold = self._hold(case.shared)
        if hold is None:
            return
        of_hub = sum(not entry.is_over for (hub, _), entry in self._known.items() if hub == key[0])
        if self.shown >= MOST_SHOWN or of_hub >= MOST_OF_HUB or self.desk.is_full(case.event.session_id):
            if len(self._later) < MOST_KNOWN and not self._is_too_much(key, message):
                self._later[key] = message
            return
        if len(self._known) >= MOST_KNOWN:
            del self._known[next(key for key, entry in self._known.items() if entry.is_over)]
        entry = self._known[key] = _Entry(message, case)
        case.goes_on = partial(self._catch_up, entry)
        entry.task = asyncio.create_task(self._ask(key, entry, hold))
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())

    def _hold(self, shared: SharedAsk) -> timedelta | None:
        """How long it waits, by this hub's clock, which may go otherwise; None where it is over."""
        whole = max(0, shared.deadline - shared.at)
        left = shared.deadline - self.people.now_ms()
        if left <= -LONGEST_ANSWER_MS:
            # An answer of now would not count there.
            return None
        hold = min(left, whole) if left > 0 else whole
        return timedelta(milliseconds=min(hold, LONGEST_HOLD_MS) + SLACK_MS)

    async def _ask(self, key: Key, entry: _Entry, hold: timedelta) -> None:
        case = entry.case
        asking = asyncio.create_task(self.desk.ask(case, hold, earlier=self.earlier(case.request)))
        try:
            # It has its name once the desk has begun with it.
            await asyncio.sleep(0)
            entry.name = next((held.name for held in self.desk.waiting if held.case is case), "")
            self._agree(entry)
            self._end(entry)
            await asking
            if case.answered is not None:
                self.desk.told(case.request, delivered=True)
        except Exception:
            log.exception("an ask of another machine could not be asked")
        finally:
            asking.cancel()
            entry.is_over = True
            self._settle(key, entry)
            self._make_room()

    def _make_room(self) -> None:
        for key in list(self._later)[:MOST_OF_HUB]:
            message = self._later.pop(key)
            if key not in self._news:
                self._note(key, message)

    def _over(self, key: Key, gone: Gone) -> None:
        self._later.pop(key, None)
        entry = self._known.get(key)
        if entry is None:
            return
        entry.end = verdicts.read_end(gone) or AskEnd(*key, why=UNLISTED)
        self._settle(key, entry) if entry.is_over else self._end(entry)

    def _end(self, entry: _Entry) -> None:
        """Where an answer of this desk is on its way, its result decides."""
        end = entry.end
        if end is not None and entry.name:
            self.desk.ended(entry.name, end.ending or "withdrawn", _why(end, entry.case.shared))

    def _agree(self, entry: _Entry) -> None:
        """Others said yes, as the hub says that counts them."""
        me = self.people.me
        for name in entry.case.shared.agreed[:MOST_AGREED]:
            label = plain_line(name, LONGEST_WHY)
            identity = me if me is not None and label == me.label else Identity("", label)
            self.desk.agreed_elsewhere(entry.name, identity, entry.case.shared.missing)

    def _catch_up(self, entry: _Entry) -> None:
        """While an answer was on its way nothing else was taken in."""
        self.desk.changed(entry.name)
        self._end(entry)

    def _settle(self, key: Key, entry: _Entry) -> None:
        """It is over here and there."""
        case = entry.case
        if entry.end is None or self._known.get(key) is not entry:
            return
        if case.answered is not None and case.answered not in ENDINGS:
            self._note_end(entry)
        del self._known[key]

    def _note_end(self, entry: _Entry) -> None:
        """A yes was given here; no more is heard of it."""
        case = entry.case
        machine = plain_line(case.shared.machine, LONGEST_WHY)
        said = wording.said(case.answered) if case.answered else "Answered"
        why = f"{said} from here; what came of it is on record on {machine}"
        draft = Draft(
            at=self.people.now_ms(),
            kind="outcome",
            session=case.event.session_id,
            agent=case.event.agent_id,
            ask=entry.name,
            request=case.request,
            risk=case.card.risk.level or None,
            body=bodies.body(OutcomeBody("unknown", why=why)),
        )
        self.desk.record([draft])

    async def _watch(self) -> None:
        """Take asks off the screens that cannot be answered here any more, and offer all answers once this machine is
        no new one."""
        away, is_new = 0.0, self.people.i_deny_until > 0
        while self.shown:
            await asyncio.sleep(self.pause)
            was_new, is_new = is_new, self.people.i_deny_until > 0
            if was_new and not is_new:
                for key, entry in self._known.items():
                    if not entry.is_over:
                        self._note(key, entry.message)
            away = 0.0 if self.people.link.is_connected else away + self.pause
            if away >= self.grace:
                for key, entry in list(self._known.items()):
                    if not entry.is_over:
                        # With the next connection it comes again, if it still waits.
                        del self._known[key]
                        self.desk.ended(entry.name, "withdrawn", AWAY)


def _read(message: TeamAsk) -> SharedAsk:
    """Raises UntrustedError."""
    text = message.text.encode()
    if len(text) > LARGEST_ASK or is_too_deep(text):
        raise UntrustedError("unfit", "it is too large to be an ask")
    try:
        shared = msgspec.json.decode(text, type=SharedAsk)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UntrustedError("unfit", f"it cannot be read: {plain_line(str(error), LONGEST_WHY)}") from None
    if (shared.hub, shared.ask, shared.rev) != (message.hub, message.ask, message.rev):
        raise UntrustedError("another-ask", "what was signed is another ask")
    return shared


def content_hash(shared: SharedAsk, *, is_new: bool = False) -> str:
    """Of what is shown here, which stays the same while others agree to it."""
    content = structs.replace(shared, at=0, agreed=(), missing=0)
    return text_hash(f"{'new ' if is_new else ''}{msgspec.json.encode(content).decode()}")


def _is_same(one: OtherCase, other: OtherCase) -> bool:
    return (one.shown, one.hash) == (other.shown, other.hash)


def _age(shared: SharedAsk) -> tuple[int, int]:
    return shared.rev, shared.at


def _why(end: AskEnd, shared: SharedAsk) -> str:
    """``Allowed by ada@example.org on laptop``, or where it ended."""
    by = plain_line(end.by, LONGEST_WHY)
    if end.choice is not None and by:
        return f"{wording.said(end.choice)} by {by}"
    return plain_line(end.why, LONGEST_WHY) or f"over on {plain_line(shared.machine, LONGEST_WHY)}"
