"""Signing a person in at the team's identity provider, so that their ID token names this machine's key.

By a device code, which is typed into a browser on any machine, or in a browser on this one. Later the refresh token
brings newer tokens without the person."""

import asyncio
import hashlib
import hmac
import html
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec import Struct

from assent.errors import AssentError
from assent.protocol.team import Identity, Proof
from assent.team.keys import HubKey, binding, fresh_salt, packed
from assent.team.provider import Discovery, ProviderAwayError, ProviderError, decoded, refusal
from assent.team.trust import Trust, UntrustedError

DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
# Where the browser is sent back to; providers want http://127.0.0.1/callback among a client's addresses, with any port.
CALLBACK = "/callback"
# How long a person may take in the browser.
PATIENCE = 600.0
# How long a browser may take to ask for a page of ours, and to read it.
PAGE_PATIENCE = 10.0
LONGEST_INTERVAL = 60.0
LARGEST_REQUEST = 16 << 10

Clock = Callable[[], int]
Sleep = Callable[[float], Awaitable[None]]
Wanted = TypeVar("Wanted")


class SignInError(AssentError):
    """No person was signed in. ``code`` is the provider's where it refused, and for programs."""

    def __init__(self, code: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.code = code


@dataclass(frozen=True, slots=True)
class SignedIn:
    proof: Proof
    # Brings the next token; "" where the provider gives none. Most providers take each once.
    refresh: str
    identity: Identity


class DeviceCode(Struct, frozen=True):
    """Where a person goes, and the code they type in there."""

    device_code: str
    user_code: str
    verification_uri: str = ""
    # As it was called before it was a standard.
    verification_url: str = ""
    verification_uri_complete: str = ""
    expires_in: float = 900
    interval: float = 5

    @property
    def address(self) -> str:
        return self.verification_uri or self.verification_url


class _Tokens(Struct):
    id_token: str = ""
    refresh_token: str = ""


class _Refusal(Struct):
    error: str = ""
    error_description: str = ""


def clock() -> int:
    return time.time_ns() // 1_000_000


async def by_device_code(
    trust: Trust,
    key: HubKey,
    scopes: Sequence[str],
    tell: Callable[[DeviceCode], None],
    *,
    now: Clock = clock,
    sleep: Sleep = asyncio.sleep,
) -> SignedIn:
    """``tell`` shows the person where to go. Raises AssentError."""
    found = await trust.provider.discovered()
    if not found.device_authorization_endpoint:
        raise SignInError(
            "no-device-codes",
            f"The identity provider {trust.issuer} has no device codes.",
            hint="sign in with a browser instead, or turn device codes on for the client at the provider.",
        )
    salt, verifier = fresh_salt(), secrets.token_urlsafe(48)
    # Some providers want PKCE here, too; the others do not look at it.
    wanted = {"scope": _scopes(found, scopes), "nonce": binding(key.public, salt), **_challenge(verifier)}
    code = await _asked(trust, found.device_authorization_endpoint, wanted, DeviceCode)
    _check(code)
    tell(code)
    tokens = await _polled(trust, found, code, verifier, sleep)
    try:
        return await _signed_in(trust, key, salt, tokens, now())
    except UntrustedError as error:
        if error.code != "wrong-key":
            raise
        raise SignInError(
            "no-nonce",
            f"The identity provider {trust.issuer} leaves the nonce out of the ID tokens of device codes, so they do "
            "not say to which machine they belong.",
            hint="sign in with a browser instead; or set the provider up to take `nonce` in device requests.",
        ) from error


async def by_browser(
    trust: Trust,
    key: HubKey,
    scopes: Sequence[str],
    show: Callable[[str], None],
    *,
    typed: Callable[[], Awaitable[str]] | None = None,
    now: Clock = clock,
    port: int = 0,
    patience: float = PATIENCE,
) -> SignedIn:
    """``show`` opens an address in a browser, which is sent back to this machine. Raises AssentError.

    Where the browser is on another machine, it ends at an address it cannot open: ``typed`` asks for that."""
    found = await trust.provider.discovered()
    if not found.authorization_endpoint:
        raise SignInError("no-browser", f"The identity provider {trust.issuer} has no page to sign in.")
    salt, verifier = fresh_salt(), secrets.token_urlsafe(48)
    async with _Callback(trust.issuer, port=port) as callback:
        asked = {
            "response_type": "code",
            "client_id": trust.client_id,
            "redirect_uri": callback.address,
            "scope": _scopes(found, scopes),
            "state": callback.state,
            "nonce": binding(key.public, salt),
            **_challenge(verifier),
        }
        show(_with_query(found.authorization_endpoint, asked))
        grant = {
            "grant_type": "authorization_code",
            "code": await _first(callback, typed, patience),
            "redirect_uri": callback.address,
            "code_verifier": verifier,
        }
        try:
            tokens = await _asked(trust, found.token_endpoint, grant, _Tokens)
            signed = await _signed_in(trust, key, salt, tokens, now())
        except AssentError as error:
            callback.tell("Not signed in", error.message)
            raise
        callback.tell("Signed in", f"You are {signed.identity.label}. You can close this page.")
        return signed


async def renewed(trust: Trust, proof: Proof, refresh: str, *, now: Clock = clock) -> SignedIn:
    """A newer proof without the person.

    Raises ProviderAwayError where it may work later, and another AssentError where the person has to sign in."""
    try:
        return await _renewed(trust, proof, refresh, now)
    except AssentError as error:
        if isinstance(error, ProviderAwayError) or needs_person(error):
            raise
        raise ProviderAwayError(error.message, hint=error.hint) from error


async def _renewed(trust: Trust, proof: Proof, refresh: str, now: Clock) -> SignedIn:
    try:
        # A refresh token is spent on nothing while what it brings could not be checked.
        await trust.check_key(proof, now())
    except UntrustedError as error:
        if not needs_person(error):
            raise
    found = await trust.provider.discovered()
    tokens = await _asked(
        trust, found.token_endpoint, {"grant_type": "refresh_token", "refresh_token": refresh}, _Tokens
    )
    token = _id_token(trust, tokens)
    kept = tokens.refresh_token or refresh
    try:
        # Some providers put the first nonce into later tokens: then those alone are the proof.
        whole = Proof(proof.key, proof.salt, token)
        return SignedIn(whole, kept, await trust.identity(whole, now()))
    except UntrustedError as error:
        if error.code != "wrong-key":
            raise
    newer = Proof(proof.key, proof.salt, proof.token, fresh=token)
    return SignedIn(newer, kept, await trust.identity(newer, now()))


def needs_person(error: AssentError) -> bool:
    """Whether trying again is of no use before a person signed in."""
    if isinstance(error, UntrustedError):
        return error.code not in ("no-keys", "from-the-future")
    return isinstance(error, SignInError)


async def _signed_in(trust: Trust, key: HubKey, salt: str, tokens: _Tokens, now_ms: int) -> SignedIn:
    proof = Proof(key.public, salt, _id_token(trust, tokens))
    return SignedIn(proof, tokens.refresh_token, await trust.identity(proof, now_ms))


def _scopes(found: Discovery, scopes: Sequence[str]) -> str:
    """Without those that not every provider has, where it says what it has: some refuse the whole request for one."""
    lacking = {"groups", "offline_access"}.difference(found.scopes_supported) if found.scopes_supported else set()
    return " ".join(scope for scope in scopes if scope not in lacking)


def _challenge(verifier: str) -> dict[str, str]:
    challenge = packed(hashlib.sha256(verifier.encode()).digest())
    return {"code_challenge": challenge, "code_challenge_method": "S256"}


def _id_token(trust: Trust, tokens: _Tokens) -> str:
    if not tokens.id_token:
        raise SignInError(
            "no-id-token",
            f"The identity provider {trust.issuer} gave no ID token.",
            hint="the scope `openid` has to be among `scopes` in the relay's settings, and allowed for the client.",
        )
    return tokens.id_token


async def _polled(trust: Trust, found: Discovery, code: DeviceCode, verifier: str, sleep: Sleep) -> _Tokens:
    wanted = {"grant_type": DEVICE_GRANT, "device_code": code.device_code, "code_verifier": verifier}
    interval, waited = min(max(code.interval, 1.0), LONGEST_INTERVAL), 0.0
    while waited < min(code.expires_in, 3_600):
        await sleep(interval)
        waited += interval
        try:
            return await _asked(trust, found.token_endpoint, wanted, _Tokens)
        except ProviderAwayError:
            interval = min(2 * interval, LONGEST_INTERVAL)
        except SignInError as error:
            if error.code == "slow_down":
                interval = min(interval + 5, LONGEST_INTERVAL)
            elif error.code != "authorization_pending":
                raise
    raise _refused(trust, _Refusal("expired_token"))


async def _asked(trust: Trust, address: str, form: dict[str, str], kind: type[Wanted]) -> Wanted:
    """Raises SignInError where the provider refuses, ProviderError where it cannot be used."""
    client = {"client_id": trust.client_id} | ({"client_secret": trust.client_secret} if trust.client_secret else {})
    reply = await trust.provider.post(address, client | form)
    if reply.status == 200:
        return trust.provider.read(reply.content, kind)
    if reply.status >= 500 or reply.status in (408, 429):
        raise ProviderAwayError(
            f"The identity provider {trust.issuer} answers {reply.status}.", hint="try again in a minute."
        )
    refused = _Refusal()
    with suppress(ValueError):
        refused = decoded(reply.content, _Refusal)
    raise _refused(trust, refused if refused.error else _Refusal(f"status {reply.status}"))


_HINTS = {
    "access_denied": "start again and allow it; your account may not be let into this client.",
    "expired_token": "start again, and sign in within the time that is given.",
    "invalid_client": "client_id in the relay's settings has to be a client of the provider that needs no secret.",
    "unauthorized_client": "allow device codes and authorization codes for the client at the provider.",
    "invalid_scope": "the provider has other scopes: change `scopes` in the relay's settings.",
    "invalid_grant": "sign in again: `assent team sign-in`.",
    "login_required": "sign in again: `assent team sign-in`.",
}


def _refused(trust: Trust, refused: _Refusal) -> SignInError:
    said = _inert(refused.error_description) or "it gives no reason"
    return SignInError(
        refused.error,
        f"The identity provider {trust.issuer} refuses ({_inert(refused.error)}): {said}.".replace("..", "."),
        hint=_HINTS.get(refused.error, "sign in again: `assent team sign-in`; the provider's log says more."),
    )


def _inert(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text[:300])


def _check(code: DeviceCode) -> None:
    """It is printed for a person who will follow it."""
    is_printable = 0 < len(code.user_code) <= 64 and code.user_code.isprintable()
    if why := refusal(code.address) or ("" if is_printable else "its code cannot be shown"):
        raise ProviderError(
            f"The identity provider sends people to {_inert(code.address)!r}, which is not used: {why}."
        )
    if code.verification_uri_complete and (why := refusal(code.verification_uri_complete)):
        raise ProviderError(f"The identity provider sends people to an address that is not used: {why}.")


def _with_query(address: str, values: dict[str, str]) -> str:
    if why := refusal(address):
        raise ProviderError(f"The identity provider sends people to {_inert(address)!r}, which is not used: {why}.")
    return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(values)}"


