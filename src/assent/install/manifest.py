"""Manifest of installs: what was written where, and what stood there before, to restore each file byte for byte."""

import hashlib
import os
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from assent import files
from assent.harnesses import registry
from assent.paths import Paths


class Install(Struct, frozen=True, kw_only=True):
    """One settings file we wrote to."""

    file: str
    scope: str
    harness: str = registry.DEFAULT
    # SHA-256 of the file without our entries, and with them.
    before: str | None
    after: str
    # Where the bytes without our entries are kept; None if there was no file.
    backup: str | None
    # Folders we made for it, outermost first.
    made: tuple[str, ...] = ()
    # Unix milliseconds of the first install.
    created: int
    # Permission bits before us; None if they were not changed or not noted.
    mode: int | None = None


class Manifest(Struct, frozen=True):
    installs: tuple[Install, ...] = ()

    def get(self, file: Path) -> Install | None:
        return next((i for i in self.installs if i.file == str(file)), None)


def location(paths: Paths) -> Path:
    return paths.state / "installs.json"


def load(paths: Paths) -> Manifest:
    """A manifest that cannot be read is no manifest: our entries are recognised without it."""
    try:
        return msgspec.json.decode(location(paths).read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError):
        return Manifest()


def put(paths: Paths, install: Install) -> None:
    _save(paths, (*_others(paths, install.file), install))


def drop(paths: Paths, file: Path) -> None:
    _save(paths, _others(paths, str(file)))


def _others(paths: Paths, file: str) -> tuple[Install, ...]:
    return tuple(i for i in load(paths).installs if i.file != file)


def _save(paths: Paths, installs: tuple[Install, ...]) -> None:
    path = location(paths)
    if not installs:
        path.unlink(missing_ok=True)
        return
    data = msgspec.json.format(msgspec.json.encode(Manifest(installs)), indent=2) + b"\n"
    files.replace(path, files.read(path), data, new_mode=0o600)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def back_up(paths: Paths, name: str, data: bytes) -> Path:
    """Keep these bytes under a name of their own, for this user alone."""
    for folder in (paths.state, paths.backup):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime())
    for n in range(1000):
        path = paths.backup / (f"{stamp}-{name}" if n == 0 else f"{stamp}.{n}-{name}")
        try:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(fd)
        return path
    raise files.RefusedError(f"Cannot name a backup in {paths.backup}. Nothing was changed.")
