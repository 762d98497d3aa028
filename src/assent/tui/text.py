"""Lines of named pieces, and text that an agent wrote made fit to stand in them. Pure."""

import re
from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size

from assent import hidden

# A text and the names of its style, as ``Look`` knows them.
Piece = tuple[str, str]
Line = list[Piece]

TAB = 4
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def inert(text: str, *, is_command: bool = False) -> str:
    """What an agent wrote, with everything unseen spelled out. Line ends stay."""
    return hidden.drawn(text.replace("\r\n", "\n"), is_command=is_command).expandtabs(TAB)


def one_line(text: str) -> str:
    """The last guard before the terminal: nothing that could steer it passes, wherever it came from."""
    if text.isprintable():
        return text
    return _CONTROLS.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def width(line: Line) -> int:
    return sum(cell_len(text) for text, _ in line)


def fit(line: Line, cells: int, end: str = "…") -> Line:
    """No wider than so many cells; where it is cut, it says so."""
    if width(line) <= cells:
        return line
    left, made = max(0, cells - cell_len(end)), []
    for text, style in line:
        size = cell_len(text)
        if size >= left:
            made.append((set_cell_size(text, left), style))
            break
        made.append((text, style))
        left -= size
    return [*made, (end[:cells], made[-1][1] if made else "")]


def pad(line: Line, cells: int, style: str = "") -> Line:
    """At least so many cells wide."""
    missing = cells - width(line)
    return [*line, (" " * missing, style)] if missing > 0 else line


def ends(left: Line, right: Line, cells: int) -> Line:
    """One at each end of the line; the left one gives way."""
    room = max(0, cells - width(right) - 1)
    return [*pad(fit(left, room), room), (" ", ""), *right] if right else fit(left, cells)


def wrap(line: Line, cells: int, indent: str = "") -> list[Line]:
    """The whole of it on as many lines as it needs; between words where there are some, anywhere else otherwise."""
    cells = max(4, cells)
    lines: list[Line] = [[]]
    left = cells
    for text, style in line:
        for part in _parts(text):
            if part == "\n":
                lines.append([(indent, "")] if indent else [])
                left = cells - cell_len(indent)
                continue
            rest = part
            while rest:
                size = cell_len(rest)
                if size <= left:
                    lines[-1].append((rest, style))
                    left -= size
                    break
                if size <= cells - cell_len(indent) and left < cells - cell_len(indent):
                    rest = rest.lstrip(" ") if rest.isspace() else rest
                    head = ""
                else:
                    head, rest = _split(rest, left)
                if head:
                    lines[-1].append((head, style))
                lines.append([(indent, "")] if indent else [])
                left = cells - cell_len(indent)
    return lines


def _parts(text: str) -> Iterable[str]:
    return re.findall(r"\n|[^\S\n]+|\S+", text)


def _split(text: str, cells: int) -> tuple[str, str]:
    """As much as fits, and the rest; at least one character, so that it ends."""
    at = size = 0
    for at, character in enumerate(text):  # noqa: B007 - the place is what is wanted
        size += cell_len(character)
        if size > cells:
            break
    else:
        return text, ""
    return (text[:at], text[at:]) if at else (("", text) if cells < 2 else (text[:1], text[1:]))
