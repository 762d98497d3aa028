"""The last good copy of each rules file, for a hub that starts while the file is broken.

A copy is the bytes of the file behind their hash, so that one that was cut short counts as none."""

import contextlib
import hashlib
import logging
import os
from pathlib import Path

from assent.toml.document import LARGEST

log = logging.getLogger("assent.policy")

# Of repositories that come and go: those that were read longest ago are forgotten.
MOST = 256
_DIGEST = 64


class LastGood:
    def __init__(self, folder: Path | None, *, is_kept: bool = True) -> None:
        """Without a folder nothing is kept and nothing is found; ``is_kept`` is whether new copies are made."""
        self._folder = folder
        self._is_kept = is_kept
        # What was kept last, so that the same is not written again.
        self._known: dict[Path, str] = {}

    def keep(self, file: Path, content: bytes | None) -> None:
        """``content`` was read and is good; None where there is no file any more. A copy that cannot be made is logged:
        the rules themselves are in force."""
        if self._folder is None or not self._is_kept:
            return
        digest = "" if content is None else hashlib.sha256(content).hexdigest()
        if self._known.get(file) == digest:
            return
        copy = self._folder / _name(file)
        try:
            if content is None:
                copy.unlink(missing_ok=True)
            elif self.find(file) != content:
                _write(copy, digest.encode() + content)
                self._make_room()
            self._known[file] = digest
        except OSError as error:
            log.warning("no copy of %s can be kept: %s", file, error.strerror)

    def find(self, file: Path) -> bytes | None:
        """None where there is no copy, or none that is whole."""
        if self._folder is None:
            return None
        try:
            with (self._folder / _name(file)).open("rb") as copy:
                kept = copy.read(_DIGEST + LARGEST + 1)
        except OSError:
            return None
        digest, content = kept[:_DIGEST], kept[_DIGEST:]
        return content if digest == hashlib.sha256(content).hexdigest().encode() else None

    def _make_room(self) -> None:
        assert self._folder is not None
        copies = sorted(self._folder.iterdir(), key=lambda copy: copy.stat().st_mtime_ns)
        for copy in copies[:-MOST]:
            copy.unlink(missing_ok=True)


def _name(file: Path) -> str:
    return hashlib.sha256(os.fsencode(os.path.realpath(file))).hexdigest()[:32]


def _write(path: Path, content: bytes) -> None:
    """Raises OSError and leaves what was there."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    with contextlib.suppress(FileNotFoundError):
        fresh.unlink()
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
