"""``assent try``: what would be decided about a command, and why. Nothing is run, and no hub is needed."""

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

import click
import msgspec
from msgspec import structs

from assent import paths as locations
from assent import surroundings
from assent.cli import output
from assent.cli.common import harness_option
from assent.client import Client
from assent.errors import AssentError, UsageError
from assent.paths import Paths
from assent.protocol import modes
from assent.protocol.decision import HostedTrial, Step, Trial, TrialQuestion, Tried
from assent.protocol.rule_words import SHELL
from assent.text import wording
from assent.text.who import decider

if TYPE_CHECKING:
    from assent.learn.replayer import Trials

REFUSED = 1
LONGEST_LINE = 8 * 1024 * 1024


class _Wanted(msgspec.Struct):
    """Fields beyond these are passed over, so that files with labels can be read as they are."""

    command: str
    cwd: str | None = None
    mode: str | None = None


def run(trials: "Trials", default: TrialQuestion) -> int:
    """The exit code. Flushed line by line, for callers that wait for an answer before asking again."""
    code = 0
    reader = msgspec.json.Decoder(_Wanted)
    # The stream is None if it was closed at the start.
    for line in _lines(sys.stdin.buffer) if sys.stdin else ():
        answer = _answer(trials, default, reader, line)
        if isinstance(answer, dict):
            code = REFUSED
        output.say_json(answer)
    return code


def _answer(
    trials: "Trials", default: TrialQuestion, reader: "msgspec.json.Decoder[_Wanted]", line: bytes | None
) -> Trial | dict[str, str]:
    if line is None:
        return {"error": f"This line is longer than {LONGEST_LINE >> 20} MiB."}
    try:
        wanted = reader.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        return {"error": f"This line is no question: {error}."}
    question = structs.replace(
        default, command=wanted.command, cwd=wanted.cwd or default.cwd, mode=wanted.mode or default.mode
    )
    # The tree tells the same again, and in bulk it is not looked at.
    return structs.replace(trials.hold(question), steps=(), evidence="", safer="", told="")


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Each without its end; None for one that is too long to be held."""
    while line := stream.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE)
        yield None


NARROWEST, WIDEST = 40, 110
LONGEST = 400
LABEL = 10


# The spellings of earlier versions are taken, too.
mode_option = click.option(
    "--mode",
    type=click.Choice((*modes.MODES, *modes.EARLIER)),
    metavar=f"[{'|'.join(modes.MODES)}]",
    default=modes.DEFAULT,
    show_default=True,
    help="The agent's permission mode.",
)


by_option = harness_option("Whose call it would be: rules may name a client.  [default: the first one]", "")


def decision_words(decision: str) -> tuple[str, str]:
    """What a rule or the whole policy says, and its style."""
    words = wording.RULES.get(decision)
    return (words.word, output.ROLES[words.role]) if words else (wording.DECISIONS["no_opinion"].word, "strong")


@click.command("try")
@click.argument("line", metavar="COMMAND", nargs=-1)
@click.option("--cwd", default="", metavar="DIR", help="Where it would run.  [default: here]")
@mode_option
@click.option("--tool", default=SHELL, show_default=True, metavar="NAME", help="The tool it would go through.")
@by_option
@click.option("--batch", is_flag=True, help="Judge JSON Lines from the standard input.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(line: tuple[str, ...], cwd: str, mode: str, tool: str, harness: str, batch: bool, as_json: bool) -> int:
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
      assent try --harness copilot 'npm publish'
      assent try --batch < commands.jsonl
    """
    paths = locations.find()
    if batch:
        trials = _trials(paths)
        if line:
            raise UsageError("Nothing was judged: --batch takes its commands from the standard input.")
        return run(trials, TrialQuestion(cwd=cwd, mode=mode, tool=tool, harness=harness))
    tried = _tried(paths, given(line), TrialQuestion(cwd=cwd, mode=mode, tool=tool, harness=harness))
    for trouble in tried.troubles:
        output.complain(f"{output.styled('not heard:', 'warn')} {trouble}")
    trial = tried.trial
    if as_json:
        output.say_json(trial)
        return 0
    width = min(max(shutil.get_terminal_size((80, 24)).columns, NARROWEST), WIDEST)
    for shown in page(trial, width):
        output.say(shown)
    return 0


def _tried(paths: Paths, text: str, wanted: TrialQuestion) -> Tried:
    """By the hub, which has all that is known of commands in memory; here where it does not judge as we would."""
    try:
        return Client(paths).try_here(
            HostedTrial(
                text=text,
                here=os.getcwd(),  # noqa: PTH109 - text, as the agent gives it
                cwd=wanted.cwd,
                mode=wanted.mode,
                tool=wanted.tool,
                harness=wanted.harness,
                search_path=os.environ.get("PATH", ""),
                surroundings=surroundings.found(paths),
            )
        )
    except (AssentError, OSError, ValueError):
        # What is wrong with the question is said here, too.
        return _tried_here(paths, text, wanted)


