"""``assent resume``: the end of a pause."""

import click

from assent import paths as locations
from assent.cli import output
from assent.client import Client


@click.command("resume")
def command() -> None:
    """End a pause: rules and stance are judged again. The floor and Danger were never paused.

    \b
    Example:
      assent resume
    """
    client = Client(locations.find())
    was_paused = client.status()["paused_for"] > 0
    client.pause(0)
    if was_paused:
        output.say("Resumed. Rules and stance are judged again; the floor and Danger were never paused.")
    else:
        output.say("Nothing was paused.")
