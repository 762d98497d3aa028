"""Which projects' rules a person trusts: a list of files, each with the digest of the bytes that were trusted."""

from pathlib import Path

import msgspec
from msgspec import Struct

_LARGEST = 1 << 20


class _File(Struct):
    version: int = 1
    # Real paths, and the SHA-256 of what stood there.
    files: dict[str, str] = {}


def read(path: Path) -> dict[str, str]:
    """What cannot be read trusts nobody."""
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(_LARGEST), type=_File).files
    except (OSError, msgspec.DecodeError, RecursionError):
        return {}


def written(files: dict[str, str]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(_File(files=files)), indent=2) + b"\n"
