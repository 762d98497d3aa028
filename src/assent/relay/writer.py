"""Live changes on their way to the tables: many at once, in the background, until the database has taken them."""

import asyncio
import logging

from assent.errors import AssentError
from assent.relay.database import BadValueError
from assent.relay.store import Changes, Store

log = logging.getLogger("assent.relay")

FIRST_DELAY, LONGEST_DELAY = 0.1, 2.0
# How long one who posts waits to hear that the database has it; it goes on by itself.
PATIENCE = 2.0


class Writer:
    def __init__(self, store: Store) -> None:
        self.changes = Changes()
        self._store = store
        self._wake = asyncio.Event()
        self._taken = asyncio.Event()
        self._asked = 0
        self._through = 0
        self._is_away = False

    def wake(self) -> None:
        """After ``changes`` were added to."""
        self._asked += 1
        self._wake.set()

    async def is_written(self) -> bool:
        """Whether all that was added so far is in the tables, waited for only as long as the database answers."""
        wanted = self._asked
        try:
            async with asyncio.timeout(PATIENCE):
                while self._through < wanted and not self._is_away:
                    await self._taken.wait()
        except TimeoutError:
            pass
        return self._through >= wanted

    async def run_forever(self) -> None:
        delay = FIRST_DELAY
        while True:
            await self._wake.wait()
            self._wake.clear()
            changes, asked = self.changes, self._asked
            self.changes = Changes()
            try:
                await self._write(changes)
            except AssentError as error:
                self.changes = changes.then(self.changes)
                if not self._is_away:
                    log.warning("live asks stay in this relay for now: %s", error.message)
                self._set_away(is_away=True)
                self._wake.set()
                await asyncio.sleep(delay)
                delay = min(2 * delay, LONGEST_DELAY)
            else:
                delay = FIRST_DELAY
                self._through = asked
                self._set_away(is_away=False)

    async def _write(self, changes: Changes) -> None:
        try:
            if changes:
                await self._store.write(changes)
        except BadValueError:
            # One of them must not keep the others.
            for part in changes.parts():
                try:
                    await self._store.write(part)
                except BadValueError as error:
                    log.error("a live ask or answer stays in this relay: %s", error.message)

    def _set_away(self, *, is_away: bool) -> None:
        self._is_away = is_away
        taken, self._taken = self._taken, asyncio.Event()
        taken.set()
