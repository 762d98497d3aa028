"""What the journal must hold once every client has its answer."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from assent.protocol.record import Record
from tests.component.fire.clients import Told
from tests.component.fire.stories import Event

# What a client sees of each decision that stories bring about.
SEEN = {"allow": "allow", "deny": "deny", "prompt": "ask", "no_opinion": "silent"}
GATES = frozenset({"PreToolUse", "PermissionRequest", "Stop"})


@dataclass(slots=True)
class Report:
    """What was found; ``wrong`` is empty where every promise was kept."""

    told: int = 0
    allows: int = 0
    repeats: int = 0
    # Replies other than an allow whose record a kill was faster than.
    untraced: int = 0
    # An allow on record that was not told, because the journal's server could not say so in time.
    unsaid: int = 0
    # An observer's event that was recorded by two lives of the hub.
    twice: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.told} replies, {self.allows} allows all on record, {self.repeats} asked again and told the same, "
            f"{self.untraced} told but not on record (none an allow), {self.unsaid} on record but not told, "
            f"{self.twice} observed twice"
        )


class Evidence:
    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self.decisions = Counter(record.request for record in records if record.kind == "decision")
        self.decision = {record.request: record for record in records if record.kind == "decision"}
        self.events = Counter(record.request for record in records if record.kind == "event")
        self.event = {record.request: record for record in records if record.kind == "event"}
        self.request_of_use = {
            _use(record): record.request for record in records if _name(record) == "PreToolUse" and _use(record)
        }

    def against(self, told: Sequence[Sequence[Told]], *, is_cut: bool = False) -> Report:
        """``is_cut``: the journal was out of reach at times. Then silence may stand for an allow, never the reverse,
        and records may be missing anywhere."""
        report = Report()
        report.wrong += [f"request {request}: {many} decisions" for request, many in self.decisions.items() if many > 1]
        gaps = Counter(record.request for record in self.records if record.kind == "gap")
        report.wrong += [f"request {request}: its gap {many} times" for request, many in gaps.items() if many > 1]
        for of_client in told:
            self._client(of_client, report, is_cut=is_cut)
        report.twice = sum(many - 1 for many in self.events.values() if many > 1)
        report.wrong += self._stories(is_cut=is_cut)
        return report

    def _client(self, told: Sequence[Told], report: Report, *, is_cut: bool) -> None:
        first: dict[str, Told] = {}
        untraced_in: set[int | None] = set()
        asked = Counter(each.request for each in told)
        for each in told:
            report.told += 1
            request = each.request or self.request_of_use.get(each.event["tool_use_id"])
            if request in first:
                report.repeats += 1
                if is_cut and first[request].says == "silent":
                    first[request] = each
                elif each.output != first[request].output and not (is_cut and each.says == "silent"):
                    report.wrong.append(f"request {request}: told {first[request].says}, then {each.says}")
            elif request is not None:
                first[request] = each
            problem = self._on_record(each, request)
            if each.says == "allow":
                report.allows += 1
                if problem:
                    report.wrong.append(f"an allow, {each.event}: {problem}")
            elif problem and request not in self.event:
                report.untraced += 1
                untraced_in.add(each.life)
            elif problem and is_cut and each.says == "silent" and self._is_allowed(request):
                report.unsaid += 1
            elif problem:
                report.wrong.append(f"{each.says}, {each.event}: {problem}")
            elif not is_cut and each.life is not None and each.life in untraced_in and asked[each.request] == 1:
                # Records are written in the order of the replies, so a kill can only cost the last ones of a life.
                report.wrong.append(f"life {each.life} kept {each.event} and lost an earlier one")

    def _is_allowed(self, request: str | None) -> bool:
        return request in self.decision and self.decision[request].decision == "allow"

    def _on_record(self, told: Told, request: str | None) -> str | None:
        """What is missing or different."""
        event = self.event.get(request)
        if request is None or event is None:
            return "the event is not on record"
        if "garbage" not in told.event and _identity(event.body["payload"]) != _identity(told.event):
            return f"on record is {event.body['payload']}"
        decision = self.decision.get(request)
        if decision is None:
            return "its decision is not on record" if told.event["hook_event_name"] in GATES else None
        if decision.call != event.call or decision.session != event.session:
            return f"its decision is of another call ({decision.call}, not {event.call})"
        if SEEN[str(decision.decision)] != told.says:
            return f"on record is {decision.decision}"
        return None

    def _stories(self, *, is_cut: bool) -> list[str]:
        """Each call is one story: one beginning, all of it about the same input, the results under their own id."""
        began: dict[str, Record] = {}
        wrong = []
        heard: Counter[tuple[str, str]] = Counter()
        for record in self.records:
            if record.kind != "event" or record.call is None:
                continue
            name = _name(record)
            if name == "PreToolUse":
                if record.call in began:
                    wrong.append(f"call {record.call} began twice")
                began[record.call] = record
                continue
            start = began.get(record.call)
            if start is None:
                if not is_cut:
                    wrong.append(f"{name} of call {record.call}, whose beginning is not on record")
                continue
            if _about(start) != _about(record) or _use(record) not in (None, _use(start)):
                wrong.append(f"{name} at {record.seq} was taken for call {record.call}")
            if name == "PermissionRequest":
                heard[record.call, name] += 1
        return wrong + [f"call {call}: {many} times {name}" for (call, name), many in heard.items() if many > 1]


def _name(record: Record) -> str:
    return str(record.body.get("event"))


def _use(record: Record) -> str | None:
    found: str | None = (record.body.get("payload") or {}).get("tool_use_id")
    return found


def _about(record: Record) -> tuple[Any, ...]:
    return record.session, record.agent, record.body["payload"]["tool_input"]["command"]


def _identity(payload: Event) -> tuple[Any, ...]:
    fields = ("session_id", "hook_event_name", "tool_use_id", "agent_id", "tool_input", "prompt")
    return tuple(payload.get(name) for name in fields)
