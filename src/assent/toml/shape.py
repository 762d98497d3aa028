"""Fill a struct from a TOML table, driven by the struct's own types, with an error people can act on.

Knows what the files need: structs (tables), ``dict[str, X]``, ``tuple[X, ...]``, ``Literal``, ``X | None``, plain
values, and any type listed with a function that reads it from text.
"""

import difflib
import types
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from assent.toml.document import Document, KeyPath

T = TypeVar("T", bound=Struct)

# How values of these types are written in a string. The function raises ValueError with what is expected.
Readers = Mapping[Any, Callable[[str], Any]]

_NAMES = {str: "text in quotes", int: "a whole number", bool: "true or false", float: "a number", dict: "a table"}


def fill(document: Document, shape: type[T], table: object, at: KeyPath, readers: Readers) -> T:
    """Raises ConfigError."""
    filled = _Filler(document, readers).struct(shape, table, at)
    assert isinstance(filled, shape)
    return filled


def nearest(name: str, names_allowed: Iterable[str]) -> str:
    """A hint for a name that is not known."""
    names = sorted(names_allowed)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    listed = ", ".join(names)
    return f'Did you mean "{close[0]}"? Known here: {listed}.' if close else f"Known here: {listed}."


class _Filler:
    def __init__(self, document: Document, readers: Readers) -> None:
        self._document = document
        self._readers = readers

    def struct(self, shape: type[Struct], table: object, at: KeyPath) -> Struct:
        if not isinstance(table, dict):
            self._wrong(at, "a table", table)
        fields = _fields(shape)
        for key in table:
            if key not in fields:
                where = f" in [{_dotted(at)}]" if at else ""
                raise self._document.wrong_key((*at, key), f'"{key}" is not a known key{where}.', nearest(key, fields))
        for name, spec in fields.items():
            if spec.required and name not in table:
                raise self._document.wrong_key(at, f'"{name}" is missing in [{_dotted(at)}].', f'Add a "{name}" line.')
        return shape(**{fields[key].name: self.value(fields[key].type, table[key], (*at, key)) for key in table})

    def value(self, kind: Any, value: object, at: KeyPath) -> Any:
        origin = get_origin(kind)
        if kind in self._readers:
            return self._read(self._readers[kind], value, at)
        if origin in (Union, types.UnionType):
            return self._union(kind, value, at)
        if origin is Literal:
            return self._choice(get_args(kind), value, at)
        if origin is tuple:
            return self._items(get_args(kind)[0], value, at)
        if origin is dict:
            if not isinstance(value, dict):
                self._wrong(at, "a table", value)
            return {key: self.value(get_args(kind)[1], inner, (*at, key)) for key, inner in value.items()}
        if isinstance(kind, type) and issubclass(kind, Struct):
            return self.struct(kind, value, at)
        if kind is not Any and type(value) is not kind:
            self._wrong(at, _NAMES[kind], value)
        return value

    def _union(self, kind: Any, value: object, at: KeyPath) -> Any:
        """``X | None`` (TOML has no null, so None only means absent), or one X as well as a list of X."""
        kinds = [k for k in get_args(kind) if k is not type(None)]
        lists = [k for k in kinds if get_origin(k) is tuple]
        if len(kinds) > 1 and isinstance(value, list):
            return self.value(lists[0], value, at)
        return self.value(next(k for k in kinds if len(kinds) == 1 or k not in lists), value, at)

    def _items(self, kind: Any, value: object, at: KeyPath) -> tuple[Any, ...]:
        if not isinstance(value, list):
            self._wrong(at, "a list in brackets", value)
        return tuple(self.value(kind, inner, (*at, index)) for index, inner in enumerate(value))

    def _choice(self, choices: tuple[object, ...], value: object, at: KeyPath) -> object:
        # Not `in`: True equals 1, and version = true is a mistake.
        if not any(type(choice) is type(value) and choice == value for choice in choices):
            listed = " | ".join(_shown(choice) for choice in choices)
            close = difflib.get_close_matches(str(value), [str(c) for c in choices], n=1)
            hint = f'Did you mean "{close[0]}"?' if close else None
            raise self._document.wrong_value(at, f'"{at[-1]}" must be {listed}, not {_shown(value)}.', hint)
        return value

    def _read(self, reader: Callable[[str], Any], value: object, at: KeyPath) -> Any:
        # TOML has times of its own; people who leave out the quotes get the reader's explanation, too.
        try:
            return reader(value if isinstance(value, str) else "")
        except ValueError as e:
            raise self._document.wrong_value(at, f'"{_named(at)}" cannot be read: {e}.') from None

    def _wrong(self, at: KeyPath, wanted: str, value: object) -> NoReturn:
        raise self._document.wrong_value(at, f'"{_named(at)}" must be {wanted}, not {_shown(value)}.')


class _Field(Struct, frozen=True):
    name: str
    type: Any
    required: bool


@cache
def _fields(shape: type[Struct]) -> dict[str, _Field]:
    return {f.encode_name: _Field(f.name, f.type, f.required) for f in msgspec.structs.fields(shape)}


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value[:60]}"'
    if isinstance(value, (dict, list)):
        return "a table" if isinstance(value, dict) else "a list"
    return str(value)


def _dotted(at: KeyPath) -> str:
    return ".".join(str(part) for part in at if isinstance(part, str))


def _named(at: KeyPath) -> str:
    return str(next((part for part in reversed(at) if isinstance(part, str)), ""))
