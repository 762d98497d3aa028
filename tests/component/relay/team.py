"""A team for tests: an identity provider, relays on one database, and hubs that speak to them as real ones do."""

import asyncio
import resource
import secrets
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from assent._version import __version__
from assent.protocol.team import (
    STREAM,
    Gone,
    Hello,
    Joined,
    JoinRequest,
    Proof,
    TeamAnswer,
    TeamAsk,
)
from assent.relay import settings
from assent.relay.exchange import now_ms
from assent.relay.server import RunningRelay
from assent.relay.settings import Settings
from assent.team.http import Events, Place, RefusedByRelayError, RelayHttp, UnreachableError
from assent.team.keys import HubKey, binding, fresh_salt, signed_headers
from assent.toml import document
from tests.services.oidc_provider import Provider, user
from tests.waiting import let_pass_in_loop, seen

T = TypeVar("T", bound=msgspec.Struct)

TOML = """
[team]
name = "Example"
[relay]
listen = "127.0.0.1:{port}"
[database]
url = "{database}"
[people]
issuer = "{issuer}"
client_id = "{client_id}"
{roles}
[[workloads]]
issuer = "{issuer}"
audience = "assent-ci"
subjects = ["repo:acme/*"]
"""
ROLES = """
[roles]
auditor = ["group:auditors"]
admin = ["group:admins"]
"""


def read_settings(text: str) -> Settings:
    return settings.parse(document.parse(Path("relay.toml"), text.encode()), {})


@dataclass
class Team:
    """Relays and hubs of one test; all end with it."""

    provider: Provider
    database: str
    stack: AsyncExitStack
    roles: str = ROLES
    relays: list[RunningRelay] = field(default_factory=list)

    def settings(self, port: int = 0) -> Settings:
        text = TOML.format(
            port=port,
            database=self.database,
            issuer=self.provider.issuer,
            client_id=self.provider.client_id,
            roles=self.roles,
        )
        return read_settings(text)

    async def relay(self, port: int = 0) -> RunningRelay:
        relay = RunningRelay(self.settings(port))
        await relay.start()
        self.relays.append(relay)
        self.stack.push_async_callback(stop, relay)
        return relay

    def hub(self, relay: RunningRelay, mail: str = "ada@example.org") -> "Hub":
        hub = Hub(self.provider, Place(f"http://127.0.0.1:{relay.port}", "127.0.0.1"), mail)
        self.stack.push_async_callback(hub.close)
        return hub

    async def joined(self, relay: RunningRelay, mail: str = "ada@example.org") -> "Hub":
        """A hub that is in the team, and listens."""
        hub = self.hub(relay, mail)
        await hub.join()
        await hub.listen()
        return hub


async def stop(relay: RunningRelay) -> None:
    """Also one that the test has stopped already."""
    if not relay.app.is_closing:
        await relay.stop()


@asynccontextmanager
async def team(database: str) -> AsyncIterator[Team]:
    people = [user("ada@example.org", ("dev",)), user("bob@example.org", ("dev", "sre"))]
    people += [user("aud@example.org", ("auditors",)), user("root@example.org", ("admins",))]
    # A relay wants more open files than tests have, and this process goes on without it.
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        with Provider(users={one.mail: one for one in people}) as provider:
            async with AsyncExitStack() as stack:
                yield Team(provider, database, stack)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@dataclass
