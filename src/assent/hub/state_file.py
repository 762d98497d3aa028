"""A small file kept up to date in the background: the newest content wins, and the loop never waits for a disk."""

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path

from assent.hub import kept

log = logging.getLogger("assent.hub")


@dataclass(slots=True)
class Saved:
    path: Path
    _next: bytes | None = None
    _writing: asyncio.Task[None] | None = None

    def read(self) -> bytes | None:
        return kept.read(self.path)

    def put(self, content: bytes) -> None:
        self._next = content
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())

    async def flush(self) -> None:
        if self._writing is not None:
            await self._writing

    async def _write(self) -> None:
        try:
            while self._next is not None:
                content, self._next = self._next, None
                await asyncio.to_thread(kept.write, self.path, content)
        except OSError as error:
            log.warning("%s could not be written: %s", self.path.name, error.strerror)
        finally:
            self._writing = None
