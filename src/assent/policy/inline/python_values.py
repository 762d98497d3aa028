"""The values a Python expression surely has: texts put together, decoded, turned around; and paths."""

import ast
import base64
import binascii
import codecs
import posixpath
import re
from collections.abc import Callable
from urllib.parse import unquote

Value = str | bytes | int | list["Value"]
LONGEST = 10_000
# A number in a template says how wide to print: wider than a program needs is an attempt to fill the memory.
_WIDE = re.compile(r"\d{4}")


class Values:
    """Folds expressions. ``dotted`` names what a function is called in full, whatever it was imported as."""

    def __init__(self, names: dict[str, "ast.expr | None"], dotted: Callable[[ast.expr], str], home: str) -> None:
        self._names = names
        self._dotted = dotted
        self._home = home
        self._depth = 0
        self._known: dict[int, Value | None] = {}

    def start_anew(self) -> None:
        """After what names hold has changed."""
        self._known.clear()

    def text(self, node: ast.expr | None) -> str | None:
        value = self.of(node)
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        return value if isinstance(value, str) else None

    def texts(self, node: ast.expr | None) -> list[str | None] | None:
        """Of a list of words."""
        if isinstance(node, ast.List | ast.Tuple):
            return [self.text(item) for item in node.elts]
        value = self.of(node)
        return [each if isinstance(each, str) else None for each in value] if isinstance(value, list) else None

    def of(self, node: ast.expr | None) -> Value | None:
        if node is None or self._depth > 30:
            return None
        if id(node) in self._known:
            return self._known[id(node)]
        self._depth += 1
        try:
            value = self._of(node)
        except (ValueError, TypeError, LookupError, ArithmeticError, binascii.Error):
            return None
        finally:
            self._depth -= 1
        if isinstance(value, str | bytes | list) and len(value) > LONGEST:
            value = None
        self._known[id(node)] = value
        return value

    def _of(self, node: ast.expr) -> Value | None:
        match node:
            case ast.Constant(value=str() | bytes() | int() as value):
                return value
            case ast.Name(id=name):
                return self.of(self._names.get(name))
            case ast.JoinedStr(values=parts):
                return self._joined([self.text(part) for part in parts])
            case ast.FormattedValue(value=inner, format_spec=None):
                shown = self.of(inner)
                return None if shown is None or isinstance(shown, list | bytes) else str(shown)
            case ast.BinOp(left=left, op=ast.Add() | ast.Div() as op, right=right):
                return self._sum(self.of(left), self.of(right), is_path=isinstance(op, ast.Div))
            case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant(value=int() as count)) if count < 1_000:
                repeated = self.of(left)
                return repeated * count if isinstance(repeated, str | bytes) else None
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                return self._formatted(left, right)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                values = [self.of(item) for item in items]
                return [value for value in values if value is not None] if None not in values else None
            case ast.Subscript(value=inner, slice=where):
                return self._subscript(inner, where)
            case ast.Attribute() if self._dotted(node) in ("os.sep", "posixpath.sep"):
                return "/"
            case ast.Attribute() if self._dotted(node) == "os.curdir":
                return "."
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
                return -number
            case ast.Attribute() if self._dotted(node) == "sys.executable":
                return "python3"
            case ast.Call():
                return self._call(node)
            case _:
                return None

    @staticmethod
    def _joined(parts: list[str | None]) -> str | None:
        return None if None in parts else "".join(part for part in parts if part is not None)

    @staticmethod
    def _sum(left: Value | None, right: Value | None, *, is_path: bool) -> Value | None:
        if isinstance(left, str) and isinstance(right, str):
            return posixpath.join(left, right) if is_path else left + right
        if isinstance(left, bytes) and isinstance(right, bytes) and not is_path:
            return left + right
        if isinstance(left, list) and isinstance(right, list) and not is_path:
            return left + right
        return left + right if isinstance(left, int) and isinstance(right, int) and not is_path else None

    def _formatted(self, left: ast.expr, right: ast.expr) -> str | None:
        template = self.text(left)
        values = self.of(right)
        if template is None or values is None or _WIDE.search(template):
            return None
        return template % (tuple(values) if isinstance(values, list) else values)

    def _subscript(self, inner: ast.expr, where: ast.expr) -> Value | None:
        if self._dotted(inner) == "os.environ":
            return self._home if self.text(where) == "HOME" else None
        value = self.of(inner)
        if not isinstance(value, str | bytes | list):
            return None
        if isinstance(where, ast.Slice):
            bounds = [_bound(self.of(bound)) if bound else None for bound in (where.lower, where.upper, where.step)]
            return value[bounds[0] : bounds[1] : bounds[2]]
        place = self.of(where)
        return value[place] if isinstance(place, int) else None

    def _call(self, node: ast.Call) -> Value | None:
        name = self._dotted(node.func)
        args = node.args
        first = self.of(args[0]) if args and not isinstance(args[0], ast.Starred) else None
        if name in _FUNCTIONS and first is not None and (len(args) == 1 or name in ("bytes", "str", "codecs.decode")):
            return _FUNCTIONS[name](first, self.of(args[1]) if len(args) > 1 else None)
        match name:
            case "os.path.expanduser" | "os.path.expandvars" if isinstance(first, str):
                return self._expanded(first)
            case "os.path.join" | "pathlib.Path" | "pathlib.PurePath" | "pathlib.PosixPath" | "pathlib.Path.joinpath":
                parts = [self.text(arg) for arg in args]
                return None if None in parts else posixpath.join(".", *(part for part in parts if part is not None))
            case "os.path.abspath" | "os.path.realpath" | "os.path.normpath" | "os.fspath" if isinstance(first, str):
                return first
            case "pathlib.Path.home":
                return self._home
            case "pathlib.Path.cwd" | "os.getcwd":
                return "."
            case "os.getenv" | "os.environ.get" if first == "HOME":
                return self._home
        return self._method(node) if isinstance(node.func, ast.Attribute) else None

    def _expanded(self, text: str) -> str:
        if text == "~" or text.startswith("~/"):
            text = self._home + text[1:]
        return text.replace("${HOME}", self._home).replace("$HOME", self._home)

    def _method(self, node: ast.Call) -> Value | None:
        assert isinstance(node.func, ast.Attribute)
        value = self.of(node.func.value)
        args = [self.of(arg) for arg in node.args]
        if value is None or None in args:
            return None
        method = node.func.attr
        if isinstance(value, bytes) and method == "decode":
            return value.decode(str(args[0]) if args else "utf-8", "replace")
        if isinstance(value, bytes) and method == "hex":
            return value.hex()
        if not isinstance(value, str):
            return None
        if method == "join" and args and isinstance(args[0], list) and len(value) * len(args[0]) <= LONGEST:
            return self._joined([each if isinstance(each, str) else None for each in args[0]])
        if method == "encode":
            return value.encode()
        if method == "format":
            return None if _WIDE.search(value) else value.format(*args)
        if method == "replace" and len(value) * len(str(args[-1])) > LONGEST * 10:
            return None
        if method == "expanduser":
            return self._expanded(value)
        if method in ("resolve", "absolute", "as_posix"):
            return value
        if method == "joinpath":
            return posixpath.join(value, *map(str, args))
        if method in ("lower", "upper", "strip", "lstrip", "rstrip", "replace", "swapcase", "title", "removeprefix"):
            made = getattr(value, method)(*args)
            return made if isinstance(made, str) else None
        return [*value.split(*args)] if method == "split" and all(isinstance(arg, str) for arg in args) else None  # type: ignore[arg-type]


