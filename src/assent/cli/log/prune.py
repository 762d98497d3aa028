"""``assent log prune``: let the oldest records go, after showing which."""

import time
from pathlib import Path
from typing import Any

import click

from assent import paths as locations
from assent import units
from assent.cli import common, output
from assent.cli.log.check import BROKEN, written
from assent.cli.output import Progress
from assent.client import Client
from assent.errors import UsageError


@click.command("backup", short_help="Copy the journal while the hub goes on.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def backup_command(file: Path | None, as_json: bool) -> int:
    """Copy the journal to FILE while the hub goes on, check the copy, and print where its chain ends.

    Without FILE the copy goes to the hub's own backup folder, under today's date. Nothing is ever overwritten. The copy
    holds the same redacted records as the journal; keys are not in it. To restore it, stop the hub, put the copy in
    the journal's place and start the hub again.

    \b
    Examples:
      assent log backup
      assent log backup /mnt/backup/assent-friday.db
    """
    with Progress("copied") as progress:

        def show(so_far: dict[str, Any]) -> None:
            done, of = so_far["pages"], so_far["of"]
            if done < of:
                progress.show(f"{100 * done // of} %")
            else:
                progress.show("all of it, checking the copy", at_once=True)

        copied = Client(locations.find()).backup(str(file.absolute()) if file else None, show)
    checked = copied["checked"]
    broken = checked["broken"]
    if as_json:
        output.say_json(copied)
    else:
        output.say(f"Copied {copied['size'] / (1 << 20):,.1f} MiB to {copied['file']}")
        if broken:
            output.say(f"{output.styled('Its chain is broken', 'bad')} at record {broken['seq']}: {broken['why']}.")
            output.say("So is the journal's: `assent log verify` says the same.")
        else:
            output.say(f"The copy holds, up to {written(checked['head'])}")
    return BROKEN if broken else 0


@click.command("prune", short_help="Remove the oldest records.")
@click.option("--keep", metavar="SPAN", help="Remove what is older than this, such as 90d.")
@click.option(
    "--max-size", metavar="SIZE", help="Remove the oldest until the journal is smaller than this, such as 1GiB."
)
@click.option("--dry-run", is_flag=True, help="Show what would go, and remove nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(keep: str | None, max_size: str | None, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Remove the oldest records, after showing how many and asking.

    The hub does this by itself once an hour, by keep and max_size under [journal] in the settings; without options this
    command does the same now.

    By age everything older goes. By size the oldest go first, but evidence is spared for 30 days: all records of a call
    that a person answered, that was denied or that was Danger, and changes of rules and settings. A checkpoint in the
    chain says what was removed, so that `assent log verify` goes on working.

    \b
    Examples:
      assent log prune --dry-run
      assent log prune --keep 90d
      assent log backup && assent log prune --max-size 500MB --yes
    """
    _check(keep, max_size)
    client = Client(locations.find())

    def ask(*, dry_run: bool) -> dict[str, Any]:
        with Progress("looked at" if dry_run else "removed") as progress:
            return client.prune(
                keep=keep,
                max_size=max_size,
                dry_run=dry_run,
                on_progress=lambda so_far: progress.show(f"{so_far['removed']:,} records"),
            )

    if as_json and not dry_run:
        common.must_be_confirmed("Remove the oldest records?", yes=yes)
        output.say_json(ask(dry_run=False))
        return
    planned = ask(dry_run=True)
    if as_json:
        output.say_json(planned)
        return
    if not planned["removed"]:
        output.say(f"Nothing to remove: no record is too old, and {_size(planned['size_before'])} are not too much.")
        return
    _say_plan(planned)
    if dry_run:
        return
    common.must_be_confirmed("Remove them? This cannot be undone.", yes=yes)
    done = ask(dry_run=False)
    output.say(f"Removed {_records(done['removed'])}; {_size(done['size_after'])} are in use now.")


def _check(keep: str | None, max_size: str | None) -> None:
    try:
        if keep is not None:
            units.duration(keep)
        if max_size is not None:
            units.size(max_size)
    except ValueError as error:
        raise UsageError(f"Nothing was removed: {error}.") from None


def _say_plan(planned: dict[str, Any]) -> None:
    now = time.time()
    since, until = (output.local_time(planned[name], now) for name in ("since", "until"))
    output.say(f"{planned['removed']:,} of {_records(planned['records'])} would go: those from {since} to {until}.")
    if planned["left"]:
        output.say(f"{_records(planned['left'])} of that time or before stay as evidence.")
    output.say(f"Of {_size(planned['size_before'])} about {_size(planned['size_after'])} would stay in use.")


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count:,} records"


def _size(size: int) -> str:
    return f"{size / (1 << 20):,.1f} MiB"
