"""Where Claude Code keeps its settings, as seen from one project."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from assent import paths as locations
from assent.config import Hub
from assent.harness import claude_code
from assent.paths import Paths

Scope = Literal["user", "project", "local"]
Transport = Literal["auto", "shim", "http"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

DEFAULT_PORT = 8717
DEFAULT_UNREACHABLE: str = Hub().unreachable


@dataclass(frozen=True, slots=True)
class Site:
    """Everything the installer has to know about its surroundings."""

    paths: Paths
    home: Path
    project: Path
    # CLAUDE_CONFIG_DIR, if set.
    config_dir: Path | None = None
    port: int = DEFAULT_PORT
    environ: Mapping[str, str] = field(default_factory=dict)
    root: Path = Path("/")
    # [hub] unreachable of the configuration.
    unreachable: str = DEFAULT_UNREACHABLE

    def settings(self, scope: Scope) -> Path:
        return claude_code.settings_file(scope, home=self.home, project=self.project, config_dir=self.config_dir)


def find(
    environ: Mapping[str, str] | None = None,
    project: Path | None = None,
    port: int = DEFAULT_PORT,
    unreachable: str = DEFAULT_UNREACHABLE,
) -> Site:
    env = os.environ if environ is None else environ
    moved = env.get("CLAUDE_CONFIG_DIR")
    return Site(
        paths=locations.find(env),
        home=Path(env.get("HOME") or Path.home()),
        project=(project or Path.cwd()).absolute(),
        config_dir=Path(moved).absolute() if moved else None,
        port=port,
        environ=env,
        unreachable=unreachable,
    )
