"""``assent jump``: go to the terminal of a session."""

import os

import click

from assent import paths as locations
from assent.cli import completing, output
from assent.cli.common import pick
from assent.client import Client
from assent.protocol import terminal

# Cut, it would lead nowhere.
LONGEST_LINK = 4_096


@click.command("jump")
@click.argument("session", metavar="SESSION", shell_complete=completing.sessions)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(session: str, as_json: bool) -> None:
    """Go to the terminal in which a session runs. In tmux its window and pane are selected, and your terminal is
    switched to them: the one you type this in if it is of the same tmux, else the one you used last. For a session in
    VS Code's terminal or in iTerm2 the link is printed that brings its window to the front. Nothing is
    answered or allowed by it.

    SESSION is an id, the beginning of one, or the title or project of a session if only one is called so.

    \b
    Examples:
      assent jump webshop
      assent jump 4f1c
    """
    client = Client(locations.find())
    found = pick(client.sessions(), session)
    link = terminal.link(found.terminal, found.project) if found.terminal else ""
    if link:
        told = {"moved": False, "link": link}
        words = f"This link brings its window to the front: {output.said_by_agent(link, LONGEST_LINK)}"
    else:
        # The hub says who may, and why it cannot.
        told = client.jump(found.id, terminal.origin(found.terminal, os.environ) if found.terminal else "")
        words = str(told["words"])
    if as_json:
        output.say_json(told)
    else:
        output.say(words)
