"""Put the shim where hook entries point, so that an upgrade of Assent never edits settings."""

import marshal
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from assent.harnesses import registry
from assent.harnesses.base import Harness, Unreachable
from assent.harnesses.site import shim_start
from assent.paths import Paths
from assent.protocol import terminal
from assent.shim import files, native

MODES: tuple[Unreachable, ...] = get_args(Unreachable)
HERE = Path(__file__).parent

# Where the hub finds its folders (TMPDIR and its kin: a socket path too long for the state folder lies under it).
# Nothing else of the caller's environment reaches a hub that a shim starts.
KEPT = ("HOME", "PATH", "ASSENT_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "TMPDIR", "TEMP", "TMP")
DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"


def place(paths: Paths, *, unreachable: str, environ: Mapping[str, str] | None = None) -> None:
    """Write what is missing or differs; a hook that starts meanwhile finds the old file or the new one, whole."""
    for folder in (paths.state, paths.shim, paths.run, paths.spool):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.chmod(0o700)
    # The interpreter tells a stale cache by size and whole seconds, too coarse for two versions in a row.
    forward, hook = _programs(unreachable)
    if files.write(paths.shim / "forward.py", forward, 0o600) or not _cache_is_ours(paths):
        _cache(paths).unlink(missing_ok=True)
    files.write(paths.shim / "hook.py", hook, 0o600)
    for name, content in _data(paths, unreachable).items():
        files.write(paths.shim / name, content, 0o600)
    files.write(paths.shim / "start-hub", _start_hub(os.environ if environ is None else environ), 0o700)
    files.write(paths.shim / "run", _run(paths), 0o700)
    # Last: it reads the tables, and hands over to this version's program.
    native.place(paths.shim, interpreter())


def is_current(paths: Paths) -> bool:
    """Whether this version's shim is in place, whatever environment and mode it was placed with."""
    try:
        return (
            any(_is_placed(paths, mode) for mode in MODES)
            and (paths.shim / "run").read_bytes() == _run(paths)
            and (paths.shim / "start-hub").read_bytes().endswith(_hub_command())
            and all(os.access(paths.shim / name, os.X_OK) for name in ("interpreter", "python", "run", "start-hub"))
            and native.is_placed(paths.shim, interpreter())
            and _cache_is_ours(paths)
        )
    except OSError:
        return False


def _is_placed(paths: Paths, mode: Unreachable) -> bool:
    """Whether every program stands there as it is written for this mode."""
    forward, hook = _programs(mode)
    wanted = {"forward.py": forward, "hook.py": hook, **_data(paths, mode)}
    return all((paths.shim / name).read_bytes() == content for name, content in wanted.items())


def interpreter() -> Path:
    """The real interpreter: a virtual environment may vanish, and a version manager's stand-in costs 100 ms a start."""
    return Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()


def _source(name: str) -> bytes:
    return (HERE / name).read_bytes()


def _programs(unreachable: str) -> tuple[bytes, bytes]:
    """forward.py and hook.py with the replies of this mode in them."""
    tables = _tables(unreachable)
    # What is left of that where the program is damaged: by harness and event, the mode's name and the reply in it.
    least = {
        (name, event): (bypass[1], reply)
        for name, (_, _, bypass, table) in tables.items()
        for event, replies in table.items()
        if (reply := replies.get("unreachable_bypass"))
    }
    senders = {name.encode(): harness for name, harness in registry.markers().items()}
    forward = _filled(_filled(_source("forward.py"), "HARNESSES", tables), "MARKERS", senders)
    return forward, _filled(_source("hook.py"), "FALLBACK", least)


def _data(paths: Paths, unreachable: str) -> dict[str, bytes]:
    """What the native shim reads, and programs that some harnesses have beside the shim, by name."""
    mode = _mode(unreachable)
    programs = (program for harness in registry.HARNESSES.values() for program in harness.FACTS.programs)
    return {program.name: program.content(paths, mode) for program in programs} | native.tables(_tables(mode))


def _mode(unreachable: str) -> Unreachable:
    mode = next((mode for mode in MODES if mode == unreachable), None)
    if mode is None:
        raise ValueError(f"unreachable must be one of {', '.join(MODES)}, not {unreachable!r}")
    return mode


def _tables(unreachable: str) -> dict[str, native.Table]:
    mode = _mode(unreachable)
    return {name: _table(harness, mode) for name, harness in registry.HARNESSES.items()}


def _table(harness: Harness, mode: Unreachable) -> native.Table:
    wanted = dict.fromkeys((*harness.VARIABLES, *terminal.VARIABLES, *registry.markers()))
    variables = tuple([name.encode() for name in wanted])
    return harness.SESSION_VARIABLE.encode(), variables, harness.BYPASS, harness.replies(mode)


def _filled(program: bytes, variable: str, table: object) -> bytes:
    """The program with the table in the place of the empty one."""
    lines = program.splitlines(keepends=True)
    (at,) = (number for number, line in enumerate(lines) if line.startswith(variable.encode()))
    lines[at] = f"{variable} = {table!r}\n".encode()
    return b"".join(lines)


def _cache(paths: Paths) -> Path:
    return paths.shim / "__pycache__" / f"forward.{sys.implementation.cache_tag}.pyc"


def _cache_is_ours(paths: Paths) -> bool:
    """What the interpreter loads instead of the source must be that source, or the source says nothing."""
    program = paths.shim / "forward.py"
    try:
        cached: object = marshal.loads(_cache(paths).read_bytes()[16:])  # noqa: S302 - read, never run
        return cached == compile(program.read_bytes(), program, "exec")
    except FileNotFoundError:
        return True
    except (EOFError, ValueError, TypeError):
        return False


def _start_hub(environ: Mapping[str, str]) -> bytes:
    kept = {"HOME": str(Path.home()), "PATH": DEFAULT_PATH}
    kept |= {name: environ[name] for name in KEPT if environ.get(name)}
    assignments = " ".join(shlex.quote(f"{name}={value}") for name, value in kept.items())
    script = f"#!/bin/sh\n# Starts the hub for a shim that found none.\nexec /usr/bin/env -i {assignments} "
    return os.fsencode(script) + _hub_command()


def _hub_command() -> bytes:
    return os.fsencode(f"LANG=C.UTF-8 {shlex.quote(sys.executable)} -I -m assent up --from-shim\n")


def _run(paths: Paths) -> bytes:
    script = '#!/bin/sh\n# For hook entries that must not name a path of this machine.\nexec {} "$@"\n'
    return os.fsencode(script.format(shlex.join(shim_start(paths))))
