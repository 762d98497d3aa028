"""What transports do with the pipeline: hand in a hook run, and tell what became of its answer.

A decision the agent never heard is not what happened: it is put on record that it was not delivered."""

import asyncio
import logging
from dataclasses import dataclass, field

from assent.asks.desk import Desk
from assent.hub.asking.appeals import Appeals
from assent.hub.asking.queues import Queues
from assent.hub.bus import now_ms
from assent.hub.pipeline import sender
from assent.hub.pipeline.arrival import Arrival
from assent.hub.pipeline.pipeline import Pipeline
from assent.journal.base import JournalError
from assent.protocol import bodies
from assent.protocol.bodies import ToldBody
from assent.protocol.envelope import SILENT, Output
from assent.protocol.record import Draft, Record

log = logging.getLogger("assent.hub")

# The decision itself is written behind the reply, so it may not be there at once.
LOOKS = (0.0, 0.1, 1.0, 3.0)
WHY = "the agent was gone before the answer came"


@dataclass(slots=True)
class Hooks:
    pipeline: Pipeline
    desk: Desk | None = None
    queues: Queues | None = None
    appeals: Appeals | None = None
    _noting: set[asyncio.Task[None]] = field(default_factory=set)

    async def answer(self, arrival: Arrival) -> Output:
        """What the harness is told. The same request id gets the same answer, however often it asks."""
        routed = sender.routed(arrival)
        return SILENT if routed is None else await self.pipeline.answer(routed)

    def told(self, request: str) -> None:
        """The answer was handed over."""
        if self.desk is not None:
            self.desk.told(request, delivered=True)

    def lost(self, request: str) -> None:
        """The connection broke while the answer was waited for."""
        if self.desk is not None:
            self.desk.lost(request)

    def missed(self, arrival: Arrival) -> None:
        """There was an answer, and no one at the other end to take it."""
        if self.queues is not None:
            self.queues.missed(arrival.request_id)
        if self.appeals is not None:
            self.appeals.missed(arrival.request_id)
        if self.desk is not None and self.desk.told(arrival.request_id, delivered=False):
            # A person's answer: the desk puts on record what became of it.
            return
        task = asyncio.ensure_future(self._note(arrival))
        self._noting.add(task)
        task.add_done_callback(self._noting.discard)

    async def _note(self, arrival: Arrival) -> None:
        try:
            decision = await self._decision(arrival.request_id)
            if decision is not None:
                await self.pipeline.recorder.record([_draft(decision)])
        except JournalError as error:
            log.warning("an answer was not delivered, and that is not on record: %s", error.message)

    async def _decision(self, request: str) -> Record | None:
        for pause in LOOKS:
            await asyncio.sleep(pause)
            decision = await self.pipeline.recorder.journal.decision_for(request)
            if decision is not None:
                return decision
        return None


def _draft(decision: Record) -> Draft:
    names = ("event", "harness", "project", "tool")
    fields = {name: str(decision.body[name]) for name in names if decision.body.get(name)}
    return Draft(
        at=now_ms(),
        kind="told",
        session=decision.session,
        agent=decision.agent,
        call=decision.call,
        ask=decision.ask,
        request=decision.request,
        risk=decision.risk,
        decision=decision.decision,
        by="hub:socket",
        body=bodies.body(ToldBody(delivered=False, why=WHY, **fields)),
    )
