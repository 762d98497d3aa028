"""One TOML file in memory, and the error that points into it."""

import hashlib
import os
import re
import stat
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from assent.errors import UsageError

KeyPath = tuple[str | int, ...]

_BLANK = re.compile(r"[ \t]*")
_FILLER = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]*")
_SCALAR = re.compile(r"[^,\]}#\n]*")
_STRINGS = (
    re.compile(r'"""(?:[^\\"]|\\.|"(?!""))*"{3,5}', re.DOTALL),
    re.compile(r"'''(?:[^']|'(?!''))*'{3,5}", re.DOTALL),
    re.compile(r'"(?:[^\\"\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)


@dataclass(frozen=True, slots=True)
class Places:
    """Offsets into the text."""

    keys: dict[KeyPath, int] = field(default_factory=dict)
    values: dict[KeyPath, int] = field(default_factory=dict)

    def key(self, at: KeyPath) -> int | None:
        """Where the key stands, else the nearest table around it."""
        return self._nearest(at, self.keys)

    def value(self, at: KeyPath) -> int | None:
        return self.values[at] if at in self.values else self.key(at)

    def _nearest(self, at: KeyPath, offsets: dict[KeyPath, int]) -> int | None:
        while at and at not in offsets:
            at = at[:-1]
        return offsets.get(at)


def find(text: str) -> Places:
    """Never raises; what could not be followed is missing."""
    walk = _Walk(text)
    try:
        walk.document()
    except (LookupError, ValueError, RecursionError):
        pass  # The message is then shown without a place.
    return walk.places


class _Walk:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.places = Places()
        self._count: dict[KeyPath, int] = {}

    def document(self) -> None:
        table: KeyPath = ()
        while self._skip(_FILLER) < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)

    def _header(self) -> KeyPath:
        start = self.at
        many = self.text.startswith("[[", start)
        self.at += 2 if many else 1
        path: KeyPath = ()
        parts = self._key()
        for part in parts[:-1]:
            path = self._newest((*path, part))
        path = (*path, parts[-1])
        if many:
            self._count[path] = self._count.get(path, -1) + 1
        path = self._newest(path)
        self.at += 2 if many else 1
        for end in range(1, len(path) + 1):
            self.places.keys.setdefault(path[:end], start)
        return path

    def _newest(self, path: KeyPath) -> KeyPath:
        """Inside an array of tables, the entry that was opened last."""
        return (*path, self._count[path]) if path in self._count else path

    def _pair(self, table: KeyPath) -> None:
        path = table
        self._skip(_BLANK)
        for offset, part in self._key_with_offsets():
            path = (*path, part)
            self.places.keys.setdefault(path, offset)
        self.at += 1  # the equals sign
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        start = self._skip(_BLANK)
        self.places.values[path] = start
        opening = self.text[start]
        if opening in "\"'":
            self._string()
        elif opening == "[":
            self._array(path)
        elif opening == "{":
            self._inline_table(path)
        elif self._skip(_SCALAR) == start:
            raise ValueError("not a value")

    def _array(self, path: KeyPath) -> None:
        self.at += 1
        index = 0
        while self.text[self._skip(_FILLER)] != "]":
            self.places.keys[(*path, index)] = self.at
            self._value((*path, index))
            index += 1
            if self.text[self._skip(_FILLER)] == ",":
                self.at += 1
        self.at += 1

    def _inline_table(self, path: KeyPath) -> None:
        self.at += 1
        while self.text[self._skip(_FILLER)] != "}":
            self._pair(path)
            if self.text[self._skip(_FILLER)] == ",":
                self.at += 1
        self.at += 1

    def _key(self) -> tuple[str, ...]:
        return tuple(part for _, part in self._key_with_offsets())

    def _key_with_offsets(self) -> list[tuple[int, str]]:
        parts = []
        while True:
            start = self._skip(_BLANK)
            parts.append((start, self._key_part()))
            if self.text[self._skip(_BLANK)] != ".":
                return parts
            self.at += 1

    def _key_part(self) -> str:
        start = self.at
        if self.text[start] in "\"'":
            quoted = self._string()
            return str(tomllib.loads(f"k = {quoted}")["k"])
        self._skip(_BARE)
        if self.at == start:
            raise ValueError("not a key")
        return self.text[start : self.at]

    def _string(self) -> str:
        for form in _STRINGS:
            if match := form.match(self.text, self.at):
                self.at = match.end()
                return match.group()
        raise ValueError("not a string")

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        assert match is not None, "every pattern here matches the empty string too"
        self.at = match.end()
        return self.at


LARGEST = 1024 * 1024
_WIDEST = 100
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@\s]+@")


