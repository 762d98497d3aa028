"""A public guard as a peer: installed from the package index into an environment of its own, and called there."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bench import machine

NAME = "nah"
VERSION = "0.11.0"
_WAIT = 300.0
# Runs inside the other environment: it must not need anything of ours.
_PROGRAM = """
import json, sys, time
from nah.bash import classify_command
commands, rounds = json.load(sys.stdin)
found = []
for number in range(-2, rounds):
    for command in commands:
        start = time.perf_counter()
        classify_command(command)
        if number >= 0:
            found.append(time.perf_counter() - start)
print(json.dumps(found))
"""


def seconds(commands: Sequence[str], rounds: int, project: Path) -> list[float] | None:
    """How long it thinks about each line, by the function its hook calls; None where it cannot be had."""
    python = _environment() / "bin" / "python"
    if not python.exists() and not _install(python):
        return None
    done = subprocess.run(
        [str(python), "-c", _PROGRAM],
        input=json.dumps([list(commands), rounds]),
        capture_output=True,
        text=True,
        cwd=project,
        env=machine.environ(project.parent),
        timeout=_WAIT,
    )
    if done.returncode != 0:
        return None
    times: list[float] = json.loads(done.stdout)
    return times


def _environment() -> Path:
    """Kept between runs, outside of the project."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "assent-bench" / f"{NAME}-{VERSION}"


def _install(python: Path) -> bool:
    machine.say(f"  verdict: installing {NAME} {VERSION}")
    folder = python.parent.parent
    steps = (
        [sys.executable, "-m", "venv", str(folder)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{NAME}=={VERSION}"],
    )
    try:
        return all(subprocess.run(step, capture_output=True, timeout=_WAIT).returncode == 0 for step in steps)
    except (OSError, subprocess.TimeoutExpired):
        return False
