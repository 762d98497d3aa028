"""Notifications in browsers and on phones, through the push service of each browser, readable by that browser alone."""

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol
from urllib.parse import quote

import msgspec
from msgspec import Struct

from assent.protocol.card import ShownAsk
from assent.surfaces.ask_text import ask_summary, notice_summary
from assent.surfaces.base import (
    Audience,
    FailedError,
    GoneError,
    Notice,
    Privacy,
    RateLimitedError,
    Ref,
    SurfaceError,
    Traits,
    offered,
)
from assent.surfaces.safe_http import SafeHttp, refusal

# Contact address for push services, in a reserved domain.
CONTACT = "mailto:nobody@assent.invalid"
# Until when a message that could not be delivered is worth keeping.
SHORTEST_LIFE, LONGEST_LIFE = 30, 86_400
LIFE_OF_NEWS = 14_400
PATIENCE_WITHOUT_WORDS = 30.0
MOST_UNFINISHED = 500

Act = Literal["show", "update", "withdraw"]


class Subscription(Struct, frozen=True, omit_defaults=True):
    """How to reach one device. The endpoint is a secret: knowing it is enough to try to send there."""

    device: str
    endpoint: str
    p256dh: str
    auth: str
    privacy: Privacy = "masked"

    def refusal(self, *, may_be_local: bool = False) -> str:
        """Why it cannot be used; "" where it can."""
        # Here and in WebPush, not above: a fifth of the memory of a hub without web push.
        from assent.surfaces import webpush_crypto as crypto

        try:
            crypto.receiver(self.p256dh)
            is_key = len(crypto.decoded(self.auth)) == 16
        except ValueError:
            is_key = False
        return refusal(self.endpoint, may_be_local=may_be_local) or ("" if is_key else "its keys are none")


class Subscriptions(Protocol):
    def current(self) -> Sequence[Subscription]: ...

    def gone(self, subscription: Subscription) -> None:
        """The push service knows it no longer."""
        ...


