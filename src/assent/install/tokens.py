"""The token HTTP hooks carry, read without making one: looking at a plan must leave no trace."""

import os
import re
import secrets

from assent.install.files import RefusedError
from assent.paths import Paths

# The hub takes shorter ones for files cut off in mid-write, and makes a new one.
SHORTEST = 32

_BEARER = re.compile(r"(Bearer )[A-Za-z0-9_\-.~+/=]{8,}")


def existing(paths: Paths) -> str | None:
    try:
        token = (paths.keys / "post.token").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return token if len(token) >= SHORTEST else None


def fresh() -> str:
    return secrets.token_urlsafe(32)


def keep(paths: Paths, token: str) -> None:
    """Make this the hub's token, unless it has one already."""
    path = paths.keys / "post.token"
    for folder in (paths.state, paths.keys):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if existing(paths) is None:
        path.unlink(missing_ok=True)
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        if existing(paths) == token:
            return
        raise RefusedError(
            "The hub made itself a token meanwhile. Nothing was changed.", hint="run the command again."
        ) from None
    with os.fdopen(fd, "w") as file:
        file.write(token)


def masked(text: str) -> str:
    """For the eyes of people: terminals are recorded and shared."""
    return _BEARER.sub(r"\1••••••••", text)
