"""Connecting a surface: its service says whether secrets and settings work, and only then are they kept."""

import asyncio
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from msgspec import Struct

from assent.errors import AssentError
from assent.hub.notify import connections
from assent.hub.notify.connections import Connections
from assent.hub.notify.inbox import SCOPES
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.hub.recorder import Recording
from assent.install import settings_file
from assent.paths import Paths
from assent.protocol.surfaces import connectable
from assent.surfaces.base import BadSettingsError, Probing, SurfaceError
from assent.surfaces.registry import Checked, Kind
from assent.text.safe import plain_line
from assent.webapi.endpoint import ProblemError

log = logging.getLogger("assent.hub")

PROBED_WITHIN = 5.0
LONGEST_WORDS = 400


@dataclass(frozen=True, slots=True)
class SurfaceStates:
    """States of surfaces: connected, waiting for a person, or in trouble, and what their services report."""

    policy: SettingsInForce
    connections: Connections

    def of(self, name: str) -> dict[str, Any]:
        """How a surface stands, for people."""
        state, words = self._stands(name)
        after = connections.after(self.policy.config.presence, name)
        return {"name": name, "title": title(name), "state": state, "words": plain(words), "after": after}

    def wanted(self) -> list[dict[str, Any]]:
        """Those that the settings name."""
        return [self.of(name) for name in connectable() if name in self.policy.config.surface]

    async def checked(self) -> list[dict[str, Any]]:
        """All that are wanted, each asked how it is, at the same time."""
        return list(await asyncio.gather(*(self._probed(surface["name"]) for surface in self.wanted())))

    async def _probed(self, name: str) -> dict[str, Any]:
        surface, why, reply = self.connections.surfaces.get(name), "", ""
        can_tell = surface is not None and hasattr(surface, "probe")
        if can_tell:
            try:
                async with asyncio.timeout(PROBED_WITHIN):
                    reply = await cast("Probing", surface).probe()
            except SurfaceError as error:
                why = error.message
            except TimeoutError:
                why = f"{title(name)} did not answer within {PROBED_WITHIN:.0f} seconds."
            except Exception:
                log.exception("%s could not be asked how it is", name)
                why = "It could not be asked how it is; the hub's log says more."
        return {
            **self.of(name),
            "why": plain(why),
            "said": plain(reply),
            "is_asked": can_tell,
            "is_linked": bool(self.connections.links.link("x")),
        }

    def _stands(self, name: str) -> tuple[str, str]:
        table = self.policy.config.surface.get(name)
        if table is None:
            return "off", "Not connected."
        if table.get("on") is False:
            return "off", "Turned off in the settings."
        if trouble := self.connections.troubles.get(name):
            return "trouble", trouble
        surface = self.connections.surfaces.get(name)
        if surface is None:
            return "trouble", "It is in the settings, and not there yet."
        words = str(getattr(surface, "state_words", "") or "Connected.")
        if getattr(surface, "binding", "") == "waiting":
            return "waiting", words
        if surface.trouble:
            text = words if getattr(surface, "binding", "bound") != "bound" else surface.trouble
            return "trouble", f"{text[:1].upper()}{text[1:].removesuffix('.')}."
        return "connected", words


def title(name: str) -> str:
    """As it stands at the beginning of a sentence, or alone."""
    named = connectable()[name].title.removeprefix("a ")
    return named[:1].upper() + named[1:] if name != "ntfy" else named


def plain(words: str) -> str:
    """In a sentence of a surface stands what its service calls itself, and that could be anything."""
    return plain_line(words, LONGEST_WORDS)


CHECKED_WITHIN = 20.0
LONGEST_SECRET = 8_192
_SETTING = re.compile(r"[a-z][a-z0-9_]{0,40}")

Value = bool | int | float | str | list[str | int]


class ConnectRequest(Struct, forbid_unknown_fields=True):
    """What is left out stays as it is."""

    secrets: dict[str, str] = {}
    settings: dict[str, Value] = {}


