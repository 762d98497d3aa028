"""``assent trust``: what a project's rules allow holds once a person has read it."""

from pathlib import Path

import click

from assent import files
from assent import paths as locations
from assent.cli import output
from assent.cli.common import must_be_confirmed
from assent.errors import NotFoundError, UsageError
from assent.learn import trusting
from assent.paths import Paths

LONGEST_RULE = 500


@click.command("trust")
@click.argument("folder", metavar="[PATH]", type=click.Path(path_type=Path), default=Path())
@click.option(
    "--list", "as_list", is_flag=True, help="Show whose rules you trust, and whether they are still the same."
)
@click.option("--revoke", is_flag=True, help="Trust them no longer.")
@click.option("--json", "as_json", is_flag=True, help="With --list: print one JSON object.")
def command(folder: Path, as_list: bool, revoke: bool, as_json: bool) -> None:
    """Let the allow rules of a project's .assent/rules.toml hold.

    A repository's rules come with other people's files, so they may only tighten until you trust them. What you trust
    are the bytes you were shown: after any change, a single one is enough, the file may only tighten again.

    \b
    Examples:
      assent trust                    # the project around this folder
      assent trust ~/src/webshop
      assent trust --list
      assent trust --revoke
    """
    paths = locations.find()
    if as_list:
        _list(paths, as_json=as_json)
    elif as_json:
        raise UsageError("Nothing was changed: --json goes with --list.")
    elif revoke:
        _revoke(paths, folder)
    else:
        _trust(paths, folder)


def _trust(paths: Paths, folder: Path) -> None:
    # Read once: what is shown is what is trusted.
    file = trusting.offered(folder)
    if not file.allows:
        raise UsageError(
            f"Nothing was changed: {file.path} allows nothing.", hint="rules that ask or deny hold without your trust."
        )
    pinned = trusting.pinned(paths)
    if pinned.get(file.real) == file.digest:
        output.say(f"You trust {file.path} already. Nothing was changed.")
        return
    if file.real in pinned:
        output.say(output.styled("This file changed since you trusted it.", "warn"))
    output.say(f"{file.path} would allow without asking:")
    for number, text in file.allows:
        output.say(f"  {number:>3}  {output.said_by_agent(text, LONGEST_RULE)}")
    if not output.is_interactive():
        raise UsageError("Nothing was trusted: this is asked at a terminal, of a person.")
    must_be_confirmed("Trust this file as it is now?", yes=False)
    _write(paths, {**pinned, file.real: file.digest})
    output.say(f"{output.styled('Trusted:', 'good')} {file.path}")
    output.say("undo    assent trust --revoke")


def _revoke(paths: Paths, folder: Path) -> None:
    pinned = trusting.pinned(paths)
    # A file that is gone can be trusted no longer, too.
    real = str((folder / ".assent" / "rules.toml").resolve())
    if real not in pinned:
        real = str(trusting.found(folder).resolve())
    if real not in pinned:
        raise NotFoundError(f"Nothing was changed: you do not trust {real}.", hint="`assent trust --list` shows whom.")
    _write(paths, {name: digest for name, digest in pinned.items() if name != real})
    output.say(f"Trusted no longer: {real}")


def _list(paths: Paths, *, as_json: bool) -> None:
    states = trusting.states(paths)
    if as_json:
        output.say_json({"trusted": [{"file": name, "state": state} for name, state in states.items()]})
    elif not states:
        output.say("You trust no project's rules. They may only tighten.")
    else:
        output.say_table([(state, name) for name, state in states.items()])


def _write(paths: Paths, pinned: dict[str, str]) -> None:
    paths.state.mkdir(mode=0o700, parents=True, exist_ok=True)
    files.replace(paths.trust, files.read(paths.trust), trusting.written(pinned), new_mode=0o600)
