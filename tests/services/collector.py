"""A collector of OpenTelemetry logs on loopback: reads what it is sent by the protocol's own definition."""

import gzip
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

import msgspec
from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from tests.services.listener import Listener

Attributes = dict[str, Any]


@dataclass(frozen=True)
class LogRecord:
    event_name: str
    body: str
    severity: int
    time_ns: int
    attributes: Attributes
    resource: Attributes

    @property
    def uid(self) -> str:
        return str(self.attributes["log.record.uid"])

    @property
    def seq(self) -> int:
        return int(self.attributes["assent.seq"])


@dataclass
class Answer:
    """What it says next instead of taking a request."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    # The request is taken all the same.
    takes: bool = False


@dataclass
class CollectorService:
    records: list[LogRecord] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    # Each request's records, as they were taken.
    batches: list[int] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    # A request with a record of one of these numbers is refused.
    poison: set[int] = field(default_factory=set)
    # Hangs up on whoever comes. It keeps its port, which another program could take meanwhile.
    is_away: bool = False
    tries: int = 0
    port: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    _server: Listener | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> "CollectorService":
        self._server = Listener(_handler(self))
        self.port = self._server.port
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.stop()

    def taken(self) -> list[int]:
        with self.lock:
            return [record.seq for record in self.records]


def read(message: bytes) -> list[LogRecord]:
    """Raises ParseError at a field that the protocol does not have."""
    request = json_format.Parse(message, ExportLogsServiceRequest())
    return [
        LogRecord(
            event_name=log.event_name,
            body=log.body.string_value,
            severity=log.severity_number,
            time_ns=log.time_unix_nano,
            attributes=_values(log.attributes),
            resource=_values(of_resource.resource.attributes),
        )
        for of_resource in request.resource_logs
        for of_scope in of_resource.scope_logs
        for log in of_scope.log_records
    ]


def _values(pairs: Any) -> Attributes:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(each) for each in value.array_value.values]
    return getattr(value, kind)


def _handler(service: CollectorService) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the name is the base class's
            pass

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            if service.is_away:
                self.close_connection = True
                return
            with service.lock:
                answer = self._answered(body)
            self.send_response(answer.status)
            for name, value in {"content-type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def _answered(self, body: bytes) -> Answer:
            service.tries += 1
            service.headers.append({name.lower(): value for name, value in self.headers.items()})
            if self.path != "/v1/logs":
                return Answer(404)
            answer = service.answers.pop(0) if service.answers else Answer(200, body=b"{}", takes=True)
            if not answer.takes:
                return answer
            try:
                records = read(gzip.decompress(body))
            except json_format.ParseError as error:
                return Answer(400, body=msgspec.json.encode({"code": 3, "message": str(error)}))
            if service.poison & {record.seq for record in records}:
                return Answer(400, body=b'{"code": 3, "message": "a record that is not liked"}')
            service.records += records
            service.batches.append(len(records))
            return answer

    return Handler
