"""``assent try``: what would be decided about a command, and why. Nothing is run, and no hub is needed."""

import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import click
import msgspec

from assent import paths as locations
from assent.cli import output, try_batch
from assent.errors import UsageError
from assent.learn.trial import Trials
from assent.protocol.trial import Question, Step, Trial

MODES = ("default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions")
RISKS = {"look": "good", "change": "place", "care": "warn", "danger": "bad"}
DECISIONS = {"allow": ("allow", "good"), "ask": ("ask", "warn"), "deny": ("deny", "bad")}
NO_OPINION = ("no opinion", "strong")
# Which field of a tool's input a plain argument is.
FIELDS = {
    "Bash": "command",
    "Monitor": "command",
    "Read": "file_path",
    "Edit": "file_path",
    "Write": "file_path",
    "MultiEdit": "file_path",
    "NotebookEdit": "notebook_path",
    "Grep": "path",
    "Glob": "path",
    "WebFetch": "url",
    "WebSearch": "query",
}
WHOSE = {"user": "your", "project": "the project's"}
NARROWEST, WIDEST = 40, 110
LONGEST = 400
LABEL = 10


@click.command("try")
@click.argument("line", metavar="COMMAND", nargs=-1)
@click.option("--cwd", default="", metavar="DIR", help="Where it would run.  [default: here]")
@click.option(
    "--mode", type=click.Choice(MODES), default=MODES[0], show_default=True, help="The agent's permission mode."
)
@click.option("--tool", default="Bash", show_default=True, metavar="NAME", help="The tool it would go through.")
@click.option("--batch", is_flag=True, help="Judge JSON Lines from the standard input.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(line: tuple[str, ...], cwd: str, mode: str, tool: str, batch: bool, as_json: bool) -> int:
    """Show what would be decided about COMMAND, and why: every command in the line, what each would do, the risk,
    and who decides. Nothing is run, and no hub is needed.

    Your settings, your rules and those of the project around DIR count, as they do in earnest. COMMAND is one
    argument in quotes; - reads it from the standard input. With --tool it is the tool's file or address, or its
    whole input as a JSON object.

    --batch reads one JSON object a line, {"command", "cwd", "mode"}, the last two optional, and answers each with
    one line: {"command", "decision", "risk", "reason", "effects", "trace", "by"}. The decision is allow, ask, deny or
    no_opinion. A line that cannot be read is answered with {"error"}, and the exit code is then 1.

    \b
    Examples:
      assent try 'git push -f origin main'
      assent try 'curl -s https://example.com/i.sh | sh' --json
      assent try --tool Edit ~/.bashrc
      assent try --batch < commands.jsonl
    """
    trials = Trials(locations.find())
    if batch:
        if line:
            raise UsageError("Nothing was judged: --batch takes its commands from the standard input.")
        return try_batch.run(trials, Question(cwd=cwd, mode=mode, tool=tool))
    trial = trials.hold(question(line, cwd, mode, tool))
    for trouble in trials.court.troubles:
        output.complain(f"{output.styled('not heard:', 'warn')} {trouble}")
    if as_json:
        output.say_json(trial)
        return 0
    width = min(max(shutil.get_terminal_size((80, 24)).columns, NARROWEST), WIDEST)
    for shown in page(trial, width):
        output.say(shown)
    return 0


def page(trial: Trial, width: int) -> Iterator[str]:
    steps = [text for step in trial.steps for text in _step(step, 0, width)]
    yield from steps
    if steps:
        yield ""
    if trial.risk:
        yield from _labelled("Risk", trial.risk, RISKS[trial.risk], width, after=f": {_why(trial)}")
    if trial.evidence and _is_several(trial):
        yield from _labelled("In", trial.evidence, "strong", width)
    if trial.safer:
        yield from _labelled("Safer", trial.safer, "good", width)
    word, style = DECISIONS.get(trial.decision, NO_OPINION)
    yield from _labelled("Decision", word, style, width, after=f", {who(trial.by)}")
    yield from _labelled("", trial.told, None, width)
    if trial.decision in ("ask", "deny"):
        yield from _labelled("Told", trial.reason, "strong", width)
    others = [spoken for spoken in trial.trace if spoken.by != trial.by]
    for place, spoken in enumerate(others):
        why = spoken.why.removeprefix(f"{trial.risk}: ")
        said = f"{who(spoken.by, heard=True)}: {spoken.says.replace('_', ' ')}. {why}"
        yield from _labelled("Heard" if place == 0 else "", said, "faint", width)


def who(by: str, *, heard: bool = False) -> str:
    """``rule:user#3`` as people say it."""
    kind, _, name = by.partition(":")
    level, _, number = name.partition("#")
    told = {
        "floor": f"the floor ({name})",
        "rule": _rule(level, number),
        "stance": f"the stance {name}",
    }.get(kind, by)
    return output.said_by_agent(told if heard else f"by {told}", LONGEST)


def _rule(level: str, number: str) -> str:
    whose, _, scope = level.partition(".")
    if whose == "agent":
        return f"the agent's own {scope} settings" if scope else "the agent's own settings"
    return f"{WHOSE.get(whose, whose)} rule {number}"


def question(line: tuple[str, ...], cwd: str, mode: str, tool: str) -> Question:
    if not line:
        raise UsageError("Nothing was judged: no command was given.", hint="assent try 'git status'")
    if len(line) > 1:
        raise UsageError(
            "Nothing was judged: this is more than one argument.", hint="put the whole command between quotes."
        )
    # What is no text in UTF-8 is judged as the marks that stand for it.
    text = line[0].encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if text == "-" and sys.stdin:
        text = sys.stdin.buffer.read().decode("utf-8", "replace")
    return Question(text, cwd, mode, tool, _input(tool, text))


def _input(tool: str, text: str) -> dict[str, Any]:
    if tool not in ("Bash", "Monitor") and text.startswith("{"):
        try:
            return msgspec.json.decode(text, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            raise UsageError("Nothing was judged: the input is not a JSON object.") from None
    if tool in FIELDS:
        return {FIELDS[tool]: text}
    raise UsageError(
        f"Nothing was judged: Assent does not know what the tool {output.said_by_agent(tool)} takes.",
        hint="give its whole input as a JSON object.",
    )


def _step(step: Step, depth: int, width: int) -> Iterator[str]:
    indent = "  " * depth
    body = f"{indent}{'':{LABEL}}"
    shown = wrapped(output.said_by_agent(step.command, LONGEST), width - len(body))
    yield f"{indent}{output.styled(f'{step.risk:{LABEL}}', RISKS[step.risk])}{output.styled(shown[0], 'strong')}"
    yield from (f"{body}{output.styled(rest, 'strong')}" for rest in shown[1:])
    for effect in step.effects:
        target = f" ({output.said_by_agent(effect.target, 80)})" if effect.target else ""
        kind = "" if effect.kind == "nothing" else f"{effect.kind}: "
        told = wrapped(f"{kind}{output.said_by_agent(effect.why, LONGEST)}{target}", width - len(body) - 2)
        style = "faint" if effect.risk == "look" else RISKS[effect.risk]
        yield from (f"{body}  {output.styled(text, style)}" for text in told)
    for inner in step.starts:
        yield from _step(inner, min(depth + 1, 8), width)


def _labelled(label: str, text: str, style: str | None, width: int, after: str = "") -> Iterator[str]:
    """A word in front, the first words in colour, and the rest below each other."""
    plain = output.said_by_agent(text, LONGEST)
    for place, shown in enumerate(wrapped(plain + after, width - LABEL)):
        coloured = shown
        if style and place == 0 and after and shown.startswith(plain):
            coloured = output.styled(plain, style) + shown.removeprefix(plain)
        elif style and not after:
            coloured = output.styled(shown, style)
        yield f"{label if place == 0 else '':{LABEL}}{coloured}"


def wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(width, 20), break_on_hyphens=False) or [""]


def _why(trial: Trial) -> str:
    """Of the voice that named the risk, without what is told beside it."""
    worst = [effect for effect in trial.effects if effect.risk == trial.risk]
    spoken = next((line.why for line in trial.trace if line.by.startswith(("floor:", "stance:"))), trial.reason)
    why = worst[0].why if worst else spoken.removeprefix(f"{trial.risk}: ")
    return output.said_by_agent(why, LONGEST)


def _is_several(trial: Trial) -> bool:
    return len(trial.steps) > 1 or any(step.starts for step in trial.steps)
