"""``assent rules test``: whether rules say what their authors expect of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from assent import paths as locations
from assent.cli import output
from assent.cli.rules.check import complain_about, named
from assent.config import ConfigError
from assent.learn import trusting
from assent.learn.trusting import ApprovalTest, Outcome
from assent.protocol.rule_words import SHELL

REFUSED = 1
LONGEST = 80
STYLES = {"allow": "good", "ask": "warn", "deny": "bad", "none": "faint", "needed": "warn", "not_needed": "faint"}


@click.command("test", short_help="Run the tests that stand beside rules.")
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a test.")
def command(files: tuple[Path, ...], as_json: bool) -> int:
    """Run every [[rule.test]] and [[approval.test]] of your rules and of those of the project around this folder, or
    of each FILE.

    A test names a command, or a tool with its input, and what the rules of its file say about it: allow, ask, deny or
    none; of an approval needed or not_needed. Conditions on the moment, such as branch and mode, count as met. The
    exit code is 1 if a test fails.

    \b
    Examples:
      assent rules test
      assent rules test .assent/rules.toml
    """
    code, rows = 0, 0
    for file in named(files, locations.find()):
        try:
            outcomes = list(trusting.run(file))
        except ConfigError as error:
            code = REFUSED
            complain_about(file, error, as_json=as_json)
            continue
        rows += len(outcomes)
        if any(not outcome.is_good for outcome in outcomes):
            code = REFUSED
        if as_json:
            for outcome in outcomes:
                output.say_json(_data(file, outcome))
        elif outcomes:
            for line in page(file, outcomes):
                output.say(line)
    if not rows and not code and not as_json:
        output.say("No rule here has a test. docs/policy.md shows how to write one.")
    return code


def page(file: Path, outcomes: Sequence[Outcome]) -> Iterator[str]:
    failed = sum(not outcome.is_good for outcome in outcomes)
    tests = "1 test" if len(outcomes) == 1 else f"{len(outcomes)} tests"
    summary = output.styled(f"{failed} failed", "bad") if failed else output.styled("all good", "good")
    yield f"{output.styled(str(file), 'strong')}: {tests}, {summary}"
    for outcome in outcomes:
        word = output.styled("good  ", "good") if outcome.is_good else output.styled("failed", "bad")
        decision = output.styled(f"{outcome.said:5}", STYLES[outcome.said])
        kind = "approval" if isinstance(outcome.test, ApprovalTest) else "rule"
        yield f"  {word}  {kind} {outcome.rule.number:<3} {decision}  {_what(outcome)}"
        if not outcome.is_good:
            by = f" by rule {outcome.by.rpartition('#')[2]}" if outcome.by else ""
            yield f"          expected {outcome.test.expect}, got {outcome.said}{by}"


def _what(outcome: Outcome) -> str:
    given = outcome.test.input
    first_text = next((value for value in given.values() if isinstance(value, str)), "")
    tool = "" if outcome.test.tool == SHELL else f"{outcome.test.tool} "
    return output.said_by_agent(f"{tool}{first_text}", LONGEST)


def _data(file: Path, outcome: Outcome) -> dict[str, Any]:
    return {
        "file": str(file),
        "approval" if isinstance(outcome.test, ApprovalTest) else "rule": outcome.rule.number,
        "tool": outcome.test.tool,
        "input": outcome.test.input,
        "expect": outcome.test.expect,
        "said": outcome.said,
        "by": outcome.by,
        "good": outcome.is_good,
    }
