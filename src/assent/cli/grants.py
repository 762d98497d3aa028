"""``assent grants``, ``tests`` and ``changes``: what was allowed for longer than once, and taking it back."""

import time
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from assent import paths as locations
from assent.cli import output
from assent.cli.common import must_be_confirmed
from assent.client import Client
from assent.errors import NotFoundError, UsageError
from assent.protocol.lasting import RUN_MEANS, Given, PermissionKind
from assent.text import wording
from assent.text.safe import plain_line
from assent.text.who import at_home

KINDS = {
    "shape": "not asked",
    "exact": "not asked",
    "run": "tests",
    "change": "changes",
    "reads": "only reads",
    "rule": "rule",
    "directory": "folder",
    "mode": "mode",
    "deny": "no for good",
}


@click.group("grants", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List what you allowed for longer than once, and take it back.

    These are the answers that stay: "stop asking for this here", for some minutes, tests and changes of a project, what
    a session was allowed until it ends, and the rules that allow or deny, in Assent's file and in the agent's settings.

    \b
    Examples:
      assent grants
      assent grants revoke 3f9a1c20
    """
    if context.invoked_subcommand is None:
        show(Client(locations.find()).grants(), as_json=as_json)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def list_(as_json: bool) -> None:
    """List them, the newest first: what each covers, since when, by whom, and how often it let something pass."""
    show(Client(locations.find()).grants(), as_json=as_json)


@command.command("revoke")
@click.argument("name", metavar="ID")
def revoke(name: str) -> None:
    """Take one back. The first letters of its id are enough; what it covered asks again at once."""
    client = Client(locations.find())
    matches = [each for each in client.grants() if each.id.startswith(name)]
    hint = "`assent grants` lists them."
    if not matches:
        raise NotFoundError(f"No permission begins with {name!r}. Nothing was changed.", hint=hint)
    if len(matches) > 1:
        raise UsageError(f"{len(matches)} permissions begin with {name!r}. Nothing was changed.", hint=hint)
    taken_back(client, matches[0])


def taken_back(client: Client, given: Given) -> None:
    client.take_back(given.id)
    now = "It is no longer denied" if given.kind == "deny" else "It asks again"
    output.say(f"Taken back: {_what(given)}. {now} from now on.")


def show(given: Sequence[Given], *, as_json: bool, nothing: str = "Nothing is allowed for longer than once.") -> None:
    if as_json:
        for each in given:
            output.say(msgspec.json.encode(each).decode())
        return
    if not given:
        output.say(nothing)
    now = time.time() * 1000
    for each in given:
        output.say_paragraph(_what(each), f"{output.styled(each.id, 'strong')}  ")
        if each.void:
            output.say(f"{' ' * 10}{output.styled(f'does not hold: {each.void}', 'warn')}")
        facts = "; ".join(plain_line(fact) for fact in wording.grant_facts(replace(each, file=at_home(each.file)), now))
        output.say_paragraph(facts, " " * 10)


def _what(given: Given) -> str:
    where = f" in {plain_line(at_home(given.project))}" if given.project and given.kind != "shape" else ""
    folder = f" ({plain_line(at_home(given.project))})" if given.project and given.kind == "shape" else ""
    return f"{KINDS[given.kind]}: {plain_line(given.words).removesuffix('.')}{where}{folder}"


def group(name: str, kind: PermissionKind, summary: str, means: str) -> click.Group:
    """The verb with its three sub-commands. ``means`` is what a person agrees to."""

    examples = (
        f"Examples:\n  assent {name} allow\n  assent {name} allow ~/src/webshop --hours 8\n  assent {name} revoke"
    )

    @click.group(name, help=f"{summary}\n\n\b\n{examples}")
    def command() -> None:
        pass

    @command.command("allow")
    @click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path, file_okay=False), default=Path())
    @click.option("--hours", type=click.IntRange(1, 720), help="For so many hours, not until you take it back.")
    def allow(folder: Path, hours: int | None) -> None:
        """Give it for the project around this folder, or for DIR."""
        project = _project(folder)
        output.say(f"{means}\n")
        output.say(f"Project: {project}")
        if not output.is_interactive():
            raise UsageError("Nothing was permitted: a person gives this at a terminal.", hint="run it in one.")
        must_be_confirmed("Give this permission?", yes=False)
        given = Client(locations.find()).give(kind, project, hours)
        output.say(f"Given ({given.id}). Take it back with: assent {name} revoke")

    @command.command("list")
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
    def list_(as_json: bool) -> None:
        """List the projects it was given for."""
        permissions = [each for each in Client(locations.find()).grants() if each.kind == kind]
        show(permissions, as_json=as_json, nothing="It was given for no project.")

    @command.command("revoke")
    @click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path), default=Path())
    def revoke(folder: Path) -> None:
        """Take it back for the project around this folder, or for DIR."""
        client = Client(locations.find())
        project = _project(folder)
        permissions = [each for each in client.grants() if _is_for(each, kind, project)]
        if not permissions:
            raise NotFoundError(
                f"Nothing was changed: it was not given for {project}.", hint=f"`assent {name} list` shows where."
            )
        for each in permissions:
            taken_back(client, each)

    return command


def _project(folder: Path) -> str:
    """The repository around a folder, else the folder itself."""
    here = folder.resolve()
    repositories = (each for each in (here, *here.parents) if (each / ".git").exists() and each != Path.home())
    return str(next(repositories, here))


def _is_for(given: Given, kind: PermissionKind, project: str) -> bool:
    return given.kind == kind and given.project == project


tests = group(
    "tests",
    "run",
    "Let agents run tests, builds and linters of a project without asking.",
    "Agents may run tests, builds and linters of this project by name, without a prompt.\n"
    f"{RUN_MEANS}\n"
    "Still asked: scripts that deploy, publish or migrate, programs given in the line, and every run after the agent\n"
    "changed what decides what runs (package.json, Makefile, conftest.py, build settings, lock files).",
)


changes = group(
    "changes",
    "change",
    "Let agents change files of a project that git can bring back.",
    "Agents may write, move and delete files of this repository that git has, make new ones, and use git add, commit\n"
    "and switch, without a prompt.\n"
    "Still asked: files outside it, settings and hooks that run by themselves, and what git does not have.",
)
