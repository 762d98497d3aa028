"""A public guard as a peer of the judge: called in its own environment, by the function its hook calls."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from bench import guards, machine

NAME, VERSION = guards.NAH.name, guards.NAH.version
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
    if isinstance(problem := guards.argv(guards.NAH), guards.CannotBeHadError):
        machine.say(f"  verdict: without {guards.NAH}: {problem}")
        return None
    python = guards.NAH.folder / "bin/python"
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
