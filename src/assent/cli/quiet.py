"""``assent quiet``: no push for a while."""

import time
from typing import Literal

import click

from assent import paths as locations
from assent import units
from assent.cli import output
from assent.client import Client

Wish = float | Literal["morning"]


def _wish(_ctx: click.Context, _param: click.Parameter, value: str) -> Wish:
    if value == "morning":
        return "morning"
    if value == "off":
        return 0.0
    try:
        return units.duration(value).total_seconds()
    except ValueError as error:
        raise click.BadParameter(f"{error}; “morning” and “off” are words for it, too.") from None


@click.command("quiet")
@click.argument("wish", metavar="TIME|morning|off", callback=_wish)
@click.option("--json", "as_json", is_flag=True, help="Print where you are as one JSON object.")
def command(wish: Wish, as_json: bool) -> None:
    """Want quiet for a while: asks still show on every open screen, and nothing is pushed to your phone.

    \b
    Examples:
      assent quiet 1h
      assent quiet morning
      assent quiet off
    """
    told = Client(locations.find()).be_quiet(wish)
    if as_json:
        output.say_json(told)
        return
    until = told["quiet_until"]
    if until:
        output.say(f"Quiet until {output.local_time(until, time.time())}. `assent quiet off` ends it.")
    else:
        output.say("You are told again.")
