"""Pictures that weigh less than a browser makes them: of few colours, as screens have."""

import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST = 256
# Distinct colours this near are one.
STEP = 8


Colour = tuple[int, int, int]
# The colours of a picture, line by line; as numbers in a palette, a byte each.
Pixels = list[list[Colour]]
Indexed = list[bytes]


class Frame(NamedTuple):
    """One picture of a moving one, and how long it stands."""

    png: bytes
    milliseconds: int


def smaller(png: bytes) -> bytes:
    """The same picture with the colours it has most of; those between them become the nearest."""
    palette, (rows,) = _indexed([_pixels(png)])
    return _written(palette, rows, [(b"IDAT", _packed(rows))])


def moving(frames: Sequence[Frame]) -> bytes:
    """All of them as one animated PNG, over and over: each holds only what differs from the one before."""
    palette, pictures = _indexed([_pixels(frame.png) for frame in frames])
    chunks = [(b"acTL", struct.pack(">II", len(frames), 0))]
    number = 0
    for at, rows in enumerate(pictures):
        left, top, part = (0, 0, rows) if at == 0 else _changed(pictures[at - 1], rows)
        size = (len(part[0]), len(part))
        control = (number, *size, left, top, frames[at].milliseconds, 1_000, 0, 0)
        chunks.append((b"fcTL", struct.pack(">IIIIIHHBB", *control)))
        number += 1
        if at == 0:
            chunks.append((b"IDAT", _packed(part)))
        else:
            chunks.append((b"fdAT", struct.pack(">I", number) + _packed(part)))
            number += 1
    return _written(palette, pictures[0], chunks)


def _changed(before: Indexed, after: Indexed) -> tuple[int, int, Indexed]:
    """Where the smallest rectangle begins that differs, and what it holds; one pixel where nothing does."""
    lines = [at for at, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]] or [0]
    top, bottom = lines[0], lines[-1] + 1
    columns = [
        at
        for above, below in zip(before[top:bottom], after[top:bottom], strict=True)
        if above != below
        for at in _ends(above, below)
    ] or [0]
    left, right = min(columns), max(columns) + 1
    return left, top, [row[left:right] for row in after[top:bottom]]


def _ends(before: bytes, after: bytes) -> tuple[int, int]:
    """The first and the last place where two lines differ."""
    differing = [at for at, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    return differing[0], differing[-1]


def _pixels(png: bytes) -> Pixels:
    chunks = list(_chunks(png))
    header = next(data for name, data in chunks if name == b"IHDR")
    width, height, _, kind = struct.unpack(">IIBB", header[:10])
    depth = {2: 3, 6: 4}[kind]
    data = zlib.decompress(b"".join(data for name, data in chunks if name == b"IDAT"))
    return [
        list(zip(row[0::depth], row[1::depth], row[2::depth], strict=True)) for row in _rows(data, width, height, depth)
    ]


def _indexed(pictures: Sequence[Pixels]) -> tuple[list[Colour], list[Indexed]]:
    """One palette for all of them."""
    counted = Counter(pixel for rows in pictures for row in rows for pixel in row)
    palette = _palette(counted)
    index = {colour: _nearest(colour, palette) for colour in counted}
    return palette, [[bytes(index[pixel] for pixel in row) for row in rows] for rows in pictures]


def _packed(rows: Indexed) -> bytes:
    return zlib.compress(b"".join(b"\0" + row for row in rows), 9)


def _written(palette: list[Colour], rows: Indexed, chunks: Sequence[tuple[bytes, bytes]]) -> bytes:
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
    colours = bytes(part for colour in palette for part in colour)
    found = [(b"IHDR", header), (b"PLTE", colours), *chunks, (b"IEND", b"")]
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in found)


def _palette(counted: Counter[Colour]) -> list[Colour]:
    chosen: dict[Colour, Colour] = {}
    for colour, _ in counted.most_common():
        near = (colour[0] // STEP, colour[1] // STEP, colour[2] // STEP)
        chosen.setdefault(near, colour)
        if len(chosen) == MOST:
            break
    return list(chosen.values())


def _nearest(colour: Colour, palette: list[Colour]) -> int:
    red, green, blue = colour
    far = [(red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2 for r, g, b in palette]
    return far.index(min(far))


def _rows(data: bytes, width: int, height: int, depth: int) -> Iterator[bytearray]:
    """Without the filters of the format: each line is written as what differs from its neighbours."""
    size = width * depth
    above = bytearray(size)
    for number in range(height):
        start = number * (size + 1)
        row = bytearray(data[start + 1 : start + 1 + size])
        _unfilter(data[start], row, above, depth)
        yield row
        above = row


def _unfilter(kind: int, row: bytearray, above: bytearray, depth: int) -> None:
    for at in range(len(row)) if kind else ():
        left = row[at - depth] if at >= depth else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = above[at]
        elif kind == 3:
            guess = (left + above[at]) // 2
        else:
            guess = _paeth(left, above[at], above[at - depth] if at >= depth else 0)
        row[at] = (row[at] + guess) & 0xFF


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda each: abs(guess - each))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at < len(png):
        (size,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        at += size + 12


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
