"""A decision the agent never heard is not what happened: it is put on record that it was not delivered."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from assent.hub.pipeline import Arrival, Pipeline, now_ms
from assent.journal.base import JournalError
from assent.protocol import bodies
from assent.protocol.bodies import ToldBody
from assent.protocol.record import Draft, Record

log = logging.getLogger("assent.hub")

# The decision itself is written behind the reply, so it may not be there at once.
LOOKS = (0.0, 0.1, 1.0, 3.0)
WHY = "the agent was gone before the answer came"


@dataclass(slots=True)
class Undelivered:
    pipeline: Pipeline
    # Told at once which request it was.
    also: Callable[[str], None] = lambda _: None
    _noting: set[asyncio.Task[None]] = field(default_factory=set)

    def note(self, arrival: Arrival) -> None:
        """Called by whoever found nobody at the other end."""
        self.also(arrival.request_id)
        asking = self.pipeline.asking
        if asking is not None and asking.desk.told(arrival.request_id, delivered=False):
            # Somebody's answer: the desk puts on record what became of it.
            return
        task = asyncio.ensure_future(self._note(arrival))
        self._noting.add(task)
        task.add_done_callback(self._noting.discard)

    async def _note(self, arrival: Arrival) -> None:
        try:
            decision = await self._decision(arrival.request_id)
            if decision is not None:
                await self.pipeline.record([_draft(decision)])
        except JournalError as error:
            log.warning("an answer was not delivered, and that is not on record: %s", error.message)

    async def _decision(self, request: str) -> Record | None:
        for pause in LOOKS:
            await asyncio.sleep(pause)
            found = await self.pipeline.journal.decision_for(request)
            if found is not None:
                return found
        return None


def _draft(decision: Record) -> Draft:
    names = ("event", "harness", "project", "tool")
    known = {name: str(decision.body[name]) for name in names if decision.body.get(name)}
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
        body=bodies.body(ToldBody(delivered=False, why=WHY, **known)),
    )
