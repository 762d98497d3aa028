"""``assent replay``: what a rules file would have decided about the calls on record."""

import time
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from assent import config
from assent import paths as locations
from assent.cli import history, output
from assent.learn.recorded_call import open_history
from assent.learn.replay import Difference, Example, Replayed, replay
from assent.learn.replayer import Court

REFUSED = 1
WORDS = {"allow": "allowed", "deny": "denied", "prompt": "asked", "no_opinion": "left to the agent"}
STYLES = {"allow": "good", "deny": "bad", "prompt": "warn"}
LONGEST_WHAT = 90


@click.command("replay")
@click.argument("rules", type=click.Path(path_type=Path))
@click.option("--since", default="30d", show_default=True, help="How far back: 12h, 30d, 2026-01-31.")
@click.option("--project", help="Only calls of this project: its folder, or the folder's name.")
@click.option("--limit", type=click.IntRange(min=0), default=5, show_default=True, help="Examples of each difference.")
@click.option("--check", is_flag=True, help="Exit with 1 if something a person refused would be allowed.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(rules: Path, since: str, project: str | None, limit: int, check: bool, as_json: bool) -> int:
    """Judge the calls on record again, with the rules file RULES in place of yours, and show what would differ.

    Nothing is run and nothing is changed. Floor, stance and the projects' own rules are those of today, and so are
    branches and links on disk. A difference that the rules you have now would make as well is told apart. Calls whose
    command or path was redacted or cut cannot be judged again and are only counted.

    \b
    Examples:
      assent replay new-rules.toml
      assent replay new-rules.toml --since 7d --project webshop
      assent replay ~/.config/assent/rules.toml --check
    """
    paths = locations.find()
    settings = config.load(paths.config)
    beginning = history.since(since, time.time())
    today, other = Court(paths, settings, paths.rules), Court(paths, settings, rules, must_exist=True)
    record = open_history(paths, settings, since=beginning)
    result = replay(history.calls(record, project), today, other, examples=limit)
    if as_json:
        output.say_json({"rules": str(rules), "since": beginning, **msgspec.structs.asdict(result)})
    else:
        for line in report(result, other.rules, rules.name):
            output.say(line)
    return REFUSED if check and result.refused.count else 0


def report(result: Replayed, count: int, name: str) -> Iterator[str]:
    if result.first is None or result.last is None:
        yield "There are no tool calls on record for this time."
        return
    rules = "1 rule" if count == 1 else f"{count} rules"
    days = history.day(result.first), history.day(result.last)
    yield f"{result.calls:,} calls from {days[0]} to {days[1]}, judged with the {rules} of {name}"
    yield from _alarm(result.refused, name, "that a person refused would now be allowed", "bad")
    yield from _alarm(result.denied, name, "that were denied would now be allowed", "warn")
    yield from _alarm(result.thwarted, name, "that a person approved would now be denied", "warn")
    yield from _differences(f"Decided differently by {name}", result.changed, name)
    yield from _differences("Already different under today's rules", result.already, name)
    yield ""
    yield f"{result.same:>9,}  decided the same"
    if result.restored:
        yield f"{result.restored:>9,}  decided as recorded, though today's rules decide otherwise"
    if result.unjudged:
        why = "what decides was redacted or cut, or no decision is on record"
        yield f"{result.unjudged:>9,}  cannot be judged again: {why}"
    if result.asks_saved or result.asks_added:
        yield ""
        yield f"People would have been asked {result.asks_saved:,} times less and {result.asks_added:,} times more."


def _alarm(difference: Difference, name: str, text: str, style: str) -> Iterator[str]:
    if not difference.count:
        return
    yield ""
    calls = "1 call" if difference.count == 1 else f"{difference.count:,} calls"
    yield output.styled(f"{calls} {text}:", style)
    for example in difference.examples:
        yield from _example(example, name, with_decision=True)


def _differences(title: str, differences: tuple[Difference, ...], name: str) -> Iterator[str]:
    if not differences:
        return
    yield ""
    yield output.styled(f"{title}:", "strong")
    for difference in differences:
        change = f"{_word(difference.was)} → {_word(difference.becomes)}"
        yield f"{difference.count:>9,}  {output.styled(change, STYLES.get(difference.becomes, 'strong'))}"
        for example in difference.examples:
            yield from _example(example, name, with_decision=False)


def _example(example: Example, name: str, *, with_decision: bool) -> Iterator[str]:
    text = output.said_by_agent(f"{example.tool} {example.what}".rstrip(), LONGEST_WHAT)
    repeated = f" ({history.times(example.times)})" if example.times > 1 else ""
    yield f"           {text}{repeated}"
    where = f"{history.day(example.at)}, {history.folder(example.project)}, #{example.seq}"
    because = _voice(example.by, name)
    seen = f": {output.said_by_agent(example.evidence, 60)}" if example.evidence else ""
    was = f"; on record: {output.said_by_agent(example.refusal or _word(example.was))}" if with_decision else ""
    already = "; today's rules say so, too" if with_decision and example.already else ""
    yield output.styled(f"             {where}; by {because}{seen}{was}{already}", "faint")


def _voice(by: str, name: str) -> str:
    """``rule:user#3`` is a rule of the file that was replayed."""
    return f"rule {by.removeprefix('rule:user#')} of {name}" if by.startswith("rule:user#") else by


def _word(word: str) -> str:
    return WORDS.get(word) or output.said_by_agent(word.replace("_", " "))
