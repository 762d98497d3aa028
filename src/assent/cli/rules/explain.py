"""``assent rules explain``: which rules speak about a command, and which do not, and why."""

import shutil
from collections.abc import Iterator

import click

from assent import paths as locations
from assent.cli import output, try_
from assent.learn import in_force
from assent.learn.in_force import Explained, Listed, Match, Outcome
from assent.learn.trial import Trials

NARROWEST, WIDEST = 40, 120
LONGEST = 300
STYLES = {"allow": "good", "ask": "warn", "deny": "bad"}
OUTCOMES: dict[Outcome, str] = {
    "speaks": "It speaks about",
    "partly": "It is silent: it allows only a part,",
    "not_now": "It is silent: its conditions do not hold, though it names",
}


@click.command("explain", short_help="Show what each rule makes of a command.")
@click.argument("line", metavar="COMMAND", nargs=-1)
@click.option("--cwd", default="", metavar="DIR", help="Where it would run.  [default: here]")
@click.option("--mode", type=click.Choice(try_.MODES), default=try_.MODES[0], show_default=True)
@click.option("--tool", default="Bash", show_default=True, metavar="NAME", help="The tool it would go through.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(line: tuple[str, ...], cwd: str, mode: str, tool: str, as_json: bool) -> None:
    """Show which rules name which part of COMMAND, what an allow leaves uncovered, and who decides in the end.

    A rule that asks or denies speaks if any part of the line is what it names. A rule that allows speaks only if it
    covers every part.

    \b
    Examples:
      assent rules explain 'git status && git push'
      assent rules explain --tool Edit src/main.py
    """
    found = in_force.explained(Trials(locations.find()), try_.question(line, cwd, mode, tool))
    if as_json:
        output.say_json(found)
        return
    width = min(max(shutil.get_terminal_size((80, 24)).columns, NARROWEST), WIDEST)
    for text in page(found, width):
        output.say(text)


def page(found: Explained, width: int) -> Iterator[str]:
    telling = [(rule, match) for rule, match in found.rules if match.outcome != "no"]
    for rule, match in telling:
        yield from _rule(rule, match, width)
    silent = len(found.rules) - len(telling)
    if silent:
        other = "other " if telling else ""
        yield f"{silent} {other}{'rule is' if silent == 1 else 'rules are'} about something else."
    elif not telling:
        yield "No rules hold here."
    yield ""
    word, style = try_.DECISIONS.get(found.trial.decision, try_.NO_OPINION)
    yield f"Decision  {output.styled(word, style)}, {try_.who(found.trial.by)}"


def _rule(rule: Listed, match: Match, width: int) -> Iterator[str]:
    named = output.said_by_agent(", ".join(rule.match), LONGEST)
    whose = try_.who(f"rule:{rule.level}#{rule.number}", heard=True)
    word = output.styled(f"{rule.decision:5}", STYLES[rule.decision])
    yield f"{word} {output.styled(named, 'strong')}  {output.styled(whose, 'faint')}"
    fits, misses = _parts(match.fits), _parts(match.misses)
    told = f"{OUTCOMES[match.outcome]} {fits or 'this call'}." + (f" It does not cover {misses}." if misses else "")
    if match.outcome == "not_now" and rule.when:
        told += f" It holds when {rule.when}."
    if rule.unheard:
        told = f"It is not heard: {rule.unheard}"
    for line in try_.wrapped(told, width - 6):
        yield f"      {line}"


def _parts(parts: tuple[str, ...]) -> str:
    return ", ".join(output.said_by_agent(part, 100) for part in parts)
