"""File system access of the policy. Regular files, non-blocking, capped; no program is ever started.

Nothing else in the policy asks the disk or the environment, and all that does so here is marked as a question."""

# ruff: noqa: PTH118, PTH120 - paths here are handled as text on every event

import contextlib
import functools
import hashlib
import itertools
import os
import re
import stat
import struct
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from pathlib import Path

from assent.policy.memo import cannot_be_asked_again, question

SMALL = 4096


def home() -> str:
    given = os.environb.get(b"HOME")
    return _normal(given) if given else os.path.normpath(Path.home())


@functools.lru_cache(maxsize=8)
def _normal(path: bytes) -> str:
    """The same folder comes with every event."""
    return os.path.normpath(os.fsdecode(path))


_of_another: ContextVar[str | None] = ContextVar("the PATH of another process", default=None)


@question
def search_path() -> str:
    """Where programs are looked for, as the shell writes it down."""
    given = _of_another.get()
    return os.environ.get("PATH", "") if given is None else given


@contextlib.contextmanager
def searching(path: str) -> Iterator[None]:
    """For the time being this is where programs are looked for."""
    before = _of_another.set(path)
    try:
        yield
    finally:
        _of_another.reset(before)


@question
def real(path: str) -> str:
    """Where the path leads once symbolic links are followed, as far as we may look."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path


def whole(path: str, cwd: str | None) -> str:
    """The path of a file as named in a folder; "" for what names none."""
    if not path or not (cwd or path.startswith("/")) or "\0" in path or "…" in path:
        return ""
    return os.path.normpath(os.path.join(cwd or "/", path))


def with_real(folders: Iterable[str]) -> tuple[str, ...]:
    """The folders and what their links lead to. The root is none: it would add everything."""
    return tuple(dict.fromkeys(path for folder in folders for path in (folder, real(folder)) if path != "/"))


@question
def is_folder(path: str) -> bool:
    try:
        return os.path.isdir(path)  # noqa: PTH112 - text, on every event
    except ValueError:
        return False


# The folder that was listed last: which, how it was, and the names in it.
_listed: tuple[str, tuple[int, ...], tuple[str, ...]] = ("", (), ())
MOST_NAMES = 5_000


@question
def names(folder: str) -> tuple[str, ...]:
    """The names in a folder, the first few thousand of them; none where it cannot be listed."""
    global _listed
    try:
        state = _state(os.stat(folder))  # noqa: PTH116 - text, on every event
        if _listed[:2] != (folder, state):
            with os.scandir(folder) as entries:
                _listed = folder, state, tuple([entry.name for entry in itertools.islice(entries, MOST_NAMES)])
    except (OSError, ValueError):
        return ()
    return _listed[2]


def _state(status: os.stat_result) -> tuple[int, ...]:
    """What changes when a file or a folder does."""
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


@question
def names_below(folder: str, most: int) -> frozenset[str] | None:
    """Names of all that lies in a folder, at any depth; None where it is not there or holds too much."""
    names: set[str] = set()
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    names.add(entry.name)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except (OSError, ValueError):
            return None
        if len(names) > most or len(waiting) > most:
            return None
    return frozenset(names)


@question
def is_there(path: str) -> bool:
    """Whether anything goes by this name, a broken link included."""
    try:
        os.lstat(path)
    except (OSError, ValueError):
        return False
    return True


@question
def may_be_overwritten(path: str) -> bool:
    """Whether nothing is there, or a plain file of this user's that goes by one name and is no program."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
    is_own = stat.S_ISREG(status.st_mode) and status.st_uid == os.getuid() and status.st_nlink == 1
    return is_own and not status.st_mode & 0o111


@question
def read_small(path: str, most: int = SMALL) -> str | None:
    """The text of a small regular file, or None: absent, linked, special, large or not text."""
    content = read_bytes(path, most)
    if content is None:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


@question
def read_bytes(path: str, most: int, start: int = 0) -> bytes | None:
    """The same for any content. With ``start``, up to so many bytes from there, however large the file is."""
    content = read_part(path, most + 1, start)
    if content is not None and len(content) > most:
        return content[:most] if start else None
    return content


