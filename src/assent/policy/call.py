"""One tool call as the policy sees it: which tool, which command, which file, which host."""

# ruff: noqa: PTH118 - paths here are text that an agent wrote, handled on every event
import os
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

from assent.harnesses import registry
from assent.policy import world
from assent.policy.lazy import lazy
from assent.policy.memo import LineMemo, Notes
from assent.policy.own import NO_OWN, Own, things
from assent.policy.session_taint import Memory
from assent.policy.shell import forms
from assent.policy.shell.acts import Act
from assent.policy.shell.spelling import LONGEST_PATH, Setting
from assent.policy.shell.walk import Walk
from assent.protocol.approval import ApprovalView
from assent.protocol.decision import Decision, Risk
from assent.protocol.events import Event, PermissionDenied, PermissionRequest, PreToolUse
from assent.protocol.lasting import Permission
from assent.protocol.modes import Run
from assent.protocol.operations import Edit, Fetch, Operation, Patch, Read, Search, Shell, Write
from assent.protocol.rule_words import words_of

_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?", re.ASCII)
_ODD_URL = re.compile(r"[\\@\s\x00-\x1f\x7f]")
_WILD = re.compile(r"[*?\[{]")
T = TypeVar("T")


class Scene(Struct, frozen=True):
    """What is known beside the event itself."""

    # The project's folder as the harness names it, else the event's working directory.
    project: Path
    # False when no person is at the terminal (a run without a terminal); None when unknown.
    attended: bool | None = None
    # What belongs to Assent: its files, its code, its process.
    own: Own = NO_OWN
    # The process of the client whose session asks; None when unknown.
    client: int | None = None
    # Which coding agent this is; None when unknown.
    harness: str | None = None
    # What this session did before; None where that is not kept.
    memory: Memory | None = None
    # Folders beside the project that a person lets the agent work in.
    added: tuple[str, ...] = ()
    # Set where `assent exec` started it.
    run: Run | None = None
    # What people permitted here for longer than once.
    permissions: tuple[Permission, ...] = ()
    # The agent's settings keep commands in the client's sandbox.
    sandboxed: bool = False
    # The tool call that is judged, set by the judge: all voices share one look at its line and the disk.
    call: "Call | None" = None


class Look(Struct, eq=False):
    """What looking at a call from one place showed. Calls of the same line may share it."""

    # The parts of a scene that decide it; None where it does not matter which project it is.
    place: object
    acts: list[Act]
    setting: Setting
    # Questions to the disk that led here, where it is to be known again.
    notes: Notes | None = None
    # The acts, and all that they start.
    every: list[Act] = []
    _facts: dict[Hashable, object] = {}

    def __post_init__(self) -> None:
        self.every = [each for act in self.acts for each in act.all()]

    @property
    def weight(self) -> int:
        return len(self.every)

    def fact(self, name: Hashable, work_out: Callable[[], T]) -> T:
        """What follows from the look and from what the name says, and from nothing else but the disk: found once."""
        if name not in self._facts:
            self._facts[name] = work_out() if self.notes is None else self.notes.taken(work_out)
        return self._facts[name]  # type: ignore[return-value]

    def fact_of(self, name: Hashable, given: Hashable, work_out: Callable[[], T]) -> T:
        """The same for what also follows from something else. Only what follows from the latest is kept."""
        known = self._facts.get(name)
        if not isinstance(known, tuple) or known[0] != given:
            worked_out = work_out() if self.notes is None else self.notes.taken(work_out)
            known = self._facts[name] = given, worked_out
        return known[1]  # type: ignore[no-any-return]


Memo = LineMemo[Look]


