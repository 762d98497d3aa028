"""Looking at processes, and ending them."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "ps",
        "ps aux",
        "ps -ef --forest",
        "ps axo pid,etime,comm",
        "ps -o pid,etime -p 12",
        "top -b -n1",
        "lsof -i :3000",
        "pgrep -fl vite",
        "pidof nginx",
        "ss -tlnp",
        "netstat -an",
        "free -h",
        "vmstat 1 2",
        "kill -l",
        "kill -0 4242",
        "kill -0 $pid",
        "kill -TERM %1",
        "kill $!",
        "kill %%",
        "sleep 100 & PID=$!; sleep 1; kill $PID; wait $PID",
        "sleep 9 & kill $(jobs -p)",
        "pkill -P $$",
        "pidstat 1 1",
        "fuser 3000/tcp",
        "nvidia-smi",
        "pstree -p",
    ],
)
def test_processes_that_list_look(line: str) -> None:
    """Nothing changes."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "kill 4242",
        "kill -9 4242",
        "kill -s HUP 4242",
        'kill "$pid"',
        "kill $(lsof -ti:3000)",
        "PID=$(cat x.pid); kill $PID",
        "pkill -P 4242",
        "kill $PPID",
        "kill -- -$!",
        "pkill -f 'vite dev'",
        "killall webpack",
        "renice 10 4242",
    ],
)
def test_processes_that_end_one_take_care(line: str) -> None:
    """One process, a job, something by its own name."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "kill -9 -1",
        "kill -- -1",
        "kill -s KILL -1",
        "kill -KILL 1",
        "kill 0",
        "pkill -u me",
        "pkill -9 -t pts/1",
        "killall -u me",
        "killall node",
        "pkill python3",
        "pkill .",
        "pkill -f ''",
        "killall -9 bash",
        "pkill -9 claude",
        "pkill -f assent",
        "killall assent-hook",
        "kill $(pgrep -f assent)",
        "pgrep claude | xargs kill",
        "fuser -k 3000/tcp",
        "ss -K dst 1.2.3.4",
        "ps auxe",
        "ps eww 4242",
        "gcore 4242",
        "pidstat -e rm -rf /",
        "atop -w /etc/x",
        "nvidia-smi -q -f ~/.bashrc",
        "killall5 -9",
        "reptyr 4242",
        "bpftrace -e 'x'",
    ],
)
def test_processes_that_end_too_much_are_danger(line: str) -> None:
    """Everything, a user, a name that much goes by, an agent, a guard."""
    assert risk(line) == Risk.DANGER
