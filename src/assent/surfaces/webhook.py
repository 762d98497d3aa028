"""A webhook: every ask, and what becomes of it, posted to an address of one's own. Signed, and one-way by nature."""

import hashlib
import hmac
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from assent.protocol.card import ShownAsk
from assent.surfaces import safe_http
from assent.surfaces.ask_text import ask_summary, notice_summary
from assent.surfaces.base import (
    TURN,
    Audience,
    BadSettingsError,
    FailedError,
    GoneError,
    Notice,
    Privacy,
    RateLimitedError,
    Ref,
    SurfaceError,
    Traits,
)
from assent.surfaces.registry import Checked, Tools
from assent.surfaces.safe_http import SafeHttp
from assent.surfaces.signing import mac

NAME = "webhook"
VERSION = 1
SHORTEST_SECRET = 16
CALM = 30.0
_BURST = "burst-"
_HOW = "allow_private = true in [surface.webhook] permits this machine and its network"
# Tried again; any other refusal stays one.
_PASSING = frozenset({408, 425})

Event = Literal["asked", "changed", "over", "turn", "hello"]


@dataclass(slots=True)
class Webhook:
    url: str = field(repr=False)
    secret: bytes = field(repr=False)
    tools: Tools = field(repr=False)
    http: SafeHttp = field(default_factory=SafeHttp)
    privacy: Privacy = "open"
    name: str = NAME
    trouble: str = ""
    # What an answer would come back by does not exist.
    traits: Traits = field(default_factory=lambda: Traits(shows_all=False, may_answer=False, is_private=True))

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        key = f"{_BURST}{ask.subject.session}" if audience.gist else ask.id
        await self._tell("asked", key, ask, audience)
        return Ref(NAME, key)

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:
        await self._tell("changed", ref.key, ask, audience)

    async def withdraw(self, ref: Ref, why: str) -> None:
        name = "" if ref.key.startswith((_BURST, TURN)) else ref.key
        ask = self.tools.inbox.ask(name) if name else None
        fields: dict[str, Any] = {"key": ref.key, "ask": name, "state": "closed", "why": why}
        if ask is not None:
            fields["state"] = ask.state
            fields |= self._card(ask)
        await self._post("over", fields, ref.key, why)

    async def notify(self, notice: Notice, audience: Audience) -> Ref:
        title, text = notice_summary(notice, replace(audience, privacy=self.privacy))
        fields = {"key": notice.key, "session": notice.session, "state": notice.what, "title": title, "text": text}
        await self._post("turn", fields, notice.key, str(notice.at))
        return Ref(NAME, notice.key)

    async def hello(self) -> None:
        await self._post("hello", {}, str(time.time_ns()))

    async def probe(self) -> str:
        await self.hello()
        return "It takes what is sent."

    async def close(self) -> None:
        await self.http.close()

    async def _tell(self, event: Event, key: str, ask: ShownAsk, audience: Audience) -> None:
        title, text = ask_summary(ask, replace(audience, privacy=self.privacy))
        fields: dict[str, Any] = {"key": key, "ask": "" if audience.gist else ask.id, "state": ask.state}
        fields |= {"title": title, "text": text, "reminder": audience.is_reminder, "link": self.tools.link(ask.id)}
        if not audience.gist:
            fields |= self._card(ask)
        again = (str(ask.rev), ask.hash, ask.state, audience.gist, str(audience.is_reminder))
        await self._post(event, fields, key, *again)

    def _card(self, ask: ShownAsk) -> dict[str, Any]:
        """Redacted as it is everywhere; the choices are left out."""
        return {"card": msgspec.to_builtins(replace(ask, choices=()))} if self.privacy == "open" else {}

    async def _post(self, event: Event, fields: dict[str, Any], *about: str) -> None:
        # The same message has the same id however often it is sent, so that a receiver can drop the second.
        name = mac(self.tools.key, event, *about)[:22]
        now = int(time.time())
        body = msgspec.json.encode({"version": VERSION, "id": name, "event": event, "at": now, **fields})
        headers = {
            "Content-Type": "application/json",
            "Assent-Delivery": name,
            "Assent-Signature": f"t={now},v1={signature(self.secret, now, body)}",
        }
        reply = await self.http.post(self.url, body, headers)
        if 200 <= reply.status < 300:
            return
        if reply.status == 429:
            raise RateLimitedError("The webhook wants fewer messages.", reply.retry_after or CALM)
        if reply.status < 500 and reply.status not in _PASSING:
            raise GoneError(f"The webhook refused the message ({reply.status}).")
        raise FailedError(f"The webhook failed ({reply.status}).")


def signature(secret: bytes, at: int, body: bytes) -> str:
    return hmac.digest(secret, b"%d." % at + body, hashlib.sha256).hex()


class WebhookKind:
    name = NAME
    title = "a webhook"
    secrets: Mapping[str, str] = {
        "url": "The address that is posted to (https)",
        "secret": "What messages are signed with: 16 characters or more that the receiver knows as well",
    }

    async def check(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Checked:
        surface = self.made(settings, secrets, tools)
        try:
            await surface.hello()
        finally:
            await surface.close()
        return Checked("The webhook took a signed hello. It is one-way: nothing can be answered there.")

    def made(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Webhook:
        allow_private, privacy = settings.get("allow_private", False), settings.get("privacy", "open")
        if not isinstance(allow_private, bool):
            raise BadSettingsError("allow_private in [surface.webhook] is true or false.")
        if privacy not in ("open", "masked"):
            raise BadSettingsError('privacy in [surface.webhook] is "open" or "masked".')
        url, secret = secrets.get("url", "").strip(), secrets.get("secret", "").strip()
        if why := _refusal(url, allow_private=allow_private):
            raise SurfaceError(f"Nothing is posted to this address: {why}.")
        if len(secret) < SHORTEST_SECRET:
            raise SurfaceError(f"A secret to sign with has {SHORTEST_SECRET} characters or more.")
        return Webhook(url, secret.encode(), tools, SafeHttp(may_be_local=allow_private), privacy)


def _refusal(url: str, *, allow_private: bool) -> str:
    why = safe_http.refusal(url, may_be_local=allow_private)
    if not why and allow_private:
        parts = urlsplit(url)
        if parts.scheme not in ("https", "http") or (parts.scheme == "http" and not _is_nearby(url)):
            return "beyond this network only https is spoken"
    return f"{why} ({_HOW})" if why and not allow_private and _is_nearby(url) else why


def _is_nearby(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return bool(host) and bool(safe_http.refusal(f"https://{host}/"))


KIND = WebhookKind()
