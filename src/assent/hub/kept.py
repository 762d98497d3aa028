"""Small files the hub keeps for itself between two lives: whole or not at all, and for nobody else's eyes."""

import os
from pathlib import Path


def read(path: Path) -> bytes | None:
    """None where there is nothing that can be read: whoever keeps something here can make it anew."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def write(path: Path, content: bytes) -> None:
    """Raises OSError and leaves what was there."""
    fresh = path.with_name(f".{path.name}.fresh")
    fresh.unlink(missing_ok=True)
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(fd)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
