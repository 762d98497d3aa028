"""What can be known about other processes of this machine without starting one."""

import os
from collections.abc import Collection
from pathlib import Path

DEEPEST = 64


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def descends_from(pid: int, suspects: Collection[int]) -> bool:
    """Whether a suspect is the process or among its ancestors. False where the kernel does not tell (macOS)."""
    for _ in range(DEEPEST):
        if pid in suspects:
            return True
        parent = _parent(pid)
        if parent is None or parent <= 1:
            return False
        pid = parent
    return False


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
