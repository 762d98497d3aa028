"""``assent restart``: a new hub in place of the old one."""

import click

from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.up import up_detached


@click.command("restart")
def command() -> None:
    """Stop the hub and start it again in the background, for example after an upgrade or a change of its port.

    Hooks that run meanwhile wait for the new hub, and what waits for a person goes on waiting there.

    \b
    Example:
      assent restart
    """
    paths = locations.find()
    with hub_process.right_to_start(paths):
        holder = hub_process.stop(paths)
        if holder is not None:
            output.say(f"The hub (pid {holder.pid}) stopped.")
        up_detached(paths)