@question
def read_part(path: str, most: int, start: int = 0) -> bytes | None:
    """Up to so many bytes of a regular file; with a ``start`` below zero from its end."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            return None
        return os.pread(handle, most, max(0, state.st_size + start) if start < 0 else start)
    except OSError:
        return None
    finally:
        os.close(handle)


@question
def stamp(path: str) -> str | None:
    """What changes when a file does, in short; None where there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116 - text, on every event
    except (OSError, ValueError):
        return None
    return f"{status.st_ino:x}.{status.st_size:x}.{status.st_mtime_ns:x}"


@question
def changed_at(path: str) -> int | None:
    """When the file was changed last, in nanoseconds; None where there is none."""
    try:
        return os.stat(path).st_mtime_ns  # noqa: PTH116 - text, on every event
    except (OSError, ValueError):
        return None


@question
def branch(folder: str) -> str | None:
    """The branch checked out around this folder; "" where there is none, None where that cannot be told."""
    git = git_folder(folder)
    if git is None or git == "":
        return git
    head = read_small(os.path.join(git, "HEAD"))
    if head is None:
        return None
    name = head.strip()
    if name.startswith("ref: refs/heads/"):
        return name.removeprefix("ref: refs/heads/")
    return "" if name else None


@question
def git_folder(folder: str) -> str | None:
    """Where git keeps what it knows of this folder; "" where there is no repository, None where that cannot be told."""
    here = os.path.normpath(folder)
    while True:
        git_dir = _git_entry(here)
        if git_dir != "":
            return git_dir
        parent = os.path.dirname(here)
        if parent == here:
            return ""
        here = parent


def _git_entry(folder: str) -> str | None:
    """The git folder that ``.git`` in this folder is or names; "" for none, None where that cannot be told."""
    entry = os.path.join(folder, ".git")
    try:
        mode = os.lstat(entry).st_mode
    except (OSError, ValueError):
        return ""
    if stat.S_ISDIR(mode):
        return entry
    pointer = read_small(entry) if stat.S_ISREG(mode) else None  # a worktree or a submodule
    if pointer is None or not pointer.startswith("gitdir:"):
        return None
    return os.path.normpath(os.path.join(folder, pointer.removeprefix("gitdir:").strip()))


@question
def discovered(folder: str) -> str | None:
    """The git folder that git itself would find from here, a bare repository included; "" for none, None if unclear."""
    here = os.path.normpath(folder)
    while True:
        git_dir = _git_entry(here)
        if git_dir != "":
            return git_dir
        if is_there(os.path.join(here, "HEAD")) and all(is_folder(os.path.join(here, n)) for n in ("objects", "refs")):
            return here
        parent = os.path.dirname(here)
        if parent == here:
            return ""
        here = parent


@question
def repository(folder: str) -> str:
    """The top of the repository around this folder, or the folder itself. Home and root are never a repository."""
    here = os.path.normpath(folder)
    while here not in (home(), os.path.dirname(here)):
        if is_there(os.path.join(here, ".git")):
            return here
        here = os.path.dirname(here)
    return os.path.normpath(folder)


@question
def repository_id(folder: str) -> str:
    """What tells this repository from another at the same path; "" where there is none."""
    git = git_folder(folder)
    if not git:
        return ""
    try:
        number = os.stat(git).st_ino  # noqa: PTH116 - text, on every event
    except (OSError, ValueError):
        return ""
    common = read_small(os.path.join(git, "commondir"))
    config = read_small(os.path.join(git, common.strip() if common else "", "config"), 1 << 16) or ""
    origin = re.search(r'(?ms)^\[remote "origin"\][^\[]*?^\s*url\s*=\s*(\S+)', config)
    return hashlib.sha256(f"{real(git)} {number} {origin[1] if origin else ''}".encode()).hexdigest()[:32]


# An entry of git's index: times, size and mode of the file as it was added, then flags and the path.
_ENTRY = struct.Struct(">10I20sH")
_INDEX_HEAD = b"DIRC\0\0\0"
LARGEST_INDEX = 2 << 20
# The last index looked at: where it is, how it was, what stood in it.
_index: tuple[str, tuple[int, ...], bytes] = ("", (), b"")


