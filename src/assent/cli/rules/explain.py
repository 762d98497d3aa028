"""``assent rules explain``: which rules speak about a command, and which do not, and why."""

import shutil
from collections.abc import Iterator

import click

from assent import paths as locations
from assent.cli import output, try_
from assent.learn import in_force
from assent.learn.in_force import Explained, Listed, Outcome, RuleMatch
from assent.learn.replayer import Trials
from assent.protocol.rule_words import SHELL

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
@try_.mode_option
@click.option("--tool", default=SHELL, show_default=True, metavar="NAME", help="The tool it would go through.")
@try_.by_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(line: tuple[str, ...], cwd: str, mode: str, tool: str, harness: str, as_json: bool) -> None:
    """Show which rules name which part of COMMAND, what an allow leaves uncovered, and who decides in the end.

    A rule that asks or denies speaks if any part of the line is what it names. A rule that allows speaks only if it
    covers every part.

    \b
    Examples:
      assent rules explain 'git status && git push'
      assent rules explain --tool Edit src/main.py
    """
    explained = in_force.explained(Trials(locations.find()), try_.question(line, cwd, mode, tool, harness))
    if as_json:
        output.say_json(explained)
        return
    width = min(max(shutil.get_terminal_size((80, 24)).columns, NARROWEST), WIDEST)
    for text in page(explained, width):
        output.say(text)


def page(explained: Explained, width: int) -> Iterator[str]:
    telling = [(rule, match) for rule, match in explained.rules if match.outcome != "no"]
    for rule, match in telling:
        yield from _rule(rule, match, width)
    silent = len(explained.rules) - len(telling)
    if silent:
        other = "other " if telling else ""
        yield f"{silent} {other}{'rule is' if silent == 1 else 'rules are'} about something else."
    elif not telling:
        yield "No rules hold here."
    yield ""
    trial = explained.trial
    if trial.risk:
        yield from try_.risk(trial, width)
    word, style = try_.decision_words(trial.decision)
    yield f"Decision  {output.styled(word, style)}, {try_.who(trial.by)}"
    yield from try_.approval(trial, width)


def _rule(rule: Listed, match: RuleMatch, width: int) -> Iterator[str]:
    named = output.said_by_agent(", ".join(rule.match), LONGEST)
    whose = try_.who(f"rule:{rule.level}#{rule.number}", heard=True)
    word = output.styled(f"{rule.decision:5}", STYLES[rule.decision])
    yield f"{word} {output.styled(named, 'strong')}  {output.styled(whose, 'faint')}"
    fits, misses = _parts(match.fits), _parts(match.misses)
    text = f"{OUTCOMES[match.outcome]} {fits or 'this call'}." + (f" It does not cover {misses}." if misses else "")
    if match.outcome == "not_now" and rule.when:
        text += f" It holds when {rule.when}."
    if rule.unheard:
        text = f"It is not heard: {rule.unheard}"
    for line in try_.wrapped(text, width - 6):
        yield f"      {line}"


def _parts(parts: tuple[str, ...]) -> str:
    return ", ".join(output.said_by_agent(part, 100) for part in parts)
