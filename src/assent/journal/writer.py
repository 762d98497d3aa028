"""Writer thread: all waiting appends go into one transaction, and the event loop is notified once."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

from assent.journal.base import DuplicateError, JournalError
from assent.protocol.record import Draft, Record

Outcome = tuple[Record, ...] | JournalError
# Commits all it is given in one transaction and says what became of each append. Raises when none was kept.
Commit = Callable[[Sequence[Sequence[Draft]]], list[Outcome]]


T = TypeVar("T")


class _Job(NamedTuple):
    run: Callable[[], Any]
    future: asyncio.Future[Any]


class _Append(NamedTuple):
    drafts: Sequence[Draft]
    future: asyncio.Future[tuple[Record, ...]]


class Writer:
    """Belongs to the one event loop that calls ``put``, which alone sees ``trouble``, ``lost`` and ``on_failure``."""

    def __init__(self, commit: Commit, *, on_failure: Callable[[JournalError], None] | None, most_waiting: int) -> None:
        self.trouble: str | None = None
        self.lost = 0
        self._commit = commit
        self._on_failure = on_failure
        self._most_waiting = most_waiting
        # None ends the thread. Not a Condition around a list: an allow waits for this hand-over, and this one is C.
        self._queue: SimpleQueue[_Append | _Job | None] = SimpleQueue()
        self._jobs: deque[_Job] = deque()
        self._waiting = 0
        self._closing = False
        # Held while something is queued, so that nothing can be queued behind the end.
        self._door = threading.Lock()
        # A daemon: a hub that dies without closing must not be kept alive by a thread that waits for work.
        self._thread = threading.Thread(target=self._run, name="journal-writer", daemon=True)
        self._thread.start()

    def put(self, drafts: Sequence[Draft]) -> asyncio.Future[tuple[Record, ...]]:
        """Queue an append. Never blocks and never raises: what goes wrong is in the future."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[tuple[Record, ...]] = loop.create_future()
        with self._door:
            refusal = self._refusal(len(drafts))
            if refusal is None:
                self._waiting += len(drafts)
                self._queue.put(_Append(drafts, future))
        if refusal is not None:
            # Not here and now: the failure callback may append again.
            outcomes: list[Outcome] = [refusal]
            loop.call_soon(self._deliver, [_Append(drafts, future)], outcomes, str(refusal))
        return future

    def run(self, job: Callable[[], T]) -> asyncio.Future[T]:
        """Let the thread do something else in between. All appends that wait go first, but one job is done after each
        transaction, so that a busy journal is looked after, too: a job must be short."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        with self._door:
            if self._closing:
                _finish(future, _closed())
            else:
                self._queue.put(_Job(job, future))
        return future

    def _refusal(self, drafts: int) -> JournalError | None:
        if self._closing:
            return _closed()
        if self._waiting + drafts > self._most_waiting:
            return JournalError(f"Not recorded: {self._waiting} records already wait for the disk.")
        return None

    def close(self) -> None:
        """Commit what waits, then end the thread. Blocks."""
        with self._door:
            self._closing = True
            self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        is_open = True
        while is_open:
            batch, is_open = self._take()
            if batch:
                self._keep(batch)
            if self._jobs:
                self._do(self._jobs.popleft())
        for job in self._jobs:
            self._tell(job, _closed())

    def _keep(self, batch: list[_Append]) -> None:
        trouble = None
        try:
            outcomes = self._commit([append.drafts for append in batch])
        except Exception as error:
            # The edge of the thread: if it died of this, every later append would wait for ever.
            why = error.message if isinstance(error, JournalError) else f"Not recorded: {error!r}."
            hint = getattr(error, "hint", None)
            # One error each: an error that many tasks raise collects all their tracebacks.
            outcomes = [_because(JournalError(why, hint=hint), error) for _ in batch]
            trouble = str(outcomes[0])
        try:
            batch[0].future.get_loop().call_soon_threadsafe(self._settle, batch, outcomes, trouble)
        except RuntimeError:
            pass  # The loop is closed, so no task waits; the records are kept all the same.

    def _do(self, job: _Job) -> None:
        try:
            outcome = job.run()
        except Exception as error:
            outcome = error
        self._tell(job, outcome)

    def _tell(self, job: _Job, outcome: Any) -> None:
        try:
            job.future.get_loop().call_soon_threadsafe(_finish, job.future, outcome)
        except RuntimeError:
            pass  # As above.

    def _take(self) -> tuple[list[_Append], bool]:
        """All appends that wait, at least one unless there is a job to do; and whether more can come."""
        batch: list[_Append] = []
        try:
            while True:
                queued = self._queue.get(block=not batch and not self._jobs)
                if queued is None:
                    return batch, False
                if isinstance(queued, _Job):
                    self._jobs.append(queued)
                else:
                    batch.append(queued)
        except Empty:
            return batch, True

    def _settle(self, batch: list[_Append], outcomes: list[Outcome], trouble: str | None) -> None:
        self._waiting -= sum(len(append.drafts) for append in batch)
        self._deliver(batch, outcomes, trouble)

    def _deliver(self, batch: list[_Append], outcomes: list[Outcome], trouble: str | None) -> None:
        self.trouble = trouble
        failure = None
        for append, outcome in zip(batch, outcomes, strict=True):
            future = append.future
            if not isinstance(outcome, JournalError):
                if not future.done():  # the awaiting task was cancelled
                    future.set_result(outcome)
                continue
            if not isinstance(outcome, DuplicateError):
                self.lost += len(append.drafts)
                failure = outcome
            if not future.done():
                future.set_exception(outcome)
                future.exception()  # Retrieved: an append that is not awaited must not log a warning.
        if failure is not None and self._on_failure is not None:
            self._on_failure(failure)


def _because(error: JournalError, cause: Exception) -> JournalError:
    error.__cause__ = cause
    return error


def _closed() -> JournalError:
    return JournalError("Not recorded: the journal is closed.")


def _finish(future: asyncio.Future[Any], outcome: Any) -> None:
    if future.done():
        return  # the awaiting task was cancelled
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
        future.exception()  # Retrieved, as above: not every job is awaited.
    else:
        future.set_result(outcome)
