"""Process information on macOS, by the calls that `ps` and the debugger use.

Never tried on such a machine: ``processes.TELLS`` compares what these calls say about our own process with what Python
says, and where the two differ nothing here is used."""

import ctypes
import os
import struct

# struct proc_bsdinfo (PROC_PIDTBSDINFO), of one's own processes: flags, status, xstatus, pid, ppid, uid … comm, name,
# files, pgid, jobs, terminal … start.
_OWN, _OWN_INFO = 3, struct.Struct("=12I16s32s5Ii2Q")
# struct proc_bsdshortinfo (PROC_PIDT_SHORTBSDINFO), of all: pid, ppid, pgid, status, comm, flags, uid …
_ANY, _ANY_INFO = 13, struct.Struct("=4I16s8I")
_HAS_TERMINAL = 2  # PROC_FLAG_CONTROLT
_ARGUMENTS = (1, 49)  # CTL_KERN, KERN_PROCARGS2
_LARGEST = 1 << 20


def look(pid: int) -> tuple[int, int, bool, int, str] | None:
    """Parent, session, whether it has a terminal, birth in microseconds (0 for other users' processes), and name."""
    try:
        session = os.getsid(pid)
    except OSError:
        return None
    if own := _told(pid, _OWN, _OWN_INFO.size):
        return read_own(own, session)
    info = _told(pid, _ANY, _ANY_INFO.size)
    return read_any(info, session) if info else None


def read_own(info: bytes, session: int) -> tuple[int, int, bool, int, str]:
    fields = _OWN_INFO.unpack(info)
    return fields[4], session, bool(fields[0] & _HAS_TERMINAL), fields[-2] * 1_000_000 + fields[-1], _name(fields[12])


def read_any(info: bytes, session: int) -> tuple[int, int, bool, int, str]:
    fields = _ANY_INFO.unpack(info)
    return fields[1], session, bool(fields[5] & _HAS_TERMINAL), 0, _name(fields[4])


def _told(pid: int, kind: int, size: int) -> bytes:
    room = ctypes.create_string_buffer(size)
    try:
        written = ctypes.CDLL(None).proc_pidinfo(pid, kind, ctypes.c_uint64(0), room, size)
    except AttributeError:
        return b""
    return room.raw if written == size else b""


def _name(field: bytes) -> str:
    return field.partition(b"\0")[0].decode("utf-8", "replace")


def environment(pid: int) -> list[bytes] | None:
    """Entries as they stand behind the arguments."""
    room, size = ctypes.create_string_buffer(_LARGEST), ctypes.c_size_t(_LARGEST)
    names = (ctypes.c_int * 3)(*_ARGUMENTS, pid)
    try:
        failed = ctypes.CDLL(None).sysctl(names, 3, room, ctypes.byref(size), None, ctypes.c_size_t(0))
    except AttributeError:
        return None
    return None if failed else entries(room.raw[: size.value])


def entries(content: bytes) -> list[bytes]:
    """How many arguments, the program, zeros, the arguments, the environment."""
    count = int.from_bytes(content[:4], "little")
    rest = content[4:].partition(b"\0")[2].lstrip(b"\0")
    return rest.split(b"\0")[count:]
