"""Which byte of an SQLite file belongs to what, as far as the tests of damage tell places apart."""

import sqlite3
import struct
from contextlib import closing
from pathlib import Path

_HEADER = 100
# Leaves of tables and of indexes; inner pages have four bytes more.
_HEADER_SIZE = {0x0D: 8, 0x0A: 8, 0x05: 12, 0x02: 12}
_POINTER_MAP = 2


def places(path: Path) -> list[str]:
    """For each byte of a closed database, the name of its place."""
    data = path.read_bytes()
    (size,) = struct.unpack(">H", data[16:18])
    roots = {1: "schema", **_roots(path)}
    kinds: list[str] = []
    for number in range(1, len(data) // size + 1):
        page = data[(number - 1) * size : number * size]
        if number in roots and page[_HEADER if number == 1 else 0] in _HEADER_SIZE:
            kinds += _tree(page, roots[number], _HEADER if number == 1 else 0)
        else:
            kinds += ["pointer map" if number == _POINTER_MAP else "overflow and inner pages"] * size
    return kinds


def _roots(path: Path) -> dict[int, str]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        rows = connection.execute("SELECT rootpage, type, name FROM sqlite_master WHERE rootpage").fetchall()
    return {page: name if kind == "table" else "indexes" for page, kind, name in rows}


def _tree(page: bytes, name: str, begin: int) -> list[str]:
    size = _HEADER_SIZE[page[begin]]
    cells, content = struct.unpack(">HH", page[begin + 3 : begin + 7])
    pointers = begin + size + 2 * cells
    return [
        *["file header"] * begin,
        *[f"{name}: order of the page"] * (pointers - begin),
        *[f"{name}: empty"] * (content - pointers),
        *[f"{name}: rows"] * (len(page) - content),
    ]
