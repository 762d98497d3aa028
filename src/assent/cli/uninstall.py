"""``assent uninstall``: every file as it was before us."""

import click

from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.common import harness_option, must_be_confirmed, site_here
from assent.errors import AssentError, UsageError
from assent.harnesses import registry
from assent.install import service, undo
from assent.paths import Paths
from assent.secrets_store import Vault


@click.command("uninstall")
@click.option("--yes", is_flag=True, help="Do it without asking.")
@click.option(
    "--purge", is_flag=True, help="Also delete the journal, all keys and secrets, backups, settings and rules."
)
@harness_option("From this client only; the hub goes on for the others.")
def command(yes: bool, purge: bool, harness: str | None) -> int:
    """Take Assent out of {title}'s settings, byte for byte, and stop the hub. Your record stays unless you purge.

    \b
    Examples:
      assent uninstall
      assent uninstall --purge
    """
    if harness and purge:
        raise UsageError("--purge takes everything away, not one client's part. Nothing was changed.")
    paths = locations.find()
    site = site_here()
    chosen = [registry.HARNESSES[harness]] if harness else None
    surveyed = undo.survey(site, harnesses=chosen)
    doomed = undo.purgeable(paths) if purge else []
    changes = [plan for plan in surveyed.plans if not plan.is_noop]
    vault = Vault(paths)
    accounts = vault.in_keyring() if purge else ()
    starter = service.find()
    is_last = not undo.others(paths, harness)
    goes = is_last and starter.is_installed
    if not changes and not doomed and not surveyed.refused and not goes:
        output.say("Assent is not installed here. Nothing was changed.")
        return 0
    for plan in changes:
        output.say_paragraph(f"{plan.path}: {undo.intended(plan)}")
    if goes:
        output.say(f"{starter.file}: the service goes.")
    if doomed:
        folders = " and ".join(dict.fromkeys(str(path.parent) for path in doomed))
        output.say(f"{output.styled('delete', 'bad')}  {len(doomed)} files and folders of Assent in {folders}")
        output.say("        The record, keys, secrets, backups, settings and rules are gone then.")

    def details() -> None:
        for plan in changes:
            output.say_diff(plan.diff)
        for what in (*doomed, *(f"{account} in the system's keyring" for account in accounts)):
            output.say(f"{output.styled('delete', 'bad')}  {what}")

    must_be_confirmed("Do this?", yes=yes, details=details)
    if is_last and (holder := hub_process.shut_down(paths)):
        output.say(f"The hub (pid {holder.pid}) stopped.")
    if goes and starter.uninstall():
        output.say(f"{starter.file}: removed.")
    if purge and (untold := _left_team(paths)):
        output.say_paragraph(output.styled(untold, "warn"))
    if purge and (left := vault.empty_keyring()):
        output.say(output.styled(left, "warn"))
    report = undo.uninstall(site, purge=purge, harnesses=chosen)
    for line in report.lines():
        output.say_paragraph(line)
    if report.refused:
        return 1
    if not purge:
        output.say(f"Your record and settings stay in {paths.state} and {paths.config_dir}; --purge deletes them.")
    return 0


def _left_team(paths: Paths) -> str:
    """What is still known of this hub elsewhere, in words; "" where it is in no team."""
    if not paths.team.exists():
        return ""
    from assent.cli import teams  # with libraries that few need
    from assent.team import membership
    from assent.team.keys import HubKey

    try:
        return teams.say_goodbye(paths, membership.load(paths.team), HubKey.load(paths.team_key))
    except AssentError as error:
        return error.message
