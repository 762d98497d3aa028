"""One value of a TOML file, changed in its text: the rest stays byte for byte, and a real parser has read it."""

import re
import tomllib
from typing import Any

from assent.errors import AssentError

_HEADER = re.compile(rb"\s*\[")


def with_value(data: bytes, section: str, key: str, literal: str) -> bytes:
    """The file with ``key = literal`` in ``[section]``, or at the top. Raises AssentError; nothing is written here."""
    try:
        intended = tomllib.loads(data.decode())
        value = tomllib.loads(f"x = {literal}")["x"]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _refused() from error
    table: Any = intended
    for part in section.split(".") if section else ():
        table = table.setdefault(part, {})
        if not isinstance(table, dict):
            raise _refused()
    table[key] = value
    after = _edited(data, section.encode(), key.encode(), literal.encode())
    try:
        if tomllib.loads(after.decode()) != intended:
            raise _refused()
    except tomllib.TOMLDecodeError as error:
        raise _refused() from error
    return after


def without_value(data: bytes, section: str, key: str) -> bytes:
    """The file without ``key`` in ``[section]``, and without that table where nothing else is in it. Raises
    AssentError; nothing is written here."""
    try:
        intended = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _refused() from error
    table: Any = intended
    for part in section.split("."):
        table = table.get(part, {})
    if table.pop(key, None) is None:
        return data
    if not table:
        return without_table(data, section)
    lines = data.splitlines(keepends=True)
    header = re.compile(rb"\s*\[\s*" + re.escape(section.encode()) + rb"\s*\]")
    wanted = re.compile(rb"\s*" + re.escape(key.encode()) + rb"\s*=")
    begin = next((place for place, line in enumerate(lines) if header.match(line)), len(lines))
    place = next((place for place in range(begin, len(lines)) if wanted.match(lines[place])), len(lines))
    after = b"".join([*lines[:place], *lines[place + 1 :]])
    try:
        if tomllib.loads(after.decode()) != intended:
            raise _refused()
    except tomllib.TOMLDecodeError as error:
        raise _refused() from error
    return after


def without_table(data: bytes, section: str) -> bytes:
    """The file without ``[section]`` and what is below it. Raises AssentError; nothing is written here."""
    try:
        intended = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _refused() from error
    *outer, last = section.split(".")
    table: Any = intended
    for part in outer:
        table = table.get(part, {})
    if table.pop(last, None) is None:
        return data
    after = _left(data, section.encode())
    try:
        if _filled(tomllib.loads(after.decode())) != _filled(intended):
            raise _refused()
    except tomllib.TOMLDecodeError as error:
        raise _refused() from error
    return after


def _left(data: bytes, section: bytes) -> bytes:
    own = re.compile(rb"\s*\[\s*" + re.escape(section) + rb"\s*[\].]")
    kept: list[bytes] = []
    # Comments and blanks right before a header belong to it.
    before: list[bytes] = []
    is_ours = False
    for line in data.splitlines(keepends=True):
        if line.strip()[:1] in (b"", b"#"):
            before.append(line)
            continue
        if _HEADER.match(line):
            is_ours = own.match(line) is not None
            if is_ours:
                kept += _commentary(before)
                before = []
        kept += [] if is_ours else [*before, line]
        before = []
    return b"".join([*kept, *before])


def _commentary(lines: list[bytes]) -> list[bytes]:
    """What a person wrote there stays."""
    return lines if any(line.strip() for line in lines) else []


def _filled(tables: dict[str, Any]) -> dict[str, Any]:
    """A table of which nothing is left is as good as none."""
    inner = {name: _filled(value) if isinstance(value, dict) else value for name, value in tables.items()}
    return {name: value for name, value in inner.items() if value != {}}


def _edited(data: bytes, section: bytes, key: bytes, literal: bytes) -> bytes:
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    lines = data.splitlines(keepends=True)
    header = re.compile(rb"\s*\[\s*" + re.escape(section) + rb"\s*\]\s*(#.*)?$")
    begin = 0
    if section:
        begin = next((place + 1 for place, line in enumerate(lines) if header.match(line.rstrip(b"\r\n"))), -1)
    if begin < 0:
        ends = b"" if not data or data.endswith(b"\n") else newline
        gap = newline if data.strip() else b""
        return data + ends + gap + b"[" + section + b"]" + newline + key + b" = " + literal + newline
    end = next((place for place in range(begin, len(lines)) if _HEADER.match(lines[place])), len(lines))
    wanted = re.compile(rb"\s*" + re.escape(key) + rb"\s*=")
    line = key + b" = " + literal + newline
    for place in range(begin, end):
        if wanted.match(lines[place]):
            return b"".join([*lines[:place], line, *lines[place + 1 :]])
    # After the last line that says something: comments and blanks before the next table belong to that.
    while end > begin and lines[end - 1].strip()[:1] in (b"", b"#"):
        end -= 1
    if end and not lines[end - 1].endswith(b"\n"):
        lines[end - 1] += newline
    return b"".join([*lines[:end], line, *lines[end:]])


def _refused() -> AssentError:
    return AssentError("This setting cannot be changed in its file.", hint="change it with an editor.")
