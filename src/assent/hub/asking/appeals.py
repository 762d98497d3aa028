"""Appeals: a person overrules the client's own check, for one call and once.

The client's answer to a yes only tells the model that it may try again; the check would refuse again. So a yes also
leaves a grant that allows the repeated call at its PreToolUse. It is kept in memory: a restarted hub has none."""

import asyncio
import hashlib
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec

from assent.asks.desk import Desk
from assent.asks.open_ask import Case, Person, Release
from assent.harnesses import registry
from assent.harnesses.base import Facts
from assent.hub.asking.case import HubCase
from assent.hub.asking.queues import Continuations
from assent.hub.bus import now_ms
from assent.policy import trial
from assent.policy.call import Opinion, Scene
from assent.policy.judge import Judgement
from assent.protocol import events
from assent.protocol.card import AnswerRequest
from assent.protocol.decision import Allow, Decision, Deny, Proceed, TraceLine, Verdict
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event, PermissionDenied, PreToolUse, Stop, ToolEvent
from assent.protocol.operations import Shell, Subagent

log = logging.getLogger("assent.hub")

# A yes holds so long, counted from when it was given.
GRANTED_FOR_MS = 10 * 60 * 1_000
MOST = 200
LONGEST_CALL = 2_000
_EVIDENCE = "appeal:"
_CHANGES = frozenset({"write", "delete", "mode", "persist", "tamper"})
# Where the client passes a text on to the model, soonest first.
_TELLS = (
    events.PostToolBatch,
    events.PostToolUse,
    events.PostToolUseFailure,
    events.UserPromptSubmit,
    events.Stop,
)


class Key(NamedTuple):
    """The call a yes is for. Its id changes when it is made again, and so may the agent's words about it."""

    harness: str
    session: str
    agent: str | None
    tool: str
    digest: str

    @classmethod
    def of(cls, event: ToolEvent) -> "Key":
        return cls(event.client.harness, event.session_id, event.agent_id, event.tool_name, _digest(_bare(event)))


