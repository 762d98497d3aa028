"""Apprise: one-way messages to whatever service it knows. Its addresses are secrets, and it is told to be quiet."""

import asyncio
import importlib.util
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from assent.protocol.card import ShownAsk
from assent.surfaces.ask_text import ask_summary, notice_summary
from assent.surfaces.base import (
    TURN,
    Audience,
    BadSettingsError,
    FailedError,
    Notice,
    Privacy,
    Ref,
    SurfaceError,
    Traits,
)
from assent.surfaces.registry import Checked, Tools
from assent.text.safe import notification_line

if importlib.util.find_spec("apprise") is None:
    raise ImportError("apprise is not installed")

log = logging.getLogger("assent.surfaces")

NAME = "apprise"
MOST_ADDRESSES = 20
MOST_KNOWN = 300
_BURST = "burst-"
# Apprise, and what it posts with.
_TALKATIVE = ("apprise", "urllib3", "urllib3.connectionpool", "urllib3.util.retry", "requests_oauthlib", "oauthlib")


@dataclass(slots=True)
class AppriseSurface:
    addresses: tuple[str, ...] = field(repr=False)
    privacy: Privacy = "masked"
    link: Callable[[str], str] = lambda _: ""
    name: str = NAME
    trouble: str = ""
    traits: Traits = field(default_factory=lambda: Traits(shows_all=False, may_answer=False, is_private=False))
    # Receivers that have a message already which others did not take, so that none gets it twice.
    _reached: dict[str, set[int]] = field(default_factory=dict)

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        key = f"{_BURST}{ask.subject.session}" if audience.gist else ask.id
        title, text = ask_summary(ask, replace(audience, privacy=self.privacy))
        url = self.link(ask.id)
        about = f"{key}:{ask.rev}:{audience.gist}:{audience.is_reminder}"
        await self._send(about, title, "\n".join(filter(None, (text, _last(key), url))))
        return Ref(NAME, key)

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:  # noqa: ARG002  the key is the ask's
        """The message on the screen still holds: only a count that grew is sent again."""
        if audience.gist:
            await self.show(ask, audience)

    async def withdraw(self, ref: Ref, why: str) -> None:
        """A message cannot be taken back, so another one says how it ended; what is only news stays as it is."""
        if ref.key.startswith(TURN):
            return
        last = _last(ref.key) or "Nothing waits for you any more."
        await self._send(f"over:{ref.key}", f"◌ {notification_line(why, 120)}", last)

    async def notify(self, notice: Notice, audience: Audience) -> Ref:
        title, text = notice_summary(notice, replace(audience, privacy=self.privacy))
        await self._send(f"{notice.key}:{notice.at}", title, text)
        return Ref(NAME, notice.key)

    async def close(self) -> None:
        pass

    async def _send(self, about: str, title: str, text: str) -> None:
        reached = self._reached.pop(about, set())
        for at, address in enumerate(self.addresses):
            if at not in reached and await _beside(_sent, address, title, text):
                reached.add(at)
        if len(reached) < len(self.addresses):
            self._reached[about] = reached
            if len(self._reached) > MOST_KNOWN:
                del self._reached[next(iter(self._reached))]
            raise FailedError(_NOT_TAKEN[len(self.addresses) > 1])


_NOT_TAKEN = ("Apprise could not deliver it.", "Apprise could not deliver it to all addresses.")


def _last(key: str) -> str:
    return "" if key.startswith(_BURST) else f"id {key}"


async def _beside(work: Callable[..., bool], *about: str) -> bool:
    """In a daemon thread, which does not delay the end of the hub: a service may hang."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[bool] = loop.create_future()

    def tell(result: bool) -> None:
        if not done.done():
            done.set_result(result)

    def run() -> None:
        try:
            result = work(*about)
        except Exception as error:
            # Whatever a plugin makes of a service's answer; its words may hold the address.
            log.warning("apprise failed (%s)", type(error).__name__)
            result = False
        try:
            loop.call_soon_threadsafe(tell, result)
        except RuntimeError:
            # The hub ended first.
            return

    threading.Thread(target=run, name="apprise", daemon=True).start()
    return await done


def _sent(address: str, title: str, text: str) -> bool:
    target = _target(address)
    return bool(target is not None and target.notify(body=text, title=title, body_format="text"))


def _is_known(address: str) -> bool:
    return _target(address) is not None


def _target(address: str) -> Any:
    """None where Apprise knows no such service."""
    import apprise

    _silence()
    target = apprise.Apprise(asset=apprise.AppriseAsset(app_id="Assent", app_desc="Assent", async_mode=False))
    return target if target.add(address) else None


def _silence() -> None:
    """They tell addresses with the tokens in them."""
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


class AppriseKind:
    name = NAME
    title = "Apprise"
    secrets: Mapping[str, str] = {"urls": "The addresses of Apprise, with spaces between them"}

    async def check(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Checked:
        """Whether each address is one; only a message shows whether it arrives."""
        surface = self.made(settings, secrets, tools)
        for at, address in enumerate(surface.addresses):
            if not await _beside(_is_known, address):
                raise FailedError(f"Apprise knows no service for address {at + 1}.")
        count = len(surface.addresses)
        words = "Apprise knows the address." if count == 1 else f"Apprise knows all {count} addresses."
        return Checked(f"{words} It is one-way: nothing can be answered there.")

    def made(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> AppriseSurface:
        privacy = settings.get("privacy", "masked")
        if privacy not in ("open", "masked"):
            raise BadSettingsError('privacy in [surface.apprise] is "open" or "masked".')
        addresses = tuple(dict.fromkeys(secrets.get("urls", "").split()))
        if not 0 < len(addresses) <= MOST_ADDRESSES:
            raise SurfaceError(f"Apprise needs between one and {MOST_ADDRESSES} addresses.")
        return AppriseSurface(addresses, privacy, tools.link)


KIND = AppriseKind()
