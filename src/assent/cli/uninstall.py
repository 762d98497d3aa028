"""``assent uninstall``: every file as it was before us."""

import click

from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.asking import must_be_confirmed
from assent.cli.here import site_here
from assent.install import undo
from assent.vault import Vault


@click.command("uninstall")
@click.option("--yes", is_flag=True, help="Do it without asking.")
@click.option(
    "--purge", is_flag=True, help="Also delete the journal, all keys and secrets, backups, settings and rules."
)
def command(yes: bool, purge: bool) -> int:
    """Take Assent out of Claude Code's settings, byte for byte, and stop the hub. Your record stays unless you purge.

    \b
    Examples:
      assent uninstall
      assent uninstall --purge
    """
    paths = locations.find()
    site = site_here()
    found = undo.survey(site)
    doomed = undo.purgeable(paths) if purge else []
    changes = [plan for plan in found.plans if not plan.is_noop]
    for plan in changes:
        output.say_diff(plan.diff)
    for path in doomed:
        output.say(f"{output.styled('delete', 'bad')}  {path}")
    vault = Vault(paths)
    for account in vault.in_keyring() if purge else ():
        output.say(f"{output.styled('delete', 'bad')}  {account} in the system's keyring")
    if not changes and not doomed and not found.refused:
        output.say("Assent is not installed here. Nothing was changed.")
        return 0
    must_be_confirmed("Do this?", yes=yes)
    if holder := hub_process.shut_down(paths):
        output.say(f"The hub (pid {holder.pid}) stopped.")
    if purge and (left := vault.empty_keyring()):
        output.say(output.styled(left, "warn"))
    report = undo.uninstall(site, purge=purge)
    for line in report.lines():
        output.say(line)
    if report.refused:
        return 1
    if not purge:
        output.say(f"Your record and settings stay in {paths.state} and {paths.config_dir}; --purge deletes them.")
    return 0
