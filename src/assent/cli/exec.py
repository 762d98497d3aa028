"""``assent exec``: one run of an agent behind the gate, for pipelines."""

import os
import secrets
import shutil
from pathlib import Path
from typing import Any, get_args

import click

from assent import config, units
from assent import paths as locations
from assent._version import __version__
from assent.cli import hub_process, output
from assent.cli.exec_agent import Agent
from assent.cli.exec_events import Follower, Sink, Tell, narrate
from assent.cli.here import site_here
from assent.client import Client
from assent.config import StanceName
from assent.errors import AssentError, HubUnreachableError, UsageError
from assent.install import one_run, tokens
from assent.install.entries import Handler
from assent.install.one_run import NOT_STARTED
from assent.install.plan import handlers
from assent.install.site import Site, Transport
from assent.paths import Paths
from assent.protocol.run import OnAsk, Run
from assent.shim import place
from assent.views.run import RunView

# What a run ends with where the agent itself ended well.
DENIED, ASKED, UNGATED = 121, 122, 123
CANNOT_RUN, NOT_FOUND = 126, 127
LONGEST_WAIT = "10m"


def _wait(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    try:
        seconds = int(units.duration(value).total_seconds())
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None
    if not 1 <= seconds <= units.duration(LONGEST_WAIT).total_seconds():
        raise click.BadParameter(f"a hook of Claude Code waits between 1s and {LONGEST_WAIT}.")
    return seconds


@click.command("exec", context_settings={"allow_interspersed_args": False})
@click.option(
    "--on-ask",
    type=click.Choice(get_args(OnAsk)),
    default="deny",
    show_default=True,
    help="What becomes of a call that needs a person.",
)
@click.option("--wait", callback=_wait, metavar="TIME", help="How long a person has, 10m at most.")
@click.option("--stance", type=click.Choice(get_args(StanceName)), help="Add a stance; the stricter one counts.")
@click.option("--events", metavar="FILE|-|FD", help="Write what happens as JSON Lines; - is standard error.")
@click.option("--json", "as_json", is_flag=True, help="The same as --events -.")
@click.option(
    "--fail-on",
    type=click.Choice(["none", "denied", "asked"]),
    default="none",
    show_default=True,
    help="What makes a run fail that the agent itself ended well.",
)
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- claude [ARGS]...")
def command(
    on_ask: OnAsk,
    wait: int | None,
    stance: str | None,
    events: str | None,
    as_json: bool,
    fail_on: str,
    words: tuple[str, ...],
) -> int:
    """Run an agent with Assent's hooks for this run only. No settings file is touched, and a project that switches
    hooks off is gated all the same. The agent's own output stays as it is; Assent speaks on standard error.

    What needs a person is denied, and the model is told why; with --on-ask wait somebody may answer on any screen
    until --wait is over, then it is denied; with --on-ask hand-back it is left to the agent's own rules.

    \b
    Exit codes: the agent's own, and where that would be 0:
      121  something was denied, or left unanswered (--fail-on denied)
      122  something needed a person (--fail-on asked)
      123  ungated: no event of the run came, or a call ran that nobody judged
    Without an agent: 1 refused, 2 usage, 4 no hub, 126 cannot be run, 127 not found. Ended by a signal: 130, 143.

    \b
    Examples:
      assent exec -- claude -p "Run the tests and fix what fails."
      assent exec --fail-on denied --events run.jsonl -- claude -p "…" --output-format json > result.json
      assent exec --on-ask wait --wait 5m -- claude -p "Release 1.4."
    """
    if wait is not None and on_ask != "wait":
        raise UsageError(f"--wait is for --on-ask wait. {NOT_STARTED}")
    if events and as_json:
        raise UsageError(f"--json is --events -; give one of them. {NOT_STARTED}")
    paths = locations.find()
    settings = config.load(paths.config)
    site = site_here(settings.hub.port)
    one_run.check(words, os.environ, site)
    theirs = one_run.given(words)
    program = shutil.which(words[0])
    if program is None:
        return _no_program(words[0])
    target = "-" if as_json else events
    sink = Sink.open(target) if target else None
    run = Run(
        id=secrets.token_hex(6),
        on_ask=on_ask,
        wait=wait or int(units.duration(LONGEST_WAIT).total_seconds()),
        stance=stance or "",
    )
    client = Client(paths)
    status = _hub(client, paths)
    wanted = _wanted(site, status.get("port"))
    for file in one_run.twice(site, wanted):
        output.complain(f"assent: {file} holds hooks of Assent in another form: each event is recorded twice.")
    file = _kept(paths, run, one_run.settings(wanted, run, theirs))
    view = RunView(run.id)
    tells: list[Tell] = [sink.write] if sink else []
    if target != "-" and _is_unwatched(words):
        tells.append(narrate)
    # Not from 0, which means "from now on": what the agent does at once must not be missed.
    follower = Follower(client, view, tells, max(1, status["journal"]["seq"]))
    follower.start()
    try:
        agent = Agent(one_run.arguments(words, program, file), one_run.environment(os.environ))
        try:
            code = agent.run()
        except OSError as error:
            output.complain(f"assent: {program} cannot be run: {error.strerror}.")
            return CANNOT_RUN
        follower.finish()
    finally:
        file.unlink(missing_ok=True)
    return _told(view, code, fail_on, sink, follower.missed, in_words=target != "-")


def _no_program(name: str) -> int:
    if Path(name).exists() and "/" in name:
        output.complain(f"assent: {name} cannot be run. {NOT_STARTED}")
        return CANNOT_RUN
    output.complain(f"assent: {name} was not found. {NOT_STARTED}\nhint: is it on your PATH?")
    return NOT_FOUND


def _hub(client: Client, paths: Paths) -> dict[str, Any]:
    """A hub that answers, or no run."""
    try:
        if not client.healthy():
            hub_process.start(paths)
        status = client.status()
    except AssentError as error:
        raise HubUnreachableError(f"{error.message}\n{NOT_STARTED}", hint=error.hint) from error
    if status.get("version") != __version__ or not place.is_current(paths):
        raise HubUnreachableError(
            f"The hub that runs is of another version. {NOT_STARTED}", hint="`assent restart` replaces it."
        )
    return status


def _wanted(site: Site, port: object) -> dict[str, Handler]:
    """The entries `assent install` would write, so that a client that finds both runs one."""
    token = tokens.existing(site.paths)
    transport: Transport = "auto" if token and port == site.port else "shim"
    return handlers(site, "user", transport, token or "")


def _kept(paths: Paths, run: Run, value: dict[str, Any]) -> Path:
    try:
        return one_run.keep(paths.run, run.id, value)
    except OSError as error:
        raise AssentError(f"Cannot write to {paths.run}: {error.strerror}. {NOT_STARTED}") from error


def _is_unwatched(words: tuple[str, ...]) -> bool:
    """Whether the screen is free: an agent at a terminal paints all of it."""
    return not {"-p", "--print"}.isdisjoint(words) or not output.is_interactive()


def _told(view: RunView, code: int, fail_on: str, sink: Sink | None, missed: int, *, in_words: bool) -> int:
    """Say how it ended, and return with what."""
    ungated = _ungated(view)
    if code == 0:
        if ungated:
            code = UNGATED
        elif fail_on == "denied" and (view.denied or view.unanswered):
            code = DENIED
        elif fail_on == "asked" and view.asked:
            code = ASKED
    if sink:
        sink.write(view.summary(code) | ({"missed": missed} if missed else {}))
    if ungated:
        output.complain(f"{output.styled('assent:', 'bad')} {ungated}\nhint: `assent doctor` looks for the reason.")
    elif in_words:
        output.complain(f"assent: {_summary(view)}")
    return code


def _ungated(view: RunView) -> str | None:
    if not view.sessions:
        return "No event of this run reached Assent: whatever the agent did, nobody judged it."
    if view.unjudged:
        calls = "1 call" if view.unjudged == 1 else f"{view.unjudged} calls"
        return f"{calls} of this run ran without asking: nobody judged it."
    return None


def _summary(view: RunView) -> str:
    parts = [
        f"{view.calls} call{'' if view.calls == 1 else 's'}",
        f"{view.allowed} allowed",
        f"{view.denied} denied",
    ]
    if view.asked:
        parts.append(f"{view.asked} needed a person, {view.unanswered} unanswered")
    name = next(iter(view.sessions))
    return f"{', '.join(parts)}. `assent session {output.said_by_agent(name[:8])}` shows the run."
