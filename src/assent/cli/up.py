"""``assent up``, ``down`` and ``restart``: be the hub, start one in the background, stop it."""

import gc
import os
import threading
from typing import TYPE_CHECKING

import click

from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.common import page_link
from assent.client import Client
from assent.harnesses import names
from assent.paths import Paths

if TYPE_CHECKING:
    from assent.hub.daemon import Ready
from assent.cli.common import must_be_confirmed
from assent.errors import AssentError
from assent.protocol.modes import BYPASS
from assent.protocol.session import Session


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
    output.say(f"next    `assent setup` adds it to {names.TITLE} step by step, `assent demo` shows it at work.")


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
    """Ready, so the starter does not read our output any more; what is printed from here on is discarded."""
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
    output.say(f"next    in another terminal: `assent setup` adds it to {names.TITLE}, `assent demo` shows it at work.")


def troubles(status: dict[str, object]) -> list[str]:
    """What is wrong with the hub, in sentences."""
    journal = status.get("journal")
    names = ("config_trouble", "config_note", "rules_trouble", "permissions_trouble", "port_trouble", "remote_trouble")
    candidates = [status.get(name) for name in names]
    candidates.append(journal.get("trouble") if isinstance(journal, dict) else None)
    return [str(trouble) for trouble in candidates if trouble]


@click.command("down")
@click.option("--yes", is_flag=True, help="Stop it without asking, whatever runs.")
def down(yes: bool) -> None:
    """Stop the hub and keep it stopped: hooks stay silent, so {title} asks you itself, until `assent up`.

    In bypass mode it never asks: sessions in that mode are named first, and you are asked whether you mean it.

    \b
    Examples:
      assent down
      assent down --yes    ask nothing
    """
    paths = locations.find()
    if ungated := _ungated(paths):
        output.say("In these sessions everything will run unjudged and unasked, because their mode is bypass:")
        for session in ungated:
            output.say(f"  {output.said_by_agent(session.id)}  {output.said_by_agent(session.project)}")
        must_be_confirmed("Stop the hub?", yes=yes)
    holder = hub_process.shut_down(paths)
    if holder is None:
        output.say("No hub was running.")
    else:
        output.say(f"The hub (pid {holder.pid}) stopped.")
    output.say("Hooks stay silent and start no hub until `assent up`.")


def _ungated(paths: Paths) -> list[Session]:
    """Live sessions in which nothing but Assent stands between the model and the machine."""
    try:
        return [session for session in Client(paths).sessions() if session.is_live and session.mode == BYPASS]
    except AssentError:
        return []


@click.command("restart")
def restart() -> None:
    """Stop the hub and start it again in the background, for example after an upgrade or a change of its port.

    Hooks that run meanwhile wait for the new hub, and what waits for a person goes on waiting there.

    \b
    Example:
      assent restart
    """
    paths = locations.find()
    with hub_process.right_to_start(paths):
        holder = hub_process.stop(paths)
        if holder is not None:
            output.say(f"The hub (pid {holder.pid}) stopped.")
        up_detached(paths)
