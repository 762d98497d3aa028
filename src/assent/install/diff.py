"""What would change in a file, for a person to read before it does."""

import difflib
from pathlib import Path

from assent.install import tokens


def unified(path: Path, before: bytes | None, after: bytes | None) -> str:
    """Tokens masked; empty if nothing changes. ``None`` stands for no file."""
    if before == after:
        return ""
    old, new = ("/dev/null" if side is None else str(path) for side in (before, after))
    lines = difflib.unified_diff(_lines(before), _lines(after), old, new, lineterm="")
    return tokens.masked("".join(f"{line.rstrip(chr(13))}\n" for line in lines))


def _lines(data: bytes | None) -> list[str]:
    if not data:
        return []
    text = data.decode(errors="replace")
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines
