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
from assent.toml import places

LARGEST = 1024 * 1024
_WIDEST = 100
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@\s]+@")

KeyPath = tuple[str | int, ...]


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
    def _places(self) -> places.Places:
        return places.find(self.text)

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

    ``follow=False`` refuses a symbolic link: for files that come with somebody else's repository.
    """
    found = content(path, follow=follow)
    return None if found is None else parse(path, found)


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
            found = file.read(LARGEST + 1)
    finally:
        os.close(handle)
    if len(found) > LARGEST:
        raise ConfigError(path, None, None, f"This file is larger than {LARGEST // 1024} KiB, so it was not read.")
    return found


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


def _syntax_error(path: Path, text: str, said: str) -> ConfigError:
    found = _AT.search(said)
    message = f"This is not TOML: {_AT.sub('', said)}."
    if found is None:
        return ConfigError(path, None, None, message)
    line = int(found[1]) if found[1] else text.count("\n") + 1
    source = _line(text, line)
    column = int(found[2]) if found[2] else len(source) + 1
    return ConfigError(path, line, column, message, source=source)


def _line(text: str, number: int) -> str:
    lines = text.split("\n")
    return lines[number - 1] if number <= len(lines) else ""
