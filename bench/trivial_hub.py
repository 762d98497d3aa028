"""A peer: the hub that does nothing. Answers every line at once; what it takes is the machine's share in any answer."""

import asyncio
import sys


class Silent(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        for _ in range(data.count(b"\n")):
            self.transport.write(b'{"request_id":"","ts":0,"payload":{"action":"passthrough"}}\n')


async def main() -> None:
    server = await asyncio.get_running_loop().create_unix_server(Silent, path=sys.argv[1], backlog=512)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
