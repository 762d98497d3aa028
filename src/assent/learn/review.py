"""Which rules would have saved the most asks, and what else each of them would have let through."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from msgspec import Struct

from assent.learn.agent_rules import AgentRules
from assent.learn.candidates import Candidate, propose, single_command
from assent.learn.case import DECIDING
from assent.learn.court import Court
from assent.learn.habits import DANGER, Habit, Habits
from assent.learn.nearby import Nearby
from assent.policy.call import EDITS, READS, SHELL_TOOLS
from assent.policy.cover import Cover
from assent.protocol.decision import Allow
from assent.protocol.risk import Risk
from assent.views.line import what_of

MOST_EXAMPLES = 5
REFUSED = "it would have allowed something that was refused"
DANGEROUS = "with a wildcard it would have come near something of the risk Danger"


class Match(Struct, frozen=True):
    """A call the rule would have allowed."""

    seq: int
    tool: str
    what: str
    project: str
    times: int


class Trial(Struct, frozen=True):
    """A call to try the rule with: all that decides, and nothing else."""

    tool: str
    input: dict[str, str]


class Offer(Struct, frozen=True):
    """One rule, with all that the record says about it."""

    text: str
    is_wide: bool
    risk: str
    # Dialogs that people answered with yes and this would have answered.
    saved: int
    first: int
    last: int
    sessions: int
    approved: tuple[Match, ...]
    # Calls that no person answered and this would have allowed: how often they came, and the most frequent ones.
    newly_allowed: int
    newly: tuple[Match, ...]
    test: Trial


class Reviewed(Struct, frozen=True):
    offers: tuple[Offer, ...]
    asks: int
    approvals: int
    # Approvals that make no rule: what decides was redacted or cut; the line is more than one plain command.
    unusable: int
    intricate: int
    # Rules that were thought of and not offered, by reason.
    withheld: dict[str, int]


def review(habits: Habits, court: Court, agent: AgentRules, *, least: int = 3) -> Reviewed:
    """Every offer is exact in what it claims: matched by the real matcher, judged by the real judge."""
    scales = _Scales(habits, court, agent)
    asked = [habit for habit in habits.approved() if scales.is_open(habit)]
    offers: list[Offer] = []
    withheld: dict[str, int] = defaultdict(int)
    for candidate in propose(asked, least):
        weighed = scales.weigh(candidate)
        if weighed.objection is not None:
            withheld[weighed.objection] += 1
        elif weighed.saved >= least:
            offers.append(weighed.offer())
    return Reviewed(
        offers=_ordered(offers),
        asks=habits.asks,
        approvals=habits.approvals,
        unusable=habits.unusable,
        intricate=sum(h.approved for h in asked if h.call.tool in SHELL_TOOLS and single_command(h) is None),
        withheld=dict(withheld),
    )


@dataclass(slots=True)
class _Weighed:
    candidate: Candidate
    objection: str | None = None
    saved: int = 0
    risk: Risk = Risk.LOOK
    approved: list[Habit] = field(default_factory=list)
    others: list[Habit] = field(default_factory=list)

    def offer(self) -> Offer:
        example = max(self.approved, key=lambda habit: habit.last)
        return Offer(
            text=self.candidate.text,
            is_wide=self.candidate.is_wide,
            risk=self.risk.word,
            saved=self.saved,
            first=min(habit.first for habit in self.approved),
            last=example.last,
            sessions=len(frozenset().union(*(habit.sessions for habit in self.approved))),
            approved=_matches(self.approved, lambda habit: habit.approved),
            newly_allowed=sum(habit.unanswered for habit in self.others),
            newly=_matches(self.others, lambda habit: habit.unanswered),
            test=_test(example),
        )


class _Scales:
    def __init__(self, habits: Habits, court: Court, agent: AgentRules) -> None:
        self._court = court
        self._agent = agent
        self._nearby = Nearby(habits.whole)
        self._refused_in_part = habits.refused_in_part
        self._known: dict[int, bool] = {}

    def is_open(self, habit: Habit) -> bool:
        """People would be asked about it again: neither today's rules nor the agent's own answer it."""
        if id(habit) not in self._known:
            self._known[id(habit)] = habit.event is not None and not (
                self._agent.allow(habit.call, habit.case.project)
                or isinstance(self._court.judge(habit.event, habit.scene).decision, Allow)
            )
        return self._known[id(habit)]

    def weigh(self, candidate: Candidate) -> _Weighed:
        weighed = _Weighed(candidate)
        rule = candidate.rule
        # What was refused and is not on record as it was: the slightest resemblance is enough.
        if any(rule.restricts(habit.call, habit.scene) for habit in self._refused_in_part):
            weighed.objection = REFUSED
            return weighed
        for habit in self._nearby.of(candidate):
            cover = rule.covers(habit.call, habit.scene)
            if cover is not Cover.NO:
                weighed.objection = self._add(weighed, habit, cover)
                if weighed.objection is not None:
                    break
        return weighed

    def _add(self, weighed: _Weighed, habit: Habit, cover: Cover) -> str | None:
        """Why the candidate must not be offered, if this is a reason."""
        if habit.refused:
            return REFUSED
        if habit.event is None:
            return None
        verdict = self._court.judge(habit.event, habit.scene, (weighed.candidate.rule,))
        if (habit.was_danger or verdict.risk == DANGER) and (weighed.candidate.is_wide or cover is not Cover.EXACT):
            return DANGEROUS
        if not isinstance(verdict.decision, Allow) or not self.is_open(habit):
            return None
        weighed.risk = max(weighed.risk, Risk.parse(verdict.risk or "care"))
        weighed.saved += habit.approved
        (weighed.approved if habit.approved else weighed.others).append(habit)
        return None


def _test(habit: Habit) -> Trial:
    call = habit.call
    if call.tool in READS | EDITS:
        # By its whole path: a test has no working directory.
        return Trial("Read" if call.tool in READS else "Edit", {"file_path": call.path or ""})
    given = {name: call.text(name) for name in DECIDING.get(call.tool, ())}
    return Trial(call.tool, {name: text for name, text in given.items() if text is not None})


def _matches(habits: Iterable[Habit], count: Callable[[Habit], int]) -> tuple[Match, ...]:
    """The most frequent first; the same call in several projects is told once."""
    told: dict[tuple[str, str], Match] = {}
    for habit in habits:
        case = habit.case
        key = (case.tool, what_of(case.payload))
        times = count(habit) + (told[key].times if key in told else 0)
        told[key] = Match(case.seq, *key, case.project, times)
    return tuple(sorted(told.values(), key=lambda match: (-match.times, match.seq))[:MOST_EXAMPLES])


def _ordered(offers: list[Offer]) -> tuple[Offer, ...]:
    """The most useful first; a wide rule that saves no more than an exact one is left out."""
    exact = {(offer.saved, offer.last) for offer in offers if not offer.is_wide}
    kept = [offer for offer in offers if not offer.is_wide or (offer.saved, offer.last) not in exact]
    return tuple(sorted(kept, key=lambda offer: (-offer.saved, offer.is_wide, offer.text)))
