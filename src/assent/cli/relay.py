"""``assent relay``: carry asks and answers between the hubs of a team."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assent.cli import output
from assent.errors import AssentError

if TYPE_CHECKING:
    from assent.relay.server import RunningRelay
    from assent.relay.settings import Settings


@click.command("relay")
@click.option(
    "--config",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("relay.toml"),
    show_default=True,
    help="The relay's settings.",
)
@click.option("--check", is_flag=True, help="Look at settings, database and identity provider, and start nothing.")
def command(path: Path, check: bool) -> int:
    """Be a relay of a team: hubs connect to it, and it carries their asks and answers. Ctrl-C stops it.

    A relay keeps nothing of its own: several of them work side by side on one PostgreSQL database. docs/relay.md has
    the settings. The database's address may stand in ASSENT_RELAY_DATABASE instead of the file.

    \b
    Examples:
      assent relay --config /etc/assent/relay.toml --check   see whether it would work
      assent relay --config /etc/assent/relay.toml
    """
    try:
        # Here and not above: no other verb should pay for the server's start.
        import psycopg  # noqa: F401

        from assent.relay import server, settings
    except ImportError as error:
        if error.name not in (None, "psycopg"):
            raise
        hint = 'install it beside Assent: pipx install --force "assent[postgres]".'
        raise AssentError("A relay needs the driver of PostgreSQL, which is not installed here.", hint=hint) from None
    found = settings.load(path)
    if check:
        return _check(found)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    server.run(found, _announce)
    output.say("The relay stopped.")
    return 0


def _announce(relay: "RunningRelay") -> None:
    settings = relay.settings
    way = "https" if settings.relay.certificate else "http"
    host, _ = settings.relay.address
    shown = f"[{host}]" if ":" in host else host
    output.say(
        f"The relay of {settings.team.name} is {output.styled('running', 'good')} at {way}://{shown}:{relay.port}."
    )
    if settings.relay.behind_proxy:
        output.say("next    hubs join by the address of the proxy in front of it: `assent join https://NAME`")
    else:
        output.say("next    on each machine: `assent join URL`, with the name that the certificate is for")


def _check(settings: "Settings") -> int:
    import asyncio

    from assent.relay.check import check

    findings = asyncio.run(check(settings))
    for finding in findings:
        sign, style = ("✓", "good") if finding.is_good else ("✗", "bad")
        output.say(f"{output.styled(sign, style)} {finding.subject.ljust(10)}{finding.says}")
        if finding.hint and not finding.is_good:
            output.say(f"  {' ' * 10}hint: {finding.hint}")
    return 0 if all(finding.is_good for finding in findings) else 1
