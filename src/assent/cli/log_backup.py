"""``assent log backup``: a copy of the journal while the hub goes on."""

from pathlib import Path
from typing import Any

import click

from assent import paths as locations
from assent.cli import output
from assent.cli.log_check import BROKEN, written
from assent.cli.progress import Progress
from assent.client import Client


@click.command("backup", short_help="Copy the journal while the hub goes on.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(file: Path | None, as_json: bool) -> int:
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
