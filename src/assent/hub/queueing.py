"""An instruction for an agent that is held at its stop: it is told at once, instead of being queued."""

from assent.asks import queue
from assent.asks.desk import Desk
from assent.asks.held import Person, RefusedError
from assent.hub.queues import GOALS
from assent.protocol.card import AnswerRequest
from assent.protocol.queue import Goal


async def told_now(desk: Desk, session: str, text: str, to: Goal, person: Person) -> bool:
    """Whether somebody waited for just this. Raises QueueError where it cannot be said."""
    for held in desk.waiting:
        event = held.case.event
        if event.session_id == session and GOALS.get(type(event)) == to:
            words = queue.worded(text)
            said = AnswerRequest(rev=held.rev, hash=held.drawn.hash, choice="keep_going", message=words)
            try:
                await desk.answer(held.name, said, person)
            except RefusedError:
                # Somebody else was faster, so it waits for the next stop.
                continue
            return True
    return False
