"""JSON with the place of every value, so that an edit can leave all other bytes alone.

Strict by itself; some clients also take comments, and a comma behind the last member."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assent.harnesses.base import SettingsError

DEEPEST = 200

_SPACE = re.compile(r"[ \t\r\n]*")
_COLON = re.compile(r"[ \t\r\n]*:[ \t\r\n]*")
_COMMA = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
_STRING_BODY = re.compile(r'(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
# Strings first: what looks like a comment inside of one is none.
_WITH_COMMENTS = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\r\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'"(?:[^"\\\n]|\\.)*"|,(?=[ \t\r\n]*[}\]])')
_LITERALS = {"true": True, "false": False, "null": None}


class JsonTextError(SettingsError):
    """The text is not what it should be at one place."""

    def __init__(self, text: str, at: int, what: str) -> None:
        self.line = text.count("\n", 0, at) + 1
        self.column = at - (text.rfind("\n", 0, at) + 1) + 1
        self.what = what
        super().__init__(f"{self.line}:{self.column}: {what}")


@dataclass(frozen=True, slots=True)
class Node:
    """One value: what it is and which characters of the text it covers."""

    start: int
    end: int
    value: Any
    # For an object, the keys in the order of the text with the place of each; for an array, empty.
    keys: tuple[tuple[str, int, int], ...] = ()
    # The members' values or the elements.
    children: tuple["Node", ...] = ()

    def spans(self) -> list[tuple[int, int]]:
        """What each child covers, its key included."""
        starts = [start for _, start, _ in self.keys] or [child.start for child in self.children]
        return [(start, child.end) for start, child in zip(starts, self.children, strict=True)]

    def walk(self) -> Iterator["Node"]:
        yield self
        for child in self.children:
            yield from child.walk()


def without_comments(text: str) -> str:
    """The same with spaces in place of comments, so that every place stays where it is."""
    return _WITH_COMMENTS.sub(_blank, text)


def without_last_commas(text: str) -> str:
    """The same with a space in place of each comma behind a last member or element."""
    return _LAST_COMMA.sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else " " * len(found[0])


def parse(text: str, *, last_commas: bool = False) -> Node:
    """The whole text as one value; JsonTextError says where it is not JSON."""
    parser = _Parser(text, last_commas)
    root = parser.value(parser.space(0), 0)
    end = parser.space(root.end)
    if end != len(text):
        raise parser.expected(end, "the end of the file")
    return root


class _Parser:
    def __init__(self, text: str, last_commas: bool) -> None:
        self.text = text
        self._last_commas = last_commas

    def space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        assert match
        return match.end()

    def expected(self, at: int, wanted: str) -> JsonTextError:
        if at >= len(self.text):
            actual = "the file ends"
        elif self.text.startswith(("//", "/*"), at):
            actual = "there is a comment, which JSON does not have"
        else:
            actual = f"there is {self.text[at]!r}"
        return JsonTextError(self.text, at, f"expected {wanted}, but {actual}")

    def value(self, at: int, depth: int) -> Node:
        if depth > DEEPEST:
            raise JsonTextError(self.text, at, f"nested more than {DEEPEST} levels deep")
        head = self.text[at : at + 1]
        if head == "{":
            return self.object(at, depth)
        if head == "[":
            return self.array(at, depth)
        if head == '"':
            text, end = self.string(at)
            return Node(at, end, text)
        for word, value in _LITERALS.items():
            if self.text.startswith(word, at):
                return Node(at, at + len(word), value)
        if match := _NUMBER.match(self.text, at):
            try:
                return Node(at, match.end(), json.loads(match.group()))
            except ValueError:
                raise JsonTextError(self.text, at, "a number with too many digits") from None
        raise self.expected(at, "a value")

    def string(self, at: int) -> tuple[str, int]:
        """What it says, and where it ends."""
        body = _STRING_BODY.match(self.text, at + 1)
        assert body
        end = body.end()
        if self.text.startswith('"', end):
            said = body.group()
            return json.loads(f'"{said}"') if "\\" in said else said, end + 1
        if end == len(self.text):
            raise JsonTextError(self.text, at, "this string is never closed")
        problem = "an unknown escape" if self.text[end] == "\\" else "a line break or control character"
        raise JsonTextError(self.text, end, f"{problem} inside a string")

    def object(self, start: int, depth: int) -> Node:
        keys: list[tuple[str, int, int]] = []
        children: list[Node] = []
        at = self.space(start + 1)
        while self.text[at : at + 1] != "}" or keys:
            if self.text[at : at + 1] != '"':
                raise self.expected(at, "a name in double quotes" if keys else "a name in double quotes or '}'")
            start_of_key = at
            key, end_of_key = self.string(at)
            colon = _COLON.match(self.text, end_of_key)
            if colon is None:
                raise self.expected(self.space(end_of_key), "':'")
            child = self.value(colon.end(), depth + 1)
            keys.append((key, start_of_key, end_of_key))
            children.append(child)
            at, closed = self.after(child.end, "}")
            if closed:
                break
        value = {key: child.value for (key, _, _), child in zip(keys, children, strict=True)}
        return Node(start, at + 1, value, tuple(keys), tuple(children))

    def array(self, start: int, depth: int) -> Node:
        children: list[Node] = []
        at = self.space(start + 1)
        while self.text[at : at + 1] != "]" or children:
            child = self.value(at, depth + 1)
            children.append(child)
            at, closed = self.after(child.end, "]")
            if closed:
                break
        return Node(start, at + 1, [child.value for child in children], (), tuple(children))

    def after(self, end: int, closing: str) -> tuple[int, bool]:
        """Step over a comma to the next child, or stop at the closing bracket."""
        if comma := _COMMA.match(self.text, end):
            at = comma.end()
            return at, self._last_commas and self.text[at : at + 1] == closing
        at = self.space(end)
        if self.text[at : at + 1] != closing:
            raise self.expected(at, f"',' or '{closing}'")
        return at, True
