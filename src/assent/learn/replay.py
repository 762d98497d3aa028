"""Replay of recorded calls against another rules file."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import Struct

from assent.learn.recorded_call import Case
from assent.learn.replayer import Court, event_of, same_as, scene_of
from assent.policy.call import Call
from assent.protocol.decision import Verdict
from assent.views.line import what_of

# Equal calls are judged once; memory does not grow with history.
MOST_KNOWN = 50_000
# Of each kind of difference, how many different calls are told apart.
MOST_SHOWN = 500


class Example(Struct, frozen=True):
    """The newest of several equal calls."""

    seq: int
    at: int
    session: str
    project: str
    tool: str
    what: str
    was: str
    was_by: str
    becomes: str
    by: str
    # The patterns of the rule that spoke, or what the voice saw.
    evidence: str | None
    refusal: str | None
    # The rules of today say the same.
    already: bool
    times: int


class Difference(Struct, frozen=True):
    was: str
    becomes: str
    count: int
    examples: tuple[Example, ...]


class Replayed(Struct, frozen=True):
    """Every call is counted in exactly one of ``same``, ``restored``, ``changed``, ``already`` and ``unjudged``."""

    calls: int
    first: int | None
    last: int | None
    same: int
    # As recorded, though the rules of today decide otherwise.
    restored: int
    # What cannot be judged again: its command or path is redacted, cut or unreadable, or no decision is on record.
    unjudged: int
    # Decided differently by this file.
    changed: tuple[Difference, ...]
    # Different from the record, but no different from the rules of today.
    already: tuple[Difference, ...]
    # Would now be allowed: what a person refused, and what was denied otherwise.
    refused: Difference
    denied: Difference
    # What a person approved and would now be denied.
    thwarted: Difference
    # Dialogs that the rules of today open and this file would not, and the other way round.
    asks_saved: int
    asks_added: int


class _Judged(NamedTuple):
    today: str
    becomes: str
    by: str
    evidence: str | None


def replay(cases: Iterable[Case], today: Court, other: Court, *, examples: int = 5) -> Replayed:
    """Raises nothing: what cannot be judged again is counted, never guessed."""
    tally = _Tally()
    verdicts: dict[bytes, _Judged | None] = {}
    for case in cases:
        key = same_as(case)
        if key not in verdicts:
            if len(verdicts) >= MOST_KNOWN:
                verdicts.clear()
            verdicts[key] = _judged(case, today, other)
        tally.add(case, verdicts[key])
    return tally.told(examples)


def _judged(case: Case, today: Court, other: Court) -> _Judged | None:
    event = event_of(case)
    if event is None:
        return None
    scene = scene_of(case)
    call = Call.of(event)
    now, then = today.judge(event, scene, call=call), other.judge(event, scene, call=call)
    return _Judged(now.decision.word, then.decision.word, then.by, _evidence(then))


def _evidence(verdict: Verdict) -> str | None:
    return next((line.evidence for line in verdict.trace if line.by == verdict.by), None)


@dataclass(slots=True)
class _Group:
    count: int = 0
    examples: dict[tuple[str, str], Example] = field(default_factory=dict)

    def add(self, case: Case, judged: _Judged) -> None:
        self.count += 1
        text = what_of(case.payload)
        key = (case.tool, text)
        earlier = self.examples.pop(key, None)
        if len(self.examples) >= MOST_SHOWN:
            del self.examples[next(iter(self.examples))]
        self.examples[key] = Example(
            seq=case.seq,
            at=case.at,
            session=case.session,
            project=case.project,
            tool=case.tool,
            what=text,
            was=case.decision,
            was_by=case.by,
            becomes=judged.becomes,
            by=judged.by,
            evidence=judged.evidence,
            refusal=case.refusal,
            already=judged.becomes == judged.today,
            times=1 + (earlier.times if earlier else 0),
        )

    def told(self, was: str, becomes: str, most: int) -> Difference:
        often = sorted(self.examples.values(), key=lambda example: (-example.times, -example.seq))
        return Difference(was, becomes, self.count, tuple(often[:most]))


_Groups = dict[tuple[str, str], _Group]


@dataclass(slots=True)
class _Tally:
    calls: int = 0
    first: int | None = None
    last: int | None = None
    same: int = 0
    restored: int = 0
    unjudged: int = 0
    asks_saved: int = 0
    asks_added: int = 0
    changed: _Groups = field(default_factory=dict)
    already: _Groups = field(default_factory=dict)
    refused: _Group = field(default_factory=_Group)
    denied: _Group = field(default_factory=_Group)
    thwarted: _Group = field(default_factory=_Group)

    def add(self, case: Case, judged: _Judged | None) -> None:
        self.calls += 1
        self.first = case.at if self.first is None else min(self.first, case.at)
        self.last = case.at if self.last is None else max(self.last, case.at)
        if judged is None or not case.decision:
            self.unjudged += 1
            return
        by_this_file = judged.becomes != judged.today
        if judged.becomes == case.decision:
            self.restored += by_this_file
            self.same += not by_this_file
        else:
            groups = self.changed if by_this_file else self.already
            groups.setdefault((case.decision, judged.becomes), _Group()).add(case, judged)
        self._weigh(case, judged, by_this_file=by_this_file)

    def _weigh(self, case: Case, judged: _Judged, *, by_this_file: bool) -> None:
        """Note the differences that should be reviewed first."""
        if judged.becomes == "allow":
            self.asks_saved += by_this_file and case.asked
            if case.is_refused:
                self.refused.add(case, judged)
            elif case.refusal is not None:
                self.denied.add(case, judged)
        elif judged.becomes == "deny" and case.is_approved:
            self.thwarted.add(case, judged)
        elif judged.becomes == "prompt":
            self.asks_added += by_this_file and case.ran and not case.asked

    def told(self, most: int) -> Replayed:
        return Replayed(
            calls=self.calls,
            first=self.first,
            last=self.last,
            same=self.same,
            restored=self.restored,
            unjudged=self.unjudged,
            changed=_sorted(self.changed, most),
            already=_sorted(self.already, most),
            refused=self.refused.told("refused", "allow", most),
            denied=self.denied.told("deny", "allow", most),
            thwarted=self.thwarted.told("approved", "deny", most),
            asks_saved=self.asks_saved,
            asks_added=self.asks_added,
        )


def _sorted(groups: _Groups, most: int) -> tuple[Difference, ...]:
    differences = [group.told(was, becomes, most) for (was, becomes), group in groups.items()]
    return tuple(sorted(differences, key=lambda difference: -difference.count))
