"""The settings files of the client, as far as they decide whether our hooks run and who else decides.

What a file said when it was first seen, or when a person kept it, is known here; so are its last good bytes, with which
a person can put it back. Nothing here changes a file unasked."""

import base64
import os
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from assent.harness import claude_code_settings
from assent.hub import kept
from assent.install import entries
from assent.paths import Paths
from assent.policy import world
from assent.policy.settings_powers import powers

LARGEST = 1 << 20
LARGEST_KEPT = 128 << 10
# Files whose good content is kept, and projects that are remembered, the newest last.
MOST_FILES = 200
MOST_PROJECTS = 100
MOST_POWERS = 100
MOST_SEEN = 1_000
A_DAY = 86_400.0
# When a session was last heard of is written down so often, seconds.
WRITTEN_EVERY = 600.0
_NAMES = ("settings.json", "settings.local.json")
_MANAGED = Path(
    "/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code",
    "managed-settings.json",
)

State = tuple[int, ...] | None


class _Install(msgspec.Struct):
    file: str
    scope: str = "user"


class _Manifest(msgspec.Struct):
    installs: tuple[_Install, ...] = ()


class Good(msgspec.Struct, omit_defaults=True):
    """A file as it was when nothing was wrong with it."""

    # None where there was no file, or where it is too large to be kept.
    content: str | None = None
    absent: bool = False
    # Fingerprints of what others may decide by it, with a person's knowledge.
    powers: tuple[str, ...] = ()

    @property
    def can_be_put_back(self) -> bool:
        return self.absent or self.content is not None


