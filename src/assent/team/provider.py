"""An OpenID Connect provider, as a program asks it: what it publishes about itself, and requests of bounded size."""

import asyncio
import logging
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from assent.errors import AssentError
from assent.team.http import authorities, is_loopback
from assent.webapi.endpoint import is_too_deep

if TYPE_CHECKING:
    import httpx

PATIENCE = 15.0
LARGEST_DOCUMENT = 256 << 10
LONGEST_ADDRESS = 2_048

Wanted = TypeVar("Wanted")


class ProviderError(AssentError):
    """The identity provider cannot be used: by its address, or by what it says."""


class ProviderAwayError(ProviderError):
    """It does not answer, or fails; it may work again by itself."""


class Discovery(Struct, frozen=True):
    issuer: str
    jwks_uri: str = ""
    authorization_endpoint: str = ""
    token_endpoint: str = ""
    device_authorization_endpoint: str = ""
    # Those it makes known; many have more.
    scopes_supported: list[str] = []


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    content: bytes


def refusal(address: str) -> str:
    """Why nothing is asked of this address; "" where it may be. Plain HTTP stays on this machine."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return "it is no address"
    if (
        len(address) > LONGEST_ADDRESS
        or not address.isascii()
        or not address.isprintable()
        or " " in address
        or not host
    ):
        return "it is no address"
    if parts.username is not None or parts.fragment:
        return "an address carries no name, password or fragment"
    if parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)):
        return ""
    return "only https is spoken with other machines"


@dataclass(frozen=True, slots=True)
class Provider:
    issuer: str
    # Of an authority that this machine does not know.
    ca_file: str | None = None

    async def discovered(self) -> Discovery:
        """Raises ProviderError."""
        # Unlike the address of a page, an issuer is compared letter by letter: it is not tidied up.
        address = f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
        found = self.read(await self.get(address), Discovery)
        if found.issuer != self.issuer:
            raise ProviderError(
                f"The identity provider at {self.issuer} calls itself {found.issuer[:200]!r}.",
                hint="write the issuer in the relay's settings exactly as the provider does.",
            )
        return found

    async def get(self, address: str) -> bytes:
        """Raises ProviderError for anything but a document."""
        reply = await self._ask("GET", address, None)
        if reply.status == 200:
            return reply.content
        kind = ProviderAwayError if reply.status >= 500 or reply.status == 429 else ProviderError
        raise kind(
            f"The identity provider answers {reply.status} at {address}.",
            hint=f"is {self.issuer} the issuer? its address is the one that the provider's own pages name.",
        )

    async def post(self, address: str, form: dict[str, str]) -> Reply:
        """A form; the reply whatever its status. Raises ProviderError."""
        return await self._ask("POST", address, form)

    def read(self, content: bytes, kind: type[Wanted]) -> Wanted:
        """Raises ProviderError."""
        try:
            return decoded(content, kind)
        except ValueError as error:
            raise ProviderError(
                f"The identity provider {self.issuer} says something that cannot be read: {error}.",
                hint="is this the issuer's address? it is the one that the provider's own pages name.",
            ) from None

    async def _ask(self, method: str, address: str, form: dict[str, str] | None) -> Reply:
        if why := refusal(address) or self._downgrade(address):
            raise ProviderError(f"The address {address[:200]!r} of the identity provider is not used: {why}.")
        import httpx

        try:
            async with (
                asyncio.timeout(PATIENCE),
                await _client(address, self.ca_file) as client,
                client.stream(method, address, data=form) as response,
            ):
                return Reply(response.status_code, await self._content(response))
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise ProviderAwayError(
                f"The identity provider {self.issuer} cannot be reached ({_words(error)}).",
                hint="is this machine online? `curl` the address above to see more.",
            ) from error

    async def _content(self, response: "httpx.Response") -> bytes:
        if 300 <= response.status_code < 400:
            raise ProviderError(
                f"The identity provider {self.issuer} redirects {response.url.path}, which is not followed.",
                hint="name the address it redirects to as the issuer, if that is the provider's.",
            )
        if response.headers.get("content-encoding", "identity") != "identity":
            raise ProviderError(f"The identity provider {self.issuer} packs its answers, which was not asked for.")
        chunks = bytearray()
        async for chunk in response.aiter_raw():
            chunks += chunk
            if len(chunks) > LARGEST_DOCUMENT:
                raise ProviderError(f"The identity provider {self.issuer} answers more than {LARGEST_DOCUMENT} bytes.")
        return bytes(chunks)

    def _downgrade(self, address: str) -> str:
        is_worse = self.issuer.startswith("https:") and not address.startswith("https:")
        return "the issuer has https, and this has not" if is_worse else ""


def decoded(content: bytes, kind: type[Wanted]) -> Wanted:
    """Raises ValueError."""
    if is_too_deep(content):
        raise ValueError("it is nested too deep")
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(str(error)) from None


async def _client(address: str, ca_file: str | None) -> "httpx.AsyncClient":
    """Without proxies from the environment and without redirects; made anew, since it is needed once an hour."""
    import httpx

    # They tell every address they ask.
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # Certificates take long to read, and agents wait for this loop.
    tls = (
        await asyncio.to_thread(authorities, ca_file)
        if address.startswith("https:")
        else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    )
    headers = {"User-Agent": "assent", "Accept": "application/json", "Accept-Encoding": "identity"}
    return httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=PATIENCE, verify=tls, headers=headers)


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
