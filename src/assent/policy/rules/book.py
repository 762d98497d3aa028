"""The rules in force: the user's file and the project's, both watched."""

# ruff: noqa: PTH118, PTH120 - paths here are handled as text on every event
import os
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assent.policy import world
from assent.policy.call import Call, Opinion, Scene
from assent.policy.judges.rules import Rules
from assent.policy.rules import file as rule_file
from assent.policy.rules.approvals import needed
from assent.policy.rules.file import Ignored, RuleFile
from assent.policy.rules.last_good import LastGood
from assent.policy.shell.acts import Act
from assent.protocol.approval import ApprovalView
from assent.protocol.decision import Deny, Prompt, Risk
from assent.protocol.events import Event
from assent.toml import document
from assent.toml.document import ConfigError, Document
from assent.toml.watched import Watched

_LARGEST = 1 << 20


class _File(Struct):
    version: int = 1
    # Real paths, and the SHA-256 of what stood there.
    files: dict[str, str] = {}


def read_trust(path: Path) -> dict[str, str]:
    """An unreadable file trusts nothing."""
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(_LARGEST), type=_File).files
    except (OSError, msgspec.DecodeError, RecursionError):
        return {}


def trust_text(files: dict[str, str]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(_File(files=files)), indent=2) + b"\n"


_MOST_PROJECTS = 256


class RuleBook:
    """A voice that finds the rules for each event's project."""

    def __init__(
        self,
        user: Path,
        trust: Path | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        aside: Executor | None = None,
        last_good: LastGood | None = None,
    ) -> None:
        """``aside`` is where large files are read that changed."""
        self._clock = clock
        self._aside = aside
        self._last_good = last_good or LastGood(None)
        self._user = self._watched(user, rule_file.of_user, follow=True)
        untrusted: dict[str, str] = {}
        self._trust = Watched(trust, read_trust, untrusted, clock=clock) if trust is not None else None
        self._projects: dict[Path, Watched[RuleFile]] = {}
        self._in_force: dict[tuple[int, str | None], tuple[RuleFile, RuleFile]] = {}
        self._found: dict[Path, tuple[float, Path | None]] = {}
        # The project asked about last, when it is looked at again, and where its rules are until then.
        self._last: tuple[Path | None, float, Path | None] = None, 0.0, None
        self._voices: dict[tuple[int, int], tuple[RuleFile, RuleFile, Rules]] = {}

    @property
    def troubles(self) -> tuple[ConfigError, ...]:
        """What is wrong with the files as they are now; older rules, or none, are in force in their place."""
        watched = (self._user, *self._projects.values())
        return tuple(file.trouble for file in watched if file.trouble is not None)

    def users(self) -> RuleFile:
        """The user's file. Raises ConfigError where it is wrong as it is now."""
        file = self._user.current()
        if self._user.trouble is not None:
            raise self._user.trouble
        return file

    def files(self, project: Path) -> tuple[RuleFile, ...]:
        """The files that hold in this project."""
        return self._user.current(), self._of_project(project)

    def known(self) -> list[tuple[RuleFile, ConfigError | None]]:
        """Every file heard of so far, looked at again, and what is wrong with it as it is now."""
        projects = [(self._trusted(file.current()), file.trouble) for file in self._projects.values()]
        return [(self._user.current(), self._user.trouble), *projects]

    def hurry(self) -> None:
        """The user's file was written."""
        self._user.hurry()

    def ignored(self, project: Path) -> tuple[Ignored, ...]:
        return tuple(ignored for file in self.files(project) for ignored in file.ignored)

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        user, project = self._user.current(), self._of_project(scene.project)
        opinion = self._rules(user, project).speak(event, scene)
        lost = user if user.is_lost else project if project.is_lost else None
        if (
            lost is None
            or (opinion is not None and isinstance(opinion.decision, Deny))
            or Call.of(event, scene) is None
        ):
            return opinion
        why = f"The rules in {lost.path} cannot be read, and there is no good copy of them: they may deny this."
        return Opinion(Prompt(why), "rule:user#0" if lost is user else "rule:project#0", why)

    def approval(self, call: Call, scene: Scene, risk: Risk | None) -> ApprovalView | None:
        """Who has to say yes before this call may run, by every rule of both files; None where none speaks of it."""
        user, project = self._user.current().approvals, self._of_project(scene.project).approvals
        return needed((*user, *project), call, scene, risk) if user or project else None

    def naming(self, call: Call, scene: Scene, act: Act) -> str:
        """The rule that allows one command of a line; "" for none."""
        if self._user.current().is_lost or self._of_project(scene.project).is_lost:
            return ""
        return self._rules(self._user.current(), self._of_project(scene.project)).naming(call, scene, act)

    def _rules(self, user: RuleFile, project: RuleFile) -> Rules:
        key = (id(user), id(project))
        # The files are kept beside the voice, so that their ids stay theirs.
        if key not in self._voices:
            _make_room(self._voices)
            self._voices[key] = (user, project, Rules((), user.index, project.index))
        return self._voices[key][2]

    def _of_project(self, project: Path) -> RuleFile:
        path = self._path(project)
        if path is None:
            return _NO_RULES
        if path not in self._projects:
            _make_room(self._projects)
            # For those that come with other people's files no link is followed.
            self._projects[path] = self._watched(path, rule_file.of_project, follow=False)
        return self._trusted(self._projects[path].current())

    def _watched(self, path: Path, made: Callable[[Document], RuleFile], *, follow: bool) -> Watched[RuleFile]:
        def load(path: Path) -> RuleFile:
            content = document.content(path, follow=follow)
            file = RuleFile(path) if content is None else made(document.parse(path, content))
            self._last_good.keep(path, content)
            return file

        def last() -> RuleFile:
            content = self._last_good.find(path)
            try:
                return RuleFile(path, is_lost=True) if content is None else _copy(made(document.parse(path, content)))
            except ConfigError:
                # What an older version understood.
                return RuleFile(path, is_lost=True)

        return Watched(path, load, RuleFile(path), clock=self._clock, aside=self._aside, if_broken=last)

    def _trusted(self, file: RuleFile) -> RuleFile:
        if not file.ignored or self._trust is None:
            return file
        key = (id(file), self._trust.current().get(file.real))
        if key not in self._in_force:
            _make_room(self._in_force)
            self._in_force[key] = (file, file.trusted(key[1]))
        return self._in_force[key][1]

    def _path(self, project: Path) -> Path | None:
        now = self._clock()
        last, until, path = self._last
        if last is project and now < until:
            return path
        looked, path = self._found.get(project, (None, None))
        if looked is None or now - looked >= 1.0:
            path = find(project)
            _make_room(self._found)
            self._found[project] = (now, path)
            looked = now
        self._last = project, looked + 1.0, path
        return path


_NO_RULES = RuleFile()


def _copy(file: RuleFile) -> RuleFile:
    return replace(file, is_copy=True)


def find(project: Path) -> Path | None:
    """The rules of the repository around this folder. Home and root are never a repository."""
    home = world.home()
    here = os.path.normpath(project)
    while here not in (home, os.path.dirname(here)):
        rules = os.path.join(here, ".assent", "rules.toml")
        if os.path.lexists(rules):
            return Path(rules)
        if os.path.lexists(os.path.join(here, ".git")):
            return None
        here = os.path.dirname(here)
    return None


def _make_room(cache: dict[Any, Any]) -> None:
    """Sessions come and go for weeks; what is still used is found again at once."""
    if len(cache) >= _MOST_PROJECTS:
        cache.clear()
