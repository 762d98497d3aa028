"""``assent team``: how this machine stands in its team, the other machines, and signing in again."""

import asyncio
import time
from typing import Any

import click
import msgspec

from assent import config
from assent import paths as locations
from assent.cli import output, teams
from assent.cli.common import must_be_confirmed, must_be_person
from assent.cli.status import link_words
from assent.client import Client
from assent.errors import AssentError, HubUnreachableError, NotFoundError, UsageError
from assent.paths import Paths
from assent.protocol.team import Member, Members
from assent.team.keys import HubKey
from assent.team.membership import Membership
from assent.text import times

HEADINGS = ("HUB", "MACHINE", "OWNER", "VERSION", "JOINED", "LAST SEEN", "")


@click.group("team", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """Show which team this machine is in, and how it stands there. `assent join` joins one, `assent leave` leaves it.

    \b
    Examples:
      assent team
      assent team hubs
      assent team sign-in
    """
    if not context.invoked_subcommand:
        context.exit(_status(as_json))


@command.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def status(as_json: bool) -> int:
    """Team, owner, relay, whether the hub is connected there, and when the sign-in runs out. Exit code 1 if it is not
    connected, 4 if no hub runs.

    \b
    Example:
      assent team status --json | jq .link.state
    """
    return _status(as_json)


def _status(as_json: bool) -> int:
    paths = locations.find()
    joined = teams.of(paths)
    link, code = None, 0
    try:
        link = Client(paths).team()
    except HubUnreachableError as error:
        code = error.exit_code
    else:
        code = 0 if link is not None and link["state"] == "connected" else 1
    if as_json:
        output.say_json({"team": teams.shown(joined), "link": link})
        return code
    now = time.time()
    for name, value in _rows(joined, link, now, is_up=code != HubUnreachableError.exit_code):
        output.say(f"{name:<9} {value}")
    return code


def _rows(joined: Membership, link: dict[str, Any] | None, now: float, *, is_up: bool) -> list[tuple[str, str]]:
    rows = [
        ("team", output.styled(joined.info.name, "strong")),
        ("owner", joined.owner + (" (a workload)" if joined.is_workload else "")),
        ("machine", f"{joined.machine} ({joined.hub[:8]})"),
        ("relay", _link(joined, link, now, is_up=is_up)),
        ("provider", f"{joined.info.issuer}, client {joined.info.client_id}"),
    ]
    if joined.is_workload:
        rows.append(("answers", ", ".join(joined.answerers)))
    if link is not None and link.get("roles"):
        rows.append(("roles", ", ".join(link["roles"])))
    if link is not None and link.get("shares") is False:
        rows.append(("shares", output.styled("nothing: [team] share = false", "warn")))
    if joined.runs_out_at is not None:
        rows.append(("signed in", teams.sign_in_words(joined.runs_out_at, now)))
    if link is not None and link.get("sign_in"):
        rows.append(("sign-in", output.styled(link["sign_in"], "warn")))
    return rows


def _link(joined: Membership, link: dict[str, Any] | None, now: float, *, is_up: bool) -> str:
    places = ", ".join(joined.urls)
    if not is_up:
        return f"{places}; no hub is running"
    if link is None or link["state"] == "trouble":
        return output.styled(f"{places}; the hub does not know of it: `assent restart`", "bad")
    return link_words(link, now)


@command.command("hubs")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def hubs(as_json: bool) -> None:
    """List your machines in the team; all of them for its auditors and admins.

    \b
    Example:
      assent team hubs
    """
    paths = locations.find()
    joined = teams.of(paths)
    listed = asyncio.run(_hubs(paths, joined))
    if as_json:
        output.say_json({"hubs": [msgspec.to_builtins(hub) | {"is_this": hub.hub == joined.hub} for hub in listed]})
        return
    now = time.time()
    head = tuple(output.styled(word, "faint") for word in HEADINGS)
    output.say_table([head, *(_row(hub, joined, now) for hub in listed)])


def _row(hub: Member, joined: Membership, now: float) -> tuple[str, ...]:
    if hub.is_connected:
        seen = output.styled("connected", "good")
    else:
        seen = f"{times.span(now * 1000 - hub.seen_at)} ago" if hub.seen_at is not None else "never"
    mark = output.styled("shut out", "bad") if hub.revoked_at is not None else ""
    if hub.hub == joined.hub:
        mark = " ".join(filter(None, ("this machine", mark)))
    return (
        hub.hub[:8],
        output.said_by_agent(hub.machine),
        output.said_by_agent(hub.owner),
        output.said_by_agent(hub.version, 20),
        output.local_time(hub.joined_at, now),
        seen,
        mark,
    )


@command.command("revoke")
@click.argument("hub", metavar="HUB")
@click.option("--yes", is_flag=True, help="Do it without asking.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def revoke(hub: str, yes: bool, as_json: bool) -> None:
    """Shut a machine out of the team, by the beginning of its id or by its name: a laptop that was lost. What it signs
    counts nowhere any more. It may be one of yours; for admins of the team, any.

    \b
    Example:
      assent team revoke 3fVq0aXk
    """
    if as_json and not yes:
        raise UsageError("Nothing was changed: with --json nothing is asked.", hint="add --yes.")
    paths = locations.find()
    must_be_person(paths, "Machines are shut out")
    joined = teams.of(paths)
    found = _picked(asyncio.run(_hubs(paths, joined)), hub)
    if found.hub == joined.hub:
        raise UsageError("This is the machine you are at. Nothing was changed.", hint="`assent leave` ends it here.")
    named = f"{output.said_by_agent(found.machine)} of {output.said_by_agent(found.owner)} ({found.hub[:8]})"
    must_be_confirmed(f"Shut out {named}?", yes=yes)
    asyncio.run(_asked(paths, joined, "POST", "/team/revoke", {"hub": found.hub}))
    if as_json:
        output.say_json({"revoked": found.hub})
    else:
        output.say(f"Shut out: {named}.")


def _picked(listed: tuple[Member, ...], name: str) -> Member:
    for what, matches in (
        ("are called", [hub for hub in listed if name in (hub.hub, hub.machine)]),
        ("begin with", [hub for hub in listed if hub.hub.startswith(name)]),
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            names = ", ".join(hub.hub[:8] for hub in matches[:5])
            raise UsageError(f"{len(matches)} machines {what} {name!r}: {names}.", hint="give the id of one.")
    raise NotFoundError(f"No machine is called {name!r} or begins with it.", hint="`assent team hubs` lists them.")


@command.command("sign-in")
@click.option("--browser", is_flag=True, help="Sign in in a browser on this machine, not by a code on any.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def sign_in(browser: bool, as_json: bool) -> None:
    """Sign in to the team again, where the identity provider does not renew it by itself.

    \b
    Example:
      assent team sign-in
    """
    paths = locations.find()
    must_be_person(paths, "People sign in")
    joined = teams.of(paths)
    if joined.is_workload:
        raise UsageError("A workload owns this machine's place in the team; no person signs in for it.")
    renewed = asyncio.run(_signed_in(paths, joined, has_browser=browser, is_quiet=as_json))
    teams.keep(paths, *renewed)
    told = teams.tell_hub(paths)
    membership = renewed[0]
    if as_json:
        output.say_json({"team": teams.shown(membership), "link": told})
        return
    assert membership.runs_out_at is not None
    until = teams.sign_in_words(membership.runs_out_at, time.time())
    output.say(f"{output.styled('Signed in', 'good')} as {membership.owner}, {until}.")
    output.say(teams.link_words(told))


async def _signed_in(paths: Paths, joined: Membership, *, has_browser: bool, is_quiet: bool) -> tuple[Membership, str]:
    """The membership with the newer proof, and what renews it."""
    ca_file = config.load(paths.config).team.ca_file
    signed = await teams.signed_in(joined.info, _key(paths), ca_file, has_browser=has_browser, is_quiet=is_quiet)
    assert joined.identity is not None
    if signed.identity.id != joined.identity.id:
        label = output.said_by_agent(signed.identity.label)
        raise AssentError(
            f"You signed in as {label}, and this machine is in the team as one of {joined.owner}. Nothing was changed.",
            hint="sign in as that person, or `assent leave` and `assent join` again.",
        )
    return msgspec.structs.replace(joined, proof=signed.proof, identity=signed.identity), signed.refresh


def _key(paths: Paths) -> HubKey:
    key = HubKey.load(paths.team_key)
    if key is None:
        raise AssentError(
            f"The key of this machine, {paths.team_key}, is missing.",
            hint="`assent leave` forgets the team, `assent join URL` joins it again.",
        )
    return key


async def _hubs(paths: Paths, joined: Membership) -> tuple[Member, ...]:
    return teams.decoded(await _asked(paths, joined, "GET", "/team/hubs"), Members).hubs


async def _asked(paths: Paths, joined: Membership, method: str, path: str, message: object = None) -> bytes:
    relay = teams.Relay(joined.urls, config.load(paths.config).team.ca_file)
    try:
        return await relay.ask(method, path, message, _key(paths))
    finally:
        await relay.close()
