"""Files of the shim's folder, replaced in one step: a hook that starts meanwhile finds the old one or the new one."""

import os
import tempfile
from pathlib import Path


def write(path: Path, data: bytes, mode: int) -> bool:
    """False where it already was so."""
    if holds(path, data, mode):
        return False
    temporary = beside(path, data, mode)
    try:
        temporary.replace(path)
    except BaseException:
        temporary.unlink()
        raise
    return True


def holds(path: Path, data: bytes, mode: int) -> bool:
    """Whether it is a file with this content and mode, and no link to one."""
    try:
        return not path.is_symlink() and path.read_bytes() == data and path.stat().st_mode & 0o7777 == mode
    except FileNotFoundError:
        return False


def beside(path: Path, data: bytes, mode: int) -> Path:
    """A new file beside it, to be put in its place."""
    fd, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(fd, mode)
            # Before the rename: after a power cut a hook must not find an empty program.
            os.fsync(fd)
    except BaseException:
        Path(name).unlink()
        raise
    return Path(name)


def link(path: Path, target: Path) -> None:
    if path.is_symlink() and path.readlink() == target:
        return
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    temporary.symlink_to(target)
    temporary.replace(path)
