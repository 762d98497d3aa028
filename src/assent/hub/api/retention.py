"""Pruning and backing up the record over HTTP.

Both may take a while, so the answer is a line of JSON for each part that is done: ``{"so_far": …}``, and at the end
``{"done": …}`` or ``{"error": …}``. A client that disconnects stops it, and what was done until then holds."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from assent import units
from assent.hub.upkeep.retention import Limits, Retention
from assent.journal.base import JournalError
from assent.protocol.surfaces import Scope
from assent.webapi.endpoint import ProblemError, Route

log = logging.getLogger("assent.hub")

Wanted = TypeVar("Wanted")
Tell = Callable[[Any], None]
Work = Callable[[Tell], Awaitable[Any]]


class PruneRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Without either limit, the ones in the settings."""

    keep: str | None = None
    max_size: str | None = None
    dry_run: bool = False


class BackupRequest(msgspec.Struct, forbid_unknown_fields=True):
    file: str | None = None


@dataclass(frozen=True, slots=True)
class RetentionApi:
    retention: Retention

    def routes(self) -> list[Route]:
        return [
            ("POST", "/api/log/prune", Scope.ADMIN, self.prune),
            ("POST", "/api/log/backup", Scope.ADMIN, self.back_up),
        ]

    async def prune(self, request: Request) -> Response:
        wanted = await _decoded(request, PruneRequest)
        limits = self._limits(wanted)
        if wanted.dry_run:
            return _line_by_line(lambda tell: self.retention.plan(limits, tell))
        return _line_by_line(lambda tell: self.retention.prune(limits, by="person:desk", report=tell))

    async def back_up(self, request: Request) -> Response:
        wanted = await _decoded(request, BackupRequest)
        file = Path(wanted.file) if wanted.file else None
        if file and not file.is_absolute():
            raise ProblemError(400, "bad-file", "The file of a backup is given with its whole path.")
        return _line_by_line(
            lambda tell: self.retention.back_up(file, lambda done, of: tell({"pages": done, "of": of}))
        )

    def _limits(self, wanted: PruneRequest) -> Limits:
        if wanted.keep is None and wanted.max_size is None:
            return self.retention.limits()
        try:
            return Limits(
                None if wanted.keep is None else units.duration(wanted.keep),
                None if wanted.max_size is None else units.size(wanted.max_size),
            )
        except ValueError as error:
            raise ProblemError(400, "bad-limit", f"Nothing was removed: {error}.") from None


async def _decoded(request: Request, kind: type[Wanted]) -> Wanted:
    try:
        return msgspec.json.decode(await request.body() or b"{}", type=kind)
    except msgspec.DecodeError as error:
        raise ProblemError(400, "bad-json", str(error)) from None


def _line_by_line(work: Work) -> Response:
    async def lines() -> AsyncIterator[bytes]:
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        task = asyncio.create_task(_run(work, queue.put_nowait))
        try:
            while (line := await queue.get()) is not None:
                yield msgspec.json.encode(line) + b"\n"
        finally:
            task.cancel()

    return StreamingResponse(lines(), media_type="application/x-ndjson")


async def _run(work: Work, say: Tell) -> None:
    try:
        say({"done": await work(lambda so_far: say({"so_far": so_far}))})
    except JournalError as error:
        say({"error": {"code": "not-done", "message": error.message, "hint": error.hint}})
    except Exception:
        # The response has begun, so no error handler can replace it.
        log.exception("looking after the journal failed")
        say({"error": {"code": "failed", "message": "The hub failed to do it.", "hint": "Its log says more."}})
    finally:
        say(None)
