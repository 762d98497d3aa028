"""``assent rules check``: whether rules can be read, and where not."""

from collections.abc import Sequence
from pathlib import Path

import click

from assent import paths as locations
from assent.cli import output
from assent.config import ConfigError
from assent.errors import NotFoundError
from assent.learn import trusting
from assent.paths import Paths

REFUSED = 1
LONGEST = 300


@click.command("check", short_help="Check that rules can be read.")
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a file.")
def command(files: tuple[Path, ...], as_json: bool) -> int:
    """Check rules files: yours and that of the project around this folder, or each FILE.

    A mistake is shown with its line and a caret under it; the exit code is then 1. Nothing is changed: while a file has
    a mistake in it, the hub goes on with the last good version.

    \b
    Examples:
      assent rules check
      assent rules check .assent/rules.toml new-rules.toml
    """
    code = 0
    paths = named(files, locations.find())
    for file in paths:
        try:
            rules, approvals = trusting.check(file), trusting.approvals(file)
        except ConfigError as error:
            code = REFUSED
            complain_about(file, error, as_json=as_json)
            continue
        tests = trusting.tests((*rules, *approvals))
        if as_json:
            output.say_json({"file": str(file), "rules": len(rules), "approvals": len(approvals), "tests": tests})
        else:
            counted = [_count(len(rules), "rule"), _count(len(approvals), "approval"), _count(tests, "test")]
            named_ones = ", ".join(each for each in counted if approvals or "approval" not in each)
            output.say(f"{output.styled('good', 'good')}  {file}: {named_ones}")
            for rule in approvals:
                output.say(f"      approval {rule.number}: {output.said_by_agent(rule.in_words(), LONGEST)}")
                if why := trusting.too_long(rule):
                    output.complain(f"{output.styled('note', 'warn')}  {why}")
    if not paths and not as_json:
        output.say("There is no rules file here, so there is nothing to check.")
    return code


def named(files: Sequence[Path], paths: Paths) -> Sequence[Path]:
    """Those that were named, else those that hold in this folder."""
    for file in files:
        if not file.exists():
            raise NotFoundError(f"Nothing was checked: there is no file {file}.")
    return files or trusting.here(paths)


def complain_about(file: Path, error: ConfigError, *, as_json: bool) -> None:
    if as_json:
        output.say_json({"file": str(file), "line": error.line, "column": error.column, "error": error.message})
    else:
        output.complain(f"{output.styled('wrong', 'bad')} {error}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
