"""Starts the peers that are servers, and ends them."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bench import machine

HERE = Path(__file__).parent


@contextlib.contextmanager
def started(program: str, *arguments: str, home: Path) -> Iterator[tuple[int, str]]:
    """The process id and the first line it prints, which it prints once it listens."""
    with subprocess.Popen(
        [machine.INTERPRETER, "-I", str(HERE / program), *arguments],
        env=machine.environ(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            yield process.pid, process.stdout.readline().strip()
        finally:
            process.terminate()
            process.wait(10)


@contextlib.contextmanager
def obvious_hub(root: Path) -> Iterator[tuple[int, str]]:
    """The process id and the socket."""
    path = root / "obvious.sock"
    with started("obvious_hub.py", str(path), str(root / "obvious.db"), home=root) as (pid, _):
        yield pid, str(path)


@contextlib.contextmanager
def trivial_hub(root: Path) -> Iterator[str]:
    """The socket."""
    path = root / "trivial.sock"
    with started("trivial_hub.py", str(path), home=root):
        yield str(path)


@contextlib.contextmanager
def trivial_http(root: Path) -> Iterator[int]:
    """The port."""
    with started("trivial_http.py", home=root) as (_, port):
        yield int(port)
