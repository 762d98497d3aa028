"""The surroundings of whoever typed the command."""

from pathlib import Path

from assent.config import Hub
from assent.errors import UsageError
from assent.install import site as sites
from assent.install.site import Site


def site_here(hub: Hub | None = None) -> Site:
    """Claude Code's settings as seen from the current folder."""
    try:
        folder = Path.cwd()
    except OSError as error:
        raise UsageError(
            f"The folder you are in cannot be used ({error.strerror}).", hint="go to another folder and try again."
        ) from error
    hub = hub or Hub()
    return sites.find(project=folder, port=hub.port, unreachable=hub.unreachable)
