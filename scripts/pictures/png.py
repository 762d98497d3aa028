"""Pictures that weigh less than a browser makes them: of few colours, as screens have."""

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST = 256
# Distinct colours this near are one.
STEP = 8


def smaller(png: bytes) -> bytes:
    """The same picture with the colours it has most of; those between them become the nearest."""
    chunks = list(_chunks(png))
    header = next(data for name, data in chunks if name == b"IHDR")
    width, height, _, kind = struct.unpack(">IIBB", header[:10])
    depth = {2: 3, 6: 4}[kind]
    rows = list(
        _rows(zlib.decompress(b"".join(data for name, data in chunks if name == b"IDAT")), width, height, depth)
    )
    pixels = [list(zip(row[0::depth], row[1::depth], row[2::depth], strict=True)) for row in rows]
    counted = Counter(pixel for row in pixels for pixel in row)
    palette = _palette(counted)
    index = {colour: _nearest(colour, palette) for colour in counted}
    packed = zlib.compress(b"".join(b"\0" + bytes(index[pixel] for pixel in row) for row in pixels), 9)
    found = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))]
    found += [(b"PLTE", bytes(part for colour in palette for part in colour)), (b"IDAT", packed), (b"IEND", b"")]
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in found)


Colour = tuple[int, int, int]


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
