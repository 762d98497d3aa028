"""The door for other machines: a second listener, opened only where the settings ask for it."""

import datetime
import socket
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from assent.config import Remote
from assent.hub.access.places import with_port

if TYPE_CHECKING:
    from assent.hub.access.authority import Authority

DEFAULT_PORT = 8718


class DoorError(Exception):
    """The door stays shut, and why."""


@dataclass(slots=True)
class RemoteDoor:
    sock: socket.socket
    # None: what is said can be read and changed on the way.
    tls: ssl.SSLContext | None
    name: str
    port: int
    # Where the certificate comes from: given files, or an authority of our own.
    authority: "Authority | None" = None
    files: tuple[Path, Path] | None = None
    _stamp: tuple[int, ...] = field(default=())

    @property
    def url(self) -> str:
        scheme = "https" if self.tls else "http"
        return f"{scheme}://{with_port(self.name, self.port, scheme)}"

    def refresh(self) -> None:
        """Take a renewed certificate; who connects from now on gets it. Raises OSError, ssl.SSLError."""
        if self.tls is None or self.files is None:
            return
        if self.authority:
            self.authority.renew(datetime.datetime.now(datetime.UTC))
        stamp = tuple(path.stat().st_mtime_ns for path in self.files)
        if stamp != self._stamp:
            self.tls.load_cert_chain(*self.files)
            self._stamp = stamp


def open_door(remote: Remote, keys: Path) -> RemoteDoor | None:
    """None where none is configured. Raises DoorError."""
    if remote.bind is None:
        return None
    name = remote.name or remote.bind
    wanted = DEFAULT_PORT if remote.port is None else remote.port
    try:
        sock = _bound(remote.bind, wanted)
    except OSError as error:
        raise DoorError(
            f"Port {wanted} on {remote.bind} cannot be used ({error.strerror}): other machines do not reach the hub."
        ) from None
    door = RemoteDoor(sock, None, name, sock.getsockname()[1])
    if remote.tls:
        try:
            _lock(door, remote, keys)
        except (OSError, ssl.SSLError) as error:
            sock.close()
            how = f"with {remote.certificate}" if remote.certificate else "with a certificate of its own"
            why = error.strerror or str(error)
            raise DoorError(f"TLS {how} does not work ({why}): other machines do not reach the hub.") from None
    return door


def _lock(door: RemoteDoor, remote: Remote, keys: Path) -> None:
    door.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    door.tls.minimum_version = ssl.TLSVersion.TLSv1_2
    if remote.certificate and remote.key:
        door.files = (Path(remote.certificate).expanduser(), Path(remote.key).expanduser())
    else:
        # Here and not above: certificates are a large library, and most hubs have no such door.
        from assent.hub.access.authority import Authority

        door.authority = Authority(keys, door.name)
        door.files = (door.authority.server_certificate, door.authority.server_key)
    door.refresh()


def _bound(address: str, port: int) -> socket.socket:
    """Raises OSError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address, port))
    except OSError:
        sock.close()
        raise
    return sock
