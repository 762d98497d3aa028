"""``assent back``: I am at the desk again."""

import click

from assent import paths as locations
from assent.cli import output
from assent.client import Client


@click.command("back")
@click.option("--json", "as_json", is_flag=True, help="Print where you are as one JSON object.")
def command(as_json: bool) -> None:
    """Say that you are at the desk again: asks wait a little before they reach other screens.

    \b
    Example:
      assent back
    """
    client = Client(locations.find())
    was_away = client.presence()["away"]
    told = client.come_back()
    if as_json:
        output.say_json(told)
    elif was_away:
        output.say("You are back. Asks wait a little before they reach other screens.")
    else:
        output.say("You were not away.")
