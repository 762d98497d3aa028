"""Listening: HTTP on loopback and on the desk socket, lines on the hook socket."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from assent.hub import unix
from assent.hub.auth import Peer
from assent.hub.folders import listening_socket_path, make_private
from assent.paths import Paths


class _Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Tells the app who is at the other end when that can be known."""

    app_state: dict[str, Any]

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        peer = _peer_of(transport.get_extra_info("socket"))
        if peer is not None:
            self.app_state = {**self.app_state, "peer": peer}


def _peer_of(sock: Any) -> Peer | None:
    if sock is None or sock.family != socket.AF_UNIX:
        return None
    if not hasattr(socket, "SO_PEERCRED"):
        # macOS: the folder's mode keeps other users out, the process stays unknown.
        return Peer(pid=0, uid=0)
    pid, uid, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return Peer(pid=pid, uid=uid)


@dataclass(slots=True)
class Server:
    """Everything that listens, opened and closed together."""

    paths: Paths
    app: Starlette
    answer: unix.Answer
    missed: unix.Missed
    _http: uvicorn.Server = field(init=False)
    _hooks: asyncio.Server = field(init=False)

    async def open(self, tcp: socket.socket | None) -> None:
        config = uvicorn.Config(
            self.app,
            http=_Protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=1,
        )
        config.load()
        self._http = uvicorn.Server(config)
        # Only its listening and closing halves are used: signals and the main loop belong to the hub.
        self._http.lifespan = config.lifespan_class(config)
        await self._http.startup(sockets=[tcp] if tcp else [])
        state = self._http.server_state
        desk = await self._listen(self.paths.desk_socket, lambda: _Protocol(config, state, {}))
        # Closed with the rest of its kind.
        self._http.servers.append(desk)
        # Hooks last: a shim that gets through finds everything else in place.
        self._hooks = await self._listen(self.paths.hook_socket, lambda: unix.HookProtocol(self.answer, self.missed))

    @staticmethod
    async def _listen(path: Path, protocol: Callable[[], asyncio.Protocol]) -> asyncio.Server:
        server = await asyncio.get_running_loop().create_unix_server(
            protocol, path=listening_socket_path(path), backlog=512
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
                # Under the temporary folder, where nobody else would clean up after us.
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
