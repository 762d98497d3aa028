"""Where Assent is installed: the user, the project and the machine, and the command line of a hook there."""

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, get_args

from assent import paths as locations
from assent.config import Asks, Config, Hub
from assent.paths import Paths

Scope = Literal["user", "project", "local"]
SettingsScope = Literal["managed", "user", "project", "local"]
Transport = Literal["auto", "shim", "http"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

DEFAULT_PORT = 8717
DEFAULT_UNREACHABLE: str = Hub().unreachable
DEFAULT_WAIT: timedelta = Asks().wait


@dataclass(frozen=True, slots=True)
class Site:
    """Everything a harness has to know about its surroundings."""

    paths: Paths
    home: Path
    project: Path
    port: int = DEFAULT_PORT
    environ: Mapping[str, str] = field(default_factory=dict)
    root: Path = Path("/")
    # [hub] unreachable of the configuration.
    unreachable: str = DEFAULT_UNREACHABLE
    # The longest [asks] wait of the configuration.
    wait: timedelta = DEFAULT_WAIT
    # [hub] tool_batches of the configuration.
    tool_batches: bool = False


def find(
    environ: Mapping[str, str] | None = None,
    project: Path | None = None,
    port: int = DEFAULT_PORT,
    unreachable: str = DEFAULT_UNREACHABLE,
    wait: timedelta = DEFAULT_WAIT,
    *,
    tool_batches: bool = False,
) -> Site:
    env = os.environ if environ is None else environ
    return Site(
        paths=locations.find(env),
        home=Path(env.get("HOME") or Path.home()),
        project=(project or Path.cwd()).absolute(),
        port=port,
        environ=env,
        unreachable=unreachable,
        wait=wait,
        tool_batches=tool_batches,
    )


def shim_start(paths: Paths) -> list[str]:
    """What starts the shim, without the arguments of one hook."""
    return [str(paths.shim / "python"), "-I", "-S", str(paths.shim / "hook.py"), str(paths.hook_socket)]


def shim_command(paths: Paths, harness: str, event: str, deadline: float, silence: float) -> list[str]:
    """The program and arguments of one hook entry; times in seconds."""
    return [*shim_start(paths), harness, event, f"{deadline:g}", f"{silence:g}"]


VERSION_SECONDS = 10.0
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


def program_version(program: str, path: str, env: Mapping[str, str]) -> tuple[int, int, int] | None:
    """What a client says of its version, with a home of its own: the question must not touch the user's files."""
    with tempfile.TemporaryDirectory(prefix="assent-doctor-") as home:
        try:
            done = subprocess.run(
                [program, "--version"],
                env={"HOME": home, "PATH": path, **env},
                cwd=home,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=VERSION_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
            return None
    match = _VERSION.search(done.stdout)
    return (int(match[1]), int(match[2]), int(match[3])) if match and done.returncode == 0 else None


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
    # A process holds the hub's lock.
    lock_held: bool = False
    # What the hub found when it asked the services of connected surfaces; None if it was not asked, or refused.
    surfaces: Sequence[Mapping[str, Any]] | None = None
    root: Path = Path("/")
    # The harnesses to be looked at; none named means those that are installed.
    harnesses: tuple[str, ...] = ()
    now: float = field(default_factory=time.time)

    @property
    def site(self) -> Site:
        return Site(
            self.paths,
            self.home,
            self.project,
            self.port,
            self.environ,
            self.root,
            self.config.hub.unreachable,
            self.config.longest_wait,
            self.config.hub.tool_batches,
        )

    @property
    def port(self) -> int:
        """Where HTTP hooks should go: where the hub listens, or will."""
        listening = self.hub.get("port") if self.hub else None
        return listening or self.config.hub.port


Check = Callable[[Situation], Iterable[Finding]]