def _tried_here(paths: Paths, text: str, wanted: TrialQuestion) -> Tried:
    trials = _trials(paths)
    whole = structs.replace(wanted, command=text, input=_input(wanted.tool, text, wanted.harness))
    trial = trials.hold(whole)
    return Tried(trial, tuple(map(str, trials.court.troubles)))


def _trials(paths: Paths) -> "Trials":
    """The judge in this process: all that is known of commands is loaded, and none of it is garbage."""
    gc.disable()
    from assent.learn.replayer import Trials

    gc.freeze()
    gc.enable()
    return Trials(paths)


def page(trial: Trial, width: int) -> Iterator[str]:
    steps = [text for step in trial.steps for text in _step(step, 0, width)]
    yield from steps
    if steps:
        yield ""
    if trial.risk:
        yield from risk(trial, width)
    if trial.evidence and _is_several(trial):
        yield from _labelled("In", trial.evidence, "strong", width)
    if trial.safer:
        yield from _labelled("Safer", trial.safer, "good", width)
    word, style = decision_words(trial.decision)
    yield from _labelled("Decision", word, style, width, after=f", {who(trial.by)}")
    yield from approval(trial, width)
    yield from _labelled("", trial.told, None, width)
    if trial.decision in ("ask", "deny") and trial.approval is None:
        yield from _labelled("Told", trial.reason, "strong", width)
    others = [spoken for spoken in trial.trace if spoken.by != trial.by]
    for place, spoken in enumerate(others):
        why = spoken.why.removeprefix(f"{trial.risk}: ")
        sentence = f"{who(spoken.by, heard=True)}: {spoken.says.replace('_', ' ')}. {why}"
        yield from _labelled("Heard" if place == 0 else "", sentence, "faint", width)


def risk(trial: Trial, width: int) -> Iterator[str]:
    """How dangerous it is, and why."""
    level = trial.risk or ""
    yield from _labelled("Risk", level, output.ROLES[wording.risk_role(level)], width, after=f": {_why(trial)}")


def approval(trial: Trial, width: int) -> Iterator[str]:
    """Whose yes it needs, by which rules."""
    if trial.approval is None:
        return
    # Few calls need one.
    from assent.text import approval_words

    for place, one in enumerate(trial.approval.each):
        words = approval_words.sentence(structs.replace(one, also=()), is_mine=True)
        reason = f": {output.said_by_agent(one.reason, LONGEST)}" if one.reason else ""
        yield from _labelled("Needs" if place == 0 else "", words.removeprefix("Needs "), "warn", width, after=reason)


def who(by: str, *, heard: bool = False) -> str:
    """``rule:user#3`` as people say it."""
    names = decider(by)
    return output.said_by_agent(names if heard else f"by {names}", LONGEST)


def question(line: tuple[str, ...], cwd: str, mode: str, tool: str, harness: str = "") -> TrialQuestion:
    text = given(line)
    return TrialQuestion(text, cwd, mode, tool, _input(tool, text, harness), harness)


def given(line: tuple[str, ...]) -> str:
    """What is to be judged, from the command line or the standard input."""
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
    return text


def _input(tool: str, text: str, harness: str) -> dict[str, Any]:
    from assent.harnesses import registry

    try:
        given = registry.input_of(harness, tool, text)
    except ValueError as error:
        raise UsageError(f"Nothing was judged: {error}.") from None
    if given is None:
        raise UsageError(
            f"Nothing was judged: Assent does not know what the tool {output.said_by_agent(tool)} takes.",
            hint="give its whole input as a JSON object.",
        )
    return given


def _step(step: Step, depth: int, width: int) -> Iterator[str]:
    indent = "  " * depth
    body = f"{indent}{'':{LABEL}}"
    shown = wrapped(output.said_by_agent(step.command, LONGEST), width - len(body))
    risk = output.risk_styled(f"{step.risk:{LABEL}}", step.risk)
    yield f"{indent}{risk}{output.styled(shown[0], 'strong')}"
    yield from (f"{body}{output.styled(rest, 'strong')}" for rest in shown[1:])
    for effect in step.effects:
        target = f" ({output.said_by_agent(effect.target, 80)})" if effect.target else ""
        kind = "" if effect.kind == "nothing" else f"{effect.kind}: "
        lines = wrapped(f"{kind}{output.said_by_agent(effect.why, LONGEST)}{target}", width - len(body) - 2)
        style = "faint" if effect.risk == "look" else output.ROLES[wording.risk_role(effect.risk)]
        yield from (f"{body}  {output.styled(text, style)}" for text in lines)
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
    import textwrap

    return textwrap.wrap(text, max(width, 20), break_on_hyphens=False) or [""]


def _why(trial: Trial) -> str:
    """Of the voice that named the risk, without what is told beside it."""
    spoken = next((line.why for line in trial.trace if line.by.startswith(("floor:", "stance:"))), trial.reason)
    # What would be safer stands on a line of its own.
    why = spoken.removeprefix(f"{trial.risk}: ").partition(" Safer: ")[0]
    return output.said_by_agent(why, LONGEST)


def _is_several(trial: Trial) -> bool:
    return len(trial.steps) > 1 or any(step.starts for step in trial.steps)
