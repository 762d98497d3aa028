"""A test run is the same wherever it was started: what it inherits is set before the first test."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests import surroundings
from tests.waiting import HANG

CHILD = """
import json, os, resource, signal, sys
print(json.dumps({
    "ignored": sorted(int(each) for each in signal.valid_signals() if signal.getsignal(each) == signal.SIG_IGN),
    "blocked": sorted(int(each) for each in signal.pthread_sigmask(signal.SIG_BLOCK, ())),
    "umask": os.umask(0),
    "files": resource.getrlimit(resource.RLIMIT_NOFILE)[0],
    "size": resource.getrlimit(resource.RLIMIT_FSIZE)[0],
    "encoding": sys.getfilesystemencoding(),
    "environ": dict(os.environ),
}))
"""
# As bad as a shell can make it. The limits stay where pytest itself can still start.
HOSTILE = """
trap '' HUP INT QUIT USR1 USR2 PIPE ALRM TERM TSTP TTIN TTOU CHLD
umask 077
ulimit -S -n 64 -f 100000 -c 1000
cd /
exec "$@"
"""
BLOCKING = """
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM, signal.SIGCHLD])
os.execv(sys.argv[1], sys.argv[1:])
"""
ENVIRON = {
    "LANG": "de_DE.ISO-8859-1",
    "LC_ALL": "C",
    "LC_TIME": "fr_FR",
    "LANGUAGE": "de",
    "TZ": "Pacific/Chatham",
    "TERM": "dumb",
    "COLUMNS": "20",
    "LINES": "5",
    "NO_COLOR": "1",
    "FORCE_COLOR": "1",
    "GIT_DIR": "/nonexistent",
    "HTTP_PROXY": "http://127.0.0.1:1",
    "ALL_PROXY": "http://127.0.0.1:1",
    "PYTHONWARNINGS": "ignore",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "1",
    "EDITOR": "/bin/false",
    "CDPATH": "/",
    "SOMETHING_ELSE": "1",
}
# Python itself ignores both in every program.
BY_PYTHON = sorted(int(each) for each in (signal.SIGPIPE, signal.SIGXFSZ))


def child() -> dict[str, Any]:
    """What a program finds that a test starts."""
    printed = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, check=True, timeout=HANG).stdout
    output: dict[str, Any] = json.loads(printed)
    return output


def test_signals_are_as_a_terminal_gives_them() -> None:
    """Here Ctrl-C interrupts; a program that a test starts ignores and blocks nothing."""
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == set()
    assert (child()["ignored"], child()["blocked"]) == (BY_PYTHON, [])


def test_umask_folder_and_limits_are_set() -> None:
    """New files can be read by others, relative names begin at the tree, and limits are roomy."""
    found = child()
    assert found["umask"] == 0o022
    assert Path.cwd() == surroundings.ROOT
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    assert found["files"] == (4096 if hard == resource.RLIM_INFINITY else min(4096, hard))
    assert found["size"] == resource.getrlimit(resource.RLIMIT_FSIZE)[1]


def test_language_zone_and_terminal_are_set() -> None:
    """Texts are UTF-8, hours are UTC, and no variable of a shell, an editor or a proxy is left."""
    found = child()
    assert found["encoding"] == "utf-8"
    assert (time.tzname[0], time.localtime(0).tm_hour) == ("UTC", 0)
    allowed = surroundings.KEPT | surroundings.SET.keys() | {"LC_CTYPE"}
    left = {name for name in found["environ"] if not name.startswith(surroundings.KEPT_PREFIXES)}
    assert left <= allowed
    assert {name: os.environ[name] for name in surroundings.SET} == surroundings.SET


def test_what_is_compiled_is_kept() -> None:
    """The next run, and the next process of this one, load the tests without compiling them."""
    assert sys.dont_write_bytecode is False


@pytest.mark.skipif("ASSENT_E2E_HOSTILE" in os.environ, reason="this is that run")
@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["alone", "worker"])
def test_a_run_that_inherits_the_worst_finds_the_same(workers: tuple[str, ...]) -> None:
    """The tests above, started with signals ignored and blocked, narrow limits, and every variable wrong."""
    argv = ["/bin/sh", "-c", HOSTILE, "sh", sys.executable, "-c", BLOCKING]
    argv += [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *workers, __file__]
    environ = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "ASSENT_E2E_HOSTILE": "1", **ENVIRON}
    done = subprocess.run(argv, env=environ, capture_output=True, text=True, timeout=HANG)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout
