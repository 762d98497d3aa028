"""Commands that start another one and change how it runs."""

import shlex

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "env FOO=bar ls",
        "env -i ls",
        "env -u FOO ls",
        "env | grep PATH",
        "env | grep -c FOO",
        "nice ls",
        "time ls",
        "timeout 10 ls",
        "timeout -k 1 10 cat README.md",
        "stdbuf -oL cat README.md",
        "watch -n 1 ls",
        "strace -V",
        "timeout 5 bash -c 'while true; do ls; sleep 1; done'",
    ],
)
def test_wrappers_that_only_look_are_look(line: str) -> None:
    """What only looks and prints is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "nohup python server.py &",
    ],
)
def test_wrappers_with_more_than_a_look_are_left_to_the_client(line: str) -> None:
    """It is neither waved through nor stopped."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "env -i bash -c 'rm -rf ~'",
        "env -u X -C / rm -rf home",
        "env --split-string='bash -c \"rm -rf /\"'",
        "env -S'rm -rf /'",
        "env LD_PRELOAD=/tmp/x.so ls",
        "env BASH_ENV=/tmp/x bash -c ls",
        "env PYTHONSTARTUP=/tmp/x python3",
        "timeout -s KILL 5s rm -rf ~",
        "timeout --signal=9 5s rm -rf ~",
        "nice -n5 ionice -c 3 nohup setsid rm -rf ~",
        "stdbuf -oL -eL rm -rf ~",
        "/usr/bin/time -v rm -rf ~",
        "/usr/bin/time -o ~/.bashrc ls",
        "strace -o '|sh' ls",
        "strace -o /etc/x ls",
        "strace -fe trace=open rm -rf ~",
        "flock -n /tmp/x rm -rf ~",
        "watch 'rm -rf ~'",
        "watch -x rm -rf ~",
        "time rm -rf /",
        "script -qc 'rm -rf /' /dev/null",
        "hyperfine 'rm -rf /'",
        "hyperfine --prepare 'rm -rf /' ls",
        "xvfb-run -a rm -rf /",
        "dbus-run-session -- rm -rf /",
        "direnv exec . rm -rf /",
        "dotenv -f x run -- rm -rf /",
        "torsocks rm -rf /",
        "entr -s 'rm -rf /'",
        "watchexec -e py -- rm -rf /",
        "caffeinate -i rm -rf /",
        "env - rm -rf /",
    ],
)
def test_wrappers_with_danger_inside_are_danger(line: str) -> None:
    """Danger is seen behind it, however it is spelled."""
    assert risk(line) == Risk.DANGER


WRAPPERS = (
    "env",
    "env -i A=b",
    "env -u A --",
    "nice -n 5",
    "ionice -c 3",
    "nohup",
    "setsid -f",
    "timeout 5",
    "timeout -k 1 -s KILL 5",
    "stdbuf -oL",
    "time",
    "/usr/bin/time -v",
    "strace -f -e trace=file",
    "ltrace -c",
    "flock /tmp/lock",
    "taskset -c 0",
    "chrt -f 10",
    "numactl -N 0",
    "setarch x86_64 -R",
    "linux32",
    "faketime yesterday",
    "xvfb-run -a",
    "unbuffer",
    "dbus-run-session --",
    "cgexec -g cpu:x",
    "prlimit --nofile=9",
    "choom -n 5 --",
    "chronic",
    "ifne",
    "tini --",
    "caffeinate -i",
    "systemd-inhibit --why=x",
    "direnv exec .",
    "watch -x",
    "busybox",
    "command",
    "exec",
    "builtin command",
    "sudo",
    "doas",
    "fakeroot",
    "valgrind -q",
    "catchsegv",
    "eatmydata",
    "dumb-init",
)


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("line", ["rm -rf /", "cat .env", "ls", "sh -c 'rm -rf ~'", "frobnicate"])
def test_wrapper_never_lowers_the_risk_of_what_it_starts(wrapper: str, line: str) -> None:
    """Behind a wrapper, and behind two, a command costs at least what it costs alone."""
    assert risk(f"{wrapper} {line}") >= risk(line)
    assert risk(f"env {wrapper} {line}") >= risk(line)


@pytest.mark.parametrize(
    "shell", ["bash -c", "sh -ec", "env bash -lc", "watch", "script -qc", "flock /tmp/lock -c", "su -c"]
)
@pytest.mark.parametrize("line", ["rm -rf / ; ls", "cat .env | head", "ls && ls", "x=rm; $x -rf ~"])
def test_line_inside_a_line_costs_what_it_costs_outside(shell: str, line: str) -> None:
    """Quoting a line for another shell hides nothing of it."""
    assert risk(f"{shell} {shlex.quote(line)}") >= risk(line)
