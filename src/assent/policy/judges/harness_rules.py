"""The voice of the agent's own permission rules: we never say yes past them, and they count as the user's word.

The client applies its rules itself. What they deny or ask about, no allow of ours may speed past: then we are silent
and the client decides. What the user's own allow covers, a stance need not ask about once more, up to Care; by name, up
to Danger. Settings that come with a repository may only hold back."""

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from assent.harnesses import registry
from assent.harnesses.base import SettingsError
from assent.policy import world
from assent.policy.call import Call, Opinion, Scene
from assent.policy.judges.rules import SILENCES
from assent.policy.rules import pattern
from assent.policy.rules.coverage import Cover
from assent.policy.rules.index import PatternIndex
from assent.policy.rules.pattern import CommandPattern, Pattern, covers_act, covers_line
from assent.policy.shell.acts import Act
from assent.protocol.decision import NoOpinion
from assent.protocol.events import Event
from assent.toml import document
from assent.toml.document import ConfigError
from assent.toml.watched import Watched

SettingsScope = Literal["managed", "user", "project", "local"]
Places = Callable[[Path], Sequence[tuple[SettingsScope, Path]]]
# Written by the user or the administrator, not by the author of the repository.
_OWN: frozenset[SettingsScope] = frozenset({"managed", "user"})
_SAYS: dict[str, str] = {"deny": "deny this", "ask": "ask about this"}
# Folders that a repository asks for are left to the client.
_ADDING = frozenset({"managed", "user", "local"})
_MOST_PROJECTS = 256
_MOST_DIRECTORIES = 50


@dataclass(frozen=True, slots=True)
class ClientPermissions:
    """The rules of one settings file that can be understood."""

    deny: tuple[Pattern, ...] = ()
    ask: tuple[Pattern, ...] = ()
    allow: tuple[Pattern, ...] = ()
    # As written: relative to the project, or with a tilde.
    directories: tuple[str, ...] = ()
    # Counts in managed settings: allow rules of every other file are ignored by the client.
    managed_only: bool = False
    # Commands run in the client's sandbox; None where nothing is said about it.
    sandbox: bool | None = None


def load(path: Path, harness: str = registry.DEFAULT) -> ClientPermissions:
    """None where there is no file. Raises ConfigError where it cannot be read."""
    content = document.content(path)
    if content is None or not content.strip():
        return ClientPermissions()
    try:
        rules = (registry.of(harness) or registry.default()).rules(content)
    except SettingsError as error:
        raise ConfigError(path, None, None, str(error)) from None
    return ClientPermissions(
        deny=tuple(_restricting(rules.deny)),
        ask=tuple(_restricting(rules.ask)),
        allow=tuple(parsed for text in rules.allow if (parsed := _parsed(text)) is not None),
        directories=rules.directories[:_MOST_DIRECTORIES],
        managed_only=rules.managed_only,
        sandbox=rules.sandbox,
    )


