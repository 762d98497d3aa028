"""``assent up``: be the hub, or start one in the background."""

import gc
import os
import threading
from typing import TYPE_CHECKING

import click

from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.page_link import page_link
from assent.client import Client
from assent.paths import Paths

if TYPE_CHECKING:
    from assent.hub.daemon import Ready


@click.command("up")
@click.option("--detach", is_flag=True, help="Start it in the background and come back.")
@click.option("--background", is_flag=True, hidden=True)
@click.option("--from-shim", is_flag=True, hidden=True)
def command(detach: bool, background: bool, from_shim: bool) -> None:
    """Start the hub. It judges events, keeps the record and serves the page until it is stopped.

    You seldom need this: the first hook that finds no hub starts one.

    \b
    Examples:
      assent up            in this terminal; Ctrl-C stops it
      assent up --detach   in the background; `assent down` stops it
    """
    paths = locations.find()
    if detach:
        with hub_process.right_to_start(paths):
            up_detached(paths)
    else:
        _be_the_hub(paths, quiet=background or from_shim, from_shim=from_shim)


def up_detached(paths: Paths) -> None:
    """With the right to start a hub."""
    client = Client(paths)
    was_running = client.healthy()
    if not was_running:
        hub_process.start(paths, ordered=True)
    status = client.status()
    word = "already running" if was_running else "running"
    output.say(f"The hub is {output.styled(word, 'good')} (pid {status['pid']}).")
    for trouble in troubles(status):
        output.say(f"{output.styled('trouble', 'warn')} {trouble}")
    if status["port"] is not None:
        output.say(f"page    {page_link(client, status['port'])}")
    output.say(f"log     {paths.log}")
    output.say(
        "next    `assent install` adds it to Claude Code, `assent demo` shows it at work, `assent status` how it is."
    )


def _be_the_hub(paths: Paths, *, quiet: bool, from_shim: bool) -> None:
    # Nothing that a start makes is garbage, and looking for it takes a while. The hub turns it on again when it is up.
    gc.disable()
    # Here and not above: no other verb should pay for the server's start.
    from assent.hub import daemon

    announce = _fall_silent if quiet else lambda ready: _tell(paths, ready)
    daemon.run(paths, announce=announce, from_shim=from_shim)
    if not quiet:
        output.say("The hub stopped.")


def _fall_silent(_: "Ready") -> None:
    """Ready, so nobody waits for our last words any more; what is printed from here on goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def _tell(paths: Paths, ready: "Ready") -> None:
    # On a thread of its own: the link needs an answer from the very loop that calls us.
    threading.Thread(target=_print_ready, args=(paths, ready), daemon=True).start()


def _print_ready(paths: Paths, ready: "Ready") -> None:
    output.say(f"The hub is {output.styled('running', 'good')} (pid {ready.pid}). Ctrl-C stops it.")
    for trouble in ready.troubles:
        output.say(f"{output.styled('trouble', 'warn')} {trouble}")
    if ready.port is not None:
        output.say(f"page    {page_link(Client(paths), ready.port)}")
    output.say(f"log     {paths.log}")
    output.say("next    in another terminal: `assent install` adds it to Claude Code, `assent demo` shows it at work.")


def troubles(status: dict[str, object]) -> list[str]:
    """What is wrong with the hub, in sentences."""
    journal = status.get("journal")
    names = ("config_trouble", "config_note", "rules_trouble", "port_trouble", "remote_trouble")
    found = [status.get(name) for name in names]
    found.append(journal.get("trouble") if isinstance(journal, dict) else None)
    return [str(trouble) for trouble in found if trouble]
