"""The door for other machines: a second listener, opened only where the settings ask for it."""

import socket
import ssl
from dataclasses import dataclass

from assent.config import Remote
from assent.hub.access.places import with_port

DEFAULT_PORT = 8718


@dataclass(frozen=True, slots=True)
class RemoteDoor:
    sock: socket.socket
    # None: what is said can be read and changed on the way.
    tls: ssl.SSLContext | None
    name: str
    port: int

    @property
    def url(self) -> str:
        scheme = "https" if self.tls else "http"
        return f"{scheme}://{with_port(self.name, self.port, scheme)}"


def bound(remote: Remote) -> socket.socket:
    """Raises OSError."""
    assert remote.bind is not None
    family = socket.AF_INET6 if ":" in remote.bind else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((remote.bind, DEFAULT_PORT if remote.port is None else remote.port))
    except OSError:
        sock.close()
        raise
    return sock
