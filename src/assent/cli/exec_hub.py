"""What a run needs of the hub before it may begin: that it answers, and which hooks lead to it."""

from collections.abc import Iterator
from typing import Any

from assent._version import __version__
from assent.cli import hub_process
from assent.cli.up import troubles
from assent.client import Client
from assent.errors import AssentError, HubUnreachableError
from assent.install import tokens
from assent.install.entries import Handler
from assent.install.one_run import NOT_STARTED
from assent.install.plan import handlers
from assent.install.site import Site, Transport
from assent.paths import Paths
from assent.shim import place
from assent.words import times


def reached(client: Client, paths: Paths) -> dict[str, Any]:
    """How the hub is, started first if need be; or no run."""
    try:
        if not client.healthy():
            hub_process.start(paths)
        status = client.status()
    except AssentError as error:
        raise HubUnreachableError(f"{error.message}\n{NOT_STARTED}", hint=error.hint) from error
    if status.get("version") != __version__ or not place.is_current(paths):
        raise HubUnreachableError(
            f"The hub that runs is of another version or installation. {NOT_STARTED}",
            hint="`assent restart` replaces it.",
        )
    if trouble := status["journal"]["trouble"]:
        # It would allow nothing, and nobody could read afterwards what was done.
        raise HubUnreachableError(f"The hub keeps no record: {trouble}\n{NOT_STARTED}")
    return status


def notes(status: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What makes this run differ from what its author may expect."""
    for trouble in troubles(status):
        yield "trouble", trouble
    if status["paused_for"] > 0:
        yield "paused", f"rules and stance are silent for another {times.span(status['paused_for'] * 1000)}."


def entries(site: Site, port: int | None) -> dict[str, Handler]:
    """The entries `assent install` would write, so that a client that finds both runs one."""
    token = tokens.existing(site.paths)
    transport: Transport = "auto" if token and port == site.port else "shim"
    return handlers(site, "user", transport, token or "")
