"""``assent service``: have the hub started when you log in."""

import click

from assent import paths as locations
from assent.cli import hub_process, output
from assent.install import service


@click.group("service")
def command() -> None:
    """Have the hub started when you log in, so that page and phone work before the first agent does.

    Without it the first hook that finds no hub starts one. Uses systemd on Linux and launchd on macOS, for this user.

    \b
    Examples:
      assent service install
      assent service status
      assent service uninstall
    """


@command.command("install")
def install() -> None:
    """Write a unit or agent of this user and turn it on.

    \b
    Example:
      assent service install
    """
    paths = locations.find()
    found = service.find()
    is_up = hub_process.is_held(paths)
    found.install(now=not is_up)
    output.say(f"{output.styled('Written:', 'good')} {found.file}")
    if is_up and not found.is_running:
        output.say("The hub that runs now goes on; the service takes over when you log in again.")
    output.say(found.note)
    output.say("undo    assent service uninstall")


@command.command("uninstall")
def uninstall() -> None:
    """Take it out again. A hub that runs goes on until `assent down`.

    \b
    Example:
      assent service uninstall
    """
    found = service.find()
    output.say(f"{found.file}: removed." if found.uninstall() else "There is no service. Nothing was changed.")


@command.command("status")
def status() -> int:
    """Say whether it is installed and runs. Exit code 1 if it is not installed.

    \b
    Example:
      assent service status
    """
    found = service.find()
    if not found.is_installed:
        output.say("Not installed: the first hook that finds no hub starts one. `assent service install` changes that.")
        return 1
    state = "runs" if found.is_running else "does not run now"
    output.say(f"Installed in {found.file}, and {state}.")
    return 0
