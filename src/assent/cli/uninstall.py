"""``assent uninstall``: every file as it was before us."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.asking import must_be_confirmed
from assent.cli.here import site_here
from assent.errors import AssentError
from assent.install import manifest
from assent.install.apply import apply
from assent.install.plan import Plan, plan_uninstall
from assent.install.site import SCOPES
from assent.paths import Paths

# A hook that runs at this very moment may write once more into what is being removed.
TRIES = 3


@click.command("uninstall")
@click.option("--yes", is_flag=True, help="Do it without asking.")
@click.option(
    "--purge", is_flag=True, help="Also delete the journal, the keys, the backups, the settings and the rules."
)
def command(yes: bool, purge: bool) -> None:
    """Take Assent out of Claude Code's settings, byte for byte, and stop the hub. Your record stays unless you purge.

    \b
    Examples:
      assent uninstall
      assent uninstall --purge
    """
    paths = locations.find()
    plans = list(_plans(paths))
    doomed = [folder for folder in _folders(paths) if folder.exists()] if purge else []
    for plan in plans:
        output.say_diff(plan.diff)
    for folder in doomed:
        output.say(f"{output.styled('delete', 'bad')}  {folder}")
    if not plans and not doomed:
        output.say("Assent is not installed here. Nothing was changed.")
        return
    must_be_confirmed("Do this?", yes=yes)
    hub_process.leave_stopped_mark(paths)
    if holder := hub_process.stop(paths):
        output.say(f"The hub (pid {holder.pid}) stopped.")
    for plan in plans:
        apply(plan, paths)
        output.say(f"{output.styled('Restored:', 'good')} {plan.path}")
    if purge:
        _purge(paths)
    else:
        output.say(f"Your record and settings stay in {paths.state} and {paths.config_dir}; --purge deletes them.")


def _plans(paths: Paths) -> Iterator[Plan]:
    """Where we know that we wrote, and where we might have."""
    known = {Path(install.file): install.scope for install in manifest.load(paths).installs}
    site = site_here()
    here = {site.settings(scope): scope for scope in SCOPES}
    for path, scope in (here | known).items():
        plan = plan_uninstall(paths, path, scope)
        if not plan.is_noop or path in known:
            yield plan


def _folders(paths: Paths) -> list[Path]:
    folders = [paths.config_dir, paths.state]
    sockets = paths.hook_socket.parent
    # Not under the state folder where that has too long a name for a socket.
    if sockets.parent == Path(tempfile.gettempdir()):
        folders.append(sockets)
    return folders


def _purge(paths: Paths) -> None:
    for folder in _folders(paths):
        if folder.exists():
            _remove(folder)
            output.say(f"{output.styled('Deleted:', 'good')} {folder}")
    _remove_home(paths)


def _remove(folder: Path) -> None:
    target = folder.resolve()
    for left in range(TRIES, 0, -1):
        try:
            shutil.rmtree(target)
            break
        except FileNotFoundError:
            break
        except OSError as error:
            if left == 1:
                raise AssentError(
                    f"Cannot delete {folder}: {error.strerror}.", hint="delete the rest by hand."
                ) from error
    if folder.is_symlink():
        folder.unlink()


def _remove_home(paths: Paths) -> None:
    """The folder ASSENT_HOME names, if nothing of anybody else's is in it."""
    if paths.config_dir.parent != paths.state.parent:
        return
    try:
        paths.state.parent.rmdir()
    except OSError:
        pass
