"""``assent down``: stop the hub, and keep it stopped."""

import click

from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.asking import must_be_confirmed
from assent.cli.sessions import BYPASS
from assent.client import Client
from assent.errors import AssentError
from assent.paths import Paths
from assent.views.sessions import Session


@click.command("down")
@click.option("--yes", is_flag=True, help="Stop it without asking, whatever runs.")
def command(yes: bool) -> None:
    """Stop the hub and keep it stopped: hooks stay silent, so Claude Code asks you itself, until `assent up`.

    In bypassPermissions it asks nobody: sessions in that mode are named first, and you are asked whether you mean it.

    \b
    Examples:
      assent down
      assent down --yes    ask nothing
    """
    paths = locations.find()
    if ungated := _ungated(paths):
        output.say(
            "In these sessions everything will run unjudged and unasked, because their mode is bypassPermissions:"
        )
        for session in ungated:
            output.say(f"  {output.said_by_agent(session.id)}  {output.said_by_agent(session.project)}")
        must_be_confirmed("Stop the hub?", yes=yes)
    holder = hub_process.shut_down(paths)
    if holder is None:
        output.say("No hub was running.")
    else:
        output.say(f"The hub (pid {holder.pid}) stopped.")
    output.say("Hooks stay silent and start no hub until `assent up`.")


def _ungated(paths: Paths) -> list[Session]:
    """Live sessions in which nothing but Assent stands between the model and the machine."""
    try:
        return [session for session in Client(paths).sessions() if session.is_live and session.mode == BYPASS]
    except AssentError:
        return []
