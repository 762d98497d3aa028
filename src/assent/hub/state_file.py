"""Small state files of the hub: written atomically, readable by the user only, also in the background."""

import asyncio
import logging
import os
from dataclasses import dataclass
from pathlib import Path


def read(path: Path) -> bytes | None:
    """None where nothing can be read: the caller can make its state anew."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def write(path: Path, content: bytes) -> None:
    """Raises OSError and leaves what was there."""
    fresh = path.with_name(f".{path.name}.fresh")
    fresh.unlink(missing_ok=True)
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(fd)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


log = logging.getLogger("assent.hub")


@dataclass(slots=True)
class DebouncedFile:
    path: Path
    _next: bytes | None = None
    _writing: asyncio.Task[None] | None = None

    def read(self) -> bytes | None:
        return read(self.path)

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
                await asyncio.to_thread(write, self.path, content)
        except OSError as error:
            log.warning("%s could not be written: %s", self.path.name, error.strerror)
        finally:
            self._writing = None
