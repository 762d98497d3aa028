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


def _parent(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The name in parentheses may hold spaces and parentheses itself.
    return int(stat.rpartition(")")[2].split()[1])
