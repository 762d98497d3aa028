"""``assent setup``: from nothing to the first ask that you answered, one question after another."""

import sys
import time
from typing import Any

import click

from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.common import opened, page_link, site_here, wait_for_ask
from assent.cli.install import write_hooks
from assent.client import Client
from assent.errors import AssentError
from assent.install import clients, manifest
from assent.paths import Paths
from assent.protocol.record import TEST
from assent.text.ask_state import said

STEPS = 5
POLL = 0.3
STANCES = {
    "balanced": "what only looks runs without a prompt, what cannot be undone asks you",
    "strict": "as balanced, but what reaches out of the project asks, and what cannot be undone is refused",
    "watch": "nothing is decided, everything is recorded",
}


@click.command("setup")
def command() -> int:
    """Set Assent up: find clients, write hooks, choose a stance, name a second screen, answer a test ask.

    Every step says what it does and can be left out; running it again changes nothing that is done. Without a terminal
    it says what is left to do, with the command for each step, and exits with 1 if hooks or hub are missing.

    \b
    Example:
      assent setup
    """
    paths = locations.find()
    if not output.is_interactive():
        return _say_what_is_left(paths)
    _head(1, "Clients")
    for line in clients.told(site_here()):
        output.say(line)
    _head(2, "Hooks")
    _write(paths)
    client = _hub(paths)
    _head(3, "Stance: what runs without a prompt, where no rule of yours speaks")
    _choose_stance(client)
    _head(4, "Second screen")
    _name_screens(client)
    _head(5, "Test ask")
    _test(client)
    return 0


def _head(number: int, title: str) -> None:
    output.say()
    output.say(output.styled(f"{number} of {STEPS}  {title}", "strong"))


def _write(paths: Paths) -> None:
    try:
        write_hooks([harness.NAME for harness in clients.here(site_here())])
    except AssentError as error:
        output.say(f"{error.message} `assent install` does it later.")
    if not manifest.load(paths).installs:
        output.say("Without hooks no agent's event arrives. The rest works, and you can look around.")


def _hub(paths: Paths) -> Client:
    client = Client(paths)
    if not client.healthy():
        hub_process.start(paths, ordered=True)
        output.say("The hub runs. `assent down` stops it, `assent service install` starts it when you log in.")
    return client


def _choose_stance(client: Client) -> None:
    now = client.settings()["settings"]["stance"]
    for name, meaning in STANCES.items():
        output.say(f"  {name:<9} {meaning}")
    wanted = _typed(f"Which one? Enter keeps {now}: ")
    if wanted in STANCES and wanted != now:
        client.change_settings({"stance": wanted})
        output.say(f"The stance is {wanted} now. The page's settings change it again.")
    else:
        output.say(f"It stays {now}.")


def _name_screens(client: Client) -> None:
    if client.setup()["second_screen"]:
        output.say("There is one already: `assent devices` and `assent connect` list them.")
        return
    output.say("  assent pair               a phone or another computer; says how they reach this machine")
    output.say("  assent connect telegram   a chat; no port is opened (also: slack, ntfy, desktop)")
    output.say("  assent watch              a second terminal here")


def _test(client: Client) -> None:
    if not output.confirmed("Send yourself a test ask? Nothing is run, whatever you answer."):
        return
    client.test_ask()
    ask = wait_for_ask(client, TEST)
    port = client.status()["port"]
    if ask is None:
        raise AssentError("The test ask did not arrive.", hint="`assent doctor` says more.")
    where = f"`assent answer {ask.id}`" if port is None else page_link(client, port, f"a/{ask.id}")
    output.say(f"Answer it here: {where}")
    output.say("It is open in your browser." if port is not None and opened(where) else "Waiting … (Ctrl-C leaves it)")
    while (now := client.ask(ask.id)).answer is None and now.state != "closed":
        time.sleep(POLL)
    answer = f"{said(now.answer)}. That is how it works." if now.answer else "It closed without an answer."
    output.say(f"{output.styled('Done:', 'good')} {answer}")


def _typed(question: str) -> str:
    click.echo(question, nl=False)
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        click.echo()
    return answer.strip().lower()


def _say_what_is_left(paths: Paths) -> int:
    """For scripts: each step with whether it is done, and the command that does it."""
    client = Client(paths)
    is_up = client.healthy()
    steps: dict[str, Any] = client.setup() if is_up else {}
    has_hooks = bool(manifest.load(paths).installs)
    for line in clients.told(site_here()):
        output.say(f"found  {line}")
    rows = (
        (has_hooks, "hooks", "assent install --yes"),
        (is_up, "hub", "assent up --detach"),
        (bool(steps.get("second_screen")), "second screen (optional)", "assent connect telegram, or assent pair"),
    )
    for is_done, what, how in rows:
        output.say(f"done   {what}" if is_done else f"left   {what}: {how}")
    output.say("There is no terminal to ask on, so nothing was changed.")
    return 0 if has_hooks and is_up else 1
