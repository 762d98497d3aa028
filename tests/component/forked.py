"""Hubs forked from a process that has loaded the program already: up in a fraction of the time.

How the program starts by itself is tested where it is started by its command."""

import functools
import multiprocessing
import os
import signal
import subprocess
import sys
from multiprocessing.context import ForkServerContext
from pathlib import Path


@functools.cache
def _loaded() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["assent.hub.daemon", "assent.cli.up", "assent.cli.main"])
    return context


class ForkedHub:
    """`assent up` in a process of its own; as much of a Popen as tests need."""

    def __init__(self, environ: dict[str, str], output: Path) -> None:
        self._output = output
        # A daemon in the words of the library: it does not outlive the tests.
        self._process = _loaded().Process(target=_be_the_hub, args=(environ, str(output)), daemon=True)
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, None]:
        """Wait for its end; all it said."""
        self._process.join(timeout)
        if self.poll() is None:
            raise subprocess.TimeoutExpired("assent up", timeout or 0)
        return self._output.read_text(), None


def _be_the_hub(environ: dict[str, str], output: str) -> None:
    os.environ.clear()
    os.environ.update(environ)
    said = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for stream in (1, 2):
        os.dup2(said, stream)
    from assent.cli import main

    sys.exit(main.run(["up"]))
