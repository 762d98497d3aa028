"""``assent away``, ``back`` and ``quiet``: where the user is, and whether a phone may ring."""

import time
from typing import Literal

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
    presence = Client(locations.find()).go_away(seconds)
    if as_json:
        output.say_json(presence)
        return
    until = presence["away_until"]
    when = f"until {output.local_time(until, time.time())}" if until else "until `assent back`"
    output.say(f"You are away {when}. Asks go to your other screens at once.")
    if not presence["reachable"]:
        output.say(output.styled(_NOBODY_TO_TELL, "warn"))


@click.command("back")
@click.option("--json", "as_json", is_flag=True, help="Print where you are as one JSON object.")
def back(as_json: bool) -> None:
    """Say that you are at the desk again: asks wait a little before they reach other screens.

    \b
    Example:
      assent back
    """
    client = Client(locations.find())
    was_away = client.presence()["away"]
    presence = client.come_back()
    if as_json:
        output.say_json(presence)
    elif was_away:
        output.say("You are back. Asks wait a little before they reach other screens.")
    else:
        output.say("You were not away.")


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
def quiet(wish: Wish, as_json: bool) -> None:
    """Want quiet for a while: asks still show on every open screen, and nothing is pushed to your phone.

    \b
    Examples:
      assent quiet 1h
      assent quiet morning
      assent quiet off
    """
    presence = Client(locations.find()).be_quiet(wish)
    if as_json:
        output.say_json(presence)
        return
    until = presence["quiet_until"]
    if until:
        output.say(f"Quiet until {output.local_time(until, time.time())}. `assent quiet off` ends it.")
    else:
        output.say("You are told again.")