@dataclass(slots=True)
class Connecting:
    paths: Paths
    policy: SettingsInForce
    connections: Connections
    recorder: Recording
    states: SurfaceStates = field(init=False)
    _busy: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.states = SurfaceStates(self.policy, self.connections)

    def details(self, name: str) -> dict[str, Any]:
        """What it takes to connect it. Raises ProblemError."""
        kind = self._kind(name)
        stored = self.connections.secrets(kind)
        secrets = [{"name": one, "words": words, "known": one in stored} for one, words in kind.secrets.items()]
        return {**self.states.of(name), "secrets": secrets, "guide": getattr(kind, "guide", "")}

    async def connect(self, name: str, wanted: ConnectRequest) -> dict[str, Any]:
        """Raises ProblemError, and then nothing was kept."""
        kind = self._kind(name)
        async with self._busy:
            settings = {**self.policy.config.surface.get(name, {}), **_named(wanted.settings)}
            secrets = {**self.connections.secrets(kind), **_given(kind, wanted.secrets)}
            if missing := [words for one, words in kind.secrets.items() if one not in secrets]:
                raise ProblemError(
                    422, "no-secret", f"{title(kind.name)} was not connected without this: {missing[0]}."
                )
            checked = await self._checked(kind, _Noticed(settings), secrets, wanted.settings)
            new = {**_named(wanted.settings), **checked.settings}
            if not new or settings.get("on") is False:
                new["on"] = True
            where = await self._kept(kind, {one: secrets[one] for one in wanted.secrets}, new)
            presence, written = self.policy.config.presence, self.policy.settings
            ladder = await asyncio.to_thread(connections.add, self.paths, presence, written, name)
            self.policy.reload()
            self.connections.begin_again(name)
        self.recorder.note(f"{title(kind.name)} was connected", "person:desk")
        return {
            **self.states.of(name),
            "said": plain(checked.words),
            "todo": plain(checked.todo),
            "kept": where,
            "ladder": ladder,
        }

    async def disconnect(self, name: str) -> dict[str, Any]:
        """Raises ProblemError."""
        if name not in connectable():
            raise _unknown(name)
        async with self._busy:
            try:
                await asyncio.to_thread(settings_file.forget, self.paths, f"surface.{name}")
            except AssentError as error:
                raise ProblemError(
                    409, "not-written", f"{error.message} Nothing was forgotten.", hint=error.hint
                ) from None
            self.policy.reload()
            self.connections.refresh()
            left = await asyncio.to_thread(self._forgotten, name)
        self.recorder.note(f"{title(name)} was disconnected", "person:desk")
        return {**self.states.of(name), "left": left}

    def _kind(self, name: str) -> Kind:
        if name not in connectable():
            raise _unknown(name)
        try:
            return self.connections.loaded(name)
        except AssentError as error:
            raise ProblemError(409, "no-package", error.message, hint=error.hint) from None

    async def _checked(
        self, kind: Kind, settings: "_Noticed", secrets: dict[str, str], given: Mapping[str, Any]
    ) -> Checked:
        tools = self.connections.tools(kind.name)
        if settings.get("scope", "watch") not in SCOPES:
            raise ProblemError(422, "bad-setting", f"scope is one of {', '.join(SCOPES)}. Nothing was kept.")
        try:
            async with asyncio.timeout(CHECKED_WITHIN):
                checked = await kind.check(settings, secrets, tools)
            for name, value in checked.settings.items():
                settings[name] = value
            await kind.made(settings, secrets, tools).close()
        except (BadSettingsError, SurfaceError) as error:
            raise ProblemError(422, "refused", f"{error.message} Nothing was kept.", hint=error.hint) from None
        except TimeoutError:
            raise ProblemError(
                422, "refused", f"{title(kind.name)} did not answer in time. Nothing was kept."
            ) from None
        if unread := [name for name in given if name not in settings.seen]:
            names = ", ".join(sorted(settings.seen))
            message = f"{title(kind.name)} has no setting “{unread[0]}” here. Nothing was kept."
            raise ProblemError(422, "bad-setting", message, hint=f"it has {names}.")
        return checked

    async def _kept(self, kind: Kind, secrets: dict[str, str], settings: dict[str, Any]) -> str:
        """Where the secrets are now, in words. All is kept or nothing. Raises ProblemError."""
        before = {one: self.connections.vault.get(kind.name, one) for one in secrets}
        where = ""
        try:
            for one, secret in secrets.items():
                where = await asyncio.to_thread(self.connections.vault.put, kind.name, one, secret)
            await asyncio.to_thread(settings_file.keep, self.paths, f"surface.{kind.name}", settings)
        except (AssentError, OSError) as error:
            await asyncio.to_thread(self._put_back, kind.name, before)
            why = error.message if isinstance(error, AssentError) else f"It cannot be written down ({error.strerror})."
            hint = error.hint if isinstance(error, AssentError) else None
            raise ProblemError(409, "not-written", f"{why} Nothing was kept.", hint=hint) from None
        return where

    def _put_back(self, name: str, before: Mapping[str, str | None]) -> None:
        for one, secret in before.items():
            if secret is None:
                self.connections.vault.forget(name, one)
            else:
                self.connections.vault.put(name, one, secret)

    def _forgotten(self, name: str) -> str:
        """What is left in the keyring, in words. Asks no module, which may not be there any more."""
        return self.connections.vault.forget_all(name)


class _Noticed(dict[str, Any]):
    """Settings that know which of them were looked at: an unknown name is a typo, and may be about privacy."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        super().__init__(settings)
        self.seen = {"on", "scope"}

    def get(self, name: str, default: Any = None) -> Any:
        self.seen.add(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> Any:
        self.seen.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self.seen.add(str(name))
        return super().__contains__(name)


def _named(settings: Mapping[str, Any]) -> dict[str, Any]:
    if odd := [name for name in settings if not _SETTING.fullmatch(name)]:
        raise ProblemError(422, "bad-setting", f"“{odd[0][:40]}” is no name of a setting. Nothing was kept.")
    return dict(settings)


def _given(kind: Kind, secrets: Mapping[str, str]) -> dict[str, str]:
    for name, secret in secrets.items():
        if name not in kind.secrets:
            names = ", ".join(kind.secrets) or "none at all"
            raise ProblemError(422, "no-such-secret", f"{title(kind.name)} has no such secret; it has {names}.")
        if not secret.strip() or len(secret) > LONGEST_SECRET:
            raise ProblemError(422, "bad-secret", f"This cannot be a {name}: it is empty or far too long.")
    return {name: secret.strip() for name, secret in secrets.items()}


def _unknown(name: str) -> ProblemError:
    import difflib  # imported only for a mistyped name

    names: Sequence[str] = difflib.get_close_matches(name, connectable(), n=1) or list(connectable())
    hint = f"did you mean {names[0]}?" if len(names) == 1 else f"there are {', '.join(names)}."
    return ProblemError(404, "no-such-surface", "There is nothing of this name to connect.", hint=hint)
