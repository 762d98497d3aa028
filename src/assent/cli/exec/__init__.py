"""``assent exec``: one run of an agent behind the gate, for pipelines."""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, get_args

import click

from assent import config, keys, units
from assent import paths as locations
from assent._version import __version__
from assent.cli import hub_process, output
from assent.cli.common import harness_option, site_here
from assent.cli.exec.events import Follower, Outlet
from assent.cli.up import troubles
from assent.client import Client
from assent.config import StanceName
from assent.errors import AssentError, HubUnreachableError, UsageError
from assent.harnesses import names, registry
from assent.harnesses.base import NOT_STARTED
from assent.harnesses.site import Site
from assent.paths import Paths
from assent.protocol.modes import OnAsk, Run
from assent.shim import place
from assent.text import times
from assent.views.run import RunView

# Signals people and pipelines end a run with, and what a shell calls that ending.
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# An agent that was told to end may put its things in order; then it is told more firmly.
PATIENCE = 10.0


@dataclass(slots=True)
class Agent:
    argv: Sequence[str]
    env: Mapping[str, str]
    _process: "subprocess.Popen[bytes] | None" = None
    _ended: threading.Event = field(default_factory=threading.Event)
    _told: "signal.Signals | None" = None
    _firmer_at: float = 0.0
    _firmer: list[signal.Signals] = field(default_factory=lambda: [signal.SIGTERM, signal.SIGKILL])

    def run(self) -> int:
        """Its exit code as a shell tells it; 128 and the signal's number where a signal to us ended it."""
        before = {number: signal.signal(number, self._pass_on) for number in PASSED_ON}
        try:
            # Everything is inherited: what it prints is its own, byte for byte. Open files are not.
            self._process = subprocess.Popen(self.argv, env=dict(self.env))
            if self._told is not None:
                self._process.send_signal(self._told)
            # A thread waits for it, so that this one can be woken by signals and by the clock.
            threading.Thread(target=self._wait, daemon=True).start()
            while not self._ended.wait(timeout=self._left()):
                self._insist()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        code = self._process.returncode
        if self._told is not None:
            return 128 + self._told
        return code if code >= 0 else 128 - code

    def _wait(self) -> None:
        assert self._process is not None
        self._process.wait()
        self._ended.set()

    def _pass_on(self, number: int, _: FrameType | None) -> None:
        if self._told is None:
            self._told = signal.Signals(number)
        self._firmer_at = time.monotonic() + PATIENCE
        if self._process is not None:
            self._process.send_signal(number)

    def _left(self) -> float | None:
        # Woken now and then even so: a signal does not end the wait, it only changes for how long.
        return 0.5 if self._told is None else max(0.0, min(0.5, self._firmer_at - time.monotonic()))

    def _insist(self) -> None:
        if self._told is None or time.monotonic() < self._firmer_at:
            return
        assert self._process is not None
        self._process.send_signal(self._firmer.pop(0) if len(self._firmer) > 1 else self._firmer[0])
        self._firmer_at = time.monotonic() + PATIENCE


def reached(client: Client, paths: Paths) -> dict[str, Any]:
    """How the hub is, started first if need be; or no run."""
    try:
        if not client.healthy():
            hub_process.start(paths)
        status = client.status()
    except AssentError as error:
        raise HubUnreachableError(f"{error.message}\n{NOT_STARTED}", hint=error.hint) from error
    if status.get("version") != __version__ or not place.is_current(paths):
        raise HubUnreachableError(
            f"The hub that runs is of another version or installation. {NOT_STARTED}",
            hint="`assent restart` replaces it.",
        )
    if trouble := status["journal"]["trouble"]:
        # It would allow nothing, and there would be no record of what was done.
        raise HubUnreachableError(f"The hub keeps no record: {trouble}\n{NOT_STARTED}")
    return status


