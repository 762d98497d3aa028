"""HTTP to the relays of a team: requests, and the one stream of events.

A relay is found at several places: each address of each name. They are told apart here, so that one that does not
answer is left for the next."""

import asyncio
import ipaddress
import logging
import secrets
import socket
import ssl
import sys
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from assent._version import __version__
from assent.errors import AssentError, UsageError
from assent.team.keys import HubKey, signed_headers

if TYPE_CHECKING:
    import httpx

# httpx has a command line, for which it would load rich and pygments: 6 MiB of a process that stays.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # as the import system says "not to be had"

CONNECTED_WITHIN = 3.0
ANSWERED_WITHIN = 10.0
# A relay says something every 15 s.
SILENCE = 45.0
LONGEST_WORDS = 400
LARGEST_REPLY = 8 << 20
# A relay's snapshots are of 6 MiB at most, and agents wait while one is read.
LARGEST_EVENT = 8 << 20
# Relays close what is idle a little later, and proxies after a minute; by then it is not used any more.
IDLE = 50.0

# Headers for this method, path and body; made anew for each try.
Sign = Callable[[str, str, bytes], dict[str, str]]
# Name and data of each.
Events = AsyncIterator[tuple[str, bytes]]


class Signer:
    """Signs requests by a hub's key, with the time as its relay has it: the clock of a machine may be off."""

    def __init__(self, key: HubKey) -> None:
        self._key = key
        self._ahead_ms = 0

    def __call__(self, method: str, path: str, body: bytes) -> dict[str, str]:
        now = _now_ms() + self._ahead_ms
        return signed_headers(self._key, method, path, body, now, secrets.token_urlsafe(18))

    def heed(self, error: "RefusedByRelayError") -> bool:
        """Whether the relay said what time it is, so that another try may go well."""
        if error.code != "clock" or error.now_ms is None:
            return False
        self._ahead_ms = error.now_ms - _now_ms()
        return True


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class UnreachableError(AssentError):
    """There is no relay at this place, or it broke off. Nothing is known to have arrived."""


