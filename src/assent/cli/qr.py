"""A QR code in a terminal: two rows of it in a line of text."""

from collections.abc import Sequence

from assent.cli import output

# By the module above and the one below, where 1 is dark.
_HALVES = {"00": " ", "10": "▀", "01": "▄", "11": "█"}
# Where nobody can be told which colour is which, light is drawn and dark left out, as on a dark terminal.
_INVERTED = {"00": "█", "10": "▄", "01": "▀", "11": " "}


def drawn(rows: Sequence[str], *, ascii_only: bool = False) -> str:
    if ascii_only:
        return "\n".join("".join("  " if bit == "1" else "##" for bit in row) for row in rows)
    glyphs = _INVERTED if output.wants_colour() is False else _HALVES
    pairs = zip(rows[::2], [*rows[1::2], "0" * len(rows[0])][: (len(rows) + 1) // 2], strict=True)
    lines = ["".join(glyphs[above + below] for above, below in zip(*pair, strict=True)) for pair in pairs]
    if glyphs is _INVERTED:
        return "\n".join(lines)
    return "\n".join(output.styled(line, "ink") for line in lines)
