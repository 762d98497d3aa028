"""Telemetry as Claude Code sends it: what became of a tool call, and what a session used up; the first of it stands in
transcripts, too.

Every record says who the user is: account, organisation, address. None of that is picked up here, so nothing after here
can keep it. A record that cannot be read is counted, and the others of its message are taken."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Raw

from assent.harnesses import otlp as wire
from assent.harnesses.otlp import Decided, Reading, Used, nanos, number
from assent.protocol.usage import OfModel, Usage

# By the client's word for who decided a call: a person at its own terminal. ``hook`` and ``config`` are no person.
AT_TERMINAL = frozenset({"user_temporary", "user_permanent", "user_reject", "user_abort"})

_PREFIX = "claude_code."
# A client sends many kinds of records; most are told apart without reading them.
_WANTED = (b"tool_decision", b"api_request")
_ID = re.compile(r"[\w.:-]{1,128}")
# Names end up in the journal and on screens.
_LONGEST_NAME = 120
_UNREADABLE = (msgspec.DecodeError, RecursionError, ValueError)


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


def results_file(transcript: str, agent: str | None) -> str:
    """Sub-agents have a transcript of their own beside that of their session."""
    if not agent or not transcript:
        return transcript
    return f"{transcript.removesuffix('.jsonl')}/subagents/agent-{agent}.jsonl" if _ID.fullmatch(agent) else ""


def read_results(data: bytes) -> list[Decided]:
    """From lines of a transcript: each result of a call tells who decided it. Written when the call is over."""
    found = []
    for line in data.splitlines():
        if b'"permissionDecision"' not in line:
            continue
        try:
            found.append(_result(msgspec.json.decode(line, type=_Result)))
        except _UNREADABLE:
            # A line of another kind, or of another version.
            continue
    return found


class _Block(msgspec.Struct):
    tool_use_id: str


class _Message(msgspec.Struct):
    content: tuple[_Block, ...]


class _Permission(msgspec.Struct):
    decision: str
    source: str


class _Result(msgspec.Struct, rename="camel"):
    session_id: str
    message: _Message
    permission_decision: _Permission


def _result(line: _Result) -> Decided:
    if len(line.message.content) != 1:
        raise ValueError("not the result of one call")
    told = line.permission_decision
    attributes = {"decision": told.decision, "source": told.source, "tool_use_id": line.message.content[0].tool_use_id}
    return _decided(_id(line.session_id), attributes)


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
    attributes = wire.attributes(record.attributes)
    if "session.id" not in attributes:
        return
    session = _id(attributes["session.id"])
    reading.sessions.add(session)
    name = attributes.get("event.name") or record.body.get("stringValue")
    match str(name).removeprefix(_PREFIX):
        case "tool_decision":
            reading.decided.append(_decided(session, attributes))
        case "api_request":
            mark = (session, nanos(record.time_unix_nano), str(attributes.get("event.sequence")))
            reading.used.append(Used(session, _request(attributes), mark))


def _decided(session: str, attributes: dict[str, Any]) -> Decided:
    if attributes.get("decision") not in ("accept", "reject"):
        raise ValueError("neither yes nor no")
    agent = attributes.get("agent_id")
    return Decided(
        session=session,
        tool_use_id=_id(attributes.get("tool_use_id")),
        tool=_name(attributes.get("tool_name")),
        accepted=attributes["decision"] == "accept",
        source=_name(attributes.get("source")),
        at_terminal=attributes.get("source") in AT_TERMINAL,
        agent=_id(agent) if agent else None,
    )


def _request(attributes: dict[str, Any]) -> Usage:
    def told(name: str) -> float:
        return number(attributes.get(name, 0))

    usage = Usage(
        cost_usd=told("cost_usd"),
        requests=1,
        tokens_in=int(told("input_tokens") + told("cache_creation_tokens")),
        tokens_out=int(told("output_tokens")),
        tokens_cached=int(told("cache_read_tokens")),
    )
    usage.models = {_name(attributes.get("model")): OfModel(usage.cost_usd, usage.tokens)}
    return usage


def _point(reading: Reading, metric: wire.Metric, point: wire.Point) -> None:
    attributes = wire.attributes(point.attributes)
    if "session.id" not in attributes:
        return
    session = _id(attributes["session.id"])
    usage = _METRICS[metric.name](attributes, point.value)
    apart = (f"{key}={attributes[key]}"[:_LONGEST_NAME] for key in _APART if key in attributes)
    stream: tuple[str | int, ...] = (session, metric.name, *apart)
    since = nanos(point.start_time_unix_nano)
    is_total = metric.sum is not None and metric.sum.aggregation_temporality in wire.CUMULATIVE
    reading.sessions.add(session)
    mark = (*stream, nanos(point.time_unix_nano))
    reading.used.append(Used(session, usage, mark, since, (*stream, since) if is_total else ()))


def _cost(attributes: dict[str, Any], value: float) -> Usage:
    return Usage(cost_usd=value, models={_name(attributes.get("model")): OfModel(cost_usd=value)})


def _tokens(attributes: dict[str, Any], value: float) -> Usage:
    usage = Usage(models={_name(attributes.get("model")): OfModel(tokens=int(value))})
    match attributes.get("type"):
        case "output":
            usage.tokens_out = int(value)
        case "cacheRead":
            usage.tokens_cached = int(value)
        case _:
            usage.tokens_in = int(value)
    return usage


def _lines(attributes: dict[str, Any], value: float) -> Usage:
    return Usage(lines_removed=int(value)) if attributes.get("type") == "removed" else Usage(lines_added=int(value))


_METRICS: dict[str, Callable[[dict[str, Any], float], Usage]] = {
    "claude_code.cost.usage": _cost,
    "claude_code.token.usage": _tokens,
    "claude_code.active_time.total": lambda _, value: Usage(active_s=value),
    "claude_code.lines_of_code.count": _lines,
}
# Attributes that tell the figures of one metric apart and identify no person.
_APART = ("type", "model", "query_source", "effort", "speed", "agent.name", "skill.name", "plugin.name")


def _id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError("no id")
    return value


def _name(value: object) -> str:
    return value[:_LONGEST_NAME] if isinstance(value, str) else ""
