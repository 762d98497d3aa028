"""Secrets of surfaces: in the system's keyring where there is one, else in files that nobody else can read."""

import os
from dataclasses import dataclass
from pathlib import Path

from assent.paths import Paths


@dataclass(frozen=True, slots=True)
class Vault:
    paths: Paths

    def get(self, surface: str, name: str) -> str | None:
        try:
            return self._file(surface, name).read_text(encoding="utf-8").strip() or None
        except OSError:
            return None

    def put(self, surface: str, name: str, secret: str) -> str:
        """Where it is now, in words."""
        path = self._file(surface, name)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = path.with_suffix(".new")
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w") as file:
            file.write(secret)
        new.replace(path)
        return str(path)

    def forget(self, surface: str, name: str) -> None:
        self._file(surface, name).unlink(missing_ok=True)

    def _file(self, surface: str, name: str) -> Path:
        return self.paths.keys / f"{surface}.{name}"
