"""A peer: the HTTP observer that does nothing. Answers every POST with {} and a GET with how many there were."""

import asyncio


class Observer(asyncio.Protocol):
    seen = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.held = b""

    def data_received(self, data: bytes) -> None:
        self.held += data
        while b"\r\n\r\n" in self.held:
            head, _, rest = self.held.partition(b"\r\n\r\n")
            lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            size = int(lengths[0].partition(b":")[2]) if lengths else 0
            if len(rest) < size:
                return
            self.held = rest[size:]
            if head.startswith(b"GET"):
                body = b"%d" % Observer.seen
            else:
                Observer.seen += 1
                body = b"{}"
            kind = b"content-type: application/json"
            self.transport.write(b"HTTP/1.1 200 OK\r\n%s\r\ncontent-length: %d\r\n\r\n%s" % (kind, len(body), body))


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(Observer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
