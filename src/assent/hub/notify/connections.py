"""The surfaces that are connected: made from settings and secrets, listened to, and made anew when those change."""

import asyncio
import hashlib
import hmac
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assent.errors import AssentError
from assent.protocol.scope import Scope
from assent.surfaces import kind as kinds
from assent.surfaces.base import GoneError, Surface
from assent.surfaces.inbox import Inbox
from assent.surfaces.kind import KINDS, Addresses, Kind, Tools
from assent.vault import Vault

log = logging.getLogger("assent.hub")

# A surface whose loop broke is tried again after so long.
AGAIN = 30.0
DEFAULT_SCOPE = Scope.INSTRUCT
SCOPES = {scope.word: scope for scope in (Scope.WATCH, Scope.DENY, Scope.ANSWER, Scope.INSTRUCT)}


@dataclass(slots=True)
class _Connected:
    surface: Surface
    # Of what it was made, so that it is made anew only if that changed.
    made_of: bytes
    listening: "asyncio.Task[None] | None" = None


@dataclass(slots=True)
class Connections:
    # The tables of the settings, by surface.
    tables: Callable[[], dict[str, dict[str, Any]]]
    vault: Vault
    key: bytes
    inbox: Callable[[str], Inbox]
    link: Callable[[str], str]
    # Writes one setting of a surface down.
    keep: Callable[[str, str, Any], Awaitable[None]]
    # Told when another surface can be reached, or one no longer.
    changed: Callable[[], None] = lambda: None
    addresses: Addresses = field(default_factory=Addresses)
    # All that asks can be shown on; the ladder reads it, also those that are not made here.
    surfaces: dict[str, Surface] = field(default_factory=dict)
    # Why a surface that is wanted is not there, in words.
    troubles: dict[str, str] = field(default_factory=dict)
    _connected: dict[str, _Connected] = field(default_factory=dict)

    def scope(self, name: str) -> Scope:
        """How much people may do there: never what is for the desk alone. A word that is none permits nothing."""
        said = self.tables().get(name, {}).get("scope", DEFAULT_SCOPE.word)
        return SCOPES.get(said, Scope.WATCH) if isinstance(said, str) else Scope.WATCH

    def refresh(self) -> None:
        """Look at settings and secrets again."""
        for name in KINDS:
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
            await self.keep(name, setting, value)

        key = hmac.new(self.key, name.encode(), hashlib.sha256).digest()
        return Tools(self.inbox(name), key, self.link, keep, self.addresses.of.get(name, ""))

    def secrets(self, kind: Kind) -> dict[str, str]:
        found = {name: self.vault.get(kind.name, name) for name in kind.secrets}
        return {name: secret for name, secret in found.items() if secret}

    async def close(self) -> None:
        tasks = [known.listening for known in self._connected.values() if known.listening is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _refresh(self, name: str) -> None:
        table = self.tables().get(name)
        if table is None or table.get("on") is False:
            self._drop(name, "")
            return
        kind = self.loaded(name)
        secrets = self.secrets(kind)
        made_of = hashlib.sha256(msgspec.json.encode([table, secrets], order="sorted")).digest()
        known = self._connected.get(name)
        if known is not None and known.made_of == made_of:
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
        self.changed()

    def loaded(self, name: str) -> Kind:
        """Raises AssentError where its package is not installed."""
        try:
            return kinds.load(name)
        except ImportError:
            extra = KINDS[name].extra
            how = f'Install it with: pipx inject assent "assent[{extra}]"' if extra else "Reinstall Assent."
            raise AssentError(f"{KINDS[name].title} needs a package that is not there. {how}") from None

    def _drop(self, name: str, trouble: str) -> None:
        if trouble:
            self.troubles[name] = trouble
        else:
            self.troubles.pop(name, None)
        known = self._connected.pop(name, None)
        if known is None:
            return
        self.surfaces.pop(name, None)
        if known.listening is not None:
            known.listening.cancel()
        asyncio.get_running_loop().create_task(known.surface.close())
        self.changed()

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
