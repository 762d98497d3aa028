"""Who started whom, from the kernel's own tables."""

import os
import subprocess
import sys

import pytest

from assent.hub import processes
from assent.hub.processes import Process, birth, environment, is_alive, line_of, look


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


def test_own_process_is_as_python_says() -> None:
    """Parent, session and terminal."""
    own = look(os.getpid())
    assert own is not None
    assert (own.parent, own.session, own.has_terminal) == (os.getppid(), os.getsid(0), True)
    assert processes.TELLS


def test_grandchild_has_its_grandparent_in_its_line() -> None:
    """An agent is found behind the shell it started."""
    inner = "import os,sys;print(os.getpid(),flush=True);sys.stdin.read()"
    script = f"import subprocess,sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    child = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdin is not None
    grandchild = int(child.stdout.readline())
    try:
        line = [process.pid for process in line_of(grandchild) or ()]
        assert line[:3] == [grandchild, child.pid, os.getpid()]
    finally:
        child.stdin.close()
        child.stdout.close()
        child.wait()


def test_line_without_an_end_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of shells as long as one likes does not lead away from the agent."""
    monkeypatch.setattr(processes, "look", lambda pid: Process(pid, pid + 1, pid, False, 7, "sh"))
    assert line_of(10) is None


def test_line_through_an_id_that_changed_hands_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parent that is younger than its child is not its parent."""
    known = {10: Process(10, 9, 9, False, 50, "sh"), 9: Process(9, 1, 9, False, 60, "bash")}
    monkeypatch.setattr(processes, "look", known.get)
    assert line_of(10) is None


def test_environment_is_that_of_the_start() -> None:
    """What a process changes later does not show."""
    command = [sys.executable, "-c", "import os; os.environ.clear(); print(flush=True); input()"]
    environ = {"CLAUDECODE": "1", "PATH": os.environ["PATH"]}
    with subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdout.readline()
        assert environment(child.pid) == frozenset({"CLAUDECODE", "PATH"})
        child.stdin.write(b"\n")
