"""Who started whom, from the kernel's own tables."""

import os
import subprocess
import sys

from assent.hub.processes import birth, descends_from, is_alive


def test_own_process_is_alive_and_a_reaped_one_is_not() -> None:
    """A process is alive until it is gone."""
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    assert is_alive(os.getpid())
    assert not is_alive(child.pid)


def test_birth_tells_processes_apart() -> None:
    """The birth of a process stays the same and is gone with it."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert birth(child.pid) == birth(child.pid)
    assert birth(child.pid) != birth(os.getpid())
    child.communicate(b"\n")
    assert birth(child.pid) is None


def test_grandchild_descends_from_its_grandparent() -> None:
    """An agent is found behind the shell it started."""
    inner = "import os,sys;print(os.getpid(),flush=True);sys.stdin.read()"
    script = f"import subprocess,sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    child = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdin is not None
    grandchild = int(child.stdout.readline())
    try:
        assert descends_from(grandchild, {os.getpid()})
        assert descends_from(grandchild, {child.pid})
        assert not descends_from(os.getpid(), {grandchild})
    finally:
        child.stdin.close()
        child.stdout.close()
        child.wait()
