"""The settings files of the client, as far as they decide whether our hooks run."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from assent.harness import claude_code_settings
from assent.paths import Paths
from assent.policy import world

LARGEST = 1 << 20
_MANAGED = Path(
    "/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code",
    "managed-settings.json",
)


class _Install(msgspec.Struct):
    file: str
    scope: str = "user"


class _Manifest(msgspec.Struct):
    installs: tuple[_Install, ...] = ()


@dataclass(slots=True)
class ClientSettings:
    paths: Paths
    managed: Path = _MANAGED
    # What was wrong with a file, and how the file was then.
    _known: dict[str, tuple[object, str | None]] = field(default_factory=dict)

    def installed(self) -> dict[str, str]:
        """The files that ``assent install`` wrote to, links followed, and the scope of each."""
        try:
            data = (self.paths.state / "installs.json").read_bytes()
            found = msgspec.json.decode(data, type=_Manifest)
        except (OSError, msgspec.DecodeError):
            return {}
        return {world.real(install.file): install.scope for install in found.installs}

    def fault(self, path: str) -> str | None:
        """How this file keeps our hooks from running, as one sentence; None if it does not."""
        real = world.real(path)
        how = claude_code_settings.disarmed(_read(real), installed=real in self.installed())
        return f"{path} {how}." if how else None

    def faults(self, projects: Iterable[str]) -> list[str]:
        """Of all files that count, those of these projects included; files that did not change are not read again."""
        installed = self.installed()
        folders = [Path(folder, ".claude") for folder in (world.home(), *projects)]
        files = [str(folder / name) for folder in folders for name in ("settings.json", "settings.local.json")]
        found = []
        for file in dict.fromkeys([*installed, *map(world.real, files), str(self.managed)]):
            state = (_state(file), file in installed)
            if file not in self._known or self._known[file][0] != state:
                self._known[file] = (state, self._fault_of(file, installed))
            if fault := self._known[file][1]:
                found.append(fault)
        return found

    def _fault_of(self, file: str, installed: dict[str, str]) -> str | None:
        settings = _read(file)
        if file == str(self.managed):
            only = isinstance(settings, dict) and settings.get("allowManagedHooksOnly") is True
            is_ours = next(claude_code_settings.ours(settings), None) is not None
            return f"{file} lets no hooks of users run (allowManagedHooksOnly)." if only and not is_ours else None
        how = claude_code_settings.disarmed(settings, installed=file in installed)
        return f"{file} {how}." if how else None


def _read(path: str) -> Any:
    text = world.read_small(path, LARGEST)
    if text is None:
        return None
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def _state(path: str) -> tuple[int, int, int] | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
