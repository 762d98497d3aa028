"""Whose a process is that a line acts on: the session's own, the hub's, or another's."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from assent.policy import pids, world
from assent.policy.own import Things
from assent.policy.shell.spelling import Setting
from tests.unit.policy.owning import HUB, OWN, words

pytestmark = pytest.mark.skipif(not world.TELLS_OF_PROCESSES, reason="the kernel does not tell")

# A process that starts another, leaves it behind, and says both numbers.
LEAVES_ONE = """
import os, subprocess, sys
orphan = subprocess.Popen(["sleep", "600"], start_new_session=True, stdout=subprocess.DEVNULL)
print(orphan.pid, flush=True)
"""


@pytest.fixture
def child() -> Iterator[int]:
    process = subprocess.Popen(["sleep", "600"])
    yield process.pid
    process.kill()
    process.wait()


@pytest.fixture
def orphan() -> Iterator[int]:
    """A background job of the session whose shell has ended."""
    environ = {**os.environ, "CLAUDE_PID": str(os.getpid())}
    process = subprocess.run([sys.executable, "-c", LEAVES_ONE], env=environ, stdout=subprocess.PIPE, check=True).stdout
    pid = int(process)
    yield pid
    os.kill(pid, 9)


LINES = [
    "kill {}",
    "kill -9 {}",
    "kill -STOP {}",
    "kill -s KILL {}",
    "kill -9 -- -{}",
    "sudo kill {}",
    "busybox kill {}",
    "echo {} | xargs kill",
    "renice 19 {}",
    "renice -n 19 -p {}",
    "prlimit --pid {} --nofile=1",
    "prlimit -p{} --nofile=1",
    "taskset -p 1 {}",
    "ionice -c 3 -p {}",
    "chrt -i -p 0 {}",
    "cpulimit -p {} -l 1",
    "gdb -p {} -batch",
    "strace -p {}",
    "reptyr {}",
    'python3 -c "import os; os.kill({}, 9)"',
]


@pytest.mark.parametrize("line", LINES)
def test_acting_on_the_hub_is_asked_and_denied_in_bypass(line: str) -> None:
    """By signals, limits, priorities and debuggers."""
    assert words(line.format(HUB), client=os.getpid()) == ("prompt", "deny")


@pytest.mark.parametrize("line", LINES)
def test_acting_on_a_foreign_process_is_asked_and_denied_in_bypass(line: str, child: int) -> None:
    """The one that runs these tests stands for a person's, a child of it for the client."""
    assert words(line.format(os.getpid()), client=child) == ("prompt", "deny")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("kill {}", "allow"),
        ("kill -STOP {}", "allow"),
        ("kill {} %1", "allow"),
        ("renice 19 {}", "no_opinion"),
        ("prlimit --pid {} --nofile=1", "no_opinion"),
    ],
)
def test_a_process_that_the_client_started_is_the_sessions_own(line: str, word: str, child: int) -> None:
    """It descends from the client's process, by the kernel."""
    assert words(line.format(child), client=os.getpid()) == (word, word)


def test_group_of_the_sessions_own_processes_is_not_the_hubs(child: int) -> None:
    """A minus before the number names a group; the hub's is known by the kernel."""
    assert words(f"kill -- -{child}", client=os.getpid()) == ("allow", "allow")


def test_group_of_the_hub_is_the_hubs(child: int) -> None:
    """Its number need not be the hub's own."""
    mine = replace(OWN, hub=child)
    setting = Setting(project="/p", home="/home/me", cwd="/p", things=Things(mine, project="/p", home="/home/me"))
    assert pids.whose(f"-{os.getpgid(child)}", setting) == "hub"


def test_a_background_job_stays_the_sessions_own(orphan: int) -> None:
    """Its shell has ended, and the kernel gave it to another parent; its environment still tells."""
    assert words(f"kill {orphan}", client=os.getpid()) == ("allow", "allow")


def test_a_process_of_another_session_is_not_this_sessions(orphan: int) -> None:
    """Each client gives its own number to what it starts."""
    assert words(f"kill {orphan}", client=orphan) == ("prompt", "deny")


def test_a_client_that_claims_to_be_above_the_hub_owns_nothing(child: int) -> None:
    """Who claims the number of the first process claims everything."""
    mine = replace(OWN, hub=os.getpid())
    assert words(f"kill {child}", own=mine, client=os.getppid()) == ("prompt", "deny")
    assert words(f"kill {child}", own=mine, client=1) == ("prompt", "deny")


def test_without_a_known_client_a_number_is_asked_about(child: int) -> None:
    """Its owner cannot be told."""
    assert words(f"kill {child}") == ("prompt", "deny")


@pytest.mark.parametrize(
    "line", ["pkill assent", "killall -9 assent", "pkill -f 'assent up'", "kill $(pgrep -f assent)"]
)
def test_ending_processes_by_the_guards_name_reaches_a_person(line: str) -> None:
    """Also where the client would drop the question."""
    assert words(line, client=os.getpid())[0] == "prompt"
    assert words(line, client=os.getpid())[1] in ("prompt", "deny")


@pytest.mark.parametrize("line", ["kill %1", "kill $!", "kill -0 1234", "kill -l", "sleep 100 & kill $!", "ps aux"])
def test_jobs_of_the_shell_and_probes_are_as_before(line: str) -> None:
    """They name no foreign process."""
    assert "deny" not in words(line, client=os.getpid())
    assert "prompt" not in words(line, client=os.getpid())
