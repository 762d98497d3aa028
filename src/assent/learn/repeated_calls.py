"""The calls on record, equal ones put together, with what people said about them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from assent.learn.recorded_call import Case
from assent.learn.replayer import event_of, scene_of
from assent.policy.call import Call, Scene
from assent.protocol.events import Event

DANGER = "danger"


@dataclass
class Habit:
    """One call as often as it was wanted in one project, with its newest approval, or its newest occurrence."""

    case: Case
    approved: int = 0
    refused: int = 0
    # No person said anything: a mode or a rule of the agent's own let it run, or no person was there.
    unanswered: int = 0
    was_danger: bool = False
    first: int = 0
    last: int = 0
    sessions: frozenset[str] = frozenset()

    def add(self, case: Case) -> None:
        if case.is_approved or not self.approved:
            self.case = case
        self.was_danger |= case.risk == DANGER
        if case.is_approved:
            self.approved += 1
            self.first = min(self.first or case.at, case.at)
            self.last = max(self.last, case.at)
            self.sessions |= {case.session}
        elif case.refusal is not None:
            self.refused += 1
        else:
            self.unanswered += 1

    @cached_property
    def event(self) -> Event | None:
        return event_of(self.case)

    @cached_property
    def call(self) -> Call:
        """As it is on record, marks of redaction included."""
        parsed = None if self.event is None else Call.of(self.event)
        if parsed is not None:
            return parsed
        case = self.case
        return Call(case.tool, case.input, str(case.payload.get("cwd", "")), decoded=case.operation)

    @cached_property
    def scene(self) -> Scene:
        return scene_of(self.case)


@dataclass(slots=True)
class Habits:
    whole: list[Habit] = field(default_factory=list)
    # Refused, and not on record as it was: no rule may come near these.
    refused_in_part: list[Habit] = field(default_factory=list)
    # Approvals that no rule can be made of, because what decides was redacted or cut.
    unusable: int = 0
    approvals: int = 0

    def approved(self) -> Iterator[Habit]:
        return (habit for habit in self.whole if habit.approved)


def gather(cases: Iterable[Case], *, since: int = 0) -> Habits:
    """Refusals count however old they are, everything else from ``since`` (Unix milliseconds).

    Takes as much memory as there are different calls."""
    habits = Habits()
    whole: dict[tuple[object, ...], Habit] = {}
    partly: dict[tuple[object, ...], Habit] = {}
    for case in cases:
        if case.at < since and case.refusal is None:
            continue
        habits.approvals += case.is_approved
        is_whole = case.is_whole
        if not is_whole:
            habits.unusable += case.is_approved
            if case.refusal is None:
                continue
        kept = whole if is_whole else partly
        key = (case.harness, case.tool, case.project, case.payload.get("cwd"), *map(str, case.deciding))
        habit = kept.get(key)
        if habit is None:
            habit = kept[key] = Habit(case)
        habit.add(case)
    habits.whole = list(whole.values())
    habits.refused_in_part = list(partly.values())
    return habits
