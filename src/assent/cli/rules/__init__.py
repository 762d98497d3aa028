"""``assent rules``: which rules hold here, whether they can be read, and what they make of a command."""

import shutil
from collections.abc import Iterator, Sequence
from itertools import groupby

import click

from assent import paths as locations
from assent.cli import output, try_
from assent.cli.rules import check, explain, test
from assent.learn import in_force
from assent.learn.in_force import Listed, ListedApproval
from assent.learn.replayer import Trials
from assent.text import who

STYLES = {"allow": "good", "ask": "warn", "deny": "bad"}
OWNERS = {"user": "Yours", "project": "The project's"}
APPROVALS = {"user": "Your approvals", "project": "The project's approvals"}
NARROWEST, WIDEST = 40, 120
LONGEST = 500
INDENT = 12


@click.group("rules", no_args_is_help=True)
def command() -> None:
    """Show the rules that hold here, check and test them, and explain what they make of a command.

    Rules stand in your rules.toml and in a project's .assent/rules.toml; docs/configuration.md tells how to write
    them. `assent try` shows what is decided in the end.

    \b
    Examples:
      assent rules list
      assent rules test
      assent rules explain 'git status && git push'
    """


@command.command("list", short_help="Show the rules that hold in a folder.")
@click.option("--cwd", default="", metavar="DIR", help="The folder.  [default: here]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a rule.")
def list_(cwd: str, as_json: bool) -> None:
    """Show every rule that holds in a folder, whose it is, and those that are not heard, with the reason.

    \b
    Examples:
      assent rules list
      assent rules list --cwd ~/src/webshop --json
    """
    trials = Trials(locations.find())
    rules, approvals = in_force.listed(trials, cwd), in_force.approvals(trials, cwd)
    if as_json:
        for listed in (*rules, *approvals):
            output.say_json(listed)
        return
    width = min(max(shutil.get_terminal_size((80, 24)).columns, NARROWEST), WIDEST)
    for line in page(rules, width) if rules or not approvals else ():
        output.say(line)
    for line in _approvals(approvals, width):
        output.say(line)
    for trouble in trials.court.troubles:
        output.complain(f"{output.styled('not heard:', 'warn')} {trouble}")


command.add_command(check.command)
command.add_command(test.command)
command.add_command(explain.command)


def page(listed: Sequence[Listed], width: int) -> Iterator[str]:
    if not listed:
        yield "No rules hold here: floor and stance decide. docs/configuration.md tells how to write some."
        return
    for place, ((level, file), rules) in enumerate(groupby(listed, key=lambda rule: (rule.level, rule.file))):
        if place:
            yield ""
        owner = OWNERS.get(level) or f"The agent's own {level.removeprefix('agent.')} settings"
        yield output.styled(f"{owner}, {output.said_by_agent(who.at_home(file), LONGEST)}", "strong")
        for rule in rules:
            yield from _rule(rule, width)


def _rule(rule: Listed, width: int) -> Iterator[str]:
    when = f"  when {rule.when}" if rule.when else ""
    named = try_.wrapped(output.said_by_agent(", ".join(rule.match) + when, LONGEST), width - INDENT)
    word = output.styled(f"{rule.decision:5}", "faint" if rule.unheard else STYLES[rule.decision])
    yield f"  {rule.number:>2}  {word} {named[0]}"
    yield from (f"{'':{INDENT}}{line}" for line in named[1:])
    notes = [(rule.reason, "faint"), (f"Not heard: {rule.unheard}" if rule.unheard else "", "warn")]
    for text, style in notes:
        for line in try_.wrapped(output.said_by_agent(text, LONGEST), width - INDENT) if text else ():
            yield f"{'':{INDENT}}{output.styled(line, style)}"


def _approvals(listed: Sequence[ListedApproval], width: int) -> Iterator[str]:
    for (level, file), rules in groupby(listed, key=lambda rule: (rule.level, rule.file)):
        yield output.styled(f"{APPROVALS[level]}, {output.said_by_agent(who.at_home(file), LONGEST)}", "strong")
        for rule in rules:
            text = f"{rule.match}  needs {rule.needs}"
            named = try_.wrapped(output.said_by_agent(text, LONGEST), width - INDENT)
            yield f"  {rule.number:>2}  {output.styled('needs', 'warn')} {named[0]}"
            rest = [*named[1:], *(try_.wrapped(rule.reason, width - INDENT) if rule.reason else ())]
            yield from (f"{'':{INDENT}}{output.styled(output.said_by_agent(line, LONGEST), 'faint')}" for line in rest)
