"""What a check is given, and what it says."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from assent.config import Config
from assent.install.site import Site
from assent.paths import Paths

Level = Literal["ok", "note", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence, and what to do about it."""

    code: str
    level: Level
    text: str
    remedy: str | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """What the checks may look at. They change nothing."""

    paths: Paths
    home: Path
    project: Path
    environ: Mapping[str, str]
    config: Config
    # What the hub says of itself (GET /api/status); None if none answers.
    hub: Mapping[str, Any] | None
    # Somebody holds the hub's lock.
    lock_held: bool = False
    # What the hub found when it asked the services of connected surfaces; None if it was not asked, or refused.
    surfaces: Sequence[Mapping[str, Any]] | None = None
    root: Path = Path("/")
    now: float = field(default_factory=time.time)

    @property
    def site(self) -> Site:
        moved = self.environ.get("CLAUDE_CONFIG_DIR")
        return Site(
            self.paths,
            self.home,
            self.project,
            Path(moved).absolute() if moved else None,
            self.port,
            self.environ,
            self.root,
            self.config.hub.unreachable,
        )

    @property
    def port(self) -> int:
        """Where HTTP hooks should go: where the hub listens, or will."""
        listening = self.hub.get("port") if self.hub else None
        return listening or self.config.hub.port


Check = Callable[[Situation], Iterable[Finding]]