async def _first(callback: "_Callback", typed: Callable[[], Awaitable[str]] | None, patience: float) -> str:
    """The code, from whichever way it comes first."""

    async def read() -> str:
        assert typed is not None
        return callback.code_in(urlsplit((await typed()).strip()).query)

    ways: list[asyncio.Future[str]] = [callback.code]
    if typed is not None:
        ways.append(asyncio.ensure_future(read()))
    try:
        done, _ = await asyncio.wait(ways, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            raise SignInError(
                "too-late",
                f"No one signed in within {round(patience / 60)} minutes.",
                hint="start again; on a machine without a browser, use a device code.",
            )
        return done.pop().result()
    finally:
        for way in ways[1:]:
            way.cancel()
            await asyncio.gather(way, return_exceptions=True)


_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    "<title>{title}</title><h1>{title}</h1><p>{text}</p>"
)
_HEAD = (
    "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n"
    "Cache-Control: no-store\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"
    "Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
)


@dataclass(slots=True)
class _Callback:
    """Waits on loopback for one browser to come back, and tells it how it ended. Others are turned away."""

    issuer: str
    port: int = 0
    state: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    code: "asyncio.Future[str]" = field(init=False)
    _ending: "asyncio.Future[tuple[str, str]]" = field(init=False)
    _server: asyncio.Server | None = None
    # Connections, and those of them on which something was asked.
    _open: set["asyncio.Task[None]"] = field(default_factory=set)
    _asked: set["asyncio.Task[None]"] = field(default_factory=set)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{CALLBACK}"

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self.code, self._ending = loop.create_future(), loop.create_future()
        try:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, limit=LARGEST_REQUEST)
        except OSError as error:
            raise SignInError(
                "no-port",
                f"Nothing can listen at {self.address}: {error.strerror}.",
                hint="name another port, or use a device code.",
            ) from error
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.tell("Not signed in", "It was stopped. Look at the terminal.")
        if self._asked:
            await asyncio.wait(self._asked, timeout=PAGE_PATIENCE)
        # Browsers open connections that they then do not use.
        still = list(self._open)
        for task in still:
            task.cancel()
        await asyncio.gather(*still, return_exceptions=True)
        self.code.cancel()
        if self.code.done() and not self.code.cancelled():
            # Looked at, so that it is not reported as lost.
            self.code.exception()

    def tell(self, title: str, text: str) -> None:
        if not self._ending.done():
            self._ending.set_result((title, text))

    def code_in(self, query: str) -> str:
        """Raises SignInError."""
        given = dict(parse_qsl(query, max_num_fields=20))
        if not hmac.compare_digest(given.get("state", "").encode(), self.state.encode()):
            raise SignInError(
                "other-state",
                "This address belongs to another sign-in.",
                hint="use the address that the browser shows at the end of this one.",
            )
        if given.get("iss", self.issuer) != self.issuer:
            raise SignInError("other-issuer", "This answer comes from another identity provider.")
        if "error" in given:
            said = _inert(given.get("error_description", "")) or "it gives no reason"
            raise SignInError(
                given["error"],
                f"The identity provider refuses ({_inert(given['error'])}): {said}.",
                hint=_HINTS.get(given["error"], "start again; the provider's log says more."),
            )
        if not given.get("code"):
            raise SignInError("no-code", "The identity provider sent no code.", hint="start again.")
        return given["code"]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            with suppress(OSError, TimeoutError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                async with asyncio.timeout(PAGE_PATIENCE):
                    head = await reader.readuntil(b"\r\n\r\n")
                self._asked.add(task)
                status, title, text = await self._answered(head)
                page = _PAGE.format(title=html.escape(title), text=html.escape(text)).encode()
                writer.write(_HEAD.format(status=status, length=len(page)).encode() + page)
                async with asyncio.timeout(PAGE_PATIENCE):
                    await writer.drain()
        finally:
            self._open.discard(task)
            self._asked.discard(task)
            writer.close()

    async def _answered(self, head: bytes) -> tuple[str, str, str]:
        method, _, rest = head.decode("latin-1").partition(" ")
        parts = urlsplit(rest.partition(" ")[0])
        if method != "GET" or parts.path != CALLBACK:
            return "404 Not Found", "Not found", "There is nothing here."
        try:
            code = self.code_in(parts.query)
        except SignInError as error:
            # What belongs to another sign-in, or to none, does not end this one.
            if error.code not in ("other-state", "other-issuer") and not self.code.done():
                self.code.set_exception(error)
            return "400 Bad Request", "Not signed in", error.message
        if self.code.done():
            return "400 Bad Request", "Not signed in", "This address was used before."
        self.code.set_result(code)
        title, text = await self._ending
        return "200 OK", title, text
