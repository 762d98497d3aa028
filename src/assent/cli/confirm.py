"""``assent confirm``: vouch for a terminal that the hub cannot tell from an agent's."""

import click

from assent import paths as locations
from assent.cli import output
from assent.client import Client


@click.command("confirm")
@click.argument("code")
def command(code: str) -> None:
    """Say that the terminal that shows this code is yours. It holds until that terminal is closed.

    Only for a code that you see in a window you opened yourself.

    \b
    Example:
      assent confirm 042117
    """
    found = Client(locations.find()).vouch(code)
    output.say(f"Confirmed: {output.said_by_agent(found['name'])} (pid {found['pid']}).")
