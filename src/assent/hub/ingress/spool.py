"""The spool: what shims that reached no hub left behind. Any process of the user can put anything there."""

import contextlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec

# A shim stops at a mebibyte.
LARGEST = 2 << 20
# Each of these stands in the record by itself; of more than that, only how many there were of each event.
MOST_ALONE = 200
# Names of events beyond these are counted as one.
MOST_EVENTS = 64

_Number = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
_Name = Annotated[str, msgspec.Meta(max_length=200)]


class Gap(msgspec.Struct, frozen=True):
    """One hook run that reached no hub, or several of the same event. Never a payload."""

    at: _Number
    event: _Name = "?"
    session: _Name = ""
    size: _Number = 0
    request_id: _Name = ""
    # How many it stands for is ours to say.
    count: Annotated[int, msgspec.Meta(ge=1, le=1)] = 1


def take(folder: Path) -> tuple[Path, list[Gap], bool] | None:
    """The file that was set aside, what it says, and whether a hub that ended had set it aside; None where there is
    nothing. Raises OSError."""
    spool = folder / "gaps.ndjson"
    taken = spool.with_suffix(".taken")
    is_left_over = os.path.lexists(taken)
    if not is_left_over:
        try:
            spool.rename(taken)
        except FileNotFoundError:
            return None
    content = plain(taken)
    if content is None:
        _remove(taken)
        return None
    return taken, [gap for gap in map(_gap, content.splitlines()) if gap is not None], is_left_over


def plain(path: Path) -> bytes | None:
    """What a plain file begins with. A pipe is not waited for, a link not followed, a folder not read: None."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read(LARGEST)


def collapsed(gaps: Iterable[Gap]) -> tuple[list[Gap], list[Gap]]:
    """The first of them as they are, and the others counted."""
    alone: list[Gap] = []
    counted: dict[str, Gap] = {}
    for gap in gaps:
        if len(alone) < MOST_ALONE:
            alone.append(gap)
            continue
        event = gap.event if gap.event in counted or len(counted) < MOST_EVENTS else "?"
        total = counted.get(event, Gap(at=gap.at, event=event, count=0))
        counted[event] = msgspec.structs.replace(total, size=total.size + gap.size, count=total.count + 1)
    return alone, list(counted.values())


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def _gap(line: bytes) -> Gap | None:
    try:
        return msgspec.json.decode(line, type=Gap)
    except (msgspec.DecodeError, RecursionError):
        return None
