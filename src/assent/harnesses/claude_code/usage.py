"""Telemetry as Claude Code sends it: what became of a tool call, and what a session used up.

Every record says who the user is: account, organisation, address. None of that is picked up here, so nothing after here
can keep it. A record that cannot be read is counted, and the others of its message are taken."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Raw, Struct

from assent.hub import otlp_wire as wire
from assent.hub.otlp_wire import OtlpError, nanos, number, unpacked
from assent.protocol.usage import OfModel, Usage

__all__ = ["AT_TERMINAL", "Decided", "OtlpError", "Reading", "Used", "read_logs", "read_metrics", "unpacked"]

# By the client's word for who decided a call: a person at its own terminal. ``hook`` and ``config`` are nobody there.
AT_TERMINAL = frozenset({"user_temporary", "user_permanent", "user_reject", "user_abort"})

_PREFIX = "claude_code."
# A client sends many kinds of records; most are told apart without reading them.
_WANTED = (b"tool_decision", b"api_request")
_ID = re.compile(r"[\w.:-]{1,128}")
# Names end up in the journal and on screens.
_LONGEST_NAME = 120
_UNREADABLE = (msgspec.DecodeError, RecursionError, ValueError)


class Decided(Struct, frozen=True):
    """What the client says became of one tool call, and by whom."""

    session: str
    tool_use_id: str
    tool: str
    accepted: bool
    source: str
    agent: str | None = None

    @property
    def at_terminal(self) -> bool:
        return self.source in AT_TERMINAL

    @property
    def words(self) -> str:
        return f"{'allowed' if self.accepted else 'denied'} at the terminal"


class Used(Struct, frozen=True):
    """Something used up in one session."""

    session: str
    usage: Usage
    # The same message may come twice; no two messages have the same mark.
    mark: tuple[str | int, ...]
    # When counting began, in nanoseconds; 0 for single events.
    since: int = 0
    # For totals that grow: which total it is. Only its growth counts.
    total_of: tuple[str | int, ...] = ()


@dataclass(slots=True)
class Reading:
    decided: list[Decided] = field(default_factory=list)
    used: list[Used] = field(default_factory=list)
    # Whoever sent something.
    sessions: set[str] = field(default_factory=set)
    rejected: int = 0


def read_logs(data: bytes) -> Reading:
    """Raises OtlpError."""
    reading = Reading()
    for resource in wire.message(data, wire.Logs).resource_logs:
        for scope in resource.scope_logs:
            for raw in scope.log_records:
                data = bytes(raw)
                if not any(name in data for name in _WANTED):
                    continue
                try:
                    _log(reading, msgspec.json.decode(data, type=wire.LogRecord))
                except _UNREADABLE:
                    reading.rejected += 1
    return reading


def read_metrics(data: bytes) -> Reading:
    """Raises OtlpError."""
    reading = Reading()
    for metric, raw in _points(wire.message(data, wire.Metrics)):
        try:
            _point(reading, metric, msgspec.json.decode(raw, type=wire.Point))
        except _UNREADABLE:
            reading.rejected += 1
    return reading


def _points(message: wire.Metrics) -> Iterator[tuple[wire.Metric, Raw]]:
    for resource in message.resource_metrics:
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                if metric.sum is not None and metric.name in _METRICS:
                    yield from ((metric, raw) for raw in metric.sum.data_points)


def _log(reading: Reading, record: wire.LogRecord) -> None:
    known = wire.attributes(record.attributes)
    if "session.id" not in known:
        return
    session = _id(known["session.id"])
    reading.sessions.add(session)
    name = known.get("event.name") or record.body.get("stringValue")
    match str(name).removeprefix(_PREFIX):
        case "tool_decision":
            reading.decided.append(_decided(session, known))
        case "api_request":
            mark = (session, nanos(record.time_unix_nano), str(known.get("event.sequence")))
            reading.used.append(Used(session, _request(known), mark))


def _decided(session: str, known: dict[str, Any]) -> Decided:
    if known.get("decision") not in ("accept", "reject"):
        raise ValueError("neither yes nor no")
    agent = known.get("agent_id")
    return Decided(
        session=session,
        tool_use_id=_id(known.get("tool_use_id")),
        tool=_name(known.get("tool_name")),
        accepted=known["decision"] == "accept",
        source=_name(known.get("source")),
        agent=_id(agent) if agent else None,
    )


def _request(known: dict[str, Any]) -> Usage:
    def told(name: str) -> float:
        return number(known.get(name, 0))

    usage = Usage(
        cost_usd=told("cost_usd"),
        requests=1,
        tokens_in=int(told("input_tokens") + told("cache_creation_tokens")),
        tokens_out=int(told("output_tokens")),
        tokens_cached=int(told("cache_read_tokens")),
    )
    usage.models = {_name(known.get("model")): OfModel(usage.cost_usd, usage.tokens)}
    return usage


def _point(reading: Reading, metric: wire.Metric, point: wire.Point) -> None:
    known = wire.attributes(point.attributes)
    if "session.id" not in known:
        return
    session = _id(known["session.id"])
    usage = _METRICS[metric.name](known, point.value)
    apart = (f"{key}={known[key]}"[:_LONGEST_NAME] for key in _APART if key in known)
    stream: tuple[str | int, ...] = (session, metric.name, *apart)
    since = nanos(point.start_time_unix_nano)
    is_total = metric.sum is not None and metric.sum.aggregation_temporality in wire.CUMULATIVE
    reading.sessions.add(session)
    mark = (*stream, nanos(point.time_unix_nano))
    reading.used.append(Used(session, usage, mark, since, (*stream, since) if is_total else ()))


def _cost(known: dict[str, Any], value: float) -> Usage:
    return Usage(cost_usd=value, models={_name(known.get("model")): OfModel(cost_usd=value)})


def _tokens(known: dict[str, Any], value: float) -> Usage:
    usage = Usage(models={_name(known.get("model")): OfModel(tokens=int(value))})
    match known.get("type"):
        case "output":
            usage.tokens_out = int(value)
        case "cacheRead":
            usage.tokens_cached = int(value)
        case _:
            usage.tokens_in = int(value)
    return usage


def _lines(known: dict[str, Any], value: float) -> Usage:
    return Usage(lines_removed=int(value)) if known.get("type") == "removed" else Usage(lines_added=int(value))


_METRICS: dict[str, Callable[[dict[str, Any], float], Usage]] = {
    "claude_code.cost.usage": _cost,
    "claude_code.token.usage": _tokens,
    "claude_code.active_time.total": lambda _, value: Usage(active_s=value),
    "claude_code.lines_of_code.count": _lines,
}
# What sets the figures of one metric apart without naming anybody.
_APART = ("type", "model", "query_source", "effort", "speed", "agent.name", "skill.name", "plugin.name")


def _id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError("no id")
    return value


def _name(value: object) -> str:
    return value[:_LONGEST_NAME] if isinstance(value, str) else ""
