"""The native shim: which compiled program this installation has, and whether this machine starts it.

Entries start <state>/shim/python. Where gate.c was compiled for this machine, that program stands there, with the link
to the interpreter beside it; everywhere else it is the link. A note beside them says which, and why.
"""

import errno
import hashlib
import os
import re
import subprocess
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from assent.harnesses.base import Replies
from assent.shim import files, forward

HERE = Path(__file__).parent
# Made by hatch_build.py: it is in a wheel for one kind of machine, and in an installation of a clone that had a
# compiler.
PROGRAM = HERE / "gate"
SOURCE = HERE / "gate.c"

# What the shim has to know of one harness: the variable with the session's id, the variables a hub wants to know, how
# the payload says that tools run unasked, and the replies where no hub answers.
Table = tuple[bytes, tuple[bytes, ...], tuple[bytes, bytes], Replies]

NOT_BUILT = "this installation has none for this machine"
STALE = "it was compiled from another version"
PATIENCE = 5.0
# A program that was just written counts as open for writing while another thread starts one.
BUSY = 20
PAUSE = 0.05
_HEAD, _END = b"assent 1\n", b"\n"
_NAME = re.compile(rb"[\w./-]{1,128}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Note:
    """What was placed: of which program and source, and why not it, if it was not."""

    key: str
    why: str = ""

    @property
    def is_native(self) -> bool:
        return not self.why

    def text(self) -> bytes:
        return f"{self.key}\n{self.why}\n".encode()


def place(folder: Path, interpreter: Path) -> None:
    """Put the program where entries look for the interpreter; where it does not start, the interpreter itself."""
    program = folder / "python"
    built = _built()
    files.link(folder / "interpreter", interpreter)
    if built is None:
        why = NOT_BUILT
    elif files.holds(program, built, 0o700):
        why = "" if note(folder) == Note(_key(built)) else refusal(program)
    else:
        temporary = files.beside(program, built, 0o700)
        try:
            if not (why := refusal(temporary)):
                temporary.replace(program)
        finally:
            temporary.unlink(missing_ok=True)
    if why:
        files.link(program, interpreter)
    files.write(folder / "program", Note(_key(built), why).text(), 0o600)


def is_placed(folder: Path, interpreter: Path) -> bool:
    """Whether that is what ``place`` would leave here; what did not start once is not tried again for that."""
    built = _built()
    found = note(folder)
    if (folder / "interpreter").readlink() != interpreter or found is None or found.key != _key(built):
        return False
    if found.is_native:
        return built is not None and files.holds(folder / "python", built, 0o700)
    return (folder / "python").readlink() == interpreter


def note(folder: Path) -> Note | None:
    """None where nothing was placed, or by a version that had no native shim."""
    try:
        key, why, _ = (folder / "program").read_text().split("\n", 2)
    except (OSError, ValueError):
        return None
    return Note(key, why)


def refusal(program: Path) -> str:
    """Why it does not do here; empty where it starts and was made from this version's source."""
    try:
        done = _tried(program)
    except subprocess.TimeoutExpired:
        return "it did not end when it was tried"
    except OSError as error:
        return f"it does not start here ({os.strerror(error.errno or 0)})"
    if done.returncode:
        return f"it ended with {done.returncode} when it was tried"
    return "" if done.stdout == version() else STALE


def _tried(program: Path) -> "subprocess.CompletedProcess[bytes]":
    for left in reversed(range(BUSY)):
        try:
            return subprocess.run(
                [program, "--version"], env={}, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE
            )
        except OSError as error:
            if error.errno != errno.ETXTBSY or not left:
                raise
            time.sleep(PAUSE)
    raise AssertionError


def version() -> bytes:
    """What a program says that was made from this source."""
    return b"assent gate %s\n" % hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16].encode()


def tables(harnesses: Mapping[str, Table]) -> dict[str, bytes]:
    """What the program reads: the variables always, the replies only where no interpreter starts, either."""
    variables = [
        _row(name, session, b"".join([_name(each) + b" " for each in (*wanted, forward.RUN)]))
        for name, (session, wanted, _, _) in harnesses.items()
    ]
    replies = [
        row
        for name, (_, _, bypass, by_event) in harnesses.items()
        for row in (
            _row(name, b"", b"bypass", *bypass),
            *(
                _row(name, _name(event.encode()), situation.encode(), reply)
                for event, said in by_event.items()
                for situation, reply in said.items()
            ),
        )
    ]
    return {"variables": _table(variables), "replies": _table(replies)}


def _table(rows: Iterable[bytes]) -> bytes:
    return b"".join([_HEAD, *rows, _END])


def _row(name: str, *cells: bytes) -> bytes:
    if any(set(cell) & set(b"\t\n") for cell in cells):
        raise ValueError(f"a table of {name} has a tab or a line end in a cell")
    return b"\t".join([_name(name.encode()), *cells]) + b"\n"


def _name(name: bytes) -> bytes:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name for a table of the shim")
    return name


def _built() -> bytes | None:
    try:
        return PROGRAM.read_bytes()
    except OSError:
        return None


def _key(built: bytes | None) -> str:
    return hashlib.sha256(built + SOURCE.read_bytes()).hexdigest() if built else "none"
