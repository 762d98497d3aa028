"""Connecting a surface: its service says whether secrets and settings work, and only then are they kept."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from assent.config import Config
from assent.errors import AssentError
from assent.hub import ladder_file, settings_file
from assent.hub.connections import SCOPES, Connections
from assent.hub.problem import ProblemError
from assent.hub.surface_states import SurfaceStates, plain, title
from assent.paths import Paths
from assent.surfaces.base import BadSettingsError, SurfaceError
from assent.surfaces.kind import KINDS, Checked, Kind

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
    config: Callable[[], Config]
    # What stands in the file.
    written: Callable[[], Mapping[str, Any]]
    connections: Connections
    # The settings were written.
    reread: Callable[[], None]
    # Puts a sentence on record.
    note: Callable[[str], None]
    states: SurfaceStates = field(init=False)
    _busy: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.states = SurfaceStates(self.config, self.connections)

    def details(self, name: str) -> dict[str, Any]:
        """What it takes to connect it. Raises ProblemError."""
        kind = self._kind(name)
        known = self.connections.secrets(kind)
        secrets = [{"name": one, "words": words, "known": one in known} for one, words in kind.secrets.items()]
        return {**self.states.of(name), "secrets": secrets, "guide": getattr(kind, "guide", "")}

    async def connect(self, name: str, wanted: ConnectRequest) -> dict[str, Any]:
        """Raises ProblemError, and then nothing was kept."""
        kind = self._kind(name)
        async with self._busy:
            settings = {**self.config().surface.get(name, {}), **_named(wanted.settings)}
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
            presence, written = self.config().presence, self.written()
            ladder = await asyncio.to_thread(ladder_file.add, self.paths, presence, written, name)
            self.reread()
            self.connections.begin_again(name)
        self.note(f"{title(kind.name)} was connected")
        return {
            **self.states.of(name),
            "said": plain(checked.words),
            "todo": plain(checked.todo),
            "kept": where,
            "ladder": ladder,
        }

    async def disconnect(self, name: str) -> dict[str, Any]:
        """Raises ProblemError."""
        if name not in KINDS:
            raise _unknown(name)
        async with self._busy:
            try:
                await asyncio.to_thread(settings_file.forget, self.paths, f"surface.{name}")
            except AssentError as error:
                raise ProblemError(
                    409, "not-written", f"{error.message} Nothing was forgotten.", hint=error.hint
                ) from None
            self.reread()
            self.connections.refresh()
            left = await asyncio.to_thread(self._forgotten, name)
        self.note(f"{title(name)} was disconnected")
        return {**self.states.of(name), "left": left}

    def _kind(self, name: str) -> Kind:
        if name not in KINDS:
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
            known = ", ".join(sorted(settings.seen))
            message = f"{title(kind.name)} has no setting “{unread[0]}” here. Nothing was kept."
            raise ProblemError(422, "bad-setting", message, hint=f"it has {known}.")
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
    """Settings that know which of them were looked at: a name that nobody knows is a slip, and may be about privacy."""

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
            known = ", ".join(kind.secrets) or "none at all"
            raise ProblemError(422, "no-such-secret", f"{title(kind.name)} has no such secret; it has {known}.")
        if not secret.strip() or len(secret) > LONGEST_SECRET:
            raise ProblemError(422, "bad-secret", f"This cannot be a {name}: it is empty or far too long.")
    return {name: secret.strip() for name, secret in secrets.items()}


def _unknown(name: str) -> ProblemError:
    import difflib  # only whoever mistypes waits for it

    names: Sequence[str] = difflib.get_close_matches(name, KINDS, n=1) or list(KINDS)
    hint = f"did you mean {names[0]}?" if len(names) == 1 else f"there are {', '.join(names)}."
    return ProblemError(404, "no-such-surface", "There is nothing of this name to connect.", hint=hint)
