"""``assent install``: our hooks in Claude Code's settings, shown first."""

from typing import get_args

import click

from assent import config
from assent import paths as locations
from assent.cli import output
from assent.cli.asking import must_be_confirmed
from assent.cli.here import site_here
from assent.install.apply import apply
from assent.install.plan import plan_install
from assent.install.site import SCOPES, Scope, Transport


@click.command("install")
@click.option("--scope", type=click.Choice(SCOPES), default="user", show_default=True, help="Whose settings to change.")
@click.option(
    "--transport", type=click.Choice(get_args(Transport)), default="auto", show_default=True, help="How events travel."
)
@click.option("--no-telemetry", is_flag=True, help="Leave the client's own telemetry alone.")
@click.option("--dry-run", is_flag=True, help="Show the change and write nothing.")
@click.option("--yes", is_flag=True, help="Write without asking.")
def command(scope: Scope, transport: Transport, no_telemetry: bool, dry_run: bool, yes: bool) -> None:
    """Add Assent to Claude Code's settings: shows the change, asks, keeps a backup. Undo with `assent uninstall`.

    \b
    Examples:
      assent install
      assent install --dry-run
      assent install --scope local    this project, this machine only
    """
    paths = locations.find()
    settings = config.load(paths.config)
    notes = []
    if settings.hub.port == 0 and transport != "shim":
        transport = "shim"
        notes.append(f"[hub] port = 0 in {paths.config} gives a new port each time, so all events use the shim.")
    plan = plan_install(site_here(settings.hub), scope, transport, with_telemetry=not no_telemetry)
    output.say_diff(plan.diff)
    for note in (*notes, *plan.notes):
        output.say(f"{output.styled('note:', 'warn')} {note}")
    if dry_run:
        output.say("Nothing was written." if plan.diff else f"{plan.path} is as it should be. Nothing was written.")
        return
    if not plan.is_noop:
        must_be_confirmed("Write this?", yes=yes)
    applied = apply(plan, paths, unreachable=settings.hub.unreachable)
    for sentence in applied.mended:
        output.say(f"{output.styled('mended:', 'warn')} {sentence}")
    if plan.is_noop:
        output.say(f"{plan.path} is as it should be. Nothing was changed.")
    else:
        output.say(f"{output.styled('Written:', 'good')} {plan.path} ({len(plan.events)} events).")
        if applied.backup:
            output.say(f"backup  {applied.backup}")
    # Whoever installs wants to be guarded, also after a `down` or `uninstall` that told hooks to stay silent.
    paths.stopped_mark.unlink(missing_ok=True)
    output.say("undo    assent uninstall")
    output.say("next    Start claude; the hub starts by itself. `assent doctor` checks that it works.")
