"""One tool call as the policy sees it: which tool, which command, which file, which host."""

# ruff: noqa: PTH118 - paths here are text that an agent wrote, handled on every event

import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from assent.policy import forms, world
from assent.policy.own import things
from assent.policy.runs import Act
from assent.policy.spelling import LONGEST_PATH, Setting
from assent.policy.walk import Walk
from assent.protocol.events import Event, PermissionRequest, PreToolUse

if TYPE_CHECKING:
    from assent.policy.voice import Scene

SHELL_TOOLS = frozenset({"Bash", "Monitor"})
READS = frozenset({"Read", "Grep", "Glob", "NotebookRead", "LS"})
EDITS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
SUB_AGENTS = frozenset({"Agent", "Task"})

_PATH_FIELDS = {
    "NotebookEdit": "notebook_path",
    "NotebookRead": "notebook_path",
    "Grep": "path",
    "Glob": "path",
    "LS": "path",
}
# These look below the working directory when they name no path.
_SEARCHES = frozenset({"Grep", "Glob", "LS"})
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?", re.ASCII)
_ODD_URL = re.compile(r"[\\@\s\x00-\x1f\x7f]")
_WILD = re.compile(r"[*?\[{]")


@dataclass(frozen=True)
class Call:
    tool: str
    input: dict[str, Any]
    cwd: str
    mode: str | None = None
    # The kind of the sub-agent that calls, "main" for none; None when unknown.
    agent: str | None = None
    _roots: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, event: Event) -> "Call | None":
        """The call a gate event is about; None for every other event."""
        if not isinstance(event, (PreToolUse, PermissionRequest)):
            return None
        # Kept beside the event, so that all voices share one look at the line and the disk.
        room = event.__dict__
        if (known := room.get("_call")) is None:
            agent = "main" if event.agent_id is None else event.agent_type
            known = room["_call"] = cls(event.tool_name, event.tool_input, event.cwd, event.permission_mode, agent)
        call: Call = known
        return call

    @cached_property
    def command(self) -> str | None:
        return self.text("command") if self.tool in SHELL_TOOLS else None

    def acts(self, scene: "Scene") -> list[Act]:
        """What the command would do, looked at once for all who ask from the same place."""
        return self.seen(scene)[0]

    def seen(self, scene: "Scene") -> tuple[list[Act], Setting]:
        """The acts, and the setting with what was learned about the line on the way."""
        room = self.__dict__
        place = (scene.project, scene.own, scene.added)
        if room.get("_acts_of") != place:
            setting = self.setting(scene)
            room["_acts"] = self._walked(setting)
            room["_seen"] = room["_acts"], setting
            room["_acts_of"] = place
        seen: tuple[list[Act], Setting] = room["_seen"]
        return seen

    def _walked(self, setting: Setting) -> list[Act]:
        return [] if self.command is None else Walk(setting).line(self.command)

    def setting(self, scene: "Scene") -> Setting:
        project, home = str(scene.project), world.home()
        known = things(scene.own, project, home)
        return Setting(
            project=project,
            home=home,
            cwd=self.cwd or project,
            added=scene.added,
            things=known,
            client=scene.client,
        )

    @property
    def line(self) -> list[Act]:
        """The same for those to whom it does not matter which project it is."""
        room = self.__dict__
        if "_acts" not in room:
            here = self.cwd or "/"
            room["_acts"] = self._walked(Setting(here, world.home(), here))
        found: list[Act] = room["_acts"]
        return found

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """Every way in which a part of the command may be written in a rule."""
        return () if self.command is None else forms.of_line(self.command, self.line)

    @cached_property
    def heads(self) -> frozenset[str]:
        """The first words of all forms: what nobody names by these, nobody names."""
        return frozenset([word for form in self.forms for word in form.split(None, 1)[:1]])

    @cached_property
    def path(self) -> str | None:
        """The file or folder as a whole path, without ``..``; None where the call names none that can be read."""
        if self.tool not in READS and self.tool not in EDITS:
            return None
        named = self.input.get(_PATH_FIELDS.get(self.tool, "file_path"))
        if named is None and self.tool in _SEARCHES:
            named = self.cwd
        if self.tool == "Glob" and isinstance(named, str):
            named = os.path.join(named, _still_part(self.text("pattern") or ""))
        if not isinstance(named, str) or not named or "\0" in named or len(named) > LONGEST_PATH:
            return None
        if named == "~" or named.startswith("~/"):
            named = world.home() + named[1:]
        return os.path.normpath(os.path.join(self.cwd or "/", named))

    @cached_property
    def real_path(self) -> str | None:
        """The path with symbolic links followed."""
        return None if self.path is None else world.real(self.path)

    def real_root(self, folder: str) -> str:
        """A folder with symbolic links followed, looked up once for all the rules that name it."""
        if folder not in self._roots:
            self._roots[folder] = world.real(folder)
        return self._roots[folder]

    @property
    def url(self) -> str | None:
        return self.text("url") if self.tool == "WebFetch" else None

    @cached_property
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
