"""``assent join`` and ``assent leave``: a team of machines that show each other's asks to their people."""

import asyncio
import contextlib
import socket
import time
from dataclasses import dataclass

import click
import msgspec

from assent import config
from assent import paths as locations
from assent._version import __version__
from assent.cli import output, teams
from assent.cli.common import must_be_confirmed, must_be_person
from assent.errors import AssentError, HubUnreachableError, NotFoundError, UsageError
from assent.paths import Paths
from assent.protocol.team import VERSION, Joined, JoinRequest, Proof, TeamInfo, Whom
from assent.secrets_store import Vault
from assent.team import membership as memberships
from assent.team import tokens, whom
from assent.team.http import RefusedByRelayError, relay_url
from assent.team.keys import HubKey
from assent.team.membership import REFRESH, DamagedError, Membership


@click.command("join")
@click.argument("urls", metavar="URL...", nargs=-1, required=True)
@click.option("--issuer", metavar="URL", help="The identity provider; refused where the relay names another one.")
@click.option("--client-id", metavar="ID", help="What Assent is called there; refused where the relay says otherwise.")
@click.option("--browser", is_flag=True, help="Sign in in a browser on this machine, not by a code on any.")
@click.option("--workload", metavar="TOKEN", help="Join without a person: a token from FILE, - or env:NAME.")
@click.option("--from", "answerers", metavar="WHOM", multiple=True, help="Who may answer a workload; may be repeated.")
@click.option("--machine", metavar="NAME", default="", help="What the team calls this machine; else its host name.")
@click.option("--yes", is_flag=True, help="Do it without asking.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    urls: tuple[str, ...],
    issuer: str | None,
    client_id: str | None,
    browser: bool,
    workload: str | None,
    answerers: tuple[Whom, ...],
    machine: str,
    yes: bool,
    as_json: bool,
) -> int:
    """Join a team at its relay: your machines there show what agents ask here, and the other way round.

    You sign in with the team's identity provider, in a browser on any machine. From then on this hub believes that
    provider about people, and no other: a relay can delay and read, it cannot say yes. Where a team has several
    relays, name all of them.

    A CI job or a container joins as a workload, with a token of its own; who may answer for it is named here, and
    nowhere else: owner, person:MAIL or group:NAME.

    \b
    Examples:
      assent join https://relay.example.net
      assent join https://relay.example.net --issuer https://id.example.net --client-id assent
      assent join https://relay.example.net --workload env:CI_TOKEN --from group:sre --yes
    """
    wanted = _Wanted(
        urls=tuple(dict.fromkeys(map(relay_url, urls))),
        issuer=issuer,
        client_id=client_id,
        has_browser=browser,
        workload=workload,
        answerers=_checked(answerers, workload),
        is_quiet=as_json,
        yes=yes,
    )
    if as_json and not yes:
        raise UsageError("Nothing was changed: with --json nothing is asked.", hint="add --yes.")
    paths = locations.find()
    must_be_person(paths, "Teams are joined")
    _must_be_in_none(paths, wanted)
    settings = config.load(paths.config)
    name = machine or settings.team.machine or _host_name()
    if not config.is_machine_name(name):
        raise UsageError(f"A machine's name is one line of at most {config.LONGEST_MACHINE} characters.")
    membership = asyncio.run(_joined(paths, settings.team.ca_file, name, wanted))
    told = teams.tell_hub(paths)
    if as_json:
        output.say_json({"joined": teams.shown(membership), "link": told})
        return 0
    output.say(f"{output.styled('Joined', 'good')}: this machine is {membership.machine} of {membership.owner}.")
    if membership.is_workload:
        output.say(f"What agents ask here is answered by {', '.join(membership.answerers)}.")
    output.say(teams.link_words(told))
    return 0


@dataclass(frozen=True, slots=True)
class _Wanted:
    urls: tuple[str, ...]
    issuer: str | None
    client_id: str | None
    has_browser: bool
    # Where the token of a workload is; None for a person.
    workload: str | None
    answerers: tuple[Whom, ...]
    is_quiet: bool
    yes: bool


def _checked(answerers: tuple[Whom, ...], workload: str | None) -> tuple[Whom, ...]:
    for one in answerers:
        if problem := whom.problem(one):
            raise UsageError(f"--from: {problem}.")
    if workload is None:
        if answerers:
            raise UsageError("--from is for workloads; what agents ask on your own machine is asked you.")
        return (whom.OWNER,)
    if not answerers or whom.OWNER in answerers:
        raise UsageError(
            "A workload has no owner who could answer: say who may.", hint="--from person:MAIL or --from group:NAME."
        )
    return answerers


def _must_be_in_none(paths: Paths, wanted: _Wanted) -> None:
    joined = memberships.load(paths.team)
    if joined is None:
        return
    if set(joined.urls) & set(wanted.urls):
        raise AssentError(
            f"This machine is in the team {joined.info.name} already, as {joined.machine} of {joined.owner}.",
            hint="`assent team` shows how it stands, `assent leave` ends it.",
        )
    raise AssentError(
        f"This machine is in another team, {joined.info.name} at {joined.urls[0]}. Nothing was changed.",
        hint="`assent leave` ends that first.",
    )


def _host_name() -> str:
    return output.said_by_agent(socket.gethostname().partition(".")[0], config.LONGEST_MACHINE).strip() or "machine"


