"""The names of the files in an archive, as far as they can be told within moments: tar, also packed, and zip.

Of a packed tar only the first stretch is unpacked. What is behind it, and every other kind of archive, is not known."""

import bz2
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator

from assent.policy import world

MOST_NAMES = 2_000
# So much is unpacked, and so much is read of the file for it.
STRETCH = 128 << 10
# Slower ways of packing get less.
SHORT = 24 << 10
_LARGEST_LIST = 512 << 10


def names(path: str) -> list[str]:
    """Empty where nothing can be told."""
    found = world.Opened.at(path)
    if found is None:
        return []
    with found as archive:
        start = archive.part(0, 512)
        try:
            if start[:2] == b"PK":
                return _of_zip(archive)
            if start[257:262] == b"ustar":
                return list(_of_tar(_Parts(archive)))
            if start[:2] == b"\x1f\x8b":
                unpacked = zlib.decompressobj(31).decompress(archive.part(0, STRETCH), STRETCH)
            elif start[:3] == b"BZh":
                unpacked = bz2.BZ2Decompressor().decompress(archive.part(0, SHORT), SHORT)
            elif start[:6] == b"\xfd7zXZ\0":
                unpacked = lzma.LZMADecompressor().decompress(archive.part(0, SHORT), SHORT)
            else:
                return []
            return list(_of_tar(io.BytesIO(unpacked)))
        except (zlib.error, OSError, EOFError, lzma.LZMAError, zipfile.BadZipFile, ValueError, NotImplementedError):
            return []


def _of_zip(archive: world.Opened) -> list[str]:
    # The list stands at the end; a longer one is not read.
    size = archive.size
    start = max(0, size - _LARGEST_LIST)
    with zipfile.ZipFile(io.BytesIO(archive.part(start, _LARGEST_LIST))) as found:
        return found.namelist()[:MOST_NAMES]


def _of_tar(file: "io.BytesIO | _Parts") -> Iterator[str]:
    try:
        with tarfile.open(fileobj=file, mode="r:") as found:
            for _ in range(MOST_NAMES):
                member = found.next()
                if member is None:
                    return
                yield member.name
    except tarfile.TarError:
        # Cut off: what came before counts.
        return


class _Parts(io.RawIOBase):
    """The archive as a file that can be read at any place: contents are skipped, not read."""

    def __init__(self, archive: world.Opened) -> None:
        super().__init__()
        self._archive = archive
        self._at = 0

    def read(self, size: int = -1) -> bytes:
        found = self._archive.part(self._at, max(0, min(size, STRETCH)))
        self._at += len(found)
        return found

    def seek(self, to: int, whence: int = io.SEEK_SET) -> int:
        self._at = to if whence == io.SEEK_SET else self._at + to if whence == io.SEEK_CUR else self._archive.size + to
        return self._at

    def tell(self) -> int:
        return self._at

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True
