"""``assent log``: what happened, one line a record."""

import time
from typing import Any

import click

from assent import paths as locations
from assent.cli import output
from assent.client import LARGEST_PAGE, ApiError, Client
from assent.errors import HubUnreachableError

# Between two looks for a hub that went away.
RETRY = 0.5
TOO_FAR_BEHIND = "too-far-behind"
DECISION_STYLES = {"deny": "bad", "block": "bad", "halt": "bad", "prompt": "warn", "allow": "good"}


@click.command("log")
@click.option("--follow", "-f", is_flag=True, help="Go on with what happens next; Ctrl-C ends it.")
@click.option("-n", "count", type=click.IntRange(min=0), default=50, show_default=True, help="How many to begin with.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def command(follow: bool, count: int, as_json: bool) -> None:
    """Show the latest records, oldest first: local time, the session's first letters, what happened.

    \b
    Examples:
      assent log -n 200
      assent log --follow
      assent log --json | jq 'select(.decision == "deny")'
    """
    client = Client(locations.find())
    records = latest(client, count)
    for record in records:
        _say(record, as_json=as_json)
    if follow:
        seen = records[-1]["seq"] if records else client.status()["journal"]["seq"]
        _follow(client, seen, as_json=as_json)


def latest(client: Client, count: int) -> list[dict[str, Any]]:
    """The newest records, fetched page by page."""
    records: list[dict[str, Any]] = []
    while len(records) < count:
        wanted = min(count - len(records), LARGEST_PAGE)
        page = client.log(wanted, before=records[0]["seq"] if records else None)
        if not page:
            break
        records = page + records
    return records


def _follow(client: Client, seen: int, *, as_json: bool) -> None:
    is_away = False
    while True:
        try:
            for record in client.stream(seen):
                seen = record["seq"]
                is_away = False
                _say(record, as_json=as_json)
        except HubUnreachableError:
            if not is_away:
                output.complain("The hub stopped; waiting for the next one.")
            is_away = True
        except ApiError as error:
            if error.code != TOO_FAR_BEHIND:
                raise
            head: int = client.status()["journal"]["seq"]
            output.complain(f"{head - seen} records were written meanwhile and are left out here.")
            seen = head
        time.sleep(RETRY)


def _say(record: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        output.say_json(record)
        return
    session = output.said_by_agent(record.get("session", "")[:8]) or "-"
    line: str = record["line"]
    style = DECISION_STYLES.get(record.get("decision", ""))
    when = output.local_time(record["at"], time.time())
    output.say(f"{when}  {session:<8}  {output.styled(line, style) if style else line}")
