"""The hub's own folders: private, or it does not start."""

import os
import stat
from pathlib import Path

from assent import keys
from assent.errors import AssentError
from assent.paths import Paths


def prepare(paths: Paths) -> None:
    """Create what is missing and make sure nobody else can look in."""
    for folder in (
        paths.state,
        paths.run,
        paths.keys,
        paths.spool,
        paths.hook_socket.parent,
        paths.desk_socket.parent,
    ):
        _private(folder)


def mend_keys(paths: Paths) -> list[str]:
    """Make the keys private before one of them is used; what was wrong, one sentence each."""
    try:
        return keys.mend(paths)
    except OSError as error:
        raise AssentError(
            f"Cannot make the keys in {paths.keys} private: {error.strerror}. The hub did not start.",
            hint="look whose files they are, and remove those that are not yours.",
        ) from error


def _private(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            # Only possible for the folder under the shared temporary folder: somebody took our name.
            raise AssentError(
                f"{folder} is not a folder of yours. The hub did not start.",
                hint="remove it, or set TMPDIR to a folder of your own.",
            )
        if stat.S_IMODE(found.st_mode) != 0o700:
            folder.chmod(0o700)
    except OSError as error:
        raise AssentError(
            f"Cannot use the folder {folder}: {error.strerror}. The hub did not start.",
            hint="make it writable for you, or set ASSENT_HOME to another folder.",
        ) from error


def make_private(socket: Path) -> None:
    socket.chmod(0o600)


def listening_socket_path(path: Path) -> str:
    """Where to bind. Called with the hub's lock held, so whatever is left there is stale."""
    path.unlink(missing_ok=True)
    return str(path)
