"""``assent log verify`` and ``log heads``: whether the record is still the one that was written."""

from typing import Any

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
    Where several hubs share a database, each has a chain of its own, and all are checked.

    What `assent log prune` removed is no break: a checkpoint in the chain says what went and vouches for what is left.
    A kept head whose record went with it can no longer be checked; that, too, exits with 1. Keep a newer one.

    \b
    Example:
      assent log verify --against "$(cat ~/kept-head)"
    """
    checked = Client(locations.find()).verify(against)
    others: list[dict[str, Any]] = checked.get("others", [])
    is_broken = any(chain["broken"] or chain.get("unchecked") for chain in (checked, *others))
    if as_json:
        output.say_json(checked)
    else:
        _say_chain(checked, "The chain")
        for other in others:
            _say_chain(other, f"The chain of hub {other['head']['hub']}")
        if not is_broken and not any(chain["against"] for chain in (checked, *others)):
            output.say("Checked against no head kept elsewhere: records cut off the end would not show.")
    return BROKEN if is_broken else 0


def _say_chain(checked: dict[str, Any], name: str) -> None:
    broken, head = checked["broken"], checked["head"]
    if broken:
        output.say(f"{output.styled(f'{name} is broken', 'bad')} at record {broken['seq']}: {broken['why']}.")
        return
    through, left = checked.get("pruned_through", 0), checked.get("left", 0)
    output.say(f"{head['seq'] - through + left} records hold, up to {written(head)}")
    if through:
        rest = f", but for {left} that are left and hold" if left else ""
        output.say(f"Those up to {through} were removed on purpose{rest}.")
    if checked.get("unchecked"):
        cannot = output.styled("The head that was kept cannot be checked", "warn")
        output.say(f"{cannot}: {checked['unchecked']}.")
    elif checked["against"]:
        output.say(f"The head that was kept is among them: {written(checked['against'])}")


@click.command("heads", short_help="Print where the chain ends, to keep elsewhere.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def heads(as_json: bool) -> None:
    """Print where the chain ends now, as HUB:SEQ:HASH: keep it out of reach of those who could change the record.

    Where several hubs share a database, one line for each, this hub's first.

    \b
    Example:
      assent log heads | ssh elsewhere 'cat >> heads'
    """
    for head in Client(locations.find()).heads():
        output.say_json(head) if as_json else output.say(written(head))


def written(head: dict[str, object]) -> str:
    return f"{head['hub']}:{head['seq']}:{head['hash']}"
