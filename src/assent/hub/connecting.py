"""Connecting a surface: its service says whether secrets and settings work, and only then are they kept."""

import asyncio
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

from msgspec import Struct

from assent.config import Config, Presence
from assent.errors import AssentError
from assent.hub import settings_file
from assent.hub.connections import SCOPES, Connections
from assent.hub.problem import ProblemError
from assent.paths import Paths
from assent.surfaces.base import BadSettingsError, Probing, SurfaceError
from assent.surfaces.kind import KINDS, Checked, Kind
from assent.views.line import inert

log = logging.getLogger("assent.hub")

CHECKED_WITHIN = 20.0
PROBED_WITHIN = 5.0
LONGEST_SECRET = 8_192
LONGEST_WORDS = 400
# How old an ask is when a surface is told that nobody has put on the ladder.
AFTER = {"desktop": "0s", "webhook": "0s"}
USUALLY_AFTER = "20s"
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
    _busy: asyncio.Lock = field(default_factory=asyncio.Lock)

    def state(self, name: str) -> dict[str, Any]:
        """How a surface stands, for people."""
        state, words = self._stands(name)
        after = [step.after.total_seconds() for step in self.config().presence.ladder if step.surface == name]
        return {"name": name, "title": _title(name), "state": state, "words": _plain(words), "after": after}

    def wanted(self) -> list[dict[str, Any]]:
        """Those that the settings name."""
        return [self.state(name) for name in KINDS if name in self.config().surface]

    def details(self, name: str) -> dict[str, Any]:
        """What it takes to connect it. Raises ProblemError."""
        kind = self._kind(name)
        known = self.connections.secrets(kind)
        secrets = [{"name": one, "words": words, "known": one in known} for one, words in kind.secrets.items()]
        return {**self.state(name), "secrets": secrets, "guide": getattr(kind, "guide", "")}

    async def connect(self, name: str, wanted: ConnectRequest) -> dict[str, Any]:
        """Raises ProblemError, and then nothing was kept."""
        kind = self._kind(name)
        async with self._busy:
            settings = {**self.config().surface.get(name, {}), **_named(wanted.settings)}
            secrets = {**self.connections.secrets(kind), **_given(kind, wanted.secrets)}
            if missing := [words for one, words in kind.secrets.items() if one not in secrets]:
                raise ProblemError(
                    422, "no-secret", f"{_title(kind.name)} was not connected without this: {missing[0]}."
                )
            checked = await self._checked(kind, _Noticed(settings), secrets, wanted.settings)
            new = {**_named(wanted.settings), **checked.settings}
            if not new or settings.get("on") is False:
                new["on"] = True
            where = await self._kept(kind, {one: secrets[one] for one in wanted.secrets}, new)
            ladder = await self._on_the_ladder(name)
            self.reread()
            self.connections.refresh()
        self.note(f"{_title(kind.name)} was connected")
        return {
            **self.state(name),
            "said": _plain(checked.words),
            "todo": _plain(checked.todo),
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
        self.note(f"{_title(name)} was disconnected")
        return {**self.state(name), "left": left}

    async def checked(self) -> list[dict[str, Any]]:
        """All that are wanted, each asked how it is, at the same time."""
        return list(await asyncio.gather(*(self._probed(found["name"]) for found in self.wanted())))

    async def _probed(self, name: str) -> dict[str, Any]:
        surface, why, said = self.connections.surfaces.get(name), "", ""
        can_tell = surface is not None and hasattr(surface, "probe")
        if can_tell:
            try:
                async with asyncio.timeout(PROBED_WITHIN):
                    said = await cast("Probing", surface).probe()
            except SurfaceError as error:
                why = error.message
            except TimeoutError:
                why = f"{_title(name)} did not answer within {PROBED_WITHIN:.0f} seconds."
            except Exception:
                log.exception("%s could not be asked how it is", name)
                why = "It could not be asked how it is; the hub's log says more."
        return {
            **self.state(name),
            "why": _plain(why),
            "said": _plain(said),
            "is_asked": can_tell,
            "is_linked": bool(self.connections.link("x")),
        }

    def _stands(self, name: str) -> tuple[str, str]:
        table = self.config().surface.get(name)
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
            told = words if getattr(surface, "binding", "bound") != "bound" else surface.trouble
            return "trouble", f"{told[:1].upper()}{told[1:].removesuffix('.')}."
        return "connected", words

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
                422, "refused", f"{_title(kind.name)} did not answer in time. Nothing was kept."
            ) from None
        if unread := [name for name in given if name not in settings.seen]:
            known = ", ".join(sorted(settings.seen))
            message = f"{_title(kind.name)} has no setting “{unread[0]}” here. Nothing was kept."
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

    async def _on_the_ladder(self, name: str) -> str:
        """The step that was added, or what to do about it; "" where it had one."""
        presence = self.config().presence
        if any(step.surface == name for step in presence.ladder):
            return ""
        step = f"{name}@{AFTER.get(name, USUALLY_AFTER)}"
        steps = [*_steps(presence, self.written()), step]
        try:
            await asyncio.to_thread(settings_file.change, self.paths, {"presence.ladder": steps})
        except AssentError:
            return f'Nothing is sent there before you write "{step}" into ladder, in [presence] of {self.paths.config}.'
        return f"Asks reach it as “{step}” of the ladder says; [presence] in {self.paths.config} has it."


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


def _steps(presence: Presence, written: Mapping[str, Any]) -> list[str]:
    """As they stand in the file, or as they would."""
    own = (written.get("presence") or {}).get("ladder")
    if isinstance(own, list):
        return [str(step) for step in own]
    return [f"{step.surface}@{_span(step.after)}" for step in presence.ladder]


def _span(after: timedelta) -> str:
    seconds = int(after.total_seconds())
    return f"{seconds // 60}m" if seconds and seconds % 60 == 0 else f"{seconds}s"


def _title(name: str) -> str:
    """As it stands at the beginning of a sentence, or alone."""
    title = KINDS[name].title.removeprefix("a ")
    return title[:1].upper() + title[1:] if name != "ntfy" else title


def _plain(words: str) -> str:
    """In a sentence of a surface stands what its service calls itself, and that could be anything."""
    return inert(words, LONGEST_WORDS)


def _named(settings: Mapping[str, Any]) -> dict[str, Any]:
    if odd := [name for name in settings if not _SETTING.fullmatch(name)]:
        raise ProblemError(422, "bad-setting", f"“{odd[0][:40]}” is no name of a setting. Nothing was kept.")
    return dict(settings)


def _given(kind: Kind, secrets: Mapping[str, str]) -> dict[str, str]:
    for name, secret in secrets.items():
        if name not in kind.secrets:
            known = ", ".join(kind.secrets) or "none at all"
            raise ProblemError(422, "no-such-secret", f"{_title(kind.name)} has no such secret; it has {known}.")
        if not secret.strip() or len(secret) > LONGEST_SECRET:
            raise ProblemError(422, "bad-secret", f"This cannot be a {name}: it is empty or far too long.")
    return {name: secret.strip() for name, secret in secrets.items()}


def _unknown(name: str) -> ProblemError:
    import difflib  # only whoever mistypes waits for it

    names: Sequence[str] = difflib.get_close_matches(name, KINDS, n=1) or list(KINDS)
    hint = f"did you mean {names[0]}?" if len(names) == 1 else f"there are {', '.join(names)}."
    return ProblemError(404, "no-such-surface", "There is nothing of this name to connect.", hint=hint)