async def _joined(paths: Paths, ca_file: str | None, machine: str, wanted: _Wanted) -> Membership:
    """Written down and known to the relay. Raises AssentError; nothing is left then."""
    relay = teams.Relay(wanted.urls, ca_file)
    try:
        info = await _agreed(relay, wanted)
        had_key = paths.team_key.exists()
        try:
            key = HubKey.load_or_create(paths.team_key)
            return await _joined_with(paths, relay, key, info, machine, wanted)
        except BaseException as error:
            is_shut_out = isinstance(error, RefusedByRelayError) and error.code == "revoked"
            if not had_key or is_shut_out:
                paths.team_key.unlink(missing_ok=True)
            if is_shut_out and had_key:
                raise AssentError(
                    "The key of this machine was shut out of the team, and is deleted.",
                    hint="run the command again: a new one is made.",
                ) from None
            raise
    finally:
        await relay.close()


async def _agreed(relay: teams.Relay, wanted: _Wanted) -> TeamInfo:
    """What the relay says of its team, once it is believed. Raises AssentError."""
    info = teams.decoded(await relay.ask("GET", "/team"), TeamInfo)
    if info.version != VERSION:
        older = "relay" if info.version < VERSION else "hub"
        raise AssentError(
            f"The relay speaks version {info.version} of the team's protocol, this hub {VERSION}. Nothing was changed.",
            hint=f"upgrade the {older}.",
        )
    for said, pinned, what in (
        (info.issuer, wanted.issuer, "identity provider"),
        (info.client_id, wanted.client_id, "client id"),
    ):
        if pinned is not None and said != pinned:
            raise AssentError(
                f"The relay names another {what} than you: {output.said_by_agent(said, 200)}. Nothing was changed.",
                hint="ask who runs the relay; do not sign in there until it is clear.",
            )
    name = output.said_by_agent(info.name, 60) or "team"
    info = msgspec.structs.replace(info, name=name)
    if not wanted.is_quiet:
        _say_whom(info, wanted)
    must_be_confirmed("Join it?", yes=wanted.yes)
    return info


def _say_whom(info: TeamInfo, wanted: _Wanted) -> None:
    rows = [
        ("team", output.styled(info.name, "strong")),
        ("relay", ", ".join(wanted.urls)),
        ("provider", output.said_by_agent(info.issuer, 200)),
        ("client id", output.said_by_agent(info.client_id, 200)),
    ]
    for name, value in rows:
        output.say(f"{name:<9} {value}")
    output.say_paragraph(
        "This hub will believe that identity provider about who people are, and no other, until `assent leave`. What "
        "agents ask here, with commands and paths, is sent to the relay."
    )


async def _joined_with(
    paths: Paths, relay: teams.Relay, key: HubKey, info: TeamInfo, machine: str, wanted: _Wanted
) -> Membership:
    signed: teams.SignedIn | None = None
    token = ""
    if wanted.workload is None:
        signed = await teams.signed_in(
            info, key, relay.ca_file, has_browser=wanted.has_browser, is_quiet=wanted.is_quiet
        )
    else:
        token = tokens.read(wanted.workload)
    proof: Proof | None = signed.proof if signed else None
    request = JoinRequest(key.public, machine, __version__, proof, token)
    joined = teams.decoded(await relay.ask("POST", "/team/join", request, key), Joined)
    if joined.hub != key.id:
        raise AssentError("The relay calls this hub by another name than its key has. Nothing was changed.")
    membership = Membership(
        urls=wanted.urls,
        info=info,
        hub=key.id,
        machine=machine,
        owner=output.said_by_agent(signed.identity.label if signed else joined.owner, 200),
        joined_at=int(time.time() * 1000),
        identity=signed.identity if signed else None,
        proof=proof,
        token_source="" if wanted.workload is None else tokens.kept_source(wanted.workload),
        answerers=wanted.answerers,
    )
    teams.keep(paths, membership, signed.refresh if signed else "")
    return membership


@click.command("leave")
@click.option("--yes", is_flag=True, help="Do it without asking.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def leave(yes: bool, as_json: bool) -> int:
    """Leave the team: what agents ask here is shown on this machine alone again. Key, sign-in and all that was written
    down about the team are deleted, also while its relay cannot be reached.

    \b
    Example:
      assent leave
    """
    if as_json and not yes:
        raise UsageError("Nothing was changed: with --json nothing is asked.", hint="add --yes.")
    paths = locations.find()
    must_be_person(paths, "Teams are left")
    joined, trouble = _known(paths)
    if joined is None and not trouble and not paths.team_key.exists():
        raise NotFoundError("This machine is in no team. Nothing was changed.")
    name = joined.info.name if joined else "the team"
    if trouble and not as_json:
        output.say_paragraph(trouble)
    must_be_confirmed(f"Leave {name}?", yes=yes)
    key = None
    with contextlib.suppress(AssentError):
        key = HubKey.load(paths.team_key)
    left = _forget(paths)
    # Before the relay hears of it: a hub that is still in the team would join again.
    with contextlib.suppress(HubUnreachableError):
        teams.reload(paths)
    untold = teams.say_goodbye(paths, joined, key)
    if as_json:
        output.say_json({"left": joined.info.name if joined else None, "relay_told": not untold, "kept": left})
        return 0
    output.say(f"{output.styled('Left', 'good')}: this machine is in no team any more.")
    for words in filter(None, (left, untold)):
        output.say_paragraph(output.styled(words, "warn"))
    return 0


def _known(paths: Paths) -> tuple[Membership | None, str]:
    try:
        return memberships.load(paths.team), ""
    except DamagedError as error:
        return None, error.message


def _forget(paths: Paths) -> str:
    """What is still there, in words."""
    left = Vault(paths).forget(*REFRESH)
    try:
        paths.team_key.unlink(missing_ok=True)
        memberships.forget(paths.team)
    except OSError as error:
        raise AssentError(f"{paths.team} cannot be deleted: {error.strerror}.", hint="delete it by hand.") from None
    return left
