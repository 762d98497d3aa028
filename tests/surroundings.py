"""What a test run inherits, made the same wherever it was started: by hand, in the background, in a git hook."""

import fcntl
import os
import resource
import signal
import sys
import termios
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
UMASK = 0o022
# What the run itself is told, and where things are. Everything else goes: proxies, GIT_DIR, NO_COLOR, and whatever else
# changes what programs do.
KEPT = {
    "CHROMIUM",
    "CI",
    "HOME",
    "HYPOTHESIS_PROFILE",
    "KILL_SEED",
    "LOGNAME",
    "PATH",
    "TMPDIR",
    "UPDATE_SNAPSHOTS",
    "USER",
    "XDG_CACHE_HOME",
}
KEPT_PREFIXES = ("ASSENT_DEV_", "ASSENT_E2E_", "ASSENT_BROWSER_", "COVERAGE_", "PLAYWRIGHT_", "PYTEST_")
SET = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm-256color"}
# The soft limit of each, as far as the hard one allows it; what is not named here is at its hard limit.
LIMITS = {resource.RLIMIT_NOFILE: 4096, resource.RLIMIT_STACK: 8 << 20, resource.RLIMIT_CORE: 0}
RAISED = [resource.RLIMIT_AS, resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU, resource.RLIMIT_NPROC]
# The two ends of our terminal, which ends with the first of them.
KEPT_OPEN: list[tuple[int, int]] = []
UNCHANGEABLE = {signal.SIGKILL, signal.SIGSTOP}


def settle() -> None:
    """Called once in every process that runs tests, before the first of them."""
    _signals()
    _limits()
    have_a_terminal()
    environ = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith(KEPT_PREFIXES)}
    os.environ.clear()
    os.environ.update(environ | SET)
    for name in ("COLUMNS", "LINES"):
        # Put there by the readline library, past Python's copy of the environment.
        os.unsetenv(name)
    time.tzset()
    os.umask(UMASK)
    os.chdir(ROOT)
    # Without it every process of every run compiles all tests anew, which takes longer than to collect them.
    sys.dont_write_bytecode = False


def _signals() -> None:
    """A shell starts background jobs with SIGINT and SIGQUIT ignored, nohup with SIGHUP, and so do their children."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in signal.valid_signals() - UNCHANGEABLE:
        if number == signal.SIGINT:
            signal.signal(number, signal.default_int_handler)
        elif number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
            # A run under nohup survives the end of its terminal; a handler, unlike "ignored", is not inherited.
            signal.signal(number, _nothing)
        elif number in (signal.SIGPIPE, getattr(signal, "SIGXFSZ", None)):
            # As Python begins: ignored here, the default in children.
            signal.signal(number, signal.SIG_IGN)
        elif signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def _nothing(*_: object) -> None:
    pass


def have_a_terminal() -> None:
    """One of our own where a build machine or a background job gave us none: at the desk a person has one."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        pass
    else:
        return
    if os.getsid(0) != os.getpid():
        if os.getpgid(0) == os.getpid():
            # The leader of a group cannot leave its session.
            os.setpgid(0, os.getpgid(os.getppid()))
        os.setsid()
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
    KEPT_OPEN.append((ours, theirs))


def _limits() -> None:
    for limit, wanted in LIMITS.items():
        hard = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    for limit in RAISED:
        hard = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (hard, hard))
