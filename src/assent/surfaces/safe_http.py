"""HTTP POST to an address from outside: never to this machine or its network, never through redirects or proxies."""

import asyncio
import email.utils
import ipaddress
import logging
import socket
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from assent.surfaces.base import FailedError

if TYPE_CHECKING:
    import ssl

    import httpx

PATIENCE = 10.0
LONGEST_ADDRESS = 2_048
LONGEST_WAIT = 3_600.0
MOST_ADDRESSES = 3
# Of the new kind no other addresses are given out to the world; many of the rest lead to old ones.
_GIVEN_OUT = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    # Seconds after which to come again, where the other side said so.
    retry_after: float | None = None


def refusal(url: str, *, may_be_local: bool = False) -> str:
    """Why nothing is posted to this address, as far as the address itself tells; "" where it may be."""
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        return "this is not an address"
    if len(url) > LONGEST_ADDRESS or not url.isascii() or not url.isprintable() or " " in url or not host:
        return "this is not an address"
    if may_be_local:
        return ""
    if parts.scheme != "https" or port not in (None, 443):
        return "only https is spoken, on its own port"
    if parts.username is not None or parts.password is not None or parts.fragment:
        return "an address carries no name, password or fragment"
    try:
        is_outside = is_public(host)
    except ValueError:
        is_outside = "." in host.strip(".") and not host.endswith((".local", ".internal", ".localhost"))
    return "" if is_outside else "it is on this machine or its network"


def is_public(address: str) -> bool:
    """Raises ValueError if it is no address."""
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        # An address of the old kind in the clothes of the new one.
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if ip not in _GIVEN_OUT:
            return False
    return ip.is_global and not ip.is_multicast


@dataclass(slots=True)
class SafeHttp:
    # For tests, whose services run on loopback.
    may_be_local: bool = False
    _client: "httpx.AsyncClient | None" = None
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def post(self, url: str, body: bytes, headers: dict[str, str]) -> Reply:
        """Raises FailedError in words that do not tell the address."""
        if why := refusal(url, may_be_local=self.may_be_local):
            raise FailedError(f"The address was refused: {why}.")
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        # To the very addresses that were checked: a name may mean something else the next time it is asked for.
        addresses = await self._resolved(host, port)
        client = await self._ready()
        trouble = ""
        for address in addresses[:MOST_ADDRESSES]:
            pinned = f"[{address}]" if ":" in address else address
            try:
                async with client.stream(
                    "POST",
                    parts._replace(netloc=f"{pinned}:{port}").geturl(),
                    content=body,
                    headers={**headers, "Host": parts.netloc},
                    extensions={"sni_hostname": host},
                ) as response:
                    return Reply(response.status_code, retry_after(response.headers.get("retry-after")))
            except Exception as error:
                # Whatever a library makes of a stranger's bytes; its words may hold the address.
                trouble = type(error).__name__
                if not trouble.startswith("Connect"):
                    # It may have arrived: elsewhere it would arrive twice.
                    break
        raise FailedError(f"The service cannot be reached ({trouble}).")

    async def _resolved(self, host: str, port: int) -> list[str]:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(PATIENCE):
                entries = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, TimeoutError, UnicodeError):
            raise FailedError("The name of the service cannot be found.") from None
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in entries))
        if not self.may_be_local and not all(is_public(address) for address in addresses):
            raise FailedError("The address was refused: it is on this machine or its network.")
        return addresses

    async def _ready(self) -> "httpx.AsyncClient":
        async with self._making:
            if self._client is None:
                # The library and the certificates are slow to load, and agents wait for this loop.
                self._client = await asyncio.to_thread(fresh_client)
            return self._client

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()


def fresh_client(*, keepalive: int = 0, trusted: "ssl.SSLContext | None" = None) -> "httpx.AsyncClient":
    """Without proxies from the environment, without redirects, and without a word in any log.

    ``trusted``: whose certificates count, where it is not the world's usual authorities."""
    import httpx

    # They tell every address they are sent to, and ours are secrets.
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    return httpx.AsyncClient(
        verify=True if trusted is None else trusted,
        trust_env=False,
        follow_redirects=False,
        timeout=PATIENCE,
        # Where connections are known by their addresses, none is kept: one address may serve many names.
        limits=httpx.Limits(max_connections=20, max_keepalive_connections=keepalive),
        headers={"User-Agent": "assent"},
    )


def retry_after(text: str | None) -> float | None:
    if text is None:
        return None
    if text.isascii() and text.isdigit():
        return min(float(text[:9]), LONGEST_WAIT)
    try:
        at = email.utils.parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
    return min(max(0.0, at - time.time()), LONGEST_WAIT)
