"""``assent pair``: let a phone in, once somebody has compared three words."""

import time
from typing import Any

import click

from assent import paths as locations
from assent.cli import output
from assent.cli.qr import drawn
from assent.client import ApiError, Client
from assent.errors import AssentError, UsageError

SCOPES = ("watch", "deny", "answer", "instruct")
# Between two looks whether the device is there.
POLL = 0.5


@click.command("pair")
@click.option("--name", metavar="NAME", default="", help="What to call the device; without it, what it calls itself.")
@click.option("--scope", type=click.Choice(SCOPES), help="How far it may go; [remote] scope if you say nothing.")
@click.option("--ascii", "as_ascii", is_flag=True, help="Draw the code with # only.")
def command(name: str, scope: str | None, as_ascii: bool) -> None:
    """Let a phone or another computer in: it opens an address, you compare three words, it is in.

    The address is good once and for two minutes. A new device may only deny for its first ten minutes, and everybody
    who looks at the hub is told of it. What each scope may do: watch sees everything, deny says no, answer says yes
    once, instruct also in words of its own. Rules, devices and pauses are decided at the desk.

    Other machines reach the hub only if [remote] in the settings says so: see docs/remote.md.

    \b
    Examples:
      assent pair
      assent pair --name "Anna's phone" --scope deny
    """
    if not output.is_interactive():
        raise UsageError("Nothing was paired: there is no terminal to compare the words on.")
    client = Client(locations.find())
    invitation = client.invite(name=name, scope=scope)
    output.say("Scan this with the device's camera, or open the address below it there.")
    output.say(f"It is good once, until {time.strftime('%H:%M:%S', time.localtime(invitation['expires'] / 1000))}.")
    output.say()
    output.say(drawn(invitation["qr"], ascii_only=as_ascii))
    output.say()
    output.say(f"  {invitation['url']}")
    output.say()
    for note in invitation["note"].splitlines():
        output.say(output.styled(note, "warn"))
    claim = _wait(client, invitation)
    device = _compare(client, claim)
    output.say(f"{output.styled('Paired', 'good')}: {device['name']} ({device['id']}), scope {device['scope']}.")
    output.say("For ten minutes it may only deny. `assent devices revoke " + device["id"] + "` shuts it out.")


def _wait(client: Client, invitation: dict[str, Any]) -> dict[str, Any]:
    output.say("Waiting for it … (Ctrl-C ends this; nothing is paired then)")
    end = time.monotonic() + invitation["seconds"]
    while time.monotonic() < end:
        for claim in client.pending():
            if claim["invitation"] == invitation["invitation"]:
                return claim
        time.sleep(POLL)
    raise AssentError("Nothing was paired: nobody opened the address in time.", hint="`assent pair` begins again.")


def _compare(client: Client, claim: dict[str, Any]) -> dict[str, Any]:
    output.say()
    output.say(f"{output.said_by_agent(claim['name'])} ({claim['address']}) is there and shows three words:")
    output.say()
    output.say("    " + output.styled("   ".join(claim["words"]), "strong"))
    output.say()
    if not claim["signs"]:
        output.say(output.styled("It came without TLS: it may watch and deny, and whoever listens in can too.", "warn"))
    match = output.confirmed("Are they the same on its screen?")
    try:
        answer = client.confirm(claim["id"], match=match)
    except ApiError as error:
        if error.code != "over":
            raise
        return _settled_elsewhere(client, claim)
    if not match:
        raise AssentError("Nothing was paired; that device was turned away.", hint="`assent pair` begins again.")
    device: dict[str, Any] = answer["device"]
    return device


def _settled_elsewhere(client: Client, claim: dict[str, Any]) -> dict[str, Any]:
    """Two minutes went by, or somebody answered on the page."""
    found = next((device for device in client.devices() if device["id"] == claim["id"]), None)
    if found is None:
        raise AssentError("Nothing was paired: the time was over.", hint="`assent pair` begins again.")
    return found
