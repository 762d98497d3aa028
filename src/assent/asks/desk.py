"""The desk: open asks. Exactly one answer is accepted, bound to what was shown; silence is no answer."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Container, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from msgspec.structs import replace

from assent.asks import approval, choices, decide, records
from assent.asks import state as ask
from assent.asks.approval import Yes
from assent.asks.counting import Counting
from assent.asks.open_ask import Case, Drawn, Earlier, Elsewhere, Held, Person, RefusedError, Release, Team
from assent.asks.state import Life
from assent.journal.base import DuplicateError, JournalError
from assent.protocol.approval import ApprovalView
from assent.protocol.bodies import Certainty, Ending
from assent.protocol.card import AnswerRequest, Card
from assent.protocol.decision import Decision, Deny, NoOpinion
from assent.protocol.envelope import Output
from assent.protocol.lasting import Stay
from assent.protocol.permission import Grant
from assent.protocol.record import Draft, Record, is_practice
from assent.protocol.surfaces import Scope
from assent.protocol.team import Identity
from assent.text import approval_words

log = logging.getLogger("assent.asks")

# The harness says within six seconds that its dialog is still open, unless the user types there.
DOUBT_AFTER = 9.0
# A shim whose hub died comes back at once; one that was ended does not.
COMES_BACK_WITHIN = 0.5
MOST_OPEN = 400
MOST_OPEN_OF_SESSION = 40
# So many refused answers to one ask are put on record; further ones are only refused.
MOST_REFUSALS = 50
# They name one of the answers that stay.
_STAYING = frozenset({"allow_here", "allow_for"})

_NOBODY = "Nobody was there to answer in time, so this was not allowed. Nobody said no to it."
_STOPPED = "The person who could have answered stopped Assent, so this was not allowed. Nobody said no to it."
_UNAPPROVED = "Not enough of those who have to agree said yes in time."
_DOWN = "`assent down` stopped the hub"
GONE = "the agent's hook was ended: it was answered at the terminal, or the session is over"
_LET_STOP = "somebody pressed Esc at the terminal, or the session is over"
_MISSED = "the agent was gone before the answer came"


@dataclass(slots=True)
class Desk:
    record: Callable[[Sequence[Draft]], Awaitable[tuple[Record, ...]]]
    now_ms: Callable[[], int]
    # The number of the newest record.
    newest: Callable[[], int]
    # What becomes of an ask when its time is up: "hand_back" or "deny".
    on_expiry: Callable[[Case], str] = lambda _: "hand_back"
    # Told when a person's yes went out, with their words.
    allowed: Callable[[Case, AnswerRequest, Person], None] = lambda *_: None
    # Told when a no for good went out.
    denied: Callable[[Case, AnswerRequest, Person], None] = lambda *_: None
    # This hub's end of its team; None where it has none.
    team: Team | None = None
    # Told when more people are asked, as a ladder says, and when an ask of an earlier life goes on.
    widened: Callable[[str], None] = lambda _: None
    # Sessions whose harness reports every answer: there is no need to guess.
    reporting: set[str] = field(default_factory=set)
    # Sets the names of this hub's asks apart from those of others.
    offset: int = 0
    counting: Counting = field(init=False)
    _held: dict[str, Held] = field(default_factory=dict)
    _by_request: dict[str, Held] = field(default_factory=dict)
    # Answered, and not known to have reached the agent.
    _telling: dict[str, Held] = field(default_factory=dict)
    _named: int = 0

    def __post_init__(self) -> None:
        self.counting = Counting(self.now_ms, self.team)

    def held(self, name: str) -> Held | None:
        return self._held.get(name)

    @property
    def waiting(self) -> list[Held]:
        return list(self._held.values())

    def is_full(self, session: str) -> bool:
        """Whether one more ask of this session is one too many."""
        return len(self._held) >= MOST_OPEN or len(self._of(session)) >= MOST_OPEN_OF_SESSION

    async def ask(
        self, case: Case, hold: timedelta, before: Sequence[Draft] = (), earlier: Earlier | None = None
    ) -> Release:
        """Wait until a person answers, or no answer can come any more. ``before`` is recorded first, with the ask."""
        loop = asyncio.get_running_loop()
        now = self.now_ms()
        held = Held(
            name=earlier.name if earlier else self._name(),
            case=case,
            drawn=case.draw(),
            opened_at=earlier.opened_at if earlier else now,
            deadline=(earlier and earlier.deadline) or now + int(hold.total_seconds() * 1_000),
            released=loop.create_future(),
        )
        if earlier is not None and earlier.shown == held.drawn.hash:
            held.rev, held.yeses = earlier.rev, earlier.yeses
        # Before the record: its listeners must find the ask here, and so must news about the agent meanwhile.
        self._held[held.name] = self._by_request[case.request] = held
        try:
            if await case.look():
                held.drawn = case.draw()
            if held.released.done():
                # Over before it was shown.
                await self.record(before)
                return held.released.result()
            is_known = earlier is not None and earlier.shown == held.drawn.hash
            if earlier is not None and not is_known:
                held.rev, held.yeses = earlier.rev + 1, ()
            # Of what goes on nothing is recorded.
            self.widened(held.name) if is_known else await self.record([*before, records.opened(held, now)])
            held.expiry = loop.call_later(max(0.0, (held.deadline - self.now_ms()) / 1_000), self._expire, held)
            self._climb(held)
            # A demo and a test ask have no dialog that could be seen.
            if case.way == "beside" and not is_practice(case.event.session_id):
                held.doubt = loop.call_later(DOUBT_AFTER, self._doubt, held)
            return await asyncio.shield(held.released)
        except JournalError as error:
            log.error("not asked, because that cannot be recorded: %s", error.message)
            decision = case.undecided(NoOpinion("no_journal"))
            return Release(decision, case.encode(decision)[0])
        finally:
            held.stop_timers()
            self._held.pop(held.name, None)
            self._by_request.pop(case.request, None)

    async def answer(self, name: str, answer: AnswerRequest, who: Person, *, together: int = 0) -> int:
        """Take it, or raise RefusedError; either way it is on record. ``together``: how many were shown at once.

        Returns how many more have to say yes: 0 where this decided."""
        held = self._held.get(name)
        if held is None:
            raise RefusedError("too-late", "This does not wait for an answer any more.")
        try:
            if held.needs is None:
                return await self._answer(held, answer, who, together)
            # Two yeses at once are both taken, and a no is not lost to a yes that is being written down.
            async with held.turn:
                before, rev = held.yeses, held.rev
                try:
                    return await self._answer(held, answer, who, together)
                except BaseException:
                    # What is not on record does not count; what was revised has started over.
                    held.yeses = before if held.rev == rev else ()
                    raise
        except RefusedError as error:
            self.note_refusal(held, answer, who, error.why)
            raise

    def note_refusal(self, held: Held, answer: AnswerRequest, who: Person, why: str) -> None:
        """Put on record that an answer was not used."""
        if held.refusals < MOST_REFUSALS:
            held.refusals += 1
            self.record([records.refused(held, self.now_ms(), answer, who, why)])

    async def _answer(self, held: Held, answer: AnswerRequest, who: Person, together: int) -> int:
        if not held.takes_answers:
            raise RefusedError("too-late", "Another answer came first.", held.life.state)
        card = held.drawn.card
        if (answer.rev, answer.hash) != (held.rev, held.drawn.hash):
            raise RefusedError("changed", "What you answered is not what waits now. Look again.", held.life.state)
        has_words, lasts = decide.has_words(card, answer), decide.lasts(answer)
        if why := choices.refusal(card, answer.choice, who.scope, has_words=has_words, lasts=lasts, screen=who.screen):
            raise RefusedError("not-offered", why, held.life.state)
        if answer.choice in choices.PERMITTING:
            self._check_yes(held, answer)
            if held.needs is not None:
                yes, missing = self.counting.weighed(held, held.needs, who)
                if missing:
                    await self._count(held, yes, answer, who, missing)
                    return missing
                held.yeses = (*held.yeses, yes)
        try:
            answer, decision, output, grants = self._made(held, answer)
            drafts = (
                records.answer(held, self.now_ms(), answer, who, grants, together),
                *self._decided(held, decision, who.by),
            )
        except RecursionError:
            raise RefusedError("unfit", "This is nested too deeply.", held.life.state) from None
        # From here on nothing else is taken, so that two answers never wait for the disk together. Nothing that could
        # fail stands between here and the agent's release.
        held.choice = answer.choice
        is_elsewhere = isinstance(held.case, Elsewhere)
        if isinstance(held.case, Elsewhere) and (missing := await self._forward(held, held.case, answer, who)):
            # It counts there; here it is only on record.
            yes = Yes(self.counting.identity(who) or approval.LOCAL, self.now_ms(), who.by)
            self.record([records.approved(held, yes, answer, who, missing)])
            held.yeses = (*held.yeses, yes)
            self._wait_on(held)
            return missing
        try:
            await self.record(drafts)
        except DuplicateError:
            # Another life of this hub took an answer, and the agent was told.
            decision = held.case.undecided(NoOpinion("answered_elsewhere"))
            held.released.set_result(Release(decision, held.case.encode(decision)[0]))
            raise RefusedError("too-late", "Another answer came first.", "answered") from None
        except JournalError as error:
            if answer.choice in choices.PERMITTING and not is_elsewhere:
                self._wait_on(held)
                raise RefusedError("no-journal", f"No yes without a record: {error.message}", held.life.state) from None
            log.error("an answer is passed on without a record: %s", error.message)
        held.life = ask.answered(held.life) or held.life
        self._telling[held.case.request] = held
        # What follows from an answer to another hub's ask follows there.
        if answer.choice in choices.PERMITTING and not is_elsewhere:
            self.allowed(held.case, answer, who)
        elif answer.choice == "deny_here" and not is_elsewhere:
            self.denied(held.case, answer, who)
        held.released.set_result(Release(decision, output))
        return 0

    async def _count(self, held: Held, yes: Yes, answer: AnswerRequest, who: Person, missing: int) -> None:
        """A yes that is not the last: it counts once it is on record."""
        held.choice = answer.choice
        try:
            await self.record([records.approved(held, yes, answer, who, missing)])
            held.yeses = (*held.yeses, yes)
        except JournalError as error:
            raise RefusedError("no-journal", f"No yes without a record: {error.message}", held.life.state) from None
        finally:
            self._wait_on(held)

    def whom_now(self, name: str) -> tuple[str, ...]:
        """Who is asked by now; no one where it waits no more."""
        held = self._held.get(name)
        return () if held is None else held.whom_now(self.now_ms())

    def _climb(self, held: Held) -> None:
        """Tell of the next step of the ladder when its time has come."""
        if held.rung is not None:
            held.rung.cancel()
            held.rung = None
        waited = self.now_ms() - held.opened_at
        after = None if held.needs is None else approval.next_rung_ms(held.needs, waited)
        if after is not None:
            held.rung = asyncio.get_running_loop().call_later((after - waited) / 1_000, self._widen, held)

    def _widen(self, held: Held) -> None:
        if held.takes_answers:
            self.widened(held.name)
        self._climb(held)

    async def _forward(self, held: Held, case: Elsewhere, answer: AnswerRequest, who: Person) -> int:
        """Nothing else is taken while the hub that holds it makes up its mind. How many more it needs."""
        try:
            return await case.forward(answer, who) or 0
        except RefusedError as error:
            self._wait_on(held)
            raise RefusedError(error.code, error.why, held.life.state) from None
        except BaseException:
            self._wait_on(held)
            raise

    def _wait_on(self, held: Held) -> None:
        held.choice = None
        if self.now_ms() >= held.deadline:
            # It was up while nothing else was taken.
            self._expire(held)

    def _check_yes(self, held: Held, answer: AnswerRequest) -> None:
        """A yes holds only for what is there now, and only if it has been read."""
        now = held.case.redraw()
        if now.hash != held.drawn.hash:
            self._revise(held, now)
            raise RefusedError("changed", "It has changed since it was shown. Look again.", held.life.state)
        if isinstance(now.decision, Deny):
            why = f"The policy refuses it now: {now.decision.reason}"
            raise RefusedError("refused-by-policy", why, held.life.state)
        if answer.choice in _STAYING and _stay(now.card, answer) != _stay(held.drawn.card, answer):
            raise RefusedError("changed", "What it would cover has changed. Look again.", held.life.state)
        match = now.card.risk.match
        if choices.needs(now.card, answer.choice) == "match" and (not match or answer.match.strip() != match):
            why = "A yes to this needs the word that stands after the content, exactly as it stands there."
            raise RefusedError("needs-match", why, held.life.state)

    def _made(self, held: Held, answer: AnswerRequest) -> tuple[AnswerRequest, Decision, Output, tuple[Grant, ...]]:
        case, card, state = held.case, held.drawn.card, held.life.state
        if isinstance(case, Elsewhere):
            elsewhere = NoOpinion("answered_elsewhere")
            return answer, elsewhere, case.encode(elsewhere)[0], ()
        if answer.choice == "allow_edited" and answer.edited is not None:
            answer = replace(answer, edited=case.restored(answer.edited))
            if why := case.edit_refused(held.drawn, answer.edited or {}):
                raise RefusedError("refused-by-policy", why, state)
        if answer.choice == "submit" and (why := case.content_refused(card, answer.content)):
            raise RefusedError("unfit", why, state)
        lasting: tuple[Grant, ...] = ()
        if answer.choice in _STAYING:
            if _stay(card, answer) is None:
                raise RefusedError("unfit", "Say which of the answers that stay you mean.", state)
            if (answer.choice == "allow_for") != (answer.minutes is not None):
                raise RefusedError("unfit", "Say for how many minutes.", state)
            lasting = case.lasting(answer)
        if answer.choice == "deny_here" and (why := case.denial_refused(answer.grant)):
            raise RefusedError("unfit", why, state)
        try:
            grant_of = None if case.keeps(answer) else case.grant_of
            decision, grants = decide.decision(case.event, card, answer, grant_of, lasting)
        except (decide.UnfitError, ValueError) as error:
            raise RefusedError("unfit", str(error), state) from None
        decision = case.undecided(decision)
        output, dropped = case.encode(decision)
        if dropped:
            raise RefusedError("unfit", " ".join(dropped), state)
        return answer, decision, output, grants

    def told(self, request: str, *, delivered: bool) -> bool:
        """The answer was handed to the agent's hook, or the hook was gone. False: it is about no ask."""
        held = self._telling.get(request)
        if held is None:
            return False
        if not delivered and held.hooks > 0:
            # Another connection of the same hook takes it.
            return True
        del self._telling[request]
        assert held.choice is not None
        now, why = self.now_ms(), "" if delivered else _MISSED
        drafts = [records.told(held, now, delivered=delivered, why=why)]
        ending: Ending | None = decide.ENDINGS.get(held.choice) if delivered else "unknown"
        if ending is not None:
            drafts.append(records.outcome(held, now, ending, why=why))
        self.record(drafts)
        return True

    def lost(self, request: str) -> None:
        """The hook that waited is gone: the person answered no at the terminal, or the session is over."""
        held = self._by_request.get(request)
        if held is None:
            return
        held.hooks -= 1
        if held.hooks <= 0 and held.leaving is None:
            held.leaving = asyncio.get_running_loop().call_later(COMES_BACK_WITHIN, self._leave, held)

    def attached(self, request: str) -> None:
        """The hook came back over another connection."""
        held = self._by_request.get(request)
        if held is None:
            return
        held.hooks += 1
        if held.leaving is not None:
            held.leaving.cancel()
            held.leaving = None

    def reported(self, session: str, tool_use_id: str, why: str) -> None:
        """The harness reports an answer at the terminal. Any client that can post events can claim that."""
        for held in self._of(session):
            if held.case.tool_use_id == tool_use_id:
                self._end(held, "terminal", NoOpinion("answered_elsewhere"), why, "reported")

    def overtaken(self, session: str, why: str, agents: Container[str | None] | None = None) -> None:
        """What was asked in a session waits for nothing any more; of these agents only, where they are named."""
        for held in self._of(session):
            if agents is None or held.case.event.agent_id in agents:
                self._end(held, "withdrawn", NoOpinion("answered_elsewhere"), why)

    def ended(self, name: str, ending: Ending, why: str = "") -> None:
        """The hub that holds it says that it is over, or says nothing of it any more."""
        if held := self._held.get(name):
            self._end(held, ending, NoOpinion("answered_elsewhere"), why)

    def agreed_elsewhere(self, name: str, identity: Identity, missing: int) -> None:
        """The hub that counts the yeses has one of this person. Each is put on record once."""
        held = self._held.get(name)
        # A yes of this person's own may be on its way there from this desk.
        if held is None or (held.choice is not None and identity == self.counting.me):
            return
        if identity.label not in {yes.label for yes in held.yeses}:
            who = Person(f"person:{identity.label}", "team", Scope.NONE)
            yes, answer = (
                Yes(identity, self.now_ms(), who.by),
                AnswerRequest(rev=held.rev, hash=held.drawn.hash, choice="allow"),
            )
            held.yeses = (*held.yeses, yes)
            self.record([records.approved(held, yes, answer, who, missing)])

    def changed(self, name: str) -> None:
        """The hub that holds it shows something else."""
        held = self._held.get(name)
        if held is not None and held.takes_answers and (now := held.case.draw()).hash != held.drawn.hash:
            self._revise(held, now)

    def still_open(self, session: str) -> None:
        """The harness says that its dialog waits."""
        for held in self._of(session):
            held.life = ask.seen_waiting(held.life) or held.life
            if held.doubt is not None:
                held.doubt.cancel()

    def noticed(self, name: str, life: Life) -> None:
        """What was recorded since tells where the ask stands; perhaps no answer is needed any more."""
        held = self._held.get(name)
        if held is None or not held.takes_answers:
            return
        held.life = life
        if life.state == "closed":
            self._release(held, NoOpinion("answered_elsewhere"), ())

    def let_go(self) -> None:
        """The hub stops for good: each ask ends as if its time were up, so in silence only where the client asks."""
        for held in self.waiting:
            if held.needs is not None:
                self._end_unapproved(held, held.needs, _DOWN, by="hub:stop")
            elif (
                held.drawn.card.kind == "permission"
                and held.case.way != "before"
                and self.on_expiry(held.case) == "deny"
            ):
                self._end(held, "expired", Deny(_STOPPED), _DOWN, by="hub:stop")
            else:
                self._end(held, "handed_back", NoOpinion("handed_back"), _DOWN, by="hub:stop")

    def _of(self, session: str) -> list[Held]:
        return [held for held in self._held.values() if held.case.event.session_id == session]

    def _end_unapproved(self, held: Held, needs: ApprovalView, why: str, *, by: str = "timeout") -> None:
        """As its rule says: a no, or given back to the owner."""
        if needs.ends_as == "deny":
            words = f"{why.rstrip('.')}. This needs the yes of {approval_words.demand(needs)}."
            self._end(held, "denied", Deny(words), why, by=by)
        else:
            self._end(held, "handed_back", NoOpinion("handed_back"), why, by=by)

    def _expire(self, held: Held) -> None:
        if held.needs is not None:
            self._end_unapproved(held, held.needs, self.counting.unreachable(held.needs) or _UNAPPROVED)
        elif held.case.way == "before":
            self._end(held, "handed_back", NoOpinion("handed_back"))
        elif held.drawn.card.kind == "permission" and self.on_expiry(held.case) == "deny":
            self._end(held, "expired", Deny(_NOBODY))
        else:
            self._end(held, "expired", NoOpinion("timed_out"))

    def _leave(self, held: Held) -> None:
        # What needs an approval has no dialog at the terminal.
        ending: Ending = "withdrawn" if held.case.way == "instead" or held.needs is not None else "terminal"
        why = _LET_STOP if held.case.way == "after" else GONE
        self._end(held, ending, NoOpinion("answered_elsewhere"), why)

    def _doubt(self, held: Held) -> None:
        if not held.takes_answers or held.case.event.session_id in self.reporting:
            return
        held.life = ask.ended(held.life, "terminal", "probable") or held.life
        self.record([records.outcome(held, self.now_ms(), "terminal", "probable", "no prompt seen at the terminal")])

    def _end(
        self,
        held: Held,
        ending: Ending,
        decision: Decision,
        why: str = "",
        certainty: Certainty = "certain",
        *,
        by: str = "timeout",
    ) -> None:
        # Where an answer is on its way, it came first.
        if held.takes_answers:
            held.life = ask.ended(held.life, ending, certainty) or held.life
            self._release(held, decision, [records.outcome(held, self.now_ms(), ending, certainty, why)], by)

    def _release(self, held: Held, decision: Decision, drafts: Sequence[Draft], by: str = "timeout") -> None:
        by = "terminal" if decision == NoOpinion("answered_elsewhere") else by
        decision = held.case.undecided(decision)
        output, _ = held.case.encode(decision)
        self.record([*self._decided(held, decision, by), *drafts])
        held.released.set_result(Release(decision, output))

    def _decided(self, held: Held, decision: Decision, by: str) -> tuple[Draft, ...]:
        drafts, needs = held.case.decided(decision, by, held.name), held.needs
        return drafts if needs is None else tuple(records.with_approval(draft, held, needs) for draft in drafts)

    def _revise(self, held: Held, drawn: Drawn) -> None:
        # Who agreed, agreed to something else.
        held.drawn, held.rev, held.yeses = drawn, held.rev + 1, ()
        held.life = ask.revised(held.life) or held.life
        self._climb(held)
        self.record([records.opened(held, self.now_ms())])

    def _name(self) -> str:
        # Every ask is a record at least, so no number comes twice, not even in a later life.
        self._named = max(self._named + 1, self.newest())
        return ask.name(self._named + self.offset)


def _stay(card: Card, answer: AnswerRequest) -> Stay | None:
    """The answer that stays which was chosen, with the words it was shown with."""
    offered = card.timed if answer.choice == "allow_for" else card.stays
    return next((stay for stay in offered if stay.kind == answer.grant), None)
