"""The telemetry that agents send: tells at once what was answered at a terminal, and records what sessions use up.

Any holder of the token for posting events can forge it. So what it says is *reported*, never certain, and it decides
nothing."""

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import Response

from assent.harnesses import otlp, registry
from assent.harnesses.base import Harness
from assent.harnesses.otlp import Decided, Reading
from assent.hub.bus import now_ms
from assent.hub.ingress.tallies import INTERVAL, QUIET, Tallies
from assent.hub.recorder import Recorder
from assent.journal.base import JournalError
from assent.protocol import usage as usages
from assent.protocol.record import Draft
from assent.protocol.surfaces import Scope
from assent.redact import Redactor
from assent.webapi import endpoint as incoming
from assent.webapi.endpoint import ProblemError, Route, json_response

LARGEST = 8 << 20
# Set by the variables that make a client send its telemetry here.
HARNESS_HEADER = "assent-harness"


class Reported(Protocol):
    def reported(self, decided: Decided) -> None:
        """The harness tells how a call was answered."""


@dataclass(slots=True)
class Telemetry:
    recorder: Recorder
    redactor: Redactor
    # Hears what became of each call, also of those that no person decided.
    asking: Reported
    tallies: Tallies = field(default_factory=Tallies)
    messages: int = 0
    rejected: int = 0
    last_at: int | None = None
    _came: asyncio.Event = field(default_factory=asyncio.Event)

    def routes(self) -> list[Route]:
        return [("POST", "/v1/logs", Scope.POST, self.logs), ("POST", "/v1/metrics", Scope.POST, self.metrics)]

    def status(self) -> dict[str, Any]:
        return {"messages": self.messages, "rejected": self.rejected, "last_at": self.last_at}

    async def logs(self, request: Request) -> Response:
        reading = await self._read(request, lambda harness: harness.read_logs)
        for session in reading.sessions:
            self.tallies.heard(session)
        self.tallies.take(reading.used, by_requests=True)
        self._came.set()
        for decided in reading.decided:
            self.asking.reported(decided)
        return _answer(reading, "rejectedLogRecords")

    async def metrics(self, request: Request) -> Response:
        reading = await self._read(request, lambda harness: harness.read_metrics)
        self.tallies.take(reading.used, by_requests=False)
        self._came.set()
        return _answer(reading, "rejectedDataPoints")

    async def run_forever(self) -> None:
        while True:
            await self._came.wait()
            await asyncio.sleep(QUIET)
            try:
                await self._record(self.tallies.due(self._is_at_work))
            except JournalError:
                # The journal says itself what is wrong with it, and nothing of this is lost until it is well again.
                await asyncio.sleep(INTERVAL)
            if self.tallies.is_empty:
                self._came.clear()

    async def close(self) -> None:
        """After ``run_forever`` was cancelled."""
        with contextlib.suppress(JournalError):
            await self._record(self.tallies.sessions)

    async def _record(self, sessions: Iterable[str]) -> None:
        for session in sessions:
            usage = self.tallies.taken(session)
            if usage.is_nothing:
                continue
            body = self.redactor.storable({**usages.body(usage), **self._place(session)})
            draft = Draft(at=now_ms(), kind="hub", session=session, by="hub:telemetry", body=body)
            try:
                await self.recorder.record([draft])
            except JournalError:
                self.tallies.put_back(session, usage)
                raise

    def _place(self, id_: str) -> dict[str, str]:
        """Where it worked: the last of its messages come after it has ended."""
        session = self.recorder.live.sessions.get(id_)
        return {"project": session.project, "harness": session.harness} if session else {}

    def _is_at_work(self, id_: str) -> bool:
        session = self.recorder.live.sessions.get(id_)
        return session is not None and session.is_live and session.turn == "working"

    async def _read(self, request: Request, reader: Callable[[Harness], Callable[[bytes], Reading]]) -> Reading:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise ProblemError(
                415, "not-json", "Telemetry is read as JSON only.", hint="set OTEL_EXPORTER_OTLP_PROTOCOL=http/json."
            )
        harness = registry.of(request.headers.get(HARNESS_HEADER, "")) or registry.default()
        data = await incoming.body(request, LARGEST)
        try:
            reading = reader(harness)(otlp.unpacked(data, request.headers.get("content-encoding", ""), LARGEST))
        except otlp.OtlpError as error:
            self.rejected += 1
            raise ProblemError(400, "bad-telemetry", f"This telemetry cannot be read: {error}.") from None
        self.messages += 1
        self.rejected += reading.rejected
        self.last_at = now_ms()
        return reading


def _answer(reading: Reading, count: str) -> Response:
    """As the protocol wants it; what could not be read need not come again."""
    if not reading.rejected:
        return json_response({})
    return json_response({"partialSuccess": {count: reading.rejected, "errorMessage": "Some could not be read."}})
