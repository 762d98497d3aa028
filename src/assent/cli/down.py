"""``assent down``: stop the hub, and keep it stopped."""

import click

from assent import paths as locations
from assent.cli import hub_process, output


@click.command("down")
def command() -> None:
    """Stop the hub and keep it stopped: hooks stay silent, so Claude Code asks you itself, until `assent up`.

    \b
    Example:
      assent down
    """
    paths = locations.find()
    # The mark first: a hook that runs in between must not start a new hub.
    hub_process.leave_stopped_mark(paths)
    holder = hub_process.stop(paths)
    if holder is None:
        output.say("No hub was running.")
    else:
        output.say(f"The hub (pid {holder.pid}) stopped.")
    output.say("Hooks stay silent and start no hub until `assent up`.")