class Known(msgspec.Struct, omit_defaults=True):
    """What is kept between two lives of the hub."""

    files: dict[str, Good] = {}
    # When a session was last heard of in them, seconds.
    projects: dict[str, float] = {}


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a file, in one sentence, and how the file is."""

    file: str
    sentence: str
    state: State
    # Whether it is known how the file was before.
    has_good: bool = False


@dataclass(slots=True)
class ClientSettings:
    paths: Paths
    managed: Path = _MANAGED
    clock: Callable[[], float] = time.time
    # How a file was when it was last looked at, and what was wrong with it.
    _seen: dict[str, tuple[object, Fault | None]] = field(default_factory=dict)
    _projects_seen: set[str] = field(default_factory=set)
    _known: Known | None = None
    _is_new: bool = False
    _kept_at: float = 0.0
    _installed: tuple[State, dict[str, str]] = (None, {})

    @property
    def known(self) -> Known:
        if self._known is None:
            try:
                self._known = msgspec.json.decode(kept.read(self.paths.client_settings) or b"{}", type=Known)
            except (msgspec.MsgspecError, RecursionError):
                self._known = Known()
        return self._known

    def installed(self) -> dict[str, str]:
        """The files that ``assent install`` wrote to, links followed, and the scope of each."""
        manifest = self.paths.state / "installs.json"
        state = _state(str(manifest))
        if state is None or state != self._installed[0]:
            try:
                found = msgspec.json.decode(manifest.read_bytes(), type=_Manifest)
            except (OSError, msgspec.DecodeError):
                found = _Manifest()
            self._installed = state, {world.real(install.file): install.scope for install in found.installs}
        return self._installed[1]

    def heard_of(self, project: str) -> None:
        """A session works there: know its settings before it can change them."""
        if project not in self._projects_seen and world.is_folder(project):
            if len(self._projects_seen) >= MOST_SEEN:
                self._projects_seen.clear()
            self._projects_seen.add(project)
            self.known.projects.setdefault(project, self.clock())
            for file in _of(project):
                self._look(file, self.installed())

    def fault(self, path: str) -> Fault | None:
        """How this file keeps our hooks from running, or lets others decide that did not; None if it does not."""
        return self._fault_of(world.real(path), called=path)

    def faults(self, projects: Iterable[str]) -> list[Fault]:
        """Of all files that count, those of these projects and of the last day's included."""
        self._remember(projects)
        files = [file for folder in (world.home(), *self.known.projects) for file in _of(folder)]
        installed = self.installed()
        if len(self._seen) > MOST_SEEN:
            self._seen.clear()
        found = [self._look(file, installed) for file in dict.fromkeys([*installed, *files, str(self.managed)])]
        self._keep()
        return list({fault.file: fault for fault in found if fault is not None}.values())

    def _remember(self, projects: Iterable[str]) -> None:
        now, known = self.clock(), self.known.projects
        for project in projects:
            self._is_new = self._is_new or known.pop(project, None) is None
            known[project] = now
        for project in [each for each, heard in known.items() if heard < now - A_DAY]:
            del known[project]
        while len(known) > MOST_PROJECTS:
            del known[next(iter(known))]

    def _look(self, file: str, installed: dict[str, str]) -> Fault | None:
        """A file that did not change is not read again."""
        state = (_state(file), file in installed)
        seen = self._seen.get(file)
        if seen is None or seen[0] != state:
            seen = self._seen[file] = (state, self._fault_of(world.real(file)))
        return seen[1]

    def _fault_of(self, file: str, called: str = "") -> Fault | None:
        state, settings = _state(file), _read(file)
        good = self.known.files.get(file)
        if how := self._how(file, settings, good):
            return Fault(file, f"{called or file} {how}.", state, good is not None and good.can_be_put_back)
        is_settings = file.endswith(_NAMES) or file in self.installed()
        if is_settings and (isinstance(settings, dict) or state is None):
            self._is_good(file, settings)
        return None

    def _how(self, file: str, settings: Any, good: Good | None) -> str | None:
        is_installed = file in self.installed()
        if file == str(self.managed):
            only = isinstance(settings, dict) and settings.get("allowManagedHooksOnly") is True
            is_ours = next(claude_code_settings.ours(settings), None) is not None
            return "lets no hooks of users run (allowManagedHooksOnly)" if only and not is_ours else None
        if how := claude_code_settings.disarmed(settings, installed=is_installed):
            return how
        if good is None:
            # Seen for the first time: what a person's sessions have worked with until now.
            return None
        added = [words for name, words in self._powers(settings).items() if name not in good.powers]
        return f"adds {added[0]}" if added else None

    def _is_good(self, file: str, settings: Any) -> None:
        files = self.known.files
        before = files.pop(file, None) or Good()
        # A power that was there once is not new when it comes back: editors write a file in several steps.
        found = tuple(dict.fromkeys([*before.powers, *self._powers(settings)]))[-MOST_POWERS:]
        content = world.read_bytes(file, LARGEST_KEPT)
        text = None if content is None else base64.b64encode(content).decode()
        files[file] = Good(text, absent=not world.is_there(file), powers=found)
        self._is_new = self._is_new or files[file] != before
        while len(files) > MOST_FILES:
            del files[next(iter(files))]

    def _powers(self, settings: Any) -> dict[str, str]:
        return powers(settings, lambda handler: entries.is_ours(handler, self.paths))

    def keep(self, file: str) -> None:
        """A person wants it as it is."""
        self._is_good(file, _read(file))
        self._seen.clear()
        self._keep()

    def put_back(self, file: str) -> None:
        """As it was when nothing was wrong with it. Raises OSError, and leaves what is there."""
        good = self.known.files.get(file)
        if good is None or not good.can_be_put_back:
            raise FileNotFoundError(f"It is not known how {file} was before.")
        path = Path(file)
        if good.content is None:
            path.unlink(missing_ok=True)
        else:
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
            path.parent.mkdir(parents=True, exist_ok=True)
            kept.write(path, base64.b64decode(good.content))
            path.chmod(mode)
        self._seen.clear()

    def _keep(self) -> None:
        """For the next life, where something changed."""
        if self._is_new or self.clock() > self._kept_at + WRITTEN_EVERY:
            kept.write(self.paths.client_settings, msgspec.json.encode(self.known))
            self._is_new, self._kept_at = False, self.clock()


def _of(folder: str) -> list[str]:
    return [f"{folder}/.claude/{name}" for name in _NAMES]


def _read(path: str) -> Any:
    text = world.read_small(path, LARGEST)
    if text is None:
        return None
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def _state(path: str) -> State:
    try:
        found = os.stat(path)  # noqa: PTH116 - looked at every second
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size
