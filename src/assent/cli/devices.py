"""``assent devices`` and ``assent confirm``: the screens that were let in, and terminals that are yours."""

import time
from typing import Any

import click

from assent import paths as locations
from assent.cli import output
from assent.client import Client
from assent.text import times

HEADINGS = ("ID", "NAME", "KIND", "SCOPE", "PAIRED", "LAST SEEN", "")


@click.group("devices", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List the browsers and phones that may look or answer. `assent devices revoke ID` shuts one out,
    `assent devices rename ID NAME` gives it a name.

    \b
    Examples:
      assent devices
      assent devices revoke 3f2a9c01
    """
    if context.invoked_subcommand:
        return
    devices = Client(locations.find()).devices()
    if as_json:
        output.say_json({"devices": devices})
    elif not devices:
        output.say("No device was let in. `assent status` prints a link for this machine, `assent pair` for a phone.")
    else:
        now = time.time()
        output.say_table([tuple(output.styled(word, "faint") for word in HEADINGS), *(_row(d, now) for d in devices)])


@command.command("rename")
@click.argument("device", metavar="ID")
@click.argument("name")
def rename(device: str, name: str) -> None:
    """Call a device by another name. It is told by that name wherever it answers.

    \b
    Example:
      assent devices rename 3f2a9c01 'Kitchen tablet'
    """
    named = Client(locations.find()).rename(device, name)
    output.say(f"Renamed: {output.said_by_agent(named['name'])} ({named['id']}).")


@command.command("revoke")
@click.argument("device", metavar="ID")
def revoke(device: str) -> None:
    """Shut a device out, at once: what it signs and its cookie count no more.

    \b
    Example:
      assent devices revoke 3f2a9c01
    """
    gone = Client(locations.find()).revoke(device)
    output.say(f"Shut out: {output.said_by_agent(gone['name'])} ({gone['id']}).")


def _row(device: dict[str, Any], now: float) -> tuple[str, ...]:
    return (
        device["id"],
        output.said_by_agent(device["name"]),
        device["kind"],
        device["scope"],
        output.local_time(device["created_at"], now),
        f"{times.span(now * 1000 - device['last_seen'])} ago",
        output.styled(_mark(device, now), "warn"),
    )


def _mark(device: dict[str, Any], now: float) -> str:
    if now * 1000 < device["active_from"]:
        return f"new: may only deny until {output.local_time(device['active_from'], now)}"
    return "" if device["signs"] or device["kind"] == "desk" else "without TLS: may watch and deny"


@click.command("confirm")
@click.argument("code")
def confirm(code: str) -> None:
    """Say that the terminal that shows this code is yours. It holds until that terminal is closed.

    Only for a code that you see in a window you opened yourself.

    \b
    Example:
      assent confirm 042117
    """
    process = Client(locations.find()).vouch(code)
    output.say(f"Confirmed: {output.said_by_agent(process['name'])} (pid {process['pid']}).")
