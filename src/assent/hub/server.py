"""Listeners: HTTP on loopback and on the desk socket, lines on the hook socket."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp

from assent.hub.access.agents import Agents
from assent.hub.access.caller import Door
from assent.hub.access.connection import Connection
from assent.hub.access.crowd import Crowd, fitting
from assent.hub.access.origin import Origins
from assent.hub.access.remote import RemoteDoor
from assent.hub.ingress.hook_socket import Answers, HookProtocol
from assent.hub.lifetime import listening_socket_path, make_private
from assent.paths import Paths
from assent.webapi.server import HttpServer

CROWDS = {
    # Browsers and HTTP hooks of this machine.
    "loopback": Crowd(most=512, most_of_one=512),
    # People's programs, and what agents started; of one process each.
    "desk": Crowd(most=512, most_of_one=256, for_people=192),
    # Other machines.
    "remote": Crowd(most=128, most_of_one=32),
    # Shims, each a process of its own, and other forwarders.
    "hook": Crowd(most=1024, most_of_one=256, most_behind_one=512),
}
HANDSHAKE_SECONDS = 10.0
# As many as the system lets wait to be taken in.
BACKLOG = 4096

Protocols = Callable[[], asyncio.Protocol]


@dataclass(slots=True)
class Server:
    """Everything that listens, opened and closed together."""

    paths: Paths
    app: ASGIApp
    hooks: Answers
    agents: Agents
    origins: Origins
    # How many files may be open.
    files: int
    _http: HttpServer = field(init=False)
    _hooks: asyncio.Server = field(init=False)

    async def open(self, tcp: socket.socket | None, remote: RemoteDoor | None = None) -> None:
        self._http = http = HttpServer(self.app, Connection)
        await http.start()
        crowds = fitting(CROWDS, self.files)

        def protocol(app_state: dict[str, Any], crowd: str) -> Protocols:
            return lambda: Connection(http.config, http.state, app_state, crowds[crowd], self.origins)

        loop = asyncio.get_running_loop()
        # Closed together, with the rest of their kind.
        open_ones = http.servers
        if tcp:
            open_ones.append(await loop.create_server(protocol({"door": Door.LOOPBACK}, "loopback"), sock=tcp))
        if remote:
            open_ones.append(
                await loop.create_server(
                    protocol({"door": Door.REMOTE}, "remote"),
                    sock=remote.sock,
                    ssl=remote.tls,
                    ssl_handshake_timeout=HANDSHAKE_SECONDS if remote.tls else None,
                )
            )
        open_ones.append(await self._listen(self.paths.desk_socket, protocol({}, "desk")))
        # Hooks last: a shim that gets through finds everything else in place.
        self._hooks = await self._listen(
            self.paths.hook_socket, lambda: HookProtocol(self.hooks, self.agents, crowds["hook"])
        )

    @staticmethod
    async def _listen(path: Path, protocol: Protocols) -> asyncio.Server:
        server = await asyncio.get_running_loop().create_unix_server(
            protocol, path=listening_socket_path(path), backlog=BACKLOG
        )
        make_private(path)
        return server

    async def close(self) -> None:
        """Refuse new connections, let answers under way go out."""
        self._hooks.close()
        await self._http.shutdown()
        for path in (self.paths.hook_socket, self.paths.desk_socket):
            path.unlink(missing_ok=True)
            if not path.is_relative_to(self.paths.state):
                # Under the temporary folder, which is not cleaned up otherwise.
                with contextlib.suppress(OSError):
                    path.parent.rmdir()


def bind_loopback(host: str, port: int) -> socket.socket:
    """Raises OSError when the port is taken."""
    # The protocol by name: asyncio turns off Nagle's algorithm only on sockets that say they are TCP, and with it every
    # answer in two writes would wait 40 ms for the client's acknowledgement.
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
    except OSError:
        sock.close()
        raise
    return sock
