"""``assent install``: our hooks in a client's settings, shown first."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, cast, get_args

import click

from assent import config, files
from assent import paths as locations
from assent.cli import output
from assent.cli.common import harness_names, must_be_confirmed, registered_harness, site_here
from assent.errors import AssentError
from assent.files import RefusedError
from assent.harnesses import registry, system_lines
from assent.harnesses.base import Unreachable
from assent.harnesses.site import SCOPES, Scope, Site, Transport
from assent.install import clients
from assent.install.apply import apply
from assent.install.plan import Plan, plan_install, plan_system
from assent.paths import Paths


def _several(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...]:
    names = [name.strip() for name in (value or "").split(",")] if value is not None else []
    for name in names:
        registered_harness(ctx, param, name)
    return tuple(dict.fromkeys(names))


@click.command("install")
@click.option(
    "--scope",
    type=click.Choice((*SCOPES, system_lines.SCOPE)),
    default="user",
    show_default=True,
    help="Whose settings to change. system: as root, what keeps repositories from switching hooks off.",
)
@click.option(
    "--transport", type=click.Choice(get_args(Transport)), default="auto", show_default=True, help="How events travel."
)
@click.option(
    "--harness",
    "names",
    metavar="NAME[,NAME]",
    callback=_several,
    shell_complete=harness_names,
    help="For these clients; those found on this machine if not said.",
)
@click.option("--all", "every", is_flag=True, help="For every client that Assent knows, found here or not.")
@click.option(
    "--telemetry/--no-telemetry", default=None, help="Whether the client reports to the hub; asked if not said."
)
@click.option("--dry-run", is_flag=True, help="Show the whole change and write nothing.")
@click.option("--yes", is_flag=True, help="Write without asking, telemetry included.")
def command(
    scope: str,
    transport: Transport,
    names: tuple[str, ...],
    every: bool,
    telemetry: bool | None,
    dry_run: bool,
    yes: bool,
) -> int:
    """Add Assent to the settings of the agents on this machine: says what changes, asks once, keeps backups.

    Undo with `assent uninstall`.

    \b
    Examples:
      assent install                            every client that is found
      assent install --harness codex,gemini     these two
      assent install --dry-run
      assent install --scope local              this project, this machine only
      sudo assent install --scope system        no repository can switch the hooks off
    """
    if names and every:
        raise click.UsageError("--harness names some clients, --all means every one: use one of them.")
    site = site_here()
    chosen = names or tuple(each.NAME for each in (clients.installable(site) if every else clients.here(site)))
    if scope == system_lines.SCOPE:
        write_system_lines(chosen, site, dry_run=dry_run, yes=yes)
        return 0
    is_refused = write_hooks(chosen, cast("Scope", scope), transport, telemetry=telemetry, dry_run=dry_run, yes=yes)
    if not dry_run:
        start = f"Start {registry.HARNESSES[chosen[0]].PROGRAM}" if len(chosen) == 1 else "Start them as always"
        output.say(f"next    {start}; the hub starts by itself. `assent doctor` checks it.")
    return 1 if is_refused else 0


class _Wanted(NamedTuple):
    """What is written for one client; where its telemetry is a question of its own, also the plan that includes it."""

    plan: Plan
    reporting: Plan | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        offered = self.plan.telemetry if self.reporting is None else ""
        return (*self.plan.notes, *([offered] if offered else []))


def write_hooks(
    names: Sequence[str],
    scope: Scope = "user",
    transport: Transport = "auto",
    *,
    telemetry: bool | None = None,
    dry_run: bool = False,
    yes: bool = False,
) -> bool:
    """Say what would be written, ask once, and write it; whether a client was passed over because its settings cannot
    be changed. Raises AssentError where it is not wanted, or not possible for any of them."""
    paths = locations.find()
    settings = config.load(paths.config)
    if settings.hub.port == 0 and transport != "shim":
        transport = "shim"
        _note(f"[hub] port = 0 in {paths.config} gives a new port each time, so all events use the shim.")
    asks = telemetry is None and not yes and not dry_run
    wanted, refused = _planned(names, site_here(settings), scope, transport, telemetry=telemetry, asks=asks)
    changes = [each.plan for each in wanted if not each.plan.is_noop]

    def say_diffs() -> None:
        for plan in changes:
            output.say_diff(plan.diff)

    if dry_run:
        say_diffs()
    else:
        _say_summary(changes)
    for each in wanted:
        for note in each.notes:
            _note(note)
    if dry_run:
        for plan in (each.plan for each in wanted if each.plan.is_noop):
            output.say(f"{plan.path} is as it should be.")
        output.say("Nothing was written.")
        return bool(refused)
    if changes:
        must_be_confirmed("Write this?", yes=yes, details=say_diffs)
    for each in wanted:
        plan = each.reporting if each.reporting and _reports(each.reporting) else each.plan
        _apply(plan, paths, settings.hub.unreachable)
    output.say("undo    assent uninstall")
    return bool(refused)


def write_system_lines(names: Sequence[str], site: Site, *, dry_run: bool, yes: bool) -> None:
    """The lines in files of the system that hold the hooks of these clients. Raises AssentError."""
    known = [name for name in names if system_lines.path(name, site) is not None]
    for name in (name for name in names if name not in known):
        _note(f"No line in a file of the system is known that holds {registry.HARNESSES[name].TITLE}'s hooks.")
    plans = [plan_system(site, registry.HARNESSES[name]) for name in known]
    changes = [plan for plan in plans if not plan.is_noop]
    if not changes:
        output.say("There is nothing to write.")
        return

    def say_diffs() -> None:
        for plan in changes:
            output.say_diff(plan.diff)

    if dry_run:
        say_diffs()
        output.say("Nothing was written.")
        return
    output.say_paragraph(
        "A repository can switch off the hooks in your own settings. A line in a file of root's holds them:"
    )
    output.say_table([(f"  {plan.harness.TITLE}", _becomes(plan), ", ".join(plan.events)) for plan in changes])
    if not all(files.is_writable(plan.path) for plan in changes):
        own = shlex.quote(str(Path(sys.argv[0]).absolute()))
        raise RefusedError("Nothing was changed: only root may write there.", hint=f"sudo {own} install --scope system")
    must_be_confirmed("Write this?", yes=yes, details=say_diffs)
    for plan in changes:
        apply(plan, site.paths)
        output.say(f"{output.styled('Written:', 'good')} {plan.path}.")
    output.say("undo    assent uninstall, as the same user")


def _planned(
    names: Sequence[str], site: Site, scope: Scope, transport: Transport, *, telemetry: bool | None, asks: bool
) -> tuple[list[_Wanted], list[AssentError]]:
    """The plan for each client, and why there is none for others. Raises where there is none at all."""
    wanted: list[_Wanted] = []
    refused: list[AssentError] = []
    for name in names:
        harness = registry.HARNESSES[name]
        try:
            plan = plan_install(site, scope, transport, harness=harness, with_telemetry=telemetry is not False)
            if plan.telemetry and asks:
                bare = plan_install(site, scope, transport, harness=harness, with_telemetry=False)
                wanted.append(_Wanted(bare, plan))
            else:
                wanted.append(_Wanted(plan))
        except AssentError as error:
            refused.append(error)
    if not wanted:
        raise refused[0]
    for why in refused:
        output.say_paragraph(why.message, f"{output.styled('passed over:', 'warn')} ")
    return wanted, refused


def _note(text: str) -> None:
    output.say_paragraph(text, f"{output.styled('note:', 'warn')} ")


def _say_summary(plans: Sequence[Plan]) -> None:
    if len(plans) == 1:
        (plan,) = plans
        output.say(f"Assent joins {plan.harness.TITLE}: {_becomes(plan)}.")
        output.say(f"  {len(plan.events)} hooks, one for each event. Everything else in the file stays as it is.")
        output.say("  A backup is kept, and `assent uninstall` gives the file back byte for byte.")
    elif plans:
        output.say(f"Assent joins {len(plans)} agents:")
        output.say_table([(f"  {plan.harness.TITLE}", _becomes(plan), f"{len(plan.events)} hooks") for plan in plans])
        output.say("  Everything else in these files stays as it is. Backups are kept, and `assent uninstall` gives")
        output.say("  the files back byte for byte.")


def _becomes(plan: Plan) -> str:
    return f"{plan.path} is {'changed' if plan.before else 'made'}"


def _reports(plan: Plan) -> bool:
    """Whether the client's telemetry is wanted, asked where there is a terminal to ask on."""
    if not output.is_interactive():
        return False
    output.say_paragraph(plan.telemetry)
    return output.confirmed("Have it report?", lambda: output.say_diff(plan.diff))


def _apply(plan: Plan, paths: Paths, unreachable: Unreachable) -> None:
    applied = apply(plan, paths, unreachable=unreachable)
    for sentence in applied.mended:
        output.say(f"{output.styled('mended:', 'warn')} {sentence}")
    if plan.is_noop:
        output.say(f"{plan.path} is as it should be. Nothing was changed.")
    else:
        output.say(f"{output.styled('Written:', 'good')} {plan.path} ({len(plan.events)} events).")
        if applied.backup:
            output.say(f"backup  {applied.backup}")
    # Installing turns guarding on, also after a `down` or `uninstall` that told hooks to stay silent.
    paths.stopped_mark.unlink(missing_ok=True)