def _bound(value: Value | None) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def _raw(value: Value) -> bytes:
    return value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else b""


def _bytes(value: Value, _: Value | None) -> Value | None:
    if isinstance(value, list):
        return bytes(each for each in value if isinstance(each, int))
    return _raw(value) if isinstance(value, str | bytes) else None


def _decoded(value: Value, how: Value | None) -> Value | None:
    if isinstance(value, str) and how in ("rot13", "rot_13", "rot-13"):
        return codecs.decode(value, "rot13")
    if how in ("hex", "hex_codec", "base64"):
        return bytes.fromhex(_raw(value).decode()) if how != "base64" else base64.b64decode(_raw(value))
    return None


_FUNCTIONS: dict[str, Callable[[Value, Value | None], Value | None]] = {
    "base64.b64decode": lambda value, _: base64.b64decode(_raw(value)),
    "base64.urlsafe_b64decode": lambda value, _: base64.urlsafe_b64decode(_raw(value)),
    "base64.b32decode": lambda value, _: base64.b32decode(_raw(value)),
    "base64.b16decode": lambda value, _: base64.b16decode(_raw(value)),
    "base64.b85decode": lambda value, _: base64.b85decode(_raw(value)),
    "base64.decodebytes": lambda value, _: base64.decodebytes(_raw(value)),
    "bytes.fromhex": lambda value, _: bytes.fromhex(value) if isinstance(value, str) else None,
    "bytearray.fromhex": lambda value, _: bytes.fromhex(value) if isinstance(value, str) else None,
    "binascii.unhexlify": lambda value, _: binascii.unhexlify(_raw(value)),
    "binascii.a2b_base64": lambda value, _: binascii.a2b_base64(_raw(value)),
    "codecs.decode": _decoded,
    "urllib.parse.unquote": lambda value, _: unquote(value) if isinstance(value, str) else None,
    "bytes": _bytes,
    "bytearray": _bytes,
    "str": lambda value, _: value.decode() if isinstance(value, bytes) else str(value),
    "chr": lambda value, _: chr(value) if isinstance(value, int) else None,
    "reversed": lambda value, _: [*value[::-1]] if isinstance(value, str | list) else None,
    "list": lambda value, _: [*value] if isinstance(value, str | list) else None,
    "shlex.split": lambda value, _: [*value.split()] if isinstance(value, str) else None,
}
