"""A wire between a journal and its server that the test can cut, or let answers vanish in."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit


class Proxy:
    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        assert parts.port is not None
        self._server = (parts.hostname, parts.port)
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = url.replace(f":{parts.port}/", f":{self._door.getsockname()[1]}/")
        # Answers of the server are read and thrown away, those that came and those to come.
        self.swallows = False
        self.refuses = False
        self.connections = 0
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def cut(self) -> None:
        """End all connections that there are."""
        for end in list(self._sockets):
            _end(end)

    def close(self) -> None:
        _end(self._door)
        self.cut()
        for thread in self._threads:
            thread.join()
        for end in (self._door, *self._sockets):
            end.close()

    def _start(self, work: Callable[..., None], *values: object) -> None:
        self._threads.append(threading.Thread(target=work, args=values, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._door.accept()
            except OSError:
                return
            self.connections += 1
            if self.refuses:
                client.close()
                continue
            server = socket.create_connection(self._server)
            self._sockets += (client, server)
            self._start(self._carry, client, server, False)
            self._start(self._carry, server, client, True)

    def _carry(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if not (is_answer and self.swallows):
                    target.sendall(data)
        _end(source)
        _end(target)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
