"""Carries bytes from one address to another, where a program cannot listen, or call, by itself.

    python -m tests.component.team.forward FROM TO ...

Each is ``host:port``, or the path of a Unix socket: those are shared by all network namespaces of a machine."""

import asyncio
import contextlib
import sys

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def main(pairs: list[tuple[str, str]]) -> None:
    servers = [await _server(source, goal) for source, goal in pairs]
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.gather(*(server.serve_forever() for server in servers))


async def _server(source: str, goal: str) -> asyncio.Server:
    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            there, back = await _opened(goal)
            await asyncio.gather(_pour(reader, back), _pour(there, writer))
        writer.close()

    if "/" in source:
        return await asyncio.start_unix_server(carry, source)
    host, _, port = source.rpartition(":")
    return await asyncio.start_server(carry, host, int(port))


async def _opened(goal: str) -> Streams:
    if "/" in goal:
        return await asyncio.open_unix_connection(goal)
    host, _, port = goal.rpartition(":")
    return await asyncio.open_connection(host, int(port))


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while content := await reader.read(1 << 16):
            writer.write(content)
            await writer.drain()
    writer.close()


if __name__ == "__main__":
    asyncio.run(main(list(zip(sys.argv[1::2], sys.argv[2::2], strict=True))))
