"""A program of ours that runs in the interpreter of some tree, and does a lap whenever it is told to.

So that two trees can take turns, what is measured in a process must wait in it between its laps."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from bench import machine

HERE = Path(__file__).parent


class Probe:
    """Lines of JSON in both directions: first it says that it is ready, then it answers each line."""

    def __init__(self, program: str, *arguments: str, home: Path, python: str = sys.executable) -> None:
        # Isolated: the program finds the source of its interpreter's tree, and nothing of this folder.
        self._process = subprocess.Popen(
            [python, "-I", str(HERE / program), *arguments],
            env=machine.environ(home),
            cwd=home,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ready(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"a program that measures ended: {self._process.wait()}"
        return json.loads(line)

    def tell(self, what: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()

    def ask(self, what: object) -> Any:
        self.tell(what)
        return self.ready()

    def close(self) -> None:
        # It ends with its input.
        self._process.communicate(timeout=60)

    def __enter__(self) -> "Probe":
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        if kind is not None:
            self._process.kill()
        self.close()


def together(probes: Sequence[Probe], what: object) -> list[Any]:
    """All at once; their answers."""
    for probe in probes:
        probe.tell(what)
    return [probe.ready() for probe in probes]
