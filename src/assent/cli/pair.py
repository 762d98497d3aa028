"""``assent pair``: let a phone in, once three words have been compared."""

import ipaddress
import time
from collections.abc import Sequence
from typing import Any

import click

from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.common import must_be_confirmed
from assent.client import ApiError, Client
from assent.errors import AssentError, UsageError
from assent.install import settings_file
from assent.paths import Paths

# By the module above and the one below, where 1 is dark.
_HALVES = {"00": " ", "10": "▀", "01": "▄", "11": "█"}
# Where colours cannot be set, light is drawn and dark left out, as on a dark terminal.
_INVERTED = {"00": "█", "10": "▄", "01": "▀", "11": " "}


def drawn(rows: Sequence[str], *, ascii_only: bool = False) -> str:
    if ascii_only:
        return "\n".join("".join("  " if bit == "1" else "##" for bit in row) for row in rows)
    glyphs = _INVERTED if output.wants_colour() is False else _HALVES
    pairs = zip(rows[::2], [*rows[1::2], "0" * len(rows[0])][: (len(rows) + 1) // 2], strict=True)
    lines = ["".join(glyphs[above + below] for above, below in zip(*pair, strict=True)) for pair in pairs]
    if glyphs is _INVERTED:
        return "\n".join(lines)
    return "\n".join(output.styled(line, "ink") for line in lines)


SCOPES = ("watch", "deny", "answer", "instruct")
# Between two looks whether the device is there.
POLL = 0.5


@click.command("pair")
@click.option("--name", metavar="NAME", default="", help="What to call the device; without it, what it calls itself.")
@click.option("--scope", type=click.Choice(SCOPES), help="How far it may go; [remote] scope if you say nothing.")
@click.option("--ascii", "as_ascii", is_flag=True, help="Draw the code with # only.")
@click.option("--over", metavar="ADDRESS", help="First have the hub reached at this address, or under this name.")
def command(name: str, scope: str | None, as_ascii: bool, over: str | None) -> None:
    """Let a phone or another computer in: it opens an address, you compare three words, it is in.

    The address is good once and for two minutes. A new device may only deny for its first ten minutes, and every
    screen of the hub shows it. What each scope may do: watch sees everything, deny says no, answer says yes
    once, instruct also in words of its own. Rules, devices and pauses are decided at the desk.

    Other machines reach the hub only if [remote] in the settings says so. Where it does not, the ways that this machine
    has are shown, each with its commands. --over writes the setting and restarts the hub: with an address of this
    machine the hub listens there, with a name it expects a tunnel, such as `tailscale serve`.

    \b
    Examples:
      assent pair
      assent pair --over 192.168.1.20
      assent pair --name "Anna's phone" --scope deny
    """
    if not output.is_interactive():
        raise UsageError("Nothing was paired: there is no terminal to compare the words on.")
    paths = locations.find()
    client = Client(paths)
    if over:
        _open_door(paths, over)
    invitation = client.invite(name=name, scope=scope)
    if "ways" in invitation:
        _say_ways(invitation)
        raise AssentError("Nothing was paired: no other machine reaches the hub yet.")
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


def _open_door(paths: Paths, over: str) -> None:
    """Have other machines find the hub there."""
    try:
        ipaddress.ip_address(over)
        wanted = {"remote.bind": over}
        what = f"The hub will listen on {over}, with TLS and a certificate of its own"
    except ValueError:
        wanted = {"remote.name": over}
        what = f"The hub will answer requests for https://{over}, which a tunnel has to bring here"
    output.say_paragraph(f"{what}. [remote] in {paths.config} says so from then on; a hub that runs is restarted.")
    must_be_confirmed("Write this?", yes=False)
    settings_file.change(paths, wanted)
    with hub_process.right_to_start(paths):
        hub_process.stop(paths)
        hub_process.start(paths, ordered=True)


def _say_ways(invitation: dict[str, Any]) -> None:
    output.say("A phone cannot open an address of this machine yet. Choose one way:")
    for way in invitation["ways"]:
        output.say()
        output.say(output.styled(way["title"], "strong"))
        output.say_paragraph(way["text"])
        for line in way.get("commands", ()):
            output.say(f"  {line}")
    output.say()
    for note in invitation["note"].splitlines():
        output.say(output.styled(note, "warn"))


def _wait(client: Client, invitation: dict[str, Any]) -> dict[str, Any]:
    output.say("Waiting for it … (Ctrl-C ends this; nothing is paired then)")
    end = time.monotonic() + invitation["seconds"]
    while time.monotonic() < end:
        for claim in client.pending():
            if claim["invitation"] == invitation["invitation"]:
                return claim
        time.sleep(POLL)
    raise AssentError("Nothing was paired: the address was not opened in time.", hint="`assent pair` begins again.")


def _compare(client: Client, claim: dict[str, Any]) -> dict[str, Any]:
    output.say()
    output.say(f"{output.said_by_agent(claim['name'])} ({claim['address']}) is there and shows three words:")
    output.say()
    output.say("    " + output.styled("   ".join(claim["words"]), "strong"))
    output.say()
    if not claim["signs"]:
        output.say(output.styled("It came without TLS: it may watch and deny, and an eavesdropper can too.", "warn"))
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
    """Two minutes went by, or it was answered on the page."""
    paired = next((device for device in client.devices() if device["id"] == claim["id"]), None)
    if paired is None:
        raise AssentError("Nothing was paired: the time was over.", hint="`assent pair` begins again.")
    return paired
