"""Surroundings of a process, as far as they move a verdict: where they are equal, two processes judge a call alike.

PATH is no part of it: who has another process judge sends it along."""

# ruff: noqa: PTH109, PTH115, PTH116, PTH118, PTH120 - text that is compared, by a verb that starts often
import os
import sys

from assent._version import __version__
from assent.harnesses.names import RULES_MOVED_BY
from assent.paths import Paths

# They name folders in which settings and rules stand.
FOLDERS = ("HOME", *RULES_MOVED_BY)
# By these the hours of a rule are told.
CLOCK = ("TZ",)


def found(paths: Paths) -> dict[str, str]:
    """Raises OSError in a folder that is gone."""
    here = os.getcwd()

    def whole(folder: str) -> str:
        """A folder that is named from another one is not the same elsewhere."""
        return os.path.join(here, folder) if folder else ""

    return {
        **{name: whole(os.environ.get(name, "")) for name in FOLDERS},
        **{name: os.environ.get(name, "") for name in CLOCK},
        "config": whole(str(paths.config_dir)),
        "state": whole(str(paths.state)),
        "version": __version__,
        "code": os.path.dirname(__file__),
        "python": f"{sys.executable} {getattr(sys, '_base_executable', '')} {sys.prefix} {sys.base_prefix}",
        "user": f"{os.getuid()} {os.geteuid()} {sorted(os.getgroups())}",
        "disk": _disk(),
    }


def _disk() -> str:
    """Tells the files that this process sees from those of one in a container."""
    root = os.stat("/")
    try:
        mounts = os.readlink("/proc/self/ns/mnt")
    except OSError:
        mounts = ""
    return f"{root.st_dev} {root.st_ino} {mounts}"
