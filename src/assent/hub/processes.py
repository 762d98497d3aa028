"""What can be known about other processes of this machine without starting one."""

import os
from collections.abc import Collection
from pathlib import Path

DEEPEST = 256
# The agent's client gives its own process id to all that it starts.
_NAMES_AGENT = b"CLAUDE_PID="
_TELLS = Path("/proc/self/stat").exists()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def may_be_of(pid: int, suspects: Collection[int]) -> bool:
    """Whether a suspect started the process, as far as can be told. On macOS the kernel does not tell: False."""
    return _TELLS and bool(suspects) and (_names_one(pid, suspects) or descends_from(pid, suspects))


def descends_from(pid: int, suspects: Collection[int]) -> bool:
    """Whether a suspect is the process or among its ancestors. A process that is gone, or whose line does not end, is
    taken for one that has something to hide."""
    for _ in range(DEEPEST):
        if pid in suspects:
            return True
        parent = _parent(pid)
        if parent is None:
            return True
        if parent <= 1:
            return False
        pid = parent
    return True


def _names_one(pid: int, suspects: Collection[int]) -> bool:
    """Whether its environment comes from a suspect: that is left where whoever started it is gone."""
    try:
        known = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False
    given = (entry.removeprefix(_NAMES_AGENT) for entry in known if entry.startswith(_NAMES_AGENT))
    return any(value.isdigit() and int(value[:20]) in suspects for value in given)


def birth(pid: int) -> str | None:
    """Tells a process from a later one with the same id; None where the kernel does not tell."""
    fields = _stat(pid)
    return fields[19] if fields else None


def _parent(pid: int) -> int | None:
    fields = _stat(pid)
    return int(fields[1]) if fields else None


def _stat(pid: int) -> list[str]:
    """What the kernel says after the name, which stands in parentheses and may hold spaces and parentheses itself."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []
