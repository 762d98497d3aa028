"""Reading and replacing other programs' files: atomically, and never over another program's change."""

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

from assent.errors import AssentError


class RefusedError(AssentError):
    """The file was left as it was."""


def read(path: Path) -> bytes | None:
    """The file's bytes, or None if there is none. A link is followed."""
    try:
        target = resolve(path)
        if target.is_dir():
            raise RefusedError(f"{path} is a folder, not a file. Nothing was changed.", hint="move it away.")
        status = target.stat()
        if not stat.S_ISREG(status.st_mode):
            raise RefusedError(f"{path} is not a regular file. Nothing was changed.", hint="move it away.")
        return target.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as e:
        raise RefusedError(f"Cannot read {path}: {e.strerror}. Nothing was changed.") from e


def resolve(path: Path) -> Path:
    """Where the bytes are: a link stays a link, what it points to is replaced."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as e:
        raise RefusedError(
            f"{path} is a link that leads nowhere. Nothing was changed.", hint="remove or repair the link."
        ) from e


def check_writable(path: Path) -> None:
    """Refuse early what replace() would refuse. Root is told too: a read-only mark is a wish of the owner."""
    target = resolve(path)
    for place in (target, next(p for p in target.parents if p.exists())):
        if not place.exists():
            continue
        if not place.stat().st_mode & 0o222 or not os.access(place, os.W_OK):
            kind = "folder" if place.is_dir() else "file"
            raise RefusedError(
                f"{place} is read-only. Nothing was changed.",
                hint=f"make the {kind} writable (chmod u+w), or install into another scope.",
            )


def is_writable(path: Path) -> bool:
    """Whether this user may write it, or make it."""
    target = resolve(path)
    return os.access(target if target.exists() else next(p for p in target.parents if p.exists()), os.W_OK)


def replace(path: Path, before: bytes | None, after: bytes, *, new_mode: int = 0o666, mask: int = 0o7777) -> list[Path]:
    """Put ``after`` where ``before`` was; return the folders that had to be made, outermost first.

    A file that was there keeps its mode as far as ``mask`` allows.
    """
    check_writable(path)
    target = resolve(path)
    made = _make_folders(target.parent)
    fd, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(after)
            _take_over(fd, target, new_mode, mask)
            file.flush()
            os.fsync(fd)
        # The last check before the rename: what a running session wrote meanwhile must not be lost.
        unchanged(path, before)
        temporary.replace(target)
        _sync_folder(target.parent)
    except OSError as e:
        raise RefusedError(f"Cannot write {path}: {e.strerror}. Nothing was changed.") from e
    finally:
        temporary.unlink(missing_ok=True)
        remove_empty(reversed(made))
    return made


def remove(path: Path, before: bytes) -> None:
    """Take the file away; a link to it stays, as it was before there was a file."""
    check_writable(path)
    unchanged(path, before)
    try:
        resolve(path).unlink()
    except OSError as e:
        raise RefusedError(f"Cannot remove {path}: {e.strerror}. Nothing was changed.") from e


def unchanged(path: Path, before: bytes | None) -> None:
    if read(path) != before:
        raise RefusedError(f"{path} was changed meanwhile. Nothing was written.", hint="run the command again.")


def mode(path: Path) -> int | None:
    """The permission bits of a file, or None if there is none."""
    try:
        return stat.S_IMODE(resolve(path).stat().st_mode)
    except FileNotFoundError:
        return None


def set_mode(path: Path, mode: int) -> None:
    try:
        resolve(path).chmod(mode)
    except OSError as e:
        raise RefusedError(f"Cannot change the mode of {path}: {e.strerror}.") from e


def _take_over(fd: int, target: Path, new_mode: int, mask: int) -> None:
    """Mode and owner of the file that is being replaced."""
    try:
        old = target.stat()
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        os.fchmod(fd, new_mode & ~umask)
        return
    mine = os.fstat(fd)
    if (old.st_uid, old.st_gid) != (mine.st_uid, mine.st_gid):
        os.fchown(fd, old.st_uid, old.st_gid)
    os.fchmod(fd, stat.S_IMODE(old.st_mode) & mask)


def _make_folders(folder: Path) -> list[Path]:
    missing = [p for p in (folder, *folder.parents) if not p.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise RefusedError(f"Cannot make the folder {folder}: {e.strerror}. Nothing was changed.") from e
    return missing[::-1]


def remove_empty(folders: Iterable[Path]) -> None:
    """Folders that hold something are in use and stay."""
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
