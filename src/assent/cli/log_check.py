"""``assent log verify`` and ``log heads``: whether the record is still the one that was written."""

import click

from assent import paths as locations
from assent.cli import output
from assent.client import Client

BROKEN = 1


@click.command("verify", short_help="Check the chain of records.")
@click.option(
    "--against", metavar="HUB:SEQ:HASH", help="A head that was kept elsewhere; it must still be in the chain."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(against: str | None, as_json: bool) -> int:
    """Check the chain of records; exit with 1 and name the first break if it does not hold.

    Each record carries the hash of the one before it, so a changed, lost or moved record shows. Records cut off the
    end, or a chain made anew as a whole, show only against a head that was kept elsewhere: see `assent log heads`.

    \b
    Example:
      assent log verify --against "$(cat ~/kept-head)"
    """
    checked = Client(locations.find()).verify(against)
    broken, head = checked["broken"], checked["head"]
    if as_json:
        output.say_json(checked)
    elif broken:
        output.say(f"{output.styled('The chain is broken', 'bad')} at record {broken['seq']}: {broken['why']}.")
    else:
        output.say(f"{head['seq']} records hold, up to {_written(head)}")
        if checked["against"]:
            output.say(f"The head that was kept is among them: {_written(checked['against'])}")
        else:
            output.say("Checked against no head kept elsewhere: records cut off the end would not show.")
    return BROKEN if broken else 0


@click.command("heads", short_help="Print where the chain ends, to keep elsewhere.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def heads(as_json: bool) -> None:
    """Print where the chain ends now, as HUB:SEQ:HASH: keep it where nobody who could change the record can.

    \b
    Example:
      assent log heads | ssh elsewhere 'cat >> heads'
    """
    for head in Client(locations.find()).heads():
        output.say_json(head) if as_json else output.say(_written(head))


def _written(head: dict[str, object]) -> str:
    return f"{head['hub']}:{head['seq']}:{head['hash']}"
