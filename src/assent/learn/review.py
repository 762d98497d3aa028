"""Suggestions of rules that would have saved asks, with what else each would have let through."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from msgspec import Struct

from assent.learn.candidates import Candidate, propose, single_command
from assent.learn.in_force import AgentRules
from assent.learn.repeated_calls import DANGER, Habit, Habits
from assent.learn.replayer import Court
from assent.policy import world
from assent.policy.rules.coverage import Cover
from assent.protocol.decision import Allow, Risk
from assent.protocol.operations import CHANGES_FILES, READS_FILES, Fetch, Shell
from assent.protocol.rule_words import EDIT, FETCH, READ, SHELL
from assent.views.line import what_of

_BREAK = re.compile(r"[\s;&|<>()\\]")
_ESCAPE = re.compile(r"\\([\\*()])")


class Nearby:
    """Gives too many, never too few."""

    def __init__(self, habits: Iterable[Habit]) -> None:
        self._by_word: dict[str, list[Habit]] = defaultdict(list)
        self._by_tool: dict[str, list[Habit]] = defaultdict(list)
        by_path: list[tuple[str, int, Habit]] = []
        for number, habit in enumerate(habits):
            operation = habit.call.operation
            if isinstance(operation, Shell):
                self._by_word[_first_word(operation.command or "")].append(habit)
            elif isinstance(operation, READS_FILES + CHANGES_FILES):
                by_path.extend((path, number, habit) for path in habit.call.paths or ("",))
            else:
                for word in habit.call.words:
                    self._by_tool[word].append(habit)
        by_path.sort(key=lambda item: item[:2])
        self._paths = [path for path, _, _ in by_path]
        self._at_path = [habit for _, _, habit in by_path]

    def of(self, candidate: Candidate) -> list[Habit]:
        tool, _, specifier = candidate.text.removesuffix(")").partition("(")
        if tool == SHELL:
            return self._by_word[_first_word(_ESCAPE.sub(r"\1", specifier))]
        if tool not in (READ, EDIT):
            return self._by_tool[tool]
        begin = specifier.removesuffix("/**")
        begin = world.home() + begin[1:] if begin.startswith("~") else begin[1:]
        first = bisect_left(self._paths, begin)
        last = bisect_left(self._paths, begin + "\U0010ffff")
        return self._at_path[first:last]


def _first_word(text: str) -> str:
    return _BREAK.split(text.strip(), maxsplit=1)[0]


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


def review(habits: Habits, court: Court, agent: AgentRules, *, least: int = 3, asks: int = 0) -> Reviewed:
    """Every offer is exact in what it claims: matched by the real matcher, judged by the real judge. ``asks``: how
    often people were asked, as the statistics count it."""
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
        asks=asks,
        approvals=habits.approvals,
        unusable=habits.unusable,
        intricate=sum(h.approved for h in asked if isinstance(h.call.operation, Shell) and single_command(h) is None),
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
                or isinstance(self._court.judge(habit.event, habit.scene, call=habit.call).decision, Allow)
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
        verdict = self._court.judge(habit.event, habit.scene, (weighed.candidate.rule,), call=habit.call)
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
    if isinstance(call.operation, READS_FILES + CHANGES_FILES):
        # By its whole path: a test has no working directory.
        return Trial(READ if isinstance(call.operation, READS_FILES) else EDIT, {"file_path": call.path or ""})
    match call.operation:
        case Shell(command=str(command)):
            return Trial(SHELL, {"command": command})
        case Fetch(url=str(url)):
            return Trial(FETCH, {"url": url})
    return Trial(call.tool, {})


def _matches(habits: Iterable[Habit], count: Callable[[Habit], int]) -> tuple[Match, ...]:
    """The most frequent first; the same call in several projects is told once."""
    matches: dict[tuple[str, str], Match] = {}
    for habit in habits:
        case = habit.case
        key = (case.tool, what_of(case.payload))
        times = count(habit) + (matches[key].times if key in matches else 0)
        matches[key] = Match(case.seq, *key, case.project, times)
    return tuple(sorted(matches.values(), key=lambda match: (-match.times, match.seq))[:MOST_EXAMPLES])


def _ordered(offers: list[Offer]) -> tuple[Offer, ...]:
    """The most useful first; a wide rule that saves no more than an exact one is left out."""
    exact = {(offer.saved, offer.last) for offer in offers if not offer.is_wide}
    kept = [offer for offer in offers if not offer.is_wide or (offer.saved, offer.last) not in exact]
    return tuple(sorted(kept, key=lambda offer: (-offer.saved, offer.is_wide, offer.text)))
