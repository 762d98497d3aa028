"""The surfaces that are connected: made from settings and secrets, listened to, and made anew when those change."""

import asyncio
import hashlib
import hmac
import logging
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Protocol

import msgspec

from assent.config import Presence, Step
from assent.errors import AssentError
from assent.hub.bus import Bus
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.install import settings_file
from assent.paths import Paths
from assent.protocol.surfaces import connectable
from assent.secrets_store import OPENING, Vault
from assent.surfaces import registry
from assent.surfaces.base import GoneError, Inbox, Surface
from assent.surfaces.registry import Addresses, Kind, Tools

log = logging.getLogger("assent.hub")

# A surface whose loop broke is tried again after so long.
AGAIN = 30.0


class Links(Protocol):
    def link(self, ask: str) -> str:
        """Where an ask can be opened from another machine; "" where it cannot."""


class OpensInboxes(Protocol):
    def open(self, surface: str) -> Inbox:
        """What people do from a surface."""


@dataclass(slots=True)
class _Connected:
    surface: Surface
    # Of what it was made, so that it is made anew only if that changed.
    made_of: bytes
    listening: "asyncio.Task[None] | None" = None


@dataclass(slots=True)
class Connections:
    paths: Paths
    policy: SettingsInForce
    vault: Vault
    key: bytes
    inboxes: OpensInboxes
    links: Links
    bus: Bus = field(default_factory=Bus)
    addresses: Addresses = field(default_factory=Addresses)
    # All that asks can be shown on; the ladder reads it, also those that are not made here.
    surfaces: dict[str, Surface] = field(default_factory=dict)
    # Why a surface that is wanted is not there, in words.
    troubles: dict[str, str] = field(default_factory=dict)
    _connected: dict[str, _Connected] = field(default_factory=dict)

    def on_settings(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Look at settings and secrets again."""
        for name in connectable():
            try:
                self._refresh(name)
            except AssentError as error:
                self._drop(name, str(error))
            except Exception:
                log.exception("%s could not be connected", name)
                self._drop(name, "It could not be connected; the hub's log says more.")

    def begin_again(self, name: str) -> None:
        """One that gave up listening is made anew, also of the same settings and secrets."""
        if name in self.troubles:
            self._drop(name, "")
        self.refresh()

    def tools(self, name: str) -> Tools:
        async def keep(setting: str, value: Any) -> None:
            """A table of the settings, changed in its file: nothing else in there moves."""
            await asyncio.to_thread(settings_file.keep, self.paths, f"surface.{name}", {setting: value})
            self.policy.reload()

        key = hmac.new(self.key, name.encode(), hashlib.sha256).digest()
        return Tools(self.inboxes.open(name), key, self.links.link, keep, self.addresses.of.get(name, ""))

    def secrets(self, kind: Kind) -> dict[str, str]:
        stored = {name: self.vault.get(kind.name, name) for name in kind.secrets}
        return {name: secret for name, secret in stored.items() if secret}

    async def close(self) -> None:
        tasks = [connected.listening for connected in self._connected.values() if connected.listening is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _refresh(self, name: str) -> None:
        table = self.policy.config.surface.get(name)
        if table is None or table.get("on") is False:
            self._drop(name, "")
            return
        kind = self.loaded(name)
        secrets = self.secrets(kind)
        made_of = hashlib.sha256(msgspec.json.encode([table, secrets], order="sorted")).digest()
        current = self._connected.get(name)
        if current is not None and current.made_of == made_of:
            return
        missing = [secret for secret in kind.secrets if secret not in secrets]
        if missing:
            unknown = f"Its {missing[0]} is not known. `assent connect {name}` asks for it."
            self._drop(name, self.vault.trouble or unknown)
            return
        surface = kind.made(table, secrets, self.tools(name))
        self._drop(name, "")
        connected = self._connected[name] = _Connected(surface, made_of)
        self.surfaces[name] = surface
        if hasattr(surface, "listen"):
            connected.listening = asyncio.create_task(self._listen(name, surface))
        self.bus.presence()

    def loaded(self, name: str) -> Kind:
        """Raises AssentError where its package is not installed."""
        try:
            return registry.load(name)
        except ImportError:
            extra = connectable()[name].extra
            how = f'Install it with: pipx inject assent "assent[{extra}]"' if extra else "Reinstall Assent."
            raise AssentError(f"{connectable()[name].title} needs a package that is not there. {how}") from None

    def _drop(self, name: str, trouble: str) -> None:
        if trouble:
            self.troubles[name] = trouble
        else:
            self.troubles.pop(name, None)
        connected = self._connected.pop(name, None)
        if connected is None:
            return
        self.surfaces.pop(name, None)
        if connected.listening is not None:
            connected.listening.cancel()
        asyncio.get_running_loop().create_task(connected.surface.close())
        self.bus.presence()

    async def _listen(self, name: str, surface: Any) -> None:
        while True:
            try:
                await surface.listen()
            except GoneError as error:
                self.troubles[name] = error.message
                log.error("%s is not listened to any more: %s", name, error.message)
                return
            except Exception:
                log.exception("%s: listening failed", name)
            await asyncio.sleep(AGAIN)


# The gates open only after this.
PATIENCE = 1.5


class Refreshes(Protocol):
    def refresh(self) -> None:
        """Look at the secrets again."""


async def unlock(vault: Vault, connections: Refreshes, patience: float = PATIENCE) -> None:
    """Returns once all is known, or after a moment; what is known after that, ``connections`` look at on the loop."""
    if not vault.is_closed():
        return
    loop, opened = asyncio.get_running_loop(), asyncio.Event()
    is_late = False

    def arrived() -> None:
        opened.set()
        if is_late:
            connections.refresh()

    def read() -> None:
        vault.load()
        try:
            loop.call_soon_threadsafe(arrived)
        except RuntimeError:
            pass  # The hub has ended meanwhile.

    vault.trouble = OPENING
    # A daemon: the hub can end while a dialog waits for the user.
    threading.Thread(target=read, name="keyring", daemon=True).start()
    try:
        async with asyncio.timeout(patience):
            await opened.wait()
    except TimeoutError:
        is_late = True


# How old an ask is when a surface without an entry of its own is told.
AFTER = {"desktop": "0s", "webhook": "0s"}
USUALLY_AFTER = "20s"


def after(presence: Presence, surface: str) -> list[float]:
    """How many seconds old asks are when this surface is told, whatever their risk."""
    return sorted({step.after.total_seconds() for step in _steps(presence) if step.surface == surface})


def add(paths: Paths, presence: Presence, written: Mapping[str, Any], surface: str) -> str:
    """What was done or is left to do, in a sentence; "" where it has a step."""
    if after(presence, surface):
        return ""
    step = f"{surface}@{AFTER.get(surface, USUALLY_AFTER)}"
    try:
        settings_file.change(paths, {"presence.ladder": [*_texts(presence, written), step]})
    except AssentError:
        return f'Nothing is sent there before you write "{step}" into ladder, in [presence] of {paths.config}.'
    return f"Asks reach it as “{step}” of the ladder says; [presence] in {paths.config} has it."


def _steps(presence: Presence) -> Iterator[Step]:
    yield from presence.ladder
    for own in msgspec.structs.astuple(presence.ladder_for):
        yield from own or ()


def _texts(presence: Presence, written: Mapping[str, Any]) -> list[str]:
    """As they stand in the file, or as they would."""
    own = (written.get("presence") or {}).get("ladder")
    if isinstance(own, list):
        return [str(step) for step in own]
    return [f"{step.surface}@{_span(step.after)}" for step in presence.ladder]


def _span(after: timedelta) -> str:
    seconds = int(after.total_seconds())
    return f"{seconds // 60}m" if seconds and seconds % 60 == 0 else f"{seconds}s"