class Moment(NamedTuple):
    """By the clock on the wall, which may be set back, and by the steady one, which may stop in a machine's sleep."""

    wall_ms: int
    steady_ms: int

    @classmethod
    def now(cls) -> "Moment":
        return cls(now_ms(), time.monotonic_ns() // 1_000_000)

    def holds_until(self, later: "Moment") -> bool:
        """Whether a yes of this moment holds then, by both clocks."""
        return all(0 <= then - given < GRANTED_FOR_MS for given, then in zip(self, later, strict=True))


@dataclass(frozen=True, slots=True)
class Yes:
    """What a person allowed."""

    key: Key
    # What the judge saw in it: files that run may have changed since.
    seen: str
    given: Moment
    by: str
    # The ask they answered.
    ask: str = ""


@dataclass(slots=True)
class OneTimeGrants:
    """One grant at most for each call, each used once, none after its time. Pure but for the clock it is handed."""

    _of: OrderedDict[Key, Yes] = field(default_factory=OrderedDict)

    def give(self, yes: Yes) -> None:
        """A second yes takes the place of the first."""
        self._of.pop(yes.key, None)
        self._of[yes.key] = yes
        if len(self._of) > MOST:
            self._of.popitem(last=False)

    def take(self, key: Key, seen: str, now: Moment) -> Yes | None:
        """The grant for this call, which is then used up; None where there is none, or it was for something else."""
        yes = self._of.pop(key, None)
        return yes if yes is not None and yes.given.holds_until(now) and yes.seen == seen else None

    def revoke(self, key: Key) -> None:
        self._of.pop(key, None)

    def forget(self, session: str) -> None:
        for key in [key for key in self._of if key.session == session]:
            del self._of[key]

    def __len__(self) -> int:
        return len(self._of)

    def __contains__(self, key: Key) -> bool:
        return key in self._of


@dataclass(frozen=True, slots=True)
class _News:
    """What the agent does not know yet about a call that was refused."""

    key: Key
    text: str
    by: str
    request: str
    until: int
    # What a person said with a yes.
    note: str = ""


@dataclass(slots=True)
class Appeals:
    """A voice that tells agents what became of their refused calls, and the grants."""

    desk: Desk
    continuations: Continuations
    clock: Callable[[], Moment] = Moment.now
    grants: OneTimeGrants = field(default_factory=OneTimeGrants)
    # By session and sub-agent, oldest first.
    _news: dict[tuple[str, str | None], list[_News]] = field(default_factory=dict)
    # Asks whose hook was let go, and those that will go out with a reply that may not be taken.
    _late: dict[asyncio.Future[Release], HubCase] = field(default_factory=dict)
    _under_way: OrderedDict[str, _News] = field(default_factory=OrderedDict)

    def on_yes(self, case: Case, answer: AnswerRequest, person: Person) -> None:
        event = case.event
        if not isinstance(event, PermissionDenied) or not isinstance(case, HubCase):
            return
        key, until = Key.of(event), now_ms() + GRANTED_FOR_MS
        ask = next((held.name for held in self.desk.waiting if held.case is case), "")
        self.grants.give(Yes(key, fingerprint(case.judgement), self.clock(), person.by, ask))
        at = datetime.fromtimestamp(until / 1_000, UTC).strftime("%H:%M UTC")
        text = (
            f"Your user was shown a call that auto mode had refused, and approved it: {_called(event)} "
            f"Make exactly this call once more: it is allowed once, until {at}. Nothing else is."
        )
        message = answer.message.strip()
        text = f"{text} Your user says: {message}" if message else text
        self._tell(_News(key, text, person.by, case.request, until, note=message))

    def used(self, judgement: Judgement) -> tuple[Judgement, str]:
        """The judgement of a call that was refused before and is made again, and the ask by which it may run; as it
        came and "" where no person said yes to just this call."""
        event = judgement.event
        if not self.grants or not isinstance(event, PreToolUse) or isinstance(judgement.decision, Deny):
            return judgement, ""
        key = Key.of(event)
        if key not in self.grants:
            return judgement, ""
        yes = self.grants.take(key, fingerprint(judgement), self.clock())
        if yes is None:
            return judgement, ""
        unsaid = self._settled(key)
        if unsaid is not None and unsaid.note:
            # It made the call before it was told: what else was said comes with the result.
            text = f"About the call that auto mode had refused, your user says: {unsaid.note}"
            self._tell(replace(unsaid, text=text, note=""))
        line = TraceLine(yes.by, "allow", "Auto mode had refused this call, and a person said that it may run once.")
        verdict = Verdict(Allow(), yes.by, judgement.risk, (*judgement.trace, line))
        return replace(judgement, verdict=verdict, wanted=Allow(), is_left=False), yes.ask

    async def hear(self, case: HubCase, asked: Coroutine[Any, Any, Release], patience: timedelta | None) -> Output:
        """The reply to a refusal that a person is asked about; silence once patience is over, and then the ask goes on
        without its hook."""
        answer = asyncio.ensure_future(asked)
        try:
            await asyncio.wait({answer}, timeout=None if patience is None else patience.total_seconds())
        except asyncio.CancelledError:
            answer.cancel()
            raise
        if answer.done():
            release = answer.result()
            self._decided(case, release.decision)
            return release.output
        self._late[answer] = case
        answer.add_done_callback(self._came_late)
        return SILENT

    async def before_stop(self, event: Stop, patience: timedelta, on_hold: Callable[[], None]) -> None:
        """Wait for the person who is asked about a call of this agent, as long as it has nothing else to do."""
        loop = asyncio.get_running_loop()
        end = loop.time() + patience.total_seconds()
        agent = (event.session_id, event.agent_id)
        while (waiting := self._waiting(agent)) and not self._news.get(agent):
            left = end - loop.time()
            if left <= 0 or not self.continuations.is_heard(event):
                return
            on_hold()
            await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)

    def speak(self, event: Event, _: Scene) -> Opinion | None:
        """The oldest news for this agent, where the client would pass it on."""
        news = self._news.get((event.session_id, event.agent_id))
        if not news or not isinstance(event, _TELLS):
            return None
        if isinstance(event, Stop) and not self.continuations.is_heard(event):
            return None
        self._prune((event.session_id, event.agent_id))
        first = next(iter(self._news.get((event.session_id, event.agent_id), ())), None)
        if first is None:
            return None
        why = "A person decided about a call that auto mode had refused."
        return Opinion(Proceed(first.text), first.by, why, evidence=f"{_EVIDENCE}{first.request}")

    def taken(self, event: Event, verdict: Verdict, request: str) -> None:
        """Take out what this decision tells the agent."""
        agent = (event.session_id, event.agent_id)
        if isinstance(event, events.SessionEnd):
            self._forget(event.session_id)
        for line in verdict.trace if agent in self._news else ():
            if line.evidence and line.evidence.startswith(_EVIDENCE):
                news = next((n for n in self._news[agent] if n.request == line.evidence.removeprefix(_EVIDENCE)), None)
                # The same person may have said something else that goes out first.
                if news is not None and verdict.decision == Proceed(news.text):
                    self._drop(agent, news)
                    self._under_way[request] = news
                    if len(self._under_way) > MOST:
                        self._under_way.popitem(last=False)
                    self.desk.told(news.request, delivered=True)

    def missed(self, request: str) -> None:
        """That reply was not taken: the agent is told at its next event."""
        news = self._under_way.pop(request, None)
        if news is not None and now_ms() < news.until:
            self._tell(news)

    def _came_late(self, answer: "asyncio.Future[Release]") -> None:
        case = self._late.pop(answer)
        if answer.cancelled() or answer.exception() is not None:
            log.error("an appeal ended without an answer")
            return
        decision = answer.result().decision
        self._decided(case, decision)
        if not isinstance(decision, Allow):
            # Nothing has to be told for it to hold.
            self.desk.told(case.request, delivered=True)

    def _decided(self, case: HubCase, decision: Decision) -> None:
        """A no takes back an earlier yes to the same call, and its words go to the agent."""
        event = case.event
        if isinstance(event, PermissionDenied) and isinstance(decision, Deny):
            key = Key.of(event)
            self.grants.revoke(key)
            self._settled(key)
            text = f"About a call that auto mode had refused, {_called(event)} {decision.reason}"
            self._tell(_News(key, text, "person:appeal", case.request, now_ms() + GRANTED_FOR_MS))

    def _tell(self, news: _News) -> None:
        of_agent = self._news.setdefault((news.key.session, news.key.agent), [])
        of_agent.append(news)
        del of_agent[:-MOST]
        while len(self._news) > MOST:
            self._prune(next(iter(self._news)), everything=True)

    def _settled(self, key: Key) -> _News | None:
        """Nothing has to be told about this call any more; what would have been told last."""
        agent, last = (key.session, key.agent), None
        for news in [news for news in self._news.get(agent, ()) if news.key == key]:
            self._drop(agent, news)
            self.desk.told(news.request, delivered=True)
            last = news
        return last

    def _prune(self, agent: tuple[str, str | None], *, everything: bool = False) -> None:
        now = now_ms()
        for news in [news for news in self._news.get(agent, ()) if everything or news.until <= now]:
            self._drop(agent, news)
            self.desk.told(news.request, delivered=False)

    def _drop(self, agent: tuple[str, str | None], news: _News) -> None:
        left = [other for other in self._news.get(agent, ()) if other is not news]
        if left:
            self._news[agent] = left
        else:
            self._news.pop(agent, None)

    def _forget(self, session: str) -> None:
        self.grants.forget(session)
        for agent in [agent for agent in self._news if agent[0] == session]:
            self._prune(agent, everything=True)

    def _waiting(self, agent: tuple[str, str | None]) -> set[asyncio.Future[Release]]:
        cases = self._late.items()
        return {answer for answer, case in cases if (case.event.session_id, case.event.agent_id) == agent}


