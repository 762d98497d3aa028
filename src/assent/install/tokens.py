"""The token HTTP hooks carry, read without making one: looking at a plan must leave no trace."""

import re

from assent import keys
from assent.install.files import RefusedError
from assent.paths import Paths

# Stands before a token in entries and in telemetry's variables.
MARK = b"Bearer "
_BEARER = re.compile(r"(Bearer )[A-Za-z0-9_\-.~+/=]{8,}")


def existing(paths: Paths) -> str | None:
    try:
        return keys.read(keys.post_token_file(paths))
    except OSError:
        return None


def keep(paths: Paths, token: str) -> None:
    """Make this the hub's token, unless it has one already."""
    paths.state.mkdir(parents=True, exist_ok=True, mode=0o700)
    if keys.keep(keys.post_token_file(paths), token) != token:
        raise RefusedError("The hub made itself a token meanwhile. Nothing was changed.", hint="run the command again.")


def masked(text: str) -> str:
    """For the eyes of people: terminals are recorded and shared."""
    return _BEARER.sub(r"\1••••••••", text)
