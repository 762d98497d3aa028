"""Public guards as peers: fetched from their package registries once, and run as the hook they are installed as.

They only read commands as text. Each is started with an environment built from nothing and a home of its own."""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from bench import machine
from bench.events import Session
from scripts import get_claude_code as fetching

_WAIT = 300.0
_ANSWER = 30.0
# What each of them stops. It is never run: they get it as text, and a guard that lets it pass is not at work.
STOPPED = "git push --force origin main"
NO_REGISTRY = "its program is not on PATH, and no package registry has it"


class CannotBeHadError(Exception):
    """Says in a few words why there is no such guard here."""


@dataclass(frozen=True, slots=True)
class Guard:
    name: str
    version: str
    # "PyPI" or "npm"; "" for one that is measured where its program is on PATH.
    registry: str
    # The program within what was installed, and its arguments, as its own installer writes them.
    program: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} {self.version}".strip()

    @property
    def folder(self) -> Path:
        """Kept between runs, outside of the project."""
        return fetching.cache(os.environ) / "bench" / "guards" / f"{self.name}-{self.version}"


NAH = Guard("nah", "0.11.0", "PyPI", "bin/nah", ("_claude-hook",))
GUARDS = (
    NAH,
    Guard("cc-safety-net", "2.4.5", "npm", "dist/bin/cc-safety-net.js", ("hook", "--coding-cli")),
    Guard("claude-warden", "2.10.1", "npm", "dist/index.cjs"),
    Guard("tool-gates", "", "", "tool-gates"),
)


@cache
def argv(guard: Guard) -> tuple[str, ...] | CannotBeHadError:
    """The command of its hook, once it has stopped what it must stop; or why there is none."""
    try:
        command = (*_program(guard), *guard.arguments)
        with machine.folder() as root:
            said = _asked(command, root)
    except CannotBeHadError as problem:
        return problem
    if not any(f'"permissionDecision":"{word}"' in said for word in ("deny", "ask")):
        return CannotBeHadError(f"its hook lets {STOPPED!r} pass")
    return command


def hooks(said_by: str) -> tuple[dict[str, tuple[str, ...]], str]:
    """The hooks that can be had, by the name of their row, and a sentence about the others."""
    found: dict[str, tuple[str, ...]] = {}
    missing = []
    for guard in GUARDS:
        command = argv(guard)
        if isinstance(command, CannotBeHadError):
            machine.say(f"  {said_by}: without {guard}: {command}")
            missing.append(f"{guard} ({command})")
        else:
            found[f"{guard}, a public guard"] = command
    return found, f"Not measured: {'; '.join(missing)}." if missing else ""


def _asked(command: Sequence[str], root: Path) -> str:
    home, project = root / "home", root / "project"
    for folder in (home, project / ".git"):
        folder.mkdir(parents=True)
    payload = msgspec.json.encode(Session(project).pre(STOPPED))
    try:
        done = subprocess.run(
            command, input=payload, env=machine.environ(home), cwd=project, capture_output=True, timeout=_ANSWER
        )
    except (OSError, subprocess.SubprocessError) as problem:
        raise CannotBeHadError(f"its hook does not answer: {problem}") from None
    return done.stdout.decode(errors="replace").replace('": "', '":"')


def _program(guard: Guard) -> tuple[str, ...]:
    if not guard.registry:
        found = shutil.which(guard.program)
        if found is None:
            raise CannotBeHadError(NO_REGISTRY)
        return (found,)
    fetch, interpreter = _REGISTRIES[guard.registry]
    before = tuple(shutil.which(name) or "" for name in interpreter)
    if "" in before:
        raise CannotBeHadError(f"{' '.join(interpreter)} is not installed")
    program = guard.folder / guard.program
    if not program.exists():
        machine.say(f"  fetching {guard} from {guard.registry}")
        fetch(guard)
    if not program.exists():
        raise CannotBeHadError(f"its package has no {guard.program}")
    return (*before, str(program))


def _from_pypi(guard: Guard) -> None:
    _quiet([sys.executable, "-m", "venv", str(guard.folder)])
    pip = [str(guard.folder / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    try:
        _quiet([*pip, f"{guard.name}=={guard.version}"])
    except CannotBeHadError:
        shutil.rmtree(guard.folder)
        raise


def _from_npm(guard: Guard) -> None:
    """Without its scripts: the package is unpacked, not installed."""
    npm = shutil.which("npm")
    if npm is None:
        raise CannotBeHadError("npm is not installed")
    guard.folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=guard.folder.parent, prefix=".fetching-") as name:
        try:
            with tarfile.open(fetching.npm_pack(npm, f"{guard.name}@{guard.version}", Path(name))) as archive:
                archive.extractall(Path(name, "unpacked"), filter="data")
        except (fetching.CannotBeHadError, OSError, tarfile.TarError, subprocess.SubprocessError) as problem:
            raise CannotBeHadError(str(problem)) from None
        Path(name, "unpacked/package").rename(guard.folder)


def _quiet(command: Sequence[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=_WAIT)
    except (OSError, subprocess.SubprocessError) as problem:
        raise CannotBeHadError(f"it could not be installed: {problem}") from None


# How to get a package, and what starts its programs.
_REGISTRIES: dict[str, tuple[Callable[[Guard], None], tuple[str, ...]]] = {
    "PyPI": (_from_pypi, ()),
    "npm": (_from_npm, ("node",)),
}
