"""Actions on the queue of a session. Each change is bound to the instruction it was meant for."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from assent.errors import AssentError
from assent.hub_state import snippets
from assent.protocol.queue import Item, Queue
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.text import sentence
from assent.tui.shared import Shared

Run = Callable[[Coroutine[Any, Any, None]], None]


class QueueHands:
    def __init__(self, shared: Shared, run: Run, changed: Callable[[], None]) -> None:
        self._shared = shared
        self._run = run
        self._changed = changed
        self.take_up("")

    def take_up(self, session: str) -> None:
        self.session = session
        self.queue: Queue | None = None
        # The instruction that Enter would delete, and the last one that was, with its place.
        self.doomed = ""
        self._deleted: tuple[Item, int] | None = None

    async def load(self) -> None:
        session = self.session
        try:
            self._show(session, await asyncio.to_thread(self._shared.client.queue, session))
        except AssentError as error:
            if session == self.session:
                self._shared.warn(sentence(error))

    def _show(self, session: str, queue: Queue) -> None:
        if session == self.session:
            self.queue = queue
            self._changed()

    def item(self, name: str) -> Item | None:
        return next((item for item in (self.queue.items if self.queue else ()) if item.id == name), None)

    @property
    def can_undo(self) -> bool:
        """An answer that can be taken back comes first."""
        return self._deleted is not None and not self._shared.answers.is_one_held

    def add(self) -> None:
        if self._is_closed():
            return
        take = self._taken(self._shared.client.queue_add, "Added.")
        self._shared.prompt(Typing("queue an instruction:", take, picks=self._snippets()))

    def tell(self) -> None:
        """For its next tool result."""
        if self._is_closed():
            return
        if self.queue is not None and self.queue.no_tool:
            self._shared.warn(self.queue.no_tool)
            return
        add = self._shared.client.queue_add
        take = self._taken(lambda session, text: add(session, text, "tool"), "Added: told with its next tool result.")
        self._shared.prompt(Typing("tell it with its next tool result:", take, picks=self._snippets()))

    def _is_closed(self) -> bool:
        if self.queue is None or not self.queue.note:
            return False
        self._shared.warn(self.queue.note)
        return True

    def _snippets(self) -> list[str]:
        mirror = self._shared.mirror
        session = mirror.sessions.get(self.session)
        return snippets(mirror.hub, session.project if session else "")

    def edit(self, item: Item) -> None:
        change = self._shared.client.queue_change
        take = self._taken(lambda session, text: change(session, item.id, text=text), "Changed.")
        self._shared.prompt(Typing("instead:", take, item.text))

    def move(self, item: Item, by: int) -> None:
        session, items = self.session, self.queue.items if self.queue else ()
        place = items.index(item) + 1 + by
        if 1 <= place <= len(items):
            self._change(lambda: self._shared.client.queue_change(session, item.id, place=place), f"Moved to {place}.")

    def doom(self, name: str) -> bool:
        """True if that is another one than before."""
        was, self.doomed = self.doomed, name
        return was != name

    def delete(self) -> None:
        """The one that was shown as doomed, wherever it stands now."""
        session, doomed, self.doomed = self.session, self.doomed, ""
        item = self.item(doomed)
        if item is not None and self.queue is not None:
            self._deleted = (item, self.queue.items.index(item) + 1)
            self._change(lambda: self._shared.client.queue_remove(session, doomed), "Deleted. u brings it back.")

    def undo(self) -> None:
        if self._deleted is None:
            return
        (item, place), self._deleted, session, client = self._deleted, None, self.session, self._shared.client

        def again() -> Queue:
            before = {each.id for each in client.queue(session).items}
            queue = client.queue_add(session, item.text, item.to)
            new = next((each.id for each in queue.items if each.id not in before), None)
            return client.queue_change(session, new, place=min(place, len(queue.items))) if new else queue

        self._change(again, "It waits again.")

    def _taken(self, act: Callable[[str, str], Queue], done: str) -> Callable[[str], str | None]:
        session = self.session

        def take(text: str) -> str | None:
            if not text.strip():
                return "Nothing was written. Esc closes this."
            self._change(lambda: act(session, text.strip()), done)
            return None

        return take

    def _change(self, act: Callable[[], Queue], done: str) -> None:
        session = self.session

        async def change() -> None:
            try:
                self._show(session, await asyncio.to_thread(act))
                self._shared.say(done)
            except AssentError as error:
                self._shared.warn(sentence(error))

        self._run(change())
