"""Lines of a stream as their bytes came, with a bound on what is held in memory."""

import asyncio
from collections.abc import AsyncIterator

# A whole file may stand in one message, twice.
LONGEST = 64 << 20
CHUNK = 1 << 16


class TooLongError(Exception):
    """A line is longer than is held: nothing behind its beginning can be told from a message."""


async def read(stream: asyncio.StreamReader, longest: int = LONGEST) -> AsyncIterator[bytes]:
    """Each line with its end; the last one as it is. Raises TooLongError."""
    held = bytearray()
    searched = 0
    while chunk := await stream.read(CHUNK):
        held += chunk
        while (end := held.find(b"\n", searched)) >= 0:
            line = bytes(held[: end + 1])
            del held[: end + 1]
            searched = 0
            yield line
        searched = len(held)
        if searched > longest:
            raise TooLongError
    if held:
        yield bytes(held)
