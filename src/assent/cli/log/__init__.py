"""``assent log``: what happened, one line a record, and what can be asked about the record as a whole."""

import csv
import io
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import click
import msgspec
from click.shell_completion import CompletionItem

from assent import filter as filters
from assent import paths as locations
from assent.cli import completing, output
from assent.cli.log import check, prune, show
from assent.client import LARGEST_PAGE, ApiError, Client
from assent.errors import HubUnreachableError, UsageError
from assent.filter import Filter
from assent.protocol import context, usage
from assent.protocol.record import Record

# Between two looks for a hub that went away.
RETRY = 0.5
TOO_FAR_BEHIND = "too-far-behind"
COLUMNS = ("seq", "at", "kind", "session", "agent", "call", "ask", "risk", "decision", "by", "line")

WORDS = "assent.log.words"
WIDEST_MACHINE = 24

Say = Callable[[dict[str, Any]], None]


class _Log(click.Group):
    """A group whose first word is one of its commands or the first word of a filter.

    Filters negate with a dash, so click must not see them: only what can be nothing else is an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] in self.commands:
            return super().parse_args(ctx, args)
        options, words = split(args)
        ctx.meta[WORDS] = words
        return super().parse_args(ctx, options)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        items = super().shell_complete(ctx, incomplete)
        return items + (completing.filter_terms(incomplete) if not incomplete.startswith("--") else [])


def split(args: list[str]) -> tuple[list[str], list[str]]:
    """Options, and the words of a filter."""
    options: list[str] = []
    words: list[str] = []
    waiting = list(args)
    while waiting:
        arg = waiting.pop(0)
        if arg == "--":
            return options, words + waiting
        if arg in ("-n", "-fn", "--hub"):
            options += [arg, *waiting[:1]]
            del waiting[:1]
        elif arg.startswith("--") or arg in ("-f", "-h") or (arg.startswith("-n") and arg[2:].isdigit()):
            options.append(arg)
        else:
            words.append(arg)
    return options, words


@click.group("log", cls=_Log, invoke_without_command=True, subcommand_metavar="[FILTER]... | COMMAND [ARGS]...")
@click.option("--follow", "-f", is_flag=True, help="Go on with what happens next; Ctrl-C ends it.")
@click.option("-n", "count", type=click.IntRange(min=0), default=50, show_default=True, help="How many to begin with.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values under a row of names.")
@click.option("--hub", metavar="ID", help="Another hub's records, where several share a database: see `log heads`.")
@click.option("--all", "of_all", is_flag=True, help="All hubs' records, where several share a database, by time.")
@click.pass_context
def command(
    ctx: click.Context, follow: bool, count: int, as_json: bool, as_csv: bool, hub: str | None, of_all: bool
) -> None:
    """Show the latest records, oldest first: number, local time, the session's first letters, what happened.

    A filter narrows them down: all of its terms must hold, a dash before a term negates it, and words that are no
    key:value are looked for in commands, prompts, paths and reasons. Keys: session project agent harness event tool
    risk decision by rule ask call since until. To look for the name of a command below, put it after --.

    \b
    Examples:
      assent log -n 200
      assent log --follow decision:deny
      assent log tool:Bash,Write 'risk:>=care' since:2h -by:person
      assent log '"git push"' project:webshop --csv > pushes.csv
      assent log --all decision:deny since:1d
      assent log show 1742
    """
    if ctx.invoked_subcommand:
        return
    if as_json and as_csv:
        raise UsageError("Nothing was printed: --json and --csv exclude each other.")
    if follow and (hub or of_all):
        option = "--hub" if hub else "--all"
        raise UsageError(f"Nothing was printed: --follow goes on with this hub's own records, so it takes no {option}.")
    if hub and of_all:
        raise UsageError("Nothing was printed: --hub and --all exclude each other.")
    text = " ".join(ctx.meta[WORDS])
    wanted = filters.parse(text, now=time.time())
    client = Client(locations.find())
    if of_all:
        _say_all(client, count, text, _say_json if as_json else _say_csv_of_all if as_csv else None)
        return
    say = _say_json if as_json else _say_csv if as_csv else _say
    # Asked first: what is written while the records are fetched is not lost between them and what follows.
    head: int = client.status()["journal"]["seq"] if follow else 0
    records = latest(client, count, text, hub)
    if as_csv:
        _say_row(COLUMNS)
    for record in records:
        say(record)
    if not records and count and say is _say:
        output.complain("No record matches the filter." if text else "Nothing is on record yet.")
    if follow:
        _follow(client, max([head, *(record["seq"] for record in records)]), wanted, say)


command.add_command(show.command)
command.add_command(check.verify)
command.add_command(check.heads)
command.add_command(prune.backup_command)
command.add_command(prune.command)


def latest(client: Client, count: int, text: str = "", hub: str | None = None) -> list[dict[str, Any]]:
    """The newest records that the filter wants, fetched page by page."""
    records: list[dict[str, Any]] = []
    before: int | None = None
    while len(records) < count:
        limit = min(count - len(records), LARGEST_PAGE)
        page, unseen_before = client.search(text, limit=limit, before=before, hub=hub)
        records = page + records
        if len(page) < limit and unseen_before is None:
            break
        before = unseen_before or page[0]["seq"]
    return records


def latest_of_all(client: Client, count: int, text: str = "") -> list[dict[str, Any]]:
    """The newest records of all hubs that the filter wants, oldest first."""
    records: list[dict[str, Any]] = []
    before = ""
    while len(records) < count:
        page, before = client.search_all(text, limit=min(count - len(records), LARGEST_PAGE), before=before)
        records = page + records
        if not before:
            break
    return records


def _say_all(client: Client, count: int, text: str, say: Say | None) -> None:
    records = latest_of_all(client, count, text)
    if say is _say_csv_of_all:
        _say_row(("hub", "machine", *COLUMNS))
    if not records and count and say is None:
        output.complain("No record matches the filter." if text else "Nothing is on record yet.")
    names = _names(records)
    width = max(map(len, names.values()), default=0)
    for record in records:
        if say is None:
            _say(record, f"{names[record['hub']]:<{width}} ")
        else:
            say(record)


def _names(records: list[dict[str, Any]]) -> dict[str, str]:
    """What each hub is called here: its machine, with the hub's own name where several are called so."""
    machines = {record["hub"]: output.said_by_agent(record["machine"], WIDEST_MACHINE) for record in records}
    often = Counter(machines.values())
    return {
        hub: f"{machine} {hub}" if machine and often[machine] > 1 else machine or hub
        for hub, machine in machines.items()
    }


