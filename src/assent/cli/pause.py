"""``assent pause`` and ``resume``: rules and stance say nothing for a while."""

import click

from assent import paths as locations
from assent import units
from assent.cli import output
from assent.client import Client


def _seconds(_ctx: click.Context, _param: click.Parameter, value: str) -> float:
    try:
        seconds = units.duration(value).total_seconds()
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None
    if seconds < 1:
        raise click.BadParameter("a pause lasts a second at least; `assent resume` ends one.")
    return seconds


@click.command("pause")
@click.option(
    "--for",
    "seconds",
    callback=_seconds,
    default="15m",
    metavar="TIME",
    show_default=True,
    help="How long; at most 8h.",
)
def command(seconds: float) -> None:
    """Let rules and stance be silent for a while, so that {title} alone decides. It ends by itself.

    The floor and everything of risk Danger are judged as ever.

    \b
    Example:
      assent pause --for 1h
    """
    left = Client(locations.find()).pause(seconds)
    output.say(f"Paused for {output.exact_span(left)}. Rules and stance are silent; the floor and Danger stay.")
    output.say("`assent resume` ends it.")


@click.command("resume")
def resume() -> None:
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
