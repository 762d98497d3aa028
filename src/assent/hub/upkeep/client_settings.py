"""The settings files of the client, as far as they decide whether our hooks run and who else decides.

What a file said when it was first seen, or when a person kept it, is known here; so are its last good bytes, with which
a person can put it back. Nothing here changes a file unasked."""

import base64
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from assent.harnesses import registry
from assent.harnesses.base import Harness
from assent.hub import state_file
from assent.hub.bus import Seconds
from assent.paths import Paths
from assent.policy import world
from assent.policy.call import Opinion, Scene
from assent.policy.shell import variables
from assent.protocol.decision import Block, Risk
from assent.protocol.events import ConfigChange, Event

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

State = tuple[int, ...] | None


class Installed(msgspec.Struct, frozen=True):
    """A file that ``assent install`` wrote to."""

    file: str
    scope: str = "user"
    harness: str = registry.DEFAULT


class _Manifest(msgspec.Struct):
    installs: tuple[Installed, ...] = ()


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


def _managed() -> dict[str, str]:
    return {str(each.MANAGED): name for name, each in registry.HARNESSES.items() if each.MANAGED is not None}


@dataclass(slots=True)
class ClientSettings:
    paths: Paths
    # The administrator's files, and whose settings they are.
    managed: Mapping[str, str] = field(default_factory=_managed)
    clock: Seconds = time.time
    # How a file was when it was last looked at, and what was wrong with it.
    _seen: dict[str, tuple[object, Fault | None]] = field(default_factory=dict)
    _projects_seen: set[str] = field(default_factory=set)
    _known: Known | None = None
    _is_new: bool = False
    _kept_at: float = 0.0
    _installed: tuple[State, dict[str, Installed]] = (None, {})

    @property
    def known(self) -> Known:
        if self._known is None:
            try:
                self._known = msgspec.json.decode(state_file.read(self.paths.client_settings) or b"{}", type=Known)
            except (msgspec.MsgspecError, RecursionError):
                self._known = Known()
        return self._known

    def installed(self) -> dict[str, Installed]:
        """The files that ``assent install`` wrote to, links followed."""
        manifest = self.paths.state / "installs.json"
        state = _state(str(manifest))
        if state is None or state != self._installed[0]:
            try:
                content = msgspec.json.decode(manifest.read_bytes(), type=_Manifest)
            except (OSError, msgspec.DecodeError):
                content = _Manifest()
            self._installed = state, {world.real(install.file): install for install in content.installs}
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
        faults = [self._look(file, installed) for file in dict.fromkeys([*installed, *files, *self.managed])]
        self._keep()
        return list({fault.file: fault for fault in faults if fault is not None}.values())

    def _remember(self, projects: Iterable[str]) -> None:
        now, seen = self.clock(), self.known.projects
        for project in projects:
            self._is_new = self._is_new or seen.pop(project, None) is None
            seen[project] = now
        for project in [each for each, heard in seen.items() if heard < now - A_DAY]:
            del seen[project]
        while len(seen) > MOST_PROJECTS:
            del seen[next(iter(seen))]

    def _look(self, file: str, installed: Mapping[str, Installed]) -> Fault | None:
        """A file that did not change is not read again."""
        state = (_state(file), file in installed)
        seen = self._seen.get(file)
        if seen is None or seen[0] != state:
            seen = self._seen[file] = (state, self._fault_of(world.real(file)))
        return seen[1]

    def _fault_of(self, file: str, called: str = "") -> Fault | None:
        state, text = _state(file), world.read_small(file, LARGEST)
        good = self.known.files.get(file)
        harness = self._harness(file)
        powers = harness.powers(text, self.paths, _loads)
        if how := self._how(harness, file, text, powers or {}, good):
            return Fault(file, f"{called or file} {how}.", state, good is not None and good.can_be_put_back)
        is_settings = harness.reads(file) or file in self.installed()
        if is_settings and (powers is not None or state is None):
            self._is_good(file, powers or {})
        return None

    def _harness(self, file: str) -> Harness:
        """Whose settings these are."""
        if (install := self.installed().get(file)) is not None:
            return registry.of(install.harness) or registry.default()
        if file in self.managed:
            return registry.of(self.managed[file]) or registry.default()
        # The default one takes a file of any folder for its own, if it only has the name.
        others = (each for name, each in registry.HARNESSES.items() if name != registry.DEFAULT)
        return next((each for each in others if each.reads(file) or _watches(each, file)), registry.default())

    def _how(
        self, harness: Harness, file: str, text: str | None, powers: Mapping[str, str], good: Good | None
    ) -> str | None:
        is_managed = file in self.managed
        if how := harness.disarmed(text, installed=file in self.installed(), managed=is_managed):
            return how
        if good is None or is_managed:
            # Seen for the first time: what a person's sessions have worked with until now.
            return None
        added = [words for name, words in powers.items() if name not in good.powers]
        return f"adds {added[0]}" if added else None

    def _is_good(self, file: str, held: Mapping[str, str]) -> None:
        files = self.known.files
        before = files.pop(file, None) or Good()
        # A power that was there once is not new when it comes back: editors write a file in several steps.
        powers = tuple(dict.fromkeys([*before.powers, *held]))[-MOST_POWERS:]
        content = world.read_bytes(file, LARGEST_KEPT)
        text = None if content is None else base64.b64encode(content).decode()
        files[file] = Good(text, absent=not world.is_there(file), powers=powers)
        self._is_new = self._is_new or files[file] != before
        while len(files) > MOST_FILES:
            del files[next(iter(files))]

    def keep(self, file: str) -> None:
        """A person wants it as it is."""
        text = world.read_small(file, LARGEST)
        self._is_good(file, self._harness(file).powers(text, self.paths, _loads) or {})
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
            state_file.write(path, base64.b64decode(good.content))
            path.chmod(mode)
        self._seen.clear()

    def _keep(self) -> None:
        """For the next life, where something changed."""
        if self._is_new or self.clock() > self._kept_at + WRITTEN_EVERY:
            state_file.write(self.paths.client_settings, msgspec.json.encode(self.known))
            self._is_new, self._kept_at = False, self.clock()


def _of(folder: str) -> list[str]:
    return [file for harness in registry.HARNESSES.values() for file in harness.watched(folder)]


def _watches(harness: Harness, file: str) -> bool:
    """Whether it counts for this client without being settings: what else stands in it is not kept here."""
    return any(file in harness.watched(str(folder)) for folder in list(Path(file).parents)[:2])


def _loads(name: str, value: str) -> bool:
    return any(effect.kind != "write" for effect in variables.assigned(name, [value]))


def _state(path: str) -> State:
    try:
        status = os.stat(path)  # noqa: PTH116 - looked at every second
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size


@dataclass(frozen=True, slots=True)
class ConfigGate:
    """Gate for changes of the client's settings: those that would disable our hooks or let others decide are blocked.

    What a file said when its project was first seen counts as the user's own; so does what a person kept since."""

    settings: ClientSettings

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        self.settings.heard_of(str(scene.project))
        if not isinstance(event, ConfigChange) or not event.file_path:
            return None
        fault = self.settings.fault(event.file_path)
        if fault is None:
            return None
        reason = f"{fault.sentence} This session goes on with the settings it had."
        return Opinion(Block(reason), "floor:hooks", fault.sentence, event.file_path, risk=Risk.DANGER)