def _follow(client: Client, seen: int, wanted: Filter, say: Say) -> None:
    is_away = False
    while True:
        try:
            for record in client.stream(seen):
                seen = record["seq"]
                is_away = False
                if wanted.matches(msgspec.convert(record, Record)):
                    say(record)
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


def _say_json(record: dict[str, Any]) -> None:
    output.say_json(record)


def _say_csv(record: dict[str, Any]) -> None:
    _say_row([_cell(record.get(column, "")) for column in COLUMNS])


def _say_csv_of_all(record: dict[str, Any]) -> None:
    _say_row([_cell(record.get(column, "")) for column in ("hub", "machine", *COLUMNS)])


def _say_row(cells: "list[str] | tuple[str, ...]") -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    output.say(text.getvalue())


def _cell(value: object) -> str:
    text = output.said_by_agent(str(value), 1_000)
    # A spreadsheet would run it: what an agent wrote is text.
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _is_empty(record: dict[str, Any]) -> bool:
    """A usage without cost and tokens: working time alone is nothing to tell. Or how full a context was then."""
    if record["kind"] != "hub":
        return False
    told = msgspec.convert(record, Record)
    used = usage.read(told)
    return context.read(told) is not None or (used is not None and not used.cost_usd and not used.tokens)


def _say(record: dict[str, Any], whose: str = "") -> None:
    session = output.said_by_agent(record.get("session", "")[:8]) or "-"
    line: str = record["line"]
    if _is_empty(record):
        return
    style = output.decision_style(record.get("decision", ""))
    when = output.local_time(record["at"], time.time())
    output.say(f"{whose}{record['seq']:>6}  {when}  {session:<8}  {output.styled(line, style) if style else line}")