class RefusedByRelayError(AssentError):
    """A relay answered, and said no."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        hint: str | None = None,
        *,
        retry_after: float | None = None,
        now_ms: int | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.status = status
        self.code = code
        self.retry_after = retry_after
        # The relay's clock, where it finds that ours is off.
        self.now_ms = now_ms


class Place(msgspec.Struct, frozen=True):
    """One address of a relay."""

    url: str
    address: str

    def __str__(self) -> str:
        return self.url

    @property
    def netloc(self) -> str:
        return urlsplit(self.url).netloc

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    def at(self, path: str) -> str:
        parts = urlsplit(self.url)
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"{parts.scheme}://{host}:{_port(self.url)}{path}"


def relay_url(text: str) -> str:
    """As it is kept: scheme, host and port. Raises UsageError."""
    text = text.strip()
    url = text if "://" in text else f"https://{text}"
    no_address = UsageError(f"{text!r} is no address of a relay.", hint="write it as https://relay.example.net.")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise no_address from None
    if not host or not url.isascii() or not url.isprintable() or " " in url or parts.username is not None:
        raise no_address
    plain = f"{parts.scheme}://{parts.netloc}"
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise UsageError(f"{text!r} is more than the address of a relay.", hint=f"without a path: {plain}.")
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(host)):
        raise UsageError(f"{text!r} is not encrypted.", hint="https is spoken to relays, except on this machine.")
    return plain


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class RelayHttp:
    """``ca_file``: of an authority that this machine does not know."""

    def __init__(self, ca_file: str | None = None) -> None:
        self._ca_file = ca_file
        self._client: httpx.AsyncClient | None = None
        self._known: dict[str, list[str]] = {}
        self._making = asyncio.Lock()

    async def places(self, urls: Sequence[str]) -> list[Place]:
        """Where to look, in order. Raises UnreachableError where no name is known."""
        found = await asyncio.gather(*map(_resolved, urls))
        # Where names are not to be had for a while, they mean what they meant before; certificates tell otherwise.
        self._known |= {url: addresses for url, addresses in zip(urls, found, strict=True) if addresses}
        places = [Place(url, address) for url in urls for address in self._known.get(url, ())]
        if not places:
            names = ", ".join(urlsplit(url).hostname or url for url in urls)
            raise UnreachableError(f"The name of the relay ({names}) cannot be found.")
        return places

    async def request(self, place: Place, method: str, path: str, body: bytes = b"", sign: Sign | None = None) -> bytes:
        """What it answered. Raises UnreachableError and RefusedByRelayError."""
        try:
            return await self._once(place, method, path, body, sign)
        except RefusedByRelayError as error:
            if not (isinstance(sign, Signer) and sign.heed(error)):
                raise
            return await self._once(place, method, path, body, sign)
        except _StaleError:
            # A connection that was kept, and closed at the other end as it was used. What is posted is known by its
            # ids, so it may arrive twice.
            try:
                return await self._once(place, method, path, body, sign)
            except _StaleError as error:
                raise UnreachableError(error.message) from None

    async def _once(self, place: Place, method: str, path: str, body: bytes, sign: Sign | None) -> bytes:
        async with self._sent(place, method, path, body, sign, silence=ANSWERED_WITHIN) as response:
            content = bytearray()
            async for chunk in response.aiter_raw():
                content += chunk
                if len(content) > LARGEST_REPLY:
                    raise UnreachableError(f"{place} sent more than it should.")
            if response.status_code >= 300:
                raise _refusal(response, bytes(content))
            return bytes(content)

    @asynccontextmanager
    async def events(self, place: Place, path: str, sign: Sign | None) -> "AsyncIterator[Events]":
        """The events of a stream, name and data, once it has begun. Raises UnreachableError, also when it breaks off,
        and RefusedByRelayError."""
        async with self._sent(place, "GET", path, b"", sign, silence=SILENCE) as response:
            if response.status_code != 200:
                content = await _limited(response)
                raise _refusal(response, content)
            yield server_events(response.aiter_raw())

    @asynccontextmanager
    async def _sent(
        self, place: Place, method: str, path: str, body: bytes, sign: Sign | None, *, silence: float
    ) -> "AsyncIterator[httpx.Response]":
        client = await self._ready()
        headers = {
            "Host": place.netloc,
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            **(sign(method, path, body) if sign else {}),
        }
        patience = {"connect": CONNECTED_WITHIN, "write": ANSWERED_WITHIN, "pool": ANSWERED_WITHIN, "read": silence}
        try:
            async with client.stream(
                method,
                place.at(path),
                content=body,
                headers=headers,
                extensions={"sni_hostname": place.host, "timeout": patience},
            ) as response:
                yield response
        except AssentError:
            raise
        except Exception as error:  # whatever the library makes of what comes from outside
            raise _trouble(place, error) from None

    async def _ready(self) -> "httpx.AsyncClient":
        async with self._making:
            if self._client is None:
                # The library and the certificates are slow to load, and agents wait for this loop.
                self._client = await asyncio.to_thread(client, self._ca_file)
            return self._client

    async def close(self) -> None:
        made, self._client = self._client, None
        if made is not None:
            await made.aclose()


def client(ca_file: str | None = None) -> "httpx.AsyncClient":
    """Without proxies from the environment, without redirects, and without a word in any log. Raises AssentError."""
    import httpx

    # They tell every address that something is sent to.
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    return httpx.AsyncClient(
        trust_env=False,
        follow_redirects=False,
        verify=authorities(ca_file),
        limits=httpx.Limits(max_connections=20, max_keepalive_connections=4, keepalive_expiry=IDLE),
        headers={"User-Agent": f"assent/{__version__}"},
    )


def authorities(ca_file: str | None) -> ssl.SSLContext:
    """Those that the library brings, those of this machine, and one from a file. Raises AssentError."""
    import httpx

    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    if ca_file:
        try:
            context.load_verify_locations(str(Path(ca_file).expanduser()))
        except (OSError, RuntimeError) as error:
            why = getattr(error, "strerror", None) or "it holds no certificate"
            raise AssentError(
                f"The certificate in {ca_file} cannot be used: {why}.", hint="mend ca_file in [team] of the settings."
            ) from None
    return context


async def server_events(chunks: AsyncIterable[bytes]) -> Events:
    """Name and data of each. Raises UnreachableError where one is far too large."""
    begun, name, data, size = bytearray(), "", list[bytes](), 0
    async for chunk in chunks:
        size += len(chunk)
        if size > LARGEST_EVENT:
            raise UnreachableError("The relay sent an event that is far too large.")
        begun += chunk
        if b"\n" not in chunk:
            continue
        *lines, rest = bytes(begun).split(b"\n")
        begun = bytearray(rest)
        for raw in lines:
            line = raw.removesuffix(b"\r")
            if not line:
                if data:
                    yield name or "message", b"\n".join(data)
                name, data, size = "", [], len(begun)
                continue
            key, _, value = line.partition(b":")
            value = value.removeprefix(b" ")
            if key == b"event":
                name = value.decode(errors="replace")
            elif key == b"data":
                data.append(value)


class _StaleError(UnreachableError):
    """The connection broke before there was an answer."""


def _trouble(place: Place, error: Exception) -> UnreachableError:
    kind = type(error).__name__
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return UnreachableError(
            f"The certificate of {place} is not trusted here.",
            hint="where your organisation has an authority of its own, name its file in [team] ca_file.",
        )
    if kind.endswith("Timeout"):
        return UnreachableError(f"{place} did not answer in time.")
    if kind in ("ConnectError", "UnsupportedProtocol"):
        return UnreachableError(f"{place} cannot be reached.")
    if kind in ("RemoteProtocolError", "ReadError", "WriteError"):
        return _StaleError(f"{place} broke off.")
    return UnreachableError(f"{place} cannot be reached ({kind}).")


class _Problem(msgspec.Struct):
    code: str
    message: str
    hint: str | None = None


class _ProblemBody(msgspec.Struct):
    error: _Problem


def _refusal(response: "httpx.Response", content: bytes) -> AssentError:
    after = response.headers.get("retry-after", "")
    retry_after = float(after) if after.isascii() and after.isdigit() and len(after) < 6 else None
    try:
        problem = msgspec.json.decode(content, type=_ProblemBody).error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        message = f"What answers there is no relay of Assent, or is not well (HTTP {response.status_code})."
        return RefusedByRelayError(response.status_code, "odd", message, retry_after=retry_after)
    now = response.headers.get("assent-now", "")
    now_ms = int(now) if now.isascii() and now.isdigit() and len(now) < 16 else None
    return RefusedByRelayError(
        response.status_code,
        problem.code,
        _inert(problem.message),
        _inert(problem.hint) if problem.hint else None,
        retry_after=retry_after,
        now_ms=now_ms,
    )


def _inert(text: str) -> str:
    """What a relay says is shown in terminals and on pages."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:LONGEST_WORDS])


async def _limited(response: "httpx.Response") -> bytes:
    content = bytearray()
    async for chunk in response.aiter_raw():
        content += chunk
        if len(content) > LARGEST_REPLY:
            break
    return bytes(content)


async def _resolved(url: str) -> list[str]:
    """Addresses of a relay; none where its name is not known now."""
    parts = urlsplit(url)
    try:
        async with asyncio.timeout(ANSWERED_WITHIN):
            entries: list[Any] = await asyncio.get_running_loop().getaddrinfo(
                parts.hostname, _port(url), type=socket.SOCK_STREAM
            )
    except (OSError, TimeoutError, UnicodeError):
        return []
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


def _port(url: str) -> int:
    parts = urlsplit(url)
    return parts.port or (443 if parts.scheme == "https" else 80)
