"""What parts of the HTTP API share: their routes with the scope a caller needs, bodies of limited size, and errors."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from assent.protocol.surfaces import Scope

Endpoint = Callable[[Request], Awaitable[Response]]
# Method, path, what the caller must be allowed to do, and who answers.
Route = tuple[str, str, Scope, Endpoint]


class ProblemError(Exception):
    """An answer other than the one asked for."""

    def __init__(self, status: int, code: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint

    def response(self) -> Response:
        error = {"code": self.code, "message": self.message, "hint": self.hint}
        return json_response({"error": error}, status=self.status)


def json_response(value: Any, *, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status_code=status, media_type="application/json")


async def problem_response(_: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    return error.response()


def failed() -> ProblemError:
    return ProblemError(500, "failed", "The hub failed at this.", hint="its log says why.")


DEEPEST = 100
_NESTING = re.compile(rb'"(?:[^"\\]|\\.)*+"|[\[\]{}]')
SMALL = 1 << 16

Wanted = TypeVar("Wanted")


async def body(request: Request, largest: int) -> bytes:
    already: bytes | None = getattr(request.state, "body", None)
    if already is not None:
        # Read when its signature was checked.
        if len(already) > largest:
            raise _too_large(largest)
        return already
    size = request.headers.get("content-length", "0")
    if size.isascii() and size.isdigit() and int(size) > largest:
        raise _too_large(largest)
    chunks = bytearray()
    try:
        async for chunk in request.stream():
            chunks += chunk
            if len(chunks) > largest:
                raise _too_large(largest)
    except ClientDisconnect:
        raise ProblemError(400, "gone", "The body was cut off.") from None
    return bytes(chunks)


async def decoded(request: Request, kind: type[Wanted], largest: int = SMALL) -> Wanted:
    return parsed(await body(request, largest), kind)


def parsed(content: bytes, kind: type[Wanted]) -> Wanted:
    if is_too_deep(content):
        raise ProblemError(400, "bad-json", f"The body is nested deeper than {DEEPEST} levels.")
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProblemError(400, "bad-json", str(error)) from None


def is_too_deep(content: bytes) -> bool:
    """Whether JSON is nested deeper than DEEPEST. How deep a decoder goes differs from one Python to the next."""
    if content.count(b"{") + content.count(b"[") <= DEEPEST:
        return False
    depth = 0
    for token in _NESTING.finditer(content):
        depth += {b"{": 1, b"[": 1, b"}": -1, b"]": -1}.get(token[0], 0)
        if depth > DEEPEST:
            return True
    return False


def _too_large(largest: int) -> ProblemError:
    size = f"{largest >> 20} MiB" if largest >= 1 << 20 else f"{largest >> 10} KiB"
    return ProblemError(413, "too-large", f"The body is larger than {size}.")
