"""The process at the other end of a Unix socket, by the kernel's word."""

import socket
import struct
import sys
from typing import Any

from assent.hub import processes
from assent.hub.access.caller import Peer

# macOS: <sys/un.h>.
_SOL_LOCAL, _LOCAL_PEERCRED, _LOCAL_PEERPID = 0, 1, 2
_XUCRED = struct.Struct("=2Ih")


def peer_of(sock: Any) -> Peer | None:
    """Who connected; None where that was not over a Unix socket. Id 0: it cannot be seen from here."""
    if sock is None or sock.family != socket.AF_UNIX:
        return None
    pid, uid = _mac(sock) if sys.platform == "darwin" else _linux(sock)
    # Read now, while it waits for an answer: later its id may be another's.
    return Peer(pid=pid, uid=uid, birth=processes.birth(pid) if pid else None)


def _linux(sock: Any) -> tuple[int, int]:
    pid, uid, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return pid, uid


def _mac(sock: Any) -> tuple[int, int]:  # pragma: no cover - there is no such machine to try it on
    try:
        pid = int.from_bytes(sock.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID, 4), sys.byteorder)
        _, uid, _ = _XUCRED.unpack_from(sock.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, 76))
    except (OSError, struct.error):
        return 0, 0
    return pid, uid
