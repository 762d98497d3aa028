"""Resolution of written paths: from a folder, through links, with unknown parts."""

import os
import re
import time
from collections.abc import Iterator

from msgspec import Struct, field

from assent.policy import own, world
from assent.policy.memo import question
from assent.policy.shell.words import HOLE

# No file can be called by more.
LONGEST_PATH = 4_096

_WILD = re.compile(r"[*?\[(]")
_DETOUR = re.compile(r"/proc/(?:self|thread-self|self/task/\d+)/(root|cwd)(?=/|$)")


class Setting(Struct, frozen=True):
    """Where a line would run."""

    project: str
    home: str
    cwd: str
    # Folders beside the project that a person lets the agent work in.
    added: tuple[str, ...] = ()
    things: own.Things = own.NOTHING
    # The process of the client that would run it; None when unknown.
    client: int | None = None
    line: own.Line = field(default_factory=own.Line)


def without_detours(path: str, cwd: str) -> str:
    """A process's own root and working folder are other names for what lies there."""
    if not path.startswith("/proc/"):
        return path
    for _ in range(8):
        match = _DETOUR.match(path)
        if match is None:
            return path
        whole = "/" if match[1] == "root" else cwd
        path = os.path.normpath(f"{whole}/{path[match.end() :]}")
        path = path[1:] if path.startswith("//") else path
    return path


# Links that were followed a moment ago: one line names the same folders again and again.
_followed: dict[str, str] = {}
_FRESH_SECONDS = 0.05
_followed_since = 0.0


@question
def real_path(path: str) -> str:
    """Where the path leads, each folder on the way looked at once."""
    global _followed_since
    now = time.monotonic()
    if now - _followed_since > _FRESH_SECONDS or len(_followed) > 1_000:
        _followed.clear()
        _followed_since = now
    return _followed.get(path) or _follow(path)


def forget() -> None:
    """Every link is looked at again."""
    _followed.clear()


def _follow(path: str) -> str:
    folder, _, name = path.rpartition("/")
    if path.count("/") > 100:
        real = path
    elif not name:
        real = path or "/"
    else:
        here = f"{(_followed.get(folder) or _follow(folder)).rstrip('/')}/{name}"
        try:
            os.readlink(here)  # noqa: PTH115 - text, on every event
        except (OSError, ValueError):
            real = here
        else:
            real = world.real(here)
    _followed[path] = real
    return real


def still_part(path: str) -> str:
    """The folder before the first pattern."""
    match = _WILD.search(path)
    return path if match is None else path[: path.rfind("/", 0, match.start() + 1)] or "/"


def spellings(text: str, setting: Setting, cwd: str | None) -> Iterator[tuple[str, bool]]:
    """The whole path, and whether it is that for certain: in a folder that is not known, every way it may come to."""
    if text.startswith("/"):
        yield _tidy(text, cwd, setting), True
    elif cwd is not None:
        yield _tidy(f"{cwd}/{text}", cwd, setting), True
    elif text.startswith(HOLE):
        yield text, True
    else:
        for folder in (*setting.line.folders, HOLE):
            yield _tidy(f"{folder}/{text}", cwd, setting), False


def _tidy(path: str, cwd: str | None, setting: Setting) -> str:
    path = os.path.normpath(path)
    path = path[1:] if path.startswith("//") else path
    if path.startswith("/proc/"):
        path = without_detours(path, cwd or HOLE)
    return setting.line.through(path) if setting.line.links else path


def known_real(path: str) -> str:
    """Where the part of it that is known leads, and the rest."""
    certain = still_part(path.partition(HOLE)[0].rpartition("/")[0] if HOLE in path else path)
    if not certain.startswith("/"):
        return path
    real = real_path(certain)
    return path if real == certain else real + path[len(certain) :]