class ConfigError(UsageError):
    """A file a person wrote is wrong; says where, shows the line, and names the remedy."""

    def __init__(
        self,
        file: Path,
        line: int | None,
        column: int | None,
        message: str,
        *,
        hint: str | None = None,
        source: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.file = file
        self.line = line
        self.column = column
        self.source = source

    def __str__(self) -> str:
        where = str(self.file) if self.line is None else f"{self.file}:{self.line}"
        shown = [f"{where}: {self.message}", *self._excerpt()]
        if self.hint:
            shown.append(f"hint: {self.hint}")
        return "\n".join(shown)

    def _excerpt(self) -> list[str]:
        if self.line is None or self.column is None:
            return []
        # One character each way, so that the caret stays under its place whatever the file holds.
        inert = "".join(c if c.isprintable() else " " for c in self.source)
        start = max(0, self.column - 1 - _WIDEST // 2)
        # A database address may carry a password; the caret stands before it.
        shown = _PASSWORD.sub(r"\1…@", inert[start : start + _WIDEST])
        return [f"    {shown}", f"    {' ' * (self.column - 1 - start)}^"]


@dataclass(frozen=True)
class Document:
    """What a file says, and where it says it."""

    path: Path
    text: str
    data: dict[str, Any] = field(default_factory=dict)
    # Of the bytes as they are in the file.
    digest: str = ""

    @cached_property
    def _places(self) -> Places:
        return find(self.text)

    def wrong_value(self, at: KeyPath, message: str, hint: str | None = None) -> ConfigError:
        return self._error(self._places.value(at), message, hint)

    def wrong_key(self, at: KeyPath, message: str, hint: str | None = None) -> ConfigError:
        return self._error(self._places.key(at), message, hint)

    def line_of(self, at: KeyPath) -> int | None:
        """The line, counted from 1, where this key or table stands."""
        offset = self._places.key(at)
        return None if offset is None else self.text.count("\n", 0, offset) + 1

    def _error(self, offset: int | None, message: str, hint: str | None) -> ConfigError:
        if offset is None:
            return ConfigError(self.path, None, None, message, hint=hint)
        line = self.text.count("\n", 0, offset) + 1
        column = offset - (self.text.rfind("\n", 0, offset) + 1) + 1
        return ConfigError(self.path, line, column, message, hint=hint, source=_line(self.text, line))


def read(path: Path, *, follow: bool = True) -> Document | None:
    """The file's content, or None where there is no file. Raises ConfigError.

    ``follow=False`` refuses a symbolic link: for files that come with another person's repository.
    """
    raw = content(path, follow=follow)
    return None if raw is None else parse(path, raw)


def content(path: Path, *, follow: bool = True) -> bytes | None:
    """The same before it is TOML."""
    # Non-blocking, because a named pipe in place of the file must not stop the hub.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    try:
        handle = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as e:
        raise ConfigError(path, None, None, f"This file could not be read: {e.strerror}.") from e
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ConfigError(path, None, None, "This is not a regular file, so it was not read.")
        with open(handle, "rb", closefd=False) as file:
            raw = file.read(LARGEST + 1)
    finally:
        os.close(handle)
    if len(raw) > LARGEST:
        raise ConfigError(path, None, None, f"This file is larger than {LARGEST // 1024} KiB, so it was not read.")
    return raw


def parse(path: Path, content: bytes) -> Document:
    """Raises ConfigError."""
    try:
        text = content.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as e:
        before = content[: e.start].decode().replace("\r\n", "\n")
        source = before[before.rfind("\n") + 1 :]
        line = before.count("\n") + 1
        raise ConfigError(
            path, line, len(source) + 1, "This file is not UTF-8 text.", hint="Save it as UTF-8.", source=source
        ) from None
    try:
        return Document(path, text, tomllib.loads(text), hashlib.sha256(content).hexdigest())
    except tomllib.TOMLDecodeError as e:
        raise _syntax_error(path, text, str(e)) from None
    except RecursionError:
        raise ConfigError(path, None, None, "This file is nested too deeply, so it was not read.") from None


def _syntax_error(path: Path, text: str, message_of_parser: str) -> ConfigError:
    match = _AT.search(message_of_parser)
    message = f"This is not TOML: {_AT.sub('', message_of_parser)}."
    if match is None:
        return ConfigError(path, None, None, message)
    line = int(match[1]) if match[1] else text.count("\n") + 1
    source = _line(text, line)
    column = int(match[2]) if match[2] else len(source) + 1
    return ConfigError(path, line, column, message, source=source)


def _line(text: str, number: int) -> str:
    lines = text.split("\n")
    return lines[number - 1] if number <= len(lines) else ""
