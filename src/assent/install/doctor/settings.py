"""Every settings file the client would read, read once and without judging."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assent.harness import claude_code
from assent.install import files, merge
from assent.install.doctor.check import Situation
from assent.install.entries import Handler
from assent.install.files import RefusedError
from assent.install.json_edit import Document
from assent.install.json_text import JsonTextError
from assent.install.site import SCOPES


@dataclass(frozen=True, slots=True)
class Settings:
    scope: str
    path: Path
    # None if there is no such file or it cannot be read.
    value: Any
    trouble: str | None = None

    def get(self, *keys: str) -> Any:
        found = self.value
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        return found

    @property
    def ours(self) -> list[tuple[merge.Place, Handler]]:
        return list(merge.ours(self.value))


def all_settings(situation: Situation) -> list[Settings]:
    found = [read(scope, situation.site.settings(scope)) for scope in SCOPES]
    # In the home folder the project's file is the user's.
    unique = {settings.path: settings for settings in reversed(found)}
    return [*reversed(unique.values()), *managed(situation)]


def managed(situation: Situation) -> list[Settings]:
    """What an administrator set for this machine."""
    return [read("managed", path) for path in claude_code.managed_files(situation.root)]


def read(scope: str, path: Path) -> Settings:
    try:
        data = files.read(path)
        doc = Document.read(data) if data and data.strip() else None
        if doc:
            merge.check_shape(doc)
        return Settings(scope, path, doc.root.value if doc else None)
    except JsonTextError as e:
        return Settings(scope, path, None, f"{path}:{e}")
    except RefusedError as e:
        return Settings(scope, path, None, e.message.removesuffix(" Nothing was changed."))
