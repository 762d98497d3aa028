"""Telemetry as OTLP sends it in JSON: the shape of messages as far as it is read, and what a harness reads in them.

Single records stay raw at first: one that cannot be read must not take the rest of its message with it."""

import math
import zlib
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from assent.protocol.usage import Usage

CUMULATIVE = frozenset({2, "AGGREGATION_TEMPORALITY_CUMULATIVE"})
# Beyond this a figure is an error or a fake.
_MOST = 1e12


class OtlpError(Exception):
    """The message as a whole cannot be read."""


class Decided(Struct, frozen=True):
    """What the client says became of one tool call, and by whom."""

    session: str
    tool_use_id: str
    tool: str
    accepted: bool
    source: str
    agent: str | None = None
    # Whether a person decided it at the client's own terminal.
    at_terminal: bool = False

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
    # Sessions that sent something.
    sessions: set[str] = field(default_factory=set)
    rejected: int = 0


class Value(Struct, frozen=True, rename="camel"):
    string_value: Any = None
    int_value: Any = None
    double_value: Any = None
    bool_value: Any = None


class Attribute(Struct):
    key: str
    value: Value = Value()


class LogRecord(Struct, rename="camel"):
    attributes: list[Attribute] = []
    body: dict[str, Any] = {}
    time_unix_nano: str | int = 0


class ScopeLogs(Struct, rename="camel"):
    log_records: list[Raw] = []


class ResourceLogs(Struct, rename="camel"):
    scope_logs: list[ScopeLogs] = []


class Logs(Struct, rename="camel"):
    resource_logs: list[ResourceLogs] = []


class Point(Struct, rename="camel"):
    attributes: list[Attribute] = []
    start_time_unix_nano: str | int = 0
    time_unix_nano: str | int = 0
    as_double: float | str | None = None
    as_int: int | str | None = None

    @property
    def value(self) -> float:
        return number(self.as_int if self.as_double is None else self.as_double)


class Sum(Struct, rename="camel"):
    data_points: list[Raw] = []
    aggregation_temporality: int | str = 1


class Metric(Struct):
    name: str = ""
    sum: Sum | None = None


class ScopeMetrics(Struct):
    metrics: list[Metric] = []


class ResourceMetrics(Struct, rename="camel"):
    scope_metrics: list[ScopeMetrics] = []


class Metrics(Struct, rename="camel"):
    resource_metrics: list[ResourceMetrics] = []


Message = TypeVar("Message", Logs, Metrics)


def unpacked(data: bytes, encoding: str, largest: int) -> bytes:
    """The message without its compression, in which very much can hide."""
    if encoding in ("", "identity"):
        return data
    if encoding != "gzip":
        raise OtlpError(f"compressed with {encoding[:20]!r}, and only gzip is known")
    try:
        inflating = zlib.decompressobj(wbits=31)
        whole = inflating.decompress(data, largest)
    except zlib.error:
        raise OtlpError("not gzip, though it says so") from None
    if not inflating.eof:
        raise OtlpError(f"larger than {largest >> 20} MiB, or cut off")
    return whole


def message(data: bytes, kind: type[Message]) -> Message:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OtlpError(str(error)[:200]) from None


def attributes(given: list[Attribute]) -> dict[str, Any]:
    return {it.key: value for it in given if (value := _known(it.value)) is not None}


def _known(value: Value) -> Any:
    kinds = (value.string_value, value.int_value, value.double_value, value.bool_value)
    return next((it for it in kinds if it is not None), None)


def number(value: object) -> float:
    """Numbers of 64 bits come as text, and older clients send text for all of them. Raises ValueError."""
    figure = float(value) if isinstance(value, int | float | str) else math.nan
    if not math.isfinite(figure) or not 0 <= figure <= _MOST:
        raise ValueError("no such number")
    return figure


def nanos(value: str | int) -> int:
    return int(value)


def not_read(_data: bytes) -> Reading:
    """For clients whose telemetry is not known."""
    return Reading()