class AgentSettings:
    """``places`` names the settings files that hold in a project."""

    def __init__(self, harness: str, places: Places, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._harness = harness
        self._places = places
        self._clock = clock
        self._files: dict[Path, Watched[ClientPermissions]] = {}
        self._found: dict[Path, _Found] = {}
        # The project asked about last, when files are looked at again, and its rules until then.
        self._last: tuple[Path | None, float, _InForce] = None, 0.0, _InForce([])

    @property
    def troubles(self) -> tuple[ConfigError, ...]:
        """What is wrong with the files as they are now; older rules, or none, are in force in their place."""
        for file in self._files.values():
            file.current()
        return tuple(file.trouble for file in self._files.values() if file.trouble is not None)

    def directories(self, project: Path) -> tuple[str, ...]:
        """The folders beside the project that the user's settings add to it."""
        named = self._in_force(project).directories
        return _added(named, str(project)) if named else ()

    def standing(self, project: Path) -> "list[tuple[SettingsScope, Path, ClientPermissions]]":
        """What each settings file that holds in a project says."""
        return [(scope, file.path, file.current()) for scope, file in self._of(project).files]

    def sandboxed(self, project: Path) -> bool:
        """Whether any of the settings that hold here turns the client's sandbox on."""
        return self._in_force(project).sandboxed

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        if scene.harness is not None and scene.harness != self._harness:
            return None
        rules = self._in_force(scene.project)
        call = None if rules.is_empty else Call.of(event, scene)
        if call is None or not rules.concern(call.words):
            return None
        base = str(scene.project)
        call.acts(scene)
        for says, scope, number, named in rules.restricting(call, base):
            if named.restricts(call, base):
                why = f"The agent's own {scope} settings {_SAYS[says]}."
                by = f"rule:agent.{scope}#{number}"
                return Opinion(NoOpinion("no_rule"), by, why, named.text, holds_back=True)
        cover = covered(call, rules.allowing(call, base), base)
        if cover is Cover.NO:
            return None
        why = "The agent's own settings allow this."
        return Opinion(NoOpinion("no_rule"), "rule:agent", why, silences=SILENCES[cover])

    def naming(self, call: Call, scene: Scene, act: Act) -> str:
        """Whether the agent's own settings allow one command of a line; "" where they do not."""
        if scene.harness not in (None, self._harness):
            return ""
        allowing = self._in_force(scene.project).allowing(call, str(scene.project))
        patterns = [named for named in allowing if isinstance(named, CommandPattern)]
        return "rule:agent" if covers_act(act, patterns) else ""

    def _of(self, project: Path) -> "_Found":
        now = self._clock()
        found = self._found.get(project)
        if found is None or now - found.at >= 1.0:
            if len(self._found) >= _MOST_PROJECTS:
                self._found.clear()
            found = _Found(now, [(scope, self._watched(path)) for scope, path in self._places(project)], found)
            self._found[project] = found
        return found

    def _in_force(self, project: Path) -> "_InForce":
        last, until, rules = self._last
        if last is not project or self._clock() >= until:
            found = self._of(project)
            rules = found.in_force()
            self._last = project, min([found.at + 1.0, *(file.next_look for _, file in found.files)]), rules
        return rules

    def _watched(self, path: Path) -> Watched[ClientPermissions]:
        if path not in self._files:
            if len(self._files) >= _MOST_PROJECTS:
                self._files.clear()
            read = functools.partial(load, harness=self._harness)
            self._files[path] = Watched(path, read, ClientPermissions(), clock=self._clock)
        return self._files[path]


class _Found:
    """The settings files that hold in a project, and what was made of them last."""

    def __init__(
        self, at: float, files: list[tuple[SettingsScope, Watched[ClientPermissions]]], before: "_Found | None"
    ) -> None:
        self.at = at
        self.files = files
        self.read: list[tuple[SettingsScope, ClientPermissions]] = before.read if before is not None else []
        self.rules: _InForce = before.rules if before is not None else _InForce([])

    def in_force(self) -> "_InForce":
        read = [(scope, file.current()) for scope, file in self.files]
        if read != self.read:
            self.read, self.rules = read, _InForce(read)
        return self.rules


@lru_cache(maxsize=_MOST_PROJECTS)
def _added(named: tuple[str, ...], project: str) -> tuple[str, ...]:
    """Whole paths, beside each the one that its links lead to."""
    whole = [
        world.whole(f"{world.home()}{text[1:]}" if text == "~" or text.startswith("~/") else text, project)
        for text in named
    ]
    return world.with_real(path for path in whole if path)


def allowing_scopes(files: Iterable[tuple[SettingsScope, ClientPermissions]]) -> frozenset[SettingsScope]:
    """The scopes whose allow rules the client obeys. What other files deny or ask about still holds us back."""
    managed_only = any(scope == "managed" and permissions.managed_only for scope, permissions in files)
    return frozenset({"managed"}) if managed_only else frozenset(get_args(SettingsScope))


class _InForce:
    """The rules of all settings files of a project that are heard."""

    def __init__(self, files: Sequence[tuple[SettingsScope, ClientPermissions]]) -> None:
        self._restricting = [
            (says, scope, number, named)
            for says in ("deny", "ask")
            for scope, permissions in files
            for number, named in enumerate(getattr(permissions, says), start=1)
        ]
        heard = _OWN & allowing_scopes(files)
        self._allowing = [
            named
            for scope, permissions in files
            if scope in heard
            for named in permissions.allow
            if not named.is_boundless
        ]
        self.is_empty = not self._restricting and not self._allowing
        # As written, of the files that may add folders to the project.
        self.directories = tuple([text for scope, each in files if scope in _ADDING for text in each.directories])
        self.sandboxed = any(each.sandbox for _, each in files)
        restricting = ((named, None, place) for place, (*_, named) in enumerate(self._restricting))
        self._restricting_index = PatternIndex(restricting)
        self._allowing_index = PatternIndex((named, None, place) for place, named in enumerate(self._allowing))

    def concern(self, words: frozenset[str]) -> bool:
        return self._restricting_index.concerns(words) or self._allowing_index.concerns(words)

    def restricting(self, call: Call, base: str) -> Iterator[tuple[str, str, int, Pattern]]:
        """Those that may fit the call, in order."""
        return (self._restricting[place] for place in self._restricting_index.near(call, base))

    def allowing(self, call: Call, base: str) -> list[Pattern]:
        """Those that may fit the call, or a part of it."""
        return [self._allowing[place] for place in self._allowing_index.near(call, base)]


def covered(call: Call, allowing: Sequence[Pattern], base: str) -> Cover:
    """How well these account for all of the call, each command of a line by whichever names it."""
    if call.command is not None:
        return covers_line(call, [named for named in allowing if isinstance(named, CommandPattern)])
    return max([named.covers(call, base) for named in allowing], default=Cover.NO)


def _restricting(rules: Iterable[str]) -> list[Pattern]:
    """A rule that is not understood restricts all of its tool: the client knows what it means."""
    patterns = []
    for text in rules:
        parsed = _parsed(text) or _parsed(text.partition("(")[0].strip())
        if parsed is not None:
            patterns.append(parsed)
    return patterns


def _parsed(text: str) -> Pattern | None:
    try:
        return pattern.parse(text)
    except ValueError:
        return None
