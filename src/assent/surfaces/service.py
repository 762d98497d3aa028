"""Talking to a service over HTTP: one address, answers of a bounded size, and nothing of it in a log."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from assent.surfaces.base import FailedError, SurfaceError
from assent.surfaces.safe_http import fresh_client, retry_after

if TYPE_CHECKING:
    import httpx

PATIENCE = 15.0
LARGEST = 4 << 20
LONGEST_LINE = 256 << 10


class Answer(Struct, frozen=True):
    status: int
    body: bytes = b""
    # Seconds after which to come again, where the service said so in a header.
    retry_after: float | None = None

    def json(self) -> Any:
        """Raises FailedError where it is none."""
        try:
            return msgspec.json.decode(self.body)
        except msgspec.DecodeError:
            raise FailedError("The service answered something that cannot be read.") from None


@dataclass(slots=True)
class Service:
    # Its path may hold a secret, so it is never part of a message.
    base: str
    # As people call it.
    title: str
    headers: Mapping[str, str] = field(default_factory=dict)
    _client: "httpx.AsyncClient | None" = None
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def call(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        content: bytes | None = None,
        files: Mapping[str, Any] | None = None,
        form: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        patience: float = PATIENCE,
    ) -> Answer:
        """Raises FailedError in words that tell neither address nor secrets. No redirect is followed."""
        client = await self._ready()
        sent = {**self.headers, **(headers or {})}
        if json is not None:
            content, sent["Content-Type"] = msgspec.json.encode(json), "application/json"
        try:
            async with (
                asyncio.timeout(patience),
                client.stream(
                    method,
                    f"{self.base}{path}",
                    content=content,
                    files=files,
                    data=form,
                    headers=sent,
                    timeout=patience,
                ) as response,
            ):
                body = await self._read(response)
                return Answer(response.status_code, body, retry_after(response.headers.get("retry-after")))
        except (FailedError, asyncio.CancelledError):
            raise
        except TimeoutError:
            raise FailedError(f"{self.title} did not answer in time.") from None
        except Exception as error:
            # Whatever a library makes of a stranger's bytes; its words may hold the address.
            raise FailedError(f"{self.title} cannot be reached ({type(error).__name__}).") from None

    async def lines(self, path: str, taken: Callable[[Answer], None], *, silence: float) -> AsyncIterator[bytes]:
        """What the service tells for as long as it goes on, line by line. ``taken`` is given its first words and may
        raise. Raises FailedError where it cannot be reached, or says nothing for so long."""
        client = await self._ready()
        # Loaded by now, beside the loop.
        import httpx

        try:
            async with client.stream(
                "GET",
                f"{self.base}{path}",
                headers=dict(self.headers),
                timeout=httpx.Timeout(PATIENCE, read=silence),
            ) as response:
                taken(Answer(response.status_code, b"", retry_after(response.headers.get("retry-after"))))
                rest = b""
                async for part in response.aiter_bytes():
                    *whole, rest = (rest + part).split(b"\n")
                    for line in whole:
                        yield line
                    self._bound(rest, LONGEST_LINE)
        except (SurfaceError, asyncio.CancelledError, GeneratorExit):
            raise
        except Exception as error:
            raise FailedError(f"{self.title} cannot be reached ({type(error).__name__}).") from None

    async def _read(self, response: "httpx.Response") -> bytes:
        body = bytearray()
        async for part in response.aiter_bytes():
            body += part
            self._bound(body, LARGEST)
        return bytes(body)

    def _bound(self, body: bytes | bytearray, largest: int) -> None:
        if len(body) > largest:
            raise FailedError(f"{self.title} answered far too much.")

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _ready(self) -> "httpx.AsyncClient":
        async with self._making:
            if self._client is None:
                # The library and the certificates are slow to load, and agents wait for this loop.
                self._client = await asyncio.to_thread(fresh_client, keepalive=5)
            return self._client