@dataclass(slots=True)
class WebPush:
    # By which push services know us.
    secret: str
    subscriptions: Subscriptions
    http: SafeHttp = field(default_factory=SafeHttp)
    contact: Callable[[], str] = lambda: CONTACT
    clock: Callable[[], float] = time.time
    name: str = "push"
    # A lock screen: others can see it, little fits on it, and yes is said elsewhere.
    traits: Traits = field(default_factory=lambda: Traits(shows_all=False, may_answer=True, is_private=False))
    # Devices that have got something already, while others are still tried.
    _reached: dict[tuple[Act, str], set[str]] = field(default_factory=dict)

    @property
    def public_key(self) -> str:
        """What browsers subscribe with."""
        from assent.surfaces import webpush_crypto as crypto

        return crypto.public(crypto.sender_key(self.secret))

    @property
    def trouble(self) -> str:
        return "" if self.subscriptions.current() else "no device has notifications turned on"

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        tag = _tag(ask, audience)
        reached = await self._tell("show", tag, ask, audience, self.subscriptions.current())
        return Ref(self.name, tag, tuple(sorted(reached)))

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:
        if ask.state == "doubtful":
            return  # Nothing a lock screen could say about it.
        there = [one for one in self.subscriptions.current() if one.device in ref.more]
        await self._tell("update", ref.key, ask, audience, there)

    async def withdraw(self, ref: Ref, why: str) -> None:
        there = [one for one in self.subscriptions.current() if one.device in ref.more]
        message = msgspec.json.encode({"tag": ref.key, "over": why})
        await self._each("withdraw", ref.key, [(one, message) for one in there], life=3_600, urgency="normal")

    async def notify(self, notice: Notice, audience: Audience) -> Ref:
        to = self.subscriptions.current()
        if not to:
            raise GoneError("No device has notifications turned on.")
        messages = [(one, _of_turn(notice, msgspec.structs.replace(audience, privacy=one.privacy))) for one in to]
        reached = await self._each("show", notice.key, messages, life=LIFE_OF_NEWS, urgency="normal")
        return Ref(self.name, notice.key, tuple(sorted(reached)))

    async def close(self) -> None:
        await self.http.close()

    async def _tell(
        self, act: Act, tag: str, ask: ShownAsk, audience: Audience, to: Sequence[Subscription]
    ) -> set[str]:
        if not to:
            raise GoneError("No device has notifications turned on.")
        left = LONGEST_LIFE if ask.expires_at is None else ask.expires_at / 1_000 - self.clock()
        life = int(min(max(left, SHORTEST_LIFE), LONGEST_LIFE))
        messages = [(one, self._message(tag, ask, audience, one, is_new=act == "show")) for one in to]
        urgency = "high" if ask.risk.level in ("care", "danger") else "normal"
        return await self._each(act, tag, messages, life=life, urgency=urgency)

    def _message(self, tag: str, ask: ShownAsk, audience: Audience, to: Subscription, *, is_new: bool) -> bytes:
        seen = msgspec.structs.replace(audience, privacy=to.privacy)
        title, text = ask_summary(ask, seen)
        can_deny = any(way.choice == "deny" for way in offered(ask, self.traits, seen)) and not audience.gist
        message: dict[str, Any] = {
            "tag": tag,
            "title": title,
            "text": text,
            "url": "/" if audience.gist else f"/a/{ask.id}",
            "risk": ask.risk.level,
            # Heard again only if there is something new to hear.
            "loud": is_new,
            "until": ask.expires_at,
        }
        if can_deny:
            message["deny"] = {"id": ask.id, "rev": ask.rev, "hash": ask.hash}
        return msgspec.json.encode(message)

    async def _each(
        self, act: Act, tag: str, messages: Sequence[tuple[Subscription, bytes]], *, life: int, urgency: str
    ) -> set[str]:
        """Try every device that has not got it yet; which have it now. Raises what keeps the rest from it."""
        reached = self._reached.pop((act, tag), set())
        waiting = [(one, message) for one, message in messages if one.device not in reached]
        results = await asyncio.gather(
            *(self._send(tag, one, message, life, urgency) for one, message in waiting), return_exceptions=True
        )
        reached |= {one.device for (one, _), result in zip(waiting, results, strict=True) if result is None}
        troubles = [result for result in results if isinstance(result, SurfaceError)]
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, SurfaceError):
                raise result
        later = [trouble for trouble in troubles if not isinstance(trouble, GoneError)]
        if later or (troubles and not reached):
            self._remember((act, tag), reached)
            worst = (later or troubles)[0]
            worst.ref = Ref(self.name, tag, tuple(sorted(reached))) if reached else None
            raise worst
        return reached

    def _remember(self, message: tuple[Act, str], reached: set[str]) -> None:
        self._reached[message] = reached
        if len(self._reached) > MOST_UNFINISHED:
            del self._reached[next(iter(self._reached))]

    async def _send(self, tag: str, to: Subscription, message: bytes, life: int, urgency: str) -> None:
        from assent.surfaces import webpush_crypto as crypto

        key = crypto.sender_key(self.secret)
        try:
            body = crypto.encrypt(message, to.p256dh, to.auth)
        except ValueError:
            raise GoneError("A device's keys cannot be used.") from None
        headers = {
            "Authorization": crypto.authorization(key, to.endpoint, self.contact(), self.clock()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(life),
            "Urgency": urgency,
            # What waits for a device that is off is replaced, not piled up.
            "Topic": crypto.encoded(hashlib.sha256(tag.encode()).digest())[:32],
        }
        reply = await self.http.post(to.endpoint, body, headers)
        if reply.status in (404, 410):
            self.subscriptions.gone(to)
            raise GoneError("A device has turned notifications off.")
        if reply.status == 429:
            raise RateLimitedError(
                "The push service wants fewer messages.", reply.retry_after or PATIENCE_WITHOUT_WORDS
            )
        if reply.status >= 500 or reply.status == 408:
            raise FailedError(f"The push service failed ({reply.status}).")
        if not 200 <= reply.status < 300:
            raise GoneError(f"The push service refused the message ({reply.status}).")


def _tag(ask: ShownAsk, audience: Audience) -> str:
    """Messages with the same tag replace each other on the device."""
    return f"burst-{ask.subject.session[:40]}" if audience.gist else ask.id


def _of_turn(notice: Notice, audience: Audience) -> bytes:
    title, text = notice_summary(notice, audience)
    url = f"/s/{quote(notice.session, safe='')}"
    return msgspec.json.encode({"tag": notice.key, "title": title, "text": text, "url": url, "loud": True})
