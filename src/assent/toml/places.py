"""Where keys and values stand in a TOML text. Serves error messages only.

tomllib forgets positions, so this walks text that tomllib has already accepted: nothing here checks anything, and
what it cannot follow simply has no place.
"""

import re
import tomllib
from dataclasses import dataclass, field

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

    def _nearest(self, at: KeyPath, known: dict[KeyPath, int]) -> int | None:
        while at and at not in known:
            at = at[:-1]
        return known.get(at)


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
            if found := form.match(self.text, self.at):
                self.at = found.end()
                return found.group()
        raise ValueError("not a string")

    def _skip(self, what: re.Pattern[str]) -> int:
        found = what.match(self.text, self.at)
        assert found is not None, "every pattern here matches the empty string too"
        self.at = found.end()
        return self.at