class Hub:
    provider: Provider
    place: Place
    mail: str
    key: HubKey = field(default_factory=HubKey.create)
    salt: str = field(default_factory=fresh_salt)
    machine: str = "laptop"
    # What came by its streams, in order.
    events: list[tuple[str, Any]] = field(default_factory=list)
    streams: int = 0
    refusal: RefusedByRelayError | None = None
    _http: RelayHttp = field(default_factory=RelayHttp)
    _listening: asyncio.Task[None] | None = None
    _token: str = ""

    @property
    def id(self) -> str:
        return self.key.id

    def sign(self, method: str, path: str, body: bytes) -> dict[str, str]:
        return signed_headers(self.key, method, path, body, now_ms(), secrets.token_urlsafe(16))

    def proof(self, *, fresh: bool = False, **claims: Any) -> Proof:
        nonce = binding(self.key.public, self.salt)
        self._token = self._token or self.provider.id_token(self.mail, nonce=nonce, **({} if fresh else claims))
        newer = self.provider.id_token(self.mail, **claims) if fresh else ""
        return Proof(self.key.public, self.salt, self._token, newer)

    async def raw(self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> bytes:
        """Raises RefusedByRelayError."""
        sign = self.sign if headers is None else lambda *_: headers or {}
        return await self._http.request(self.place, method, path, body, sign)

    async def post(self, path: str, message: msgspec.Struct | None = None) -> Any:
        body = b"{}" if message is None else msgspec.json.encode(message)
        return msgspec.json.decode(await self.raw("POST", path, body))

    async def join(self, workload: str = "", **claims: Any) -> Joined:
        proof = None if workload else self.proof(**claims)
        request = JoinRequest(self.key.public, self.machine, __version__, proof, workload)
        return msgspec.json.decode(await self.raw("POST", "/team/join", msgspec.json.encode(request)), type=Joined)

    async def listen(self) -> None:
        """From now on, also after a break, until it is refused; returns once it is connected."""
        before = self.streams
        self.refusal = None
        self._listening = asyncio.create_task(self._listen())
        await seen(lambda: self.streams > before or self.refusal is not None, "the stream")

    def stream(self) -> AbstractAsyncContextManager[Events]:
        """One, of which nothing is kept."""
        return self._http.events(self.place, "/team/stream", self.sign)

    async def _listen(self) -> None:
        while True:
            try:
                async with self.stream() as events:
                    async for name, data in events:
                        self.events.append((name, msgspec.json.decode(data, type=STREAM[name])))
                        self.streams += name == "snapshot"
            except UnreachableError:
                await let_pass_in_loop(0.05)
            except RefusedByRelayError as refusal:
                if refusal.status != 503:
                    self.refusal = refusal
                    return
                await let_pass_in_loop(0.05)

    async def go_deaf(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    def heard(self, kind: type[T]) -> list[T]:
        return [message for _, message in self.events if isinstance(message, kind)]

    async def hears(self, kind: type[T], number: int = 1) -> T:
        """The last of so many messages of this kind, once it has come."""
        await seen(lambda: len(self.heard(kind)) >= number, f"{number} {kind.__name__}")
        return self.heard(kind)[number - 1]

    @property
    def hello(self) -> Hello:
        return self.heard(Hello)[-1]

    def ask(self, name: str = "ask-1", *, change: int = 1, whom: tuple[str, ...] = ("owner",), **other: Any) -> TeamAsk:
        deadline = other.get("deadline", now_ms() + 600_000)
        # What it says is for hubs; a relay does not read it.
        text = other.get("text", f"{name} {change}")
        signature = self.key.sign("ask", text)
        return TeamAsk(self.id, name, 1, change, deadline, whom, text, signature, self.proof())

    def answer(self, ask: TeamAsk, nonce: str = "") -> TeamAnswer:
        nonce = nonce or secrets.token_urlsafe(16)
        text = f"answer to {ask.ask}"
        signature = self.key.sign("answer", text)
        return TeamAnswer(ask.hub, ask.ask, self.id, nonce, text, signature, self.proof())

    def gone(self, ask: TeamAsk) -> Gone:
        return Gone(self.id, ask.ask, "denied by Ada")

    async def close(self) -> None:
        await self.go_deaf()
        await self._http.close()


async def refused(call: Any) -> RefusedByRelayError:
    """The relay's refusal of this call."""
    try:
        await call
    except RefusedByRelayError as refusal:
        return refusal
    raise AssertionError("the relay took it")
