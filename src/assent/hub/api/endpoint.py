"""The body of a request: never more of it than may be, and of the form that is expected."""

from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from assent.hub.problem import ProblemError

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
    if size.isdigit() and int(size) > largest:
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
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProblemError(400, "bad-json", str(error)) from None


def _too_large(largest: int) -> ProblemError:
    size = f"{largest >> 20} MiB" if largest >= 1 << 20 else f"{largest >> 10} KiB"
    return ProblemError(413, "too-large", f"The body is larger than {size}.")