def notes(status: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What makes this run differ from what its author may expect."""
    for trouble in troubles(status):
        yield "trouble", trouble
    if status["paused_for"] > 0:
        yield "paused", f"rules and stance are silent for another {times.age(status['paused_for'] * 1000)}."


def token(site: Site, port: int | None) -> str:
    """For events over HTTP; empty where the hub does not listen at the port of the settings."""
    return (keys.existing_post_token(site.paths) or "") if port == site.port else ""


def keep(file: Path, content: bytes) -> None:
    """Write what holds for one run where only this user can read it: it may hold a token."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    for old in file.parent.glob(f"{RUN_FILE}*"):
        # Left by a run that was killed; the client reads it once, at its start.
        with contextlib.suppress(OSError):
            if old.stat().st_mtime < time.time() - LEFT_BEHIND:
                shutil.rmtree(old) if old.is_dir() else old.unlink()
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        stream.write(content)


# Instead of 0: an agent's own failure is never hidden.
DENIED, ASKED, UNGATED = 121, 122, 123


def told(view: RunView, code: int, fail_on: str, outlet: Outlet, missed: int) -> int:
    """Say it, and return with what the run ends."""
    ungated = _ungated(view)
    if code == 0:
        code = UNGATED if ungated else _failed(view, fail_on, missed)
    more = {"ungated": ungated, "missed": missed}
    outlet.write(view.summary(code) | {name: value for name, value in more.items() if value})
    if ungated:
        outlet.say(f"{output.styled('assent:', 'bad')} {ungated}\nhint: `assent doctor` looks for the reason.")
    else:
        outlet.say(f"assent: {_sum(view)}")
        if missed:
            outlet.say(f"assent: {output.styled('missed', 'warn')} Not all records could be read: there may be more.")
    return code


def _failed(view: RunView, fail_on: str, missed: int) -> int:
    """A missed record may have been the one that counts."""
    if fail_on == "denied" and (view.denied or view.unanswered or missed):
        return DENIED
    return ASKED if fail_on == "asked" and (view.asked or missed) else 0


def _ungated(view: RunView) -> str | None:
    if not view.sessions:
        return "No event of this run reached Assent: whatever the agent did was not judged."
    if view.unjudged:
        calls = "1 call" if view.unjudged == 1 else f"{view.unjudged} calls"
        return f"{calls} of this run ran without asking, so what was done was not judged."
    return None


def _sum(view: RunView) -> str:
    calls = "1 call" if view.calls == 1 else f"{view.calls} calls"
    parts = [calls, f"{view.allowed} allowed", f"{view.denied} denied"]
    if view.asked:
        parts.append(f"{view.asked} needed a person, {view.unanswered} unanswered")
    name = output.said_by_agent(next(iter(view.sessions))[:8])
    return f"{', '.join(parts)}. `assent session {name}` shows the run."


CANNOT_RUN, NOT_FOUND = 126, 127
LONGEST_WAIT = "10m"
# What a run needs of its own, and after how many seconds it was left behind.
RUN_FILE = "exec-"
LEFT_BEHIND = 86_400.0


def _wait(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    try:
        seconds = int(units.duration(value).total_seconds())
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None
    if not 1 <= seconds <= units.duration(LONGEST_WAIT).total_seconds():
        raise click.BadParameter(f"a hook of {registry.default().TITLE} waits between 1s and {LONGEST_WAIT}.")
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
@harness_option("Which client it is, where the command's name does not tell.")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar=f"-- {names.PROGRAM} [ARGS]...")
def command(
    on_ask: OnAsk,
    wait: int | None,
    stance: str | None,
    events: str | None,
    as_json: bool,
    fail_on: str,
    harness: str | None,
    words: tuple[str, ...],
) -> int:
    """Run an agent with Assent's hooks for this run only. No settings file is touched, and a project that switches
    hooks off is gated all the same. The agent's own output stays as it is; Assent speaks on standard error.

    What needs a person is denied, and the model is told why; with --on-ask wait a person may answer on any screen
    until --wait is over, then it is denied; with --on-ask hand-back it is left to the agent's own rules.

    \b
    Exit codes: the agent's own, and where that would be 0:
      121  something was denied, or left unanswered (--fail-on denied)
      122  something needed a person (--fail-on asked)
      123  ungated: no event of the run came, or a call ran without being judged
    Without an agent: 1 refused, 2 usage, 4 no hub, 126 cannot be run, 127 not found. Ended by a signal: 130, 143.

    \b
    Examples:
      assent exec -- {program} -p "Run the tests and fix what fails."
      assent exec --fail-on denied --events run.jsonl -- {program} -p "…" --output-format json > result.json
      assent exec --on-ask wait --wait 5m -- {program} -p "Release 1.4."
    """
    if wait is not None and on_ask != "wait":
        raise UsageError(f"--wait is for --on-ask wait. {NOT_STARTED}")
    if events and as_json:
        raise UsageError(f"--json is --events -; give one of them. {NOT_STARTED}")
    paths = locations.find()
    site = site_here(config.load(paths.config))
    chosen = registry.HARNESSES[harness] if harness else registry.of_program(words[0])
    chosen.check_run(words, os.environ, site)
    program = shutil.which(words[0])
    if program is None:
        return _no_program(words[0])
    is_screenless = chosen.prints_only(words)
    outlet = Outlet.open("-" if as_json else events, is_screen_free=is_screenless or not output.is_interactive())
    seconds = wait or int(units.duration(LONGEST_WAIT).total_seconds())
    run = Run(id=secrets.token_hex(6), on_ask=on_ask, wait=seconds, stance=stance or "", screenless=is_screenless)
    client = Client(paths)
    status = reached(client, paths)
    for word, note in notes(status):
        outlet.note(word, note)
    file = paths.run / f"{RUN_FILE}{run.id}.json"
    plan = chosen.run_plan(
        words, program, file, environ=os.environ, site=site, run=run, token=token(site, status["port"])
    )
    for path in plan.twice:
        outlet.note("twice", f"{path} holds hooks of Assent in another form: each event is recorded twice.")
    folder = plan.folder(file)
    try:
        keep(file, plan.content)
        for name, content in plan.files.items():
            keep(folder / name, content)
    except OSError as error:
        raise AssentError(f"Cannot write to {paths.run}: {error.strerror}. {NOT_STARTED}") from error
    view = RunView(run.id)
    # Not from 0, which means "from now on": what the agent does at once must not be missed.
    follower = Follower(client, view, outlet.tell, max(1, status["journal"]["seq"]))
    follower.start()
    try:
        code = Agent(plan.argv, plan.env).run()
        follower.finish()
    except OSError as error:
        output.complain(f"assent: {program} cannot be run: {error.strerror}.")
        return CANNOT_RUN
    finally:
        file.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
    return told(view, code, fail_on, outlet, follower.missed)


def _no_program(name: str) -> int:
    if "/" in name and Path(name).exists():
        output.complain(f"assent: {name} cannot be run. {NOT_STARTED}")
        return CANNOT_RUN
    where = "check the path." if "/" in name else "is it on your PATH?"
    output.complain(f"assent: {name} was not found. {NOT_STARTED}\nhint: {where}")
    return NOT_FOUND
