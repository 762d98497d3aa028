"""A collector of OpenTelemetry logs: one request, and what its reply means."""

import asyncio
import gzip
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from assent.config import Export
from assent.surfaces.safe_http import fresh_client, retry_after
from assent.text.safe import plain_line

if TYPE_CHECKING:
    import httpx

PATH = "/v1/logs"
# By the protocol these pass by themselves; every other refusal stays one.
PASSING = frozenset({408, 429, 502, 503, 504})
# The request itself is what is wrong; sent in parts, most of it may be taken.
ABOUT_CONTENT = frozenset({400, 413, 422})
LARGEST_REPLY = 64 << 10
LARGEST_SECRET = 8 << 10
LONGEST_WORDS = 200


class NotSentError(Exception):
    """Nothing was taken, for a reason in a sentence."""

    def __init__(self, why: str, *, retry_after: float | None = None, about_content: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.retry_after = retry_after
        self.about_content = about_content


@dataclass(frozen=True, slots=True)
class Taken:
    # How many records the collector took in and threw away, and its words about that.
    rejected: int = 0
    words: str = ""


@dataclass(slots=True)
class Collector:
    settings: Export
    _client: "httpx.AsyncClient | None" = field(default=None, repr=False)

    @property
    def place(self) -> str:
        """For people."""
        return self.settings.otlp or ""

    async def send(self, message: bytes) -> Taken:
        """Raises NotSentError; then the same may be sent again."""
        try:
            client, headers, body = await asyncio.to_thread(self._prepared, message)
            async with client.stream("POST", address(self.place), content=body, headers=headers) as response:
                words = await _beginning(response)
                return _read(response.status_code, response.headers, words)
        except NotSentError:
            raise
        except Exception as error:
            # Whatever a library makes of a network and of a stranger's bytes.
            raise NotSentError(f"it cannot be reached ({_reason(error)})") from error

    def _prepared(self, message: bytes) -> "tuple[httpx.AsyncClient, dict[str, str], bytes]":
        """Reads files, and packs: not on the loop."""
        if self._client is None:
            self._client = fresh_client(keepalive=1, trusted=_trusted(self.settings.ca_file))
        headers = {name: _secret(name, place) for name, place in self.settings.headers.items()}
        headers |= {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        return self._client, headers, gzip.compress(message, 6, mtime=0)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()


def address(base: str) -> str:
    """Of the logs, where only the collector is named."""
    path = urlsplit(base).path
    return base if path.endswith(PATH) else base.rstrip("/") + PATH


def _trusted(ca: str | None) -> ssl.SSLContext | None:
    if ca is None:
        return None
    try:
        return ssl.create_default_context(cafile=str(Path(ca).expanduser()))
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or "it holds no certificate"
        raise NotSentError(f"ca_file in [export] cannot be used: {why}") from None


def _secret(name: str, place: str) -> str:
    """Read each time: a token that is changed counts at once."""
    path = place.partition(":")[2]
    try:
        with Path(path).expanduser().open("rb") as file:
            content = file.read(LARGEST_SECRET).strip()
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or "there is no such home"
        raise NotSentError(f"the file of the header {name} cannot be read: {why}") from None
    if not content or not content.isascii() or not content.decode().isprintable():
        raise NotSentError(f"the file of the header {name} does not hold one line of plain text")
    return content.decode()


async def _beginning(response: "httpx.Response") -> bytes:
    content = b""
    async for part in response.aiter_bytes():
        content += part
        if len(content) > LARGEST_REPLY:
            return b""
    return content


def _read(status: int, headers: Mapping[str, str], content: bytes) -> Taken:
    reply = _json(content)
    if 200 <= status < 300:
        partial = reply.get("partialSuccess")
        partial = partial if isinstance(partial, dict) else {}
        return Taken(_count(partial.get("rejectedLogRecords")), _words(partial.get("errorMessage")))
    if status in PASSING:
        after = retry_after(headers.get("retry-after"))
        raise NotSentError(f"it takes nothing now ({status})", retry_after=after)
    said = _words(reply.get("message"))
    raise NotSentError(
        f"it refuses what is sent ({status}{f': {said}' if said else ''})", about_content=status in ABOUT_CONTENT
    )


def _json(content: bytes) -> dict[str, Any]:
    try:
        reply = msgspec.json.decode(content or b"{}")
    except (msgspec.DecodeError, RecursionError):
        return {}
    return reply if isinstance(reply, dict) else {}


def _count(given: object) -> int:
    """A number of 64 bits is text in the protocol's JSON, and some write it as a number."""
    text = str(given)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _words(given: object) -> str:
    return plain_line(given, LONGEST_WORDS) if isinstance(given, str) else ""


def _reason(error: Exception) -> str:
    """What an operating system or TLS says of it, else what the library calls it."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate does not count: {cause.verify_message}"
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    return type(error).__name__
