"""``assent away``: reach me on my other screens."""

import time

import click

from assent import paths as locations
from assent import units
from assent.cli import output
from assent.client import Client

_NOBODY_TO_TELL = "No other screen is connected: open the page on your phone, and turn notifications on in Settings."


def _seconds(_ctx: click.Context, _param: click.Parameter, value: str | None) -> float | None:
    if value is None:
        return None
    try:
        seconds = units.duration(value).total_seconds()
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None
    if seconds < 1:
        raise click.BadParameter("one is away for a second at least; `assent back` ends it.")
    return seconds


@click.command("away")
@click.option("--for", "seconds", callback=_seconds, metavar="TIME", help="How long; without it until `assent back`.")
@click.option("--json", "as_json", is_flag=True, help="Print where you are as one JSON object.")
def command(seconds: float | None, as_json: bool) -> None:
    """Say that you leave the desk. Asks go to your other screens at once, sub-agents wait for you as long as others,
    and turns that end are held (`[asks] hold_stops`), so that you can answer from there.

    \b
    Examples:
      assent away
      assent away --for 2h
    """
    told = Client(locations.find()).go_away(seconds)
    if as_json:
        output.say_json(told)
        return
    until = told["away_until"]
    when = f"until {output.local_time(until, time.time())}" if until else "until `assent back`"
    output.say(f"You are away {when}. Asks go to your other screens at once.")
    if not told["reachable"]:
        output.say(output.styled(_NOBODY_TO_TELL, "warn"))
