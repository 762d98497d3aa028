"""``assent queue``: what a session does next, told to it with a tool's result or when it would stop."""

import time
from functools import cached_property
from pathlib import PurePosixPath
from typing import get_args

import click

from assent import paths as locations
from assent.cli import completing, output
from assent.cli.common import pick
from assent.cli.sessions import age
from assent.client import Client
from assent.errors import NotFoundError
from assent.protocol.queue import Goal, Item, Queue
from assent.protocol.session import Session

HEADINGS = ("NO", "FOR", "BY", "AGE", "INSTRUCTION")
FOR: dict[Goal, str] = {
    "stop": "next stop",
    "tool": "next tool result",
    "subagent": "a sub-agent's stop",
    "teammate": "an idle teammate",
    "task": "a completed task",
}
_json = click.option("--json", "as_json", is_flag=True, help="Print the queue as one JSON object.")


class _Place:
    """Looked up when it is needed: help needs no hub."""

    def __init__(self, wanted: str) -> None:
        self.client = Client(locations.find())
        self._wanted = wanted

    @cached_property
    def session(self) -> Session:
        return pick(self.client.sessions(), self._wanted)

    @property
    def name(self) -> str:
        project = PurePosixPath(self.session.project or self.session.cwd).name
        return output.said_by_agent(self.session.title or project or self.session.id[:8], 40)


@click.group("queue", invoke_without_command=True)
@click.argument("session", metavar="SESSION", shell_complete=completing.sessions)
@click.pass_context
def command(context: click.Context, session: str) -> None:
    """Queue instructions for a session. Each is told to its agent once: when it would stop, one for each stop, or with
    the next result of its tools (`--to tool`).

    SESSION is an id, the beginning of one, or the title or project of a session if only one is called so. Without a
    further word the queue is listed. {title} lets a turn go on eight times in a row; what waits then is told at
    the stop after your next prompt.

    \b
    Examples:
      assent queue webshop add run the tests
      assent queue webshop
      assent queue 4f1c move 3 1
    """
    context.obj = _Place(session)
    if context.invoked_subcommand is None:
        _list(context.obj, as_json=False)


@command.command("list", short_help="Show what waits and what was told.")
@_json
@click.pass_obj
def list_(place: _Place, as_json: bool) -> None:
    """Show what waits, what was told last, and how often the turn was kept going."""
    _list(place, as_json=as_json)


@command.command("add", short_help="Add an instruction at the end.")
@click.option(
    "--to",
    type=click.Choice(get_args(Goal)),
    default="stop",
    show_default=True,
    help="Who is told and when: the session at its stop, or with its next tool result (at its stop if that is sooner), "
    "a sub-agent at its stop, an idle teammate, or the agent that completes a task.",
)
@_json
@click.argument("text", nargs=-1, required=True)
@click.pass_obj
def add(place: _Place, text: tuple[str, ...], to: Goal, as_json: bool) -> None:
    """Add an instruction at the end of the queue.

    \b
    Examples:
      assent queue webshop add run the tests and fix what fails
      assent queue webshop add --to tool 'Leave the old API alone.'
      assent queue webshop add --to subagent 'Look at the tests too.'
    """
    before = {item.id for item in place.client.queue(place.session.id).items}
    queue = place.client.queue_add(place.session.id, " ".join(text), to)
    if as_json:
        output.say_json(queue)
        return
    number = next((n for n, item in enumerate(queue.items, 1) if item.id not in before), None)
    if number is None:
        output.say(f"{place.name} waited for a reply and was told at once.")
        return
    output.say(f"Queued for {place.name} as number {number}, told {'with' if to == 'tool' else 'at'} {_article(to)}.")
    if not place.session.is_live:
        output.complain("The session has ended; it is told if it is resumed.")


@command.command("edit", short_help="Give an instruction other words.")
@click.argument("number", metavar="NO")
@click.argument("text", nargs=-1, required=True)
@_json
@click.pass_obj
def edit(place: _Place, number: str, text: tuple[str, ...], as_json: bool) -> None:
    """Give an instruction other words. It keeps its place."""
    item = _numbered(place, number)
    _changed(place.client.queue_change(place.session.id, item.id, text=" ".join(text)), as_json, "Changed.")


@command.command("move", short_help="Put an instruction elsewhere in the queue.")
@click.argument("number", metavar="NO")
@click.argument("to", metavar="PLACE", type=click.IntRange(min=1))
@_json
@click.pass_obj
def move(place: _Place, number: str, to: int, as_json: bool) -> None:
    """Put an instruction at another place; 1 is next."""
    item = _numbered(place, number)
    _changed(place.client.queue_change(place.session.id, item.id, place=to), as_json, "Moved.")


@command.command("rm", short_help="Take an instruction out.")
@click.argument("number", metavar="NO")
@_json
@click.pass_obj
def rm(place: _Place, number: str, as_json: bool) -> None:
    """Take an instruction out of the queue."""
    item = _numbered(place, number)
    _changed(place.client.queue_remove(place.session.id, item.id), as_json, "Removed.")


def _list(place: _Place, *, as_json: bool) -> None:
    queue = place.client.queue(place.session.id)
    if as_json:
        output.say_json(queue)
        return
    now = time.time()
    for item in queue.delivered:
        assert item.delivered is not None
        output.say(
            output.styled(f"told {age(item.delivered, now)} ago: {output.said_by_agent(item.text, 100)}", "faint")
        )
    if not queue.items:
        output.say(f"Nothing waits for {place.name}.")
    else:
        _table(queue, now)
    if queue.used:
        output.say(f"{queue.used} of {queue.most} continuations used.")


def _table(queue: Queue, now: float) -> None:
    rows = [
        (str(number), FOR[item.to], item.by.partition(":")[2], age(item.at, now), output.said_by_agent(item.text, 100))
        for number, item in enumerate(queue.items, 1)
    ]
    output.say_table([HEADINGS, *rows])


def _numbered(place: _Place, number: str) -> Item:
    """By its number in the list, or by its id, which no other change can shift."""
    items = place.client.queue(place.session.id).items
    by_id = next((item for item in items if item.id == number), None)
    if by_id is not None:
        return by_id
    if number.isascii() and number.isdigit() and 1 <= int(number) <= len(items):
        return items[int(number) - 1]
    raise NotFoundError(
        f"There is no instruction {number} in the queue of {place.name}.", hint="`assent queue SESSION` lists them."
    )


def _changed(queue: Queue, as_json: bool, done: str) -> None:
    if as_json:
        output.say_json(queue)
        return
    output.say(done)
    if queue.items:
        _table(queue, time.time())


def _article(to: Goal) -> str:
    return f"the {FOR[to]}" if to in ("stop", "tool") else FOR[to]
