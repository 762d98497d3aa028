"""``assent log show``: the story of one call, as a person wants to read it."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import click

from assent import paths as locations
from assent.cli import output
from assent.client import Client
from assent.protocol.record import client_of
from assent.text.who import decider

LONGEST_VALUE = 2_000
# What of a payload says what was wanted and what came of it.
WANTED = ("tool_input", "prompt", "message")
# Contents are recorded as these two alone.
WITHHELD = {"size", "fingerprint"}
CAME_OF_IT = ("error", "tool_response", "reason")

# What of the records the hub writes itself is worth a line of its own.
DETAILS: dict[str, tuple[str, ...]] = {
    "ask": ("deadline",),
    "answer": ("message", "grants"),
    "refused": ("why",),
    "outcome": ("why",),
    "rules": ("file", "added", "removed", "trouble"),
    "config": ("file", "changed", "trouble"),
    "checkpoint": ("why", "through", "removed", "kept", "until", "hash", "digest"),
}
MOMENTS = {"deadline": "waits until", "until": "newest removed"}


@click.command("show", short_help="Show the whole story of one call.")
@click.argument("id")
@click.option("--hub", metavar="ID", help="The hub whose record has that number; without it, this one.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a record.")
def command(id: str, hub: str | None, as_json: bool) -> None:  # noqa: A002 - what people read in the help
    """Show the whole story of one call: what was wanted, who decided what and why, what happened.

    ID is the number of any of its records, its id, or the beginning of that.

    \b
    Examples:
      assent log show 1742
      assent log show c5d1e
    """
    records = Client(locations.find()).story(id, hub)
    for line in records if as_json else story(records):
        output.say_json(line) if as_json else output.say(str(line))


def story(records: list[dict[str, Any]]) -> Iterator[str]:
    first = records[0]
    facts = list(_facts(first))
    yield from facts
    start: int = first["at"]
    shown: set[str] = set()
    for record in records:
        if facts or record is not first:
            yield ""
        after = f"+{(record['at'] - start) / 1000:.3f} s" if record is not first else _moment(start)
        place = f"#{record['seq']}, {after}"
        yield f"{output.styled(record['line'], _style(record))}  {output.styled(place, 'faint')}"
        lines = list(_inside(record))
        if record["kind"] == "event":
            # The input is the same at every step of a call: what was told is not told again.
            lines = [line for line in lines if line not in shown]
            shown.update(lines)
        yield from (f"    {line}" for line in lines)


def _facts(first: dict[str, Any]) -> Iterator[str]:
    body = first["body"]
    facts = {
        "call": first.get("call", ""),
        "session": first.get("session", ""),
        "agent": first.get("agent", ""),
        "project": client_of(body).project,
        "harness": body.get("harness", ""),
    }
    for name, value in facts.items():
        if value:
            yield f"{name:<8}  {_shown(value)}"


def _inside(record: dict[str, Any]) -> Iterator[str]:
    body = record["body"]
    if record["kind"] in DETAILS:
        for name in DETAILS[record["kind"]]:
            yield from _details(name, body.get(name))
        return
    if record["kind"] == "decision":
        if risk := record.get("risk"):
            yield f"risk: {risk}"
        for line in body.get("trace", ()):
            evidence = f" ({_shown(line['evidence'])})" if line.get("evidence") else ""
            who = decider(str(line.get("by", "?")))
            yield f"{who} said {_word(line.get('says', '?'))}: {_shown(line.get('why', ''))}{evidence}"
        for dropped in body.get("dropped", ()):
            yield f"not told: {_shown(dropped)}"
        return
    payload = body.get("payload")
    if not isinstance(payload, dict):
        return
    names = CAME_OF_IT if str(body.get("event", "")).startswith("PostTool") else WANTED
    for name in names:
        yield from _values(name, payload.get(name))


def _details(name: str, value: Any) -> Iterator[str]:
    """A list, or settings with their values before and after, one a line; anything else as it is."""
    if isinstance(value, dict):
        for key, pair in value.items():
            before, after = pair if isinstance(pair, list) and len(pair) == 2 else ("?", "?")
            yield f"{_shown(key)}: {_shown(before) or 'unset'} → {_shown(after) or 'unset'}"
    elif isinstance(value, list):
        yield from (f"{name}: {_shown(item)}" for item in value)
    elif name in MOMENTS and isinstance(value, int):
        yield f"{MOMENTS[name]}: {_moment(value)}"
    elif value not in (None, ""):
        yield f"{name.replace('_', ' ')}: {_shown(value)}"


def _values(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict) and value.keys() == WITHHELD and isinstance(value["size"], int):
        yield f"{_shown(name)}: {value['size']:,} bytes, not kept (fingerprint {_shown(value['fingerprint'])})"
    elif isinstance(value, dict):
        for inner, each in value.items():
            yield from _values(str(inner), each)
    elif value not in (None, "", [], False):
        yield f"{_shown(name)}: {_shown(value)}"


def _shown(value: object) -> str:
    return output.said_by_agent(str(value), LONGEST_VALUE)


def _word(word: object) -> str:
    return _shown(word).replace("_", " ")


def _style(record: dict[str, Any]) -> str:
    return output.decision_style(record.get("decision", "")) or "strong"


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at / 1000).strftime("%Y-%m-%d %H:%M:%S")
