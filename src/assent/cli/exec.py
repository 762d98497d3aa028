"""``assent exec``: one run of an agent behind the gate, for pipelines."""

import os
import secrets
import shutil
from pathlib import Path
from typing import get_args

import click

from assent import config, units
from assent import paths as locations
from assent.cli import exec_ending, exec_hub, output
from assent.cli.exec_agent import Agent
from assent.cli.exec_events import Follower, Outlet
from assent.cli.here import site_here
from assent.client import Client
from assent.config import StanceName
from assent.errors import AssentError, UsageError
from assent.install import one_run
from assent.install.one_run import NOT_STARTED
from assent.protocol.run import OnAsk, Run
from assent.views.run import RunView

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
    site = site_here(config.load(paths.config).hub)
    one_run.check(words, os.environ, site)
    theirs = one_run.given(words)
    program = shutil.which(words[0])
    if program is None:
        return _no_program(words[0])
    outlet = Outlet.open("-" if as_json else events, is_screen_free=_is_screen_free(words))
    seconds = wait or int(units.duration(LONGEST_WAIT).total_seconds())
    run = Run(id=secrets.token_hex(6), on_ask=on_ask, wait=seconds, stance=stance or "")
    client = Client(paths)
    status = exec_hub.reached(client, paths)
    for word, note in exec_hub.notes(status):
        outlet.note(word, note)
    wanted = exec_hub.entries(site, status["port"])
    for path in one_run.twice(site, wanted):
        outlet.note("twice", f"{path} holds hooks of Assent in another form: each event is recorded twice.")
    try:
        file = one_run.keep(paths.run, run.id, one_run.settings(wanted, run, theirs))
    except OSError as error:
        raise AssentError(f"Cannot write to {paths.run}: {error.strerror}. {NOT_STARTED}") from error
    view = RunView(run.id)
    # Not from 0, which means "from now on": what the agent does at once must not be missed.
    follower = Follower(client, view, outlet.tell, max(1, status["journal"]["seq"]))
    follower.start()
    try:
        code = Agent(one_run.arguments(words, program, file), one_run.environment(os.environ)).run()
        follower.finish()
    except OSError as error:
        output.complain(f"assent: {program} cannot be run: {error.strerror}.")
        return CANNOT_RUN
    finally:
        file.unlink(missing_ok=True)
    return exec_ending.told(view, code, fail_on, outlet, follower.missed)


def _no_program(name: str) -> int:
    if "/" in name and Path(name).exists():
        output.complain(f"assent: {name} cannot be run. {NOT_STARTED}")
        return CANNOT_RUN
    where = "check the path." if "/" in name else "is it on your PATH?"
    output.complain(f"assent: {name} was not found. {NOT_STARTED}\nhint: {where}")
    return NOT_FOUND


def _is_screen_free(words: tuple[str, ...]) -> bool:
    """An agent at a terminal paints all of it."""
    return not {"-p", "--print"}.isdisjoint(words) or not output.is_interactive()