@question
def is_kept(path: str) -> bool | None:
    """Whether git has the file just as it is, so that it can be brought back; None where that cannot be told.

    A file that is not there yet is kept: nothing of it can be lost. As git does, it is taken to be unchanged if its
    time and size are those it was added with.
    """
    try:
        now = os.lstat(path)
    except OSError:
        return True
    git = git_folder(os.path.dirname(path))
    if not git or not git.endswith("/.git"):
        return None
    index = _index_of(f"{git}/index")
    # Version 4 shortens paths.
    if index is None or index[:7] != _INDEX_HEAD or index[7] not in (2, 3):
        return None
    name = os.fsencode(path[len(git) - len(".git") :])
    at = index.find(name + b"\0")
    while at >= 0:
        for extended in (0, 2):
            start = at - _ENTRY.size - extended
            if start >= 12:
                entry = _ENTRY.unpack_from(index, start)
                if entry[11] & 0xFFF == min(len(name), 0xFFF) and bool(entry[11] & 0x4000) is bool(extended):
                    added = (entry[2], entry[9] & 0xFFFFFFFF)
                    return added == (int(now.st_mtime), now.st_size & 0xFFFFFFFF)
        at = index.find(name + b"\0", at + 1)
    return False


def _index_of(path: str) -> bytes | None:
    global _index
    try:
        status = os.stat(path)  # noqa: PTH116 - text, on every event
        state = _state(status)
        if _index[:2] != (path, state):
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_INDEX:
                return None
            with open(path, "rb") as file:  # noqa: PTH123 - text, on every event
                _index = path, state, file.read(LARGEST_INDEX)
    except OSError:
        return None
    return _index[2]


@question
def exists(path: str) -> bool:
    """Whether something goes by this name. Where we may not look, something may."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True
    return True


@question
def holds_nothing(path: str) -> bool:
    """Whether no file goes by this name, or an empty one does."""
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size == 0


class Opened:
    """A regular file of which parts are read. Use it in a ``with``; it is None where there is no such file."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    @classmethod
    def at(cls, path: str) -> "Opened | None":
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, ValueError):
            return None
        try:
            if stat.S_ISREG(os.fstat(handle).st_mode):
                cannot_be_asked_again()
                return cls(handle)
        except OSError:
            pass
        os.close(handle)
        return None

    def part(self, start: int, size: int) -> bytes:
        """What is there of it; b"" where nothing can be read."""
        try:
            return os.pread(self._handle, size, start) if start >= 0 else b""
        except (OSError, OverflowError):
            return b""

    @property
    def size(self) -> int:
        return os.fstat(self._handle).st_size

    def __enter__(self) -> "Opened":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)


@question
def names_in(folder: str, most: int) -> tuple[tuple[str, bool], ...]:
    """So many of the names in a folder, in order, and whether each is a folder itself, links followed."""
    names = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names.append((entry.name, entry.is_dir()))
                if len(names) >= most:
                    break
    except (OSError, ValueError):
        return ()
    return tuple(sorted(names))


# --- processes

TELLS_OF_PROCESSES = os.path.exists("/proc/self/stat")  # noqa: PTH110 - once


@question
def parent(pid: int) -> int | None:
    fields = _process(pid)
    return int(fields[1]) if fields else None


@question
def group(pid: int) -> int | None:
    fields = _process(pid)
    return int(fields[2]) if fields else None


@question
def birth(pid: int) -> int | None:
    """When the process was started, in the kernel's own count."""
    fields = _process(pid)
    return int(fields[19]) if fields else None


@question
def started_with(pid: int, name: str) -> str | None:
    """What a variable held in the environment that the process was started with."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123 - text, on every event
            entries = file.read(1 << 18).split(b"\0")
    except OSError:
        return None
    sought = f"{name}=".encode()
    return next((entry[len(sought) :].decode(errors="replace") for entry in entries if entry.startswith(sought)), None)


def _process(pid: int) -> list[bytes]:
    """What the kernel says behind the name, which stands in parentheses and may hold anything."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - text, on every event
            fields = file.read(4096).rpartition(b")")[2].split()
    except OSError:
        return []
    return fields if len(fields) > 19 else []