def is_guarded(judgement: Judgement, facts: Facts) -> bool:
    """Whether a refused call changes a file that the client guards by itself."""
    if not isinstance(judgement.event, PermissionDenied):
        return False
    try:
        did = judgement.effects
    except Exception:
        # What could not be read is asked about; if the client guards it, it refuses again.
        return False
    changed = [path for done in did if done.effect.kind in _CHANGES for path in (done.path, done.effect.target)]
    parts = [part for path in changed for part in path.split("/")]
    return any(part in facts.guarded_folders or part in facts.guarded_files for part in parts)


def fingerprint(judgement: Judgement) -> str:
    """Of all that was seen in a call, and where it would run."""
    if judgement.call is None:
        return ""
    seen = trial.told(judgement, "")
    return _digest([judgement.event.cwd, seen.risk, seen.effects, seen.steps, seen.unread, seen.scripts])


def _bare(event: ToolEvent) -> dict[str, Any]:
    """The input without the agent's own words about it, where that is all its description is."""
    if not isinstance(registry.operation(event), Shell | Subagent):
        return event.tool_input
    return {name: value for name, value in event.tool_input.items() if name != "description"}


def _called(event: ToolEvent) -> str:
    written = msgspec.json.encode(_bare(event)).decode()
    return f"{event.tool_name} {written[:LONGEST_CALL]}{'…' if len(written) > LONGEST_CALL else ''}."


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()
