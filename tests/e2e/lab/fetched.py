"""The clients beside Claude Code that scripts/test-needs put into the cache."""

import os
from pathlib import Path

import pytest

from scripts import get_clients

# Before any test moves HOME.
PROGRAMS = {name: get_clients.cached(name, os.environ) for name in get_clients.CLIENTS}
# Set by `make clients`, where a client that cannot be had is a failure.
ALL_WANTED = "ASSENT_ALL_CLIENTS"


def program(name: str) -> Path:
    """Where it is; without it the test is skipped, and says so."""
    found = PROGRAMS[name]
    if not os.access(found, os.X_OK):
        lacking = f"{name} {get_clients.CLIENTS[name].version} is not in the cache; scripts/test-needs fetches it"
        pytest.fail(lacking) if os.environ.get(ALL_WANTED) else pytest.skip(lacking)
    return found