@dataclass
class Call:
    """Not changed once made. What is read of it is read once and kept in it."""

    # As its client calls it and gives it.
    tool: str
    input: dict[str, Any]
    cwd: str
    mode: str | None = None
    # The kind of the sub-agent that calls, "main" for none; None when unknown.
    agent: str | None = None
    # None is read as the default harness reads it.
    decoded: Operation | None = field(default=None, compare=False, repr=False)
    # Lines seen before; None where it is to be read anew.
    memo: Memo | None = field(default=None, compare=False, repr=False)
    _roots: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    _look: Look | None = field(default=None, compare=False, repr=False)
    # The parts of the scene that it was looked at in last. The scene itself may hold the call: both would stay until
    # they are looked for as garbage.
    _seen: "tuple[Path, Own, tuple[str, ...]] | None" = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, event: Event, scene: "Scene | None" = None) -> "Call | None":
        """The call a gate event is about, which the scene has where the judge made it; None for every other event."""
        if scene is not None and scene.call is not None:
            return scene.call
        if not isinstance(event, (PreToolUse, PermissionRequest, PermissionDenied)):
            return None
        agent = "main" if event.agent_id is None else event.agent_type
        operation = registry.operation(event)
        return cls(event.tool_name, event.tool_input, event.cwd, event.permission_mode, agent, operation)

    @lazy
    def operation(self) -> Operation:
        """What the call is."""
        return self.decoded or registry.default().operation(self.tool, self.input)

    @lazy
    def words(self) -> frozenset[str]:
        """The words by which rules may name it."""
        return words_of(self.tool, self.operation)

    @lazy
    def command(self) -> str | None:
        operation = self.operation
        return operation.command if isinstance(operation, Shell) else None

    def acts(self, scene: Scene) -> list[Act]:
        """What the command would do, looked at once for all who ask from the same place."""
        return self.look(scene).acts

    def seen(self, scene: Scene) -> tuple[list[Act], Setting]:
        """The acts, and the setting with what was learned about the line on the way."""
        look = self.look(scene)
        return look.acts, look.setting

    def look(self, scene: Scene) -> Look:
        look, seen = self._look, self._seen
        if look is not None and seen is not None:
            project, own, added = seen
            if project is scene.project and own is scene.own and added is scene.added:
                return look
        place = (str(scene.project), scene.own, scene.added)
        if look is None or look.place != place:
            look = self._look = self._looked(place, scene)
        self._seen = scene.project, scene.own, scene.added
        return look

    def _looked(self, place: object, scene: Scene) -> Look:
        command = self.command
        if self.memo is None or command is None:
            setting = self.setting(scene)
            return Look(place, self._walked(setting), setting)
        home = world.home()
        line = (command, place, self.cwd, home, scene.client)
        look = self.memo.get(line)
        if look is None:
            setting, notes = self.setting(scene, home), Notes()
            look = Look(place, notes.taken(lambda: self._walked(setting)), setting, notes)
            self.memo.keep(line, look, len(command))
        return look

    def _walked(self, setting: Setting) -> list[Act]:
        return [] if self.command is None else Walk(setting).line(self.command)

    def setting(self, scene: Scene, home: str | None = None) -> Setting:
        project, home = str(scene.project), home or world.home()
        own_things = things(scene.own, project, home)
        return Setting(
            project=project,
            home=home,
            cwd=self.cwd or project,
            added=scene.added,
            things=own_things,
            client=scene.client,
        )

    @property
    def line(self) -> list[Act]:
        """The same for those to whom it does not matter which project it is."""
        return (self._look or self._anywhere()).acts

    def _anywhere(self) -> Look:
        here = self.cwd or "/"
        setting = Setting(here, world.home(), here)
        self._look = Look(None, self._walked(setting), setting)
        return self._look

    @lazy
    def forms(self) -> tuple[str, ...]:
        """Every way in which a part of the command may be written in a rule."""
        command = self.command
        if command is None:
            return ()
        look = self._look or self._anywhere()
        return look.fact("forms", lambda: forms.of_line(command, look.every))

    @lazy
    def path(self) -> str | None:
        """The file or folder as a whole path, without ``..``; None where the call names none that can be read, or
        several."""
        return self.paths[0] if len(self.paths) == 1 else None

    @lazy
    def paths(self) -> tuple[str, ...]:
        """The same for every file of a patch; empty where one of them cannot be read."""
        match self.operation:
            case Read(path=named) | Edit(path=named) | Write(path=named):
                paths = [self._whole(named)]
            case Search(kind=kind, path=named, pattern=pattern):
                folder = self.cwd if named is None else named
                paths = [self._whole(os.path.join(folder, _still_part(pattern)) if kind == "names" else folder)]
            case Patch(files=files):
                paths = [self._whole(file.path) for file in files]
            case _:
                return ()
        return () if None in paths else tuple(path for path in paths if path is not None)

    @lazy
    def may_touch_any(self) -> bool:
        """Whether it is a patch that names a file which cannot be read, or none: it may be any."""
        return isinstance(self.operation, Patch) and not self.paths

    def _whole(self, named: str | None) -> str | None:
        if not named or "\0" in named or len(named) > LONGEST_PATH:
            return None
        if named == "~" or named.startswith("~/"):
            named = world.home() + named[1:]
        return os.path.normpath(os.path.join(self.cwd or "/", named))

    @lazy
    def real_path(self) -> str | None:
        """The path with symbolic links followed."""
        return None if self.path is None else world.real(self.path)

    @lazy
    def real_paths(self) -> tuple[str, ...]:
        return tuple(world.real(path) for path in self.paths)

    def real_root(self, folder: str) -> str:
        """A folder with symbolic links followed, looked up once for all the rules that name it."""
        if folder not in self._roots:
            self._roots[folder] = world.real(folder)
        return self._roots[folder]

    @property
    def url(self) -> str | None:
        operation = self.operation
        return operation.url if isinstance(operation, Fetch) else None

    @lazy
    def host(self) -> str | None:
        """The host of a fetch; None where programs could disagree about which one it is."""
        if self.url is None or _ODD_URL.search(self.url):
            return None
        try:
            host = (urlsplit(self.url).hostname or "").rstrip(".")
        except ValueError:
            return None
        return host if _HOST.fullmatch(host) else None

    def text(self, field: str) -> str | None:
        value = self.input.get(field)
        return value if isinstance(value, str) else None


def _still_part(pattern: str) -> str:
    """The folders of a glob before its first wildcard."""
    parts = pattern.split("/")
    wild = next((place for place, part in enumerate(parts) if _WILD.search(part)), len(parts))
    return "/".join(parts[:wild]) or ("/" if pattern.startswith("/") else "")


class Opinion(Struct, frozen=True):
    """What one voice says. ``by`` is ``kind:name``, for example ``rule:user#4``."""

    decision: Decision
    by: str
    why: str
    evidence: str | None = None
    risk: Risk | None = None
    # For a rule that allows: the stance is not heard about risks up to this one.
    silences: Risk | None = None
    # The client has a say in this: no allow of ours is heard.
    holds_back: bool = False


class Voice(Protocol):
    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        """An opinion, or None. Fast and in memory: the agent waits for this."""


class Approving(Voice, Protocol):
    """A voice that knows which calls need the yes of certain people. The judge looks for the method."""

    def approval(self, call: Call, scene: Scene, risk: Risk | None) -> ApprovalView | None:
        """Asked once the risk is known; None where nobody in particular has to agree."""
