"""Text of agents in chats: nothing in it hides, it is escaped character by character, and cut between whole ones.

Chats that know ``<`` and ``&`` as markup escape them alike."""

import re
from collections.abc import Iterator

from assent.hidden import drawn

CUT = "⋯"
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_BLANKS = re.compile(r"[ \t]{40,}")
_LINES = re.compile(r"\n(?:[ \t]*\n){10,}")


def escaped(text: str) -> str:
    return "".join(_ESCAPED.get(c, c) for c in text)


def size(text: str) -> int:
    """In halves of 32 bits, as services count that come from there."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def seen(text: str, *, is_command: bool = False) -> str:
    """Nothing in it hides, moves the rest away or turns it round."""
    shown = drawn(text, is_command=is_command)
    shown = _BLANKS.sub(lambda run: f"␣×{len(run[0])}", shown)
    return _LINES.sub(lambda run: f"↵×{run[0].count(chr(10))}\n", shown)


def first(text: str, room: int) -> str:
    """As much of the beginning as fits, escaped, into so much room."""
    used = 0
    for at, c in enumerate(text):
        used += size(_ESCAPED.get(c, c))
        if used > room:
            return text[:at]
    return text


def last(text: str, room: int) -> str:
    return first(text[::-1], room)[::-1]


def both_ends(text: str, room: int) -> str:
    """Beginning and end, and how much is missing between them."""
    if len(text) <= room and size(escaped(text)) <= room:
        return text
    half = max(0, room - 40) // 2
    head, tail = first(text[: half + 1], half), last(text[-half - 1 :], half)
    missing = len(text) - len(head) - len(tail)
    return f"{head}\n{CUT} {missing:,} characters {CUT}\n{tail}".replace(",", " ")


def pieces(text: str, room: int, most: int) -> list[str] | None:
    """All of it in so many pieces, broken between lines where that is possible; None where it takes more."""
    if len(text) > room * most:
        return None
    found = list(_pieces(text, room, most + 1))
    return found if len(found) <= most else None


def _pieces(text: str, room: int, most: int) -> Iterator[str]:
    while text and most:
        piece = first(text, room)
        if len(piece) < len(text):
            at = piece.rfind("\n")
            piece = piece[: at + 1] if at > len(piece) // 2 else piece
        yield piece
        text, most = text[len(piece) :], most - 1
