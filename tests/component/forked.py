"""Programs forked from a process that has loaded Assent already: up in a fraction of the time.

How the program starts by itself is tested where it is started by its command."""

import functools
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from multiprocessing.context import ForkServerContext
from pathlib import Path

ASSENT = "assent"


@functools.cache
def _loaded() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.component.loaded"])
    return context


class ForkedProgram:
    """``python -m MODULE ARGUMENTS`` in a process of its own; as much of a Popen as tests need."""

    def __init__(
        self,
        module: str,
        argv: Sequence[str],
        environ: Mapping[str, str],
        output: Path,
        *,
        errors: Path | None = None,
        cwd: str | Path = "/",
    ) -> None:
        self._module, self._output = module, output
        arguments = (module, list(argv), dict(environ), str(output), str(errors or output), str(cwd))
        # A daemon in the words of the library: it does not outlive the tests.
        self._process = _loaded().Process(target=_be, args=arguments, daemon=True)
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

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(self._module, timeout or 0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, None]:
        """Wait for its end; all it said."""
        self.wait(timeout)
        return self._output.read_text(), None


def run(
    argv: Sequence[str], environ: Mapping[str, str], cwd: str | Path, timeout: float
) -> "subprocess.CompletedProcess[str]":
    """One ``assent`` command, to its end. It reads no input."""
    with tempfile.TemporaryDirectory(prefix="assent-said-") as folder:
        output, errors = Path(folder, "output"), Path(folder, "errors")
        process = ForkedProgram(ASSENT, argv, environ, output, errors=errors, cwd=cwd)
        try:
            code = process.wait(timeout)
        except BaseException:
            process.kill()
            raise
        return subprocess.CompletedProcess([ASSENT, *argv], code, output.read_text(), errors.read_text())


def _be(module: str, argv: list[str], environ: dict[str, str], output: str, errors: str, cwd: str) -> None:
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(cwd)
    for number, name in ((1, output), (2, errors)):
        said = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(said, number)
        os.close(said)
    sys.argv = [module, *argv]
    if module == ASSENT:
        from assent.cli import main

        sys.exit(main.run(argv))
    runpy.run_module(module, run_name="__main__", alter_sys=True)
