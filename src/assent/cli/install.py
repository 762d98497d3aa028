"""``assent install``: our hooks in a client's settings, shown first."""

from collections.abc import Callable
from typing import Any, get_args

import click

from assent import config
from assent import paths as locations
from assent.cli import output
from assent.cli.common import must_be_confirmed, site_here
from assent.harnesses import registry
from assent.harnesses.base import Unreachable
from assent.harnesses.site import SCOPES, Scope, Transport
from assent.install.apply import apply
from assent.install.plan import Plan, plan_install
from assent.paths import Paths


def harness_option(text: str, default: str | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``--harness NAME``: one of those that are registered when the command runs."""
    return click.option(
        "--harness", metavar="NAME", default=default, callback=_registered, shell_complete=_names, help=text
    )


def _registered(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None and value not in registry.HARNESSES:
        raise click.BadParameter(f"{value!r} is not one of {', '.join(registry.HARNESSES)}.")
    return value


def _names(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in registry.HARNESSES if name.startswith(incomplete)]


@click.command("install")
@click.option("--scope", type=click.Choice(SCOPES), default="user", show_default=True, help="Whose settings to change.")
@click.option(
    "--transport", type=click.Choice(get_args(Transport)), default="auto", show_default=True, help="How events travel."
)
@harness_option("For which client.", registry.DEFAULT)
@click.option(
    "--telemetry/--no-telemetry", default=None, help="Whether the client reports to the hub; asked if not said."
)
@click.option("--dry-run", is_flag=True, help="Show the whole change and write nothing.")
@click.option("--yes", is_flag=True, help="Write without asking, telemetry included.")
def command(scope: Scope, transport: Transport, harness: str, telemetry: bool | None, dry_run: bool, yes: bool) -> None:
    """Add Assent to {title}'s settings: says what changes, asks, keeps a backup. Undo with `assent uninstall`.

    \b
    Examples:
      assent install
      assent install --dry-run
      assent install --scope local    this project, this machine only
    """
    write_hooks(harness, scope, transport, telemetry=telemetry, dry_run=dry_run, yes=yes)
    if not dry_run:
        program = registry.HARNESSES[harness].PROGRAM
        output.say(f"next    Start {program}; the hub starts by itself. `assent doctor` checks it.")


def write_hooks(
    harness: str,
    scope: Scope = "user",
    transport: Transport = "auto",
    *,
    telemetry: bool | None = None,
    dry_run: bool = False,
    yes: bool = False,
) -> None:
    """Say what would be written, ask, and write it. Raises AssentError where it is not wanted, or not possible."""
    paths = locations.find()
    settings = config.load(paths.config)
    notes = []
    if settings.hub.port == 0 and transport != "shim":
        transport = "shim"
        notes.append(f"[hub] port = 0 in {paths.config} gives a new port each time, so all events use the shim.")
    chosen = registry.HARNESSES[harness]
    site = site_here(settings)

    def planned(*, with_telemetry: bool) -> Plan:
        return plan_install(site, scope, transport, harness=chosen, with_telemetry=with_telemetry)

    plan = planned(with_telemetry=telemetry is not False)
    is_question = bool(plan.telemetry) and telemetry is None and not yes and not dry_run
    reporting = plan
    if is_question:
        plan = planned(with_telemetry=False)
    if dry_run:
        output.say_diff(plan.diff)
    elif not plan.is_noop:
        _say_summary(plan)
    for note in (*notes, *plan.notes, *([plan.telemetry] if plan.telemetry and not is_question else [])):
        output.say(f"{output.styled('note:', 'warn')} {note}")
    if dry_run:
        output.say("Nothing was written." if plan.diff else f"{plan.path} is as it should be. Nothing was written.")
        return
    if not plan.is_noop:
        must_be_confirmed("Write this?", yes=yes, details=lambda: output.say_diff(plan.diff))
    if is_question and output.is_interactive():
        output.say_paragraph(reporting.telemetry)
        if output.confirmed("Have it report?", lambda: output.say_diff(reporting.diff)):
            plan = reporting
    _apply(plan, paths, settings.hub.unreachable)


def _say_summary(plan: Plan) -> None:
    verb = "changed" if plan.before else "made"
    output.say(f"Assent joins {plan.harness.TITLE}: {plan.path} is {verb}.")
    output.say(f"  {len(plan.events)} hooks, one for each event. Everything else in the file stays as it is.")
    output.say("  A backup is kept, and `assent uninstall` gives the file back byte for byte.")


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
    output.say("undo    assent uninstall")
