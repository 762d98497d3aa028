"""What the verbs of a team share: asking its relay, signing in, and telling the hub."""

import asyncio
import sys
import time
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from assent import config
from assent.cli import output
from assent.cli.common import opened
from assent.client import ApiError, Client
from assent.errors import AssentError, HubUnreachableError, NotFoundError
from assent.paths import Paths
from assent.protocol.team import TeamInfo
from assent.secrets_store import Vault
from assent.team import membership as memberships
from assent.team.http import Place, RefusedByRelayError, RelayHttp, Signer, UnreachableError
from assent.team.keys import HubKey
from assent.team.membership import REFRESH, Membership
from assent.team.sign_in import DeviceCode, SignedIn, by_browser, by_device_code
from assent.team.trust import Trust

__all__ = ["SignedIn"]

# How long a hub may take to connect before its word is told as it is.
CONNECTED_WITHIN = 10.0
POLL = 0.1
# What a relay says that cannot do it now; another one may.
BUSY = 503

Wanted = TypeVar("Wanted")


class Relay:
    """The relays of a team, for one question after another."""

    def __init__(self, urls: Sequence[str], ca_file: str | None) -> None:
        self._urls = urls
        self.ca_file = ca_file
        self._http = RelayHttp(ca_file)
        # The one that answered last.
        self._place: Place | None = None

    async def ask(self, method: str, path: str, message: object = None, key: HubKey | None = None) -> bytes:
        """Raises AssentError."""
        body = b"" if message is None else msgspec.json.encode(message)
        sign = Signer(key) if key else None
        error: AssentError | None = None
        for place in [self._place] if self._place else await self._http.places(self._urls):
            try:
                answer = await self._http.request(place, method, path, body, sign)
            except UnreachableError as trouble:
                error = trouble
            except RefusedByRelayError as refusal:
                if refusal.status != BUSY:
                    raise
                error = refusal
            else:
                self._place = place
                return answer
        assert error is not None
        raise error

    async def close(self) -> None:
        await self._http.close()


def decoded(content: bytes, kind: type[Wanted]) -> Wanted:
    """Raises AssentError."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise AssentError(
            "What answers there is no relay of Assent, or one of another version.", hint="look at the address again."
        ) from None


def of(paths: Paths) -> Membership:
    """Raises AssentError."""
    joined = memberships.load(paths.team)
    if joined is None:
        raise NotFoundError("This machine is in no team.", hint="`assent join URL` joins one.")
    return joined


def keep(paths: Paths, membership: Membership, refresh: str) -> None:
    """Raises AssentError."""
    try:
        if refresh:
            Vault(paths).put(*REFRESH, refresh)
        else:
            Vault(paths).forget(*REFRESH)
        memberships.save(paths.team, membership)
    except OSError as error:
        raise AssentError(f"{paths.team} cannot be written: {error.strerror}.") from None


def shown(membership: Membership) -> dict[str, Any]:
    return {
        "name": membership.info.name,
        "relays": membership.urls,
        "issuer": membership.info.issuer,
        "client_id": membership.info.client_id,
        "hub": membership.hub,
        "machine": membership.machine,
        "owner": membership.owner,
        "is_workload": membership.is_workload,
        "answerers": membership.answerers,
        "joined_at": membership.joined_at,
        "runs_out_at": membership.runs_out_at,
    }


def reload(paths: Paths) -> dict[str, Any] | None:
    """How the hub's link stands. Raises AssentError."""
    return Client(paths).team_reload()


def tell_hub(paths: Paths) -> dict[str, Any] | None:
    """How its link stands once it is connected, or after a while; None where no hub runs."""
    client = Client(paths)
    try:
        told = client.team_reload()
        end = time.monotonic() + CONNECTED_WITHIN
        while told is not None and told["state"] == "connecting" and time.monotonic() < end:
            time.sleep(POLL)
            told = client.team()
    except HubUnreachableError:
        return None
    except ApiError as error:
        # It was started meanwhile, and takes this program for none of a person.
        return {"state": "trouble", "why": error.message, "hint": "`assent restart` in a terminal connects it."}
    return told


def link_words(told: dict[str, Any] | None) -> str:
    """How the link of a hub stands, in a sentence."""
    if told is None:
        return "No hub is running; it connects when one starts: `assent up --detach`."
    if told["state"] == "connected":
        return f"The hub is connected to {told['relay']}."
    if told["state"] == "connecting":
        return "The hub is connecting."
    return f"The hub is not connected: {' '.join(filter(None, (told['why'], told.get('hint'))))}"


def sign_in_words(runs_out_at: int, now: float) -> str:
    until = output.local_time(runs_out_at, now)
    return f"until {until}" if runs_out_at > now * 1000 else output.styled(f"until {until}, which is over", "bad")


async def signed_in(info: TeamInfo, key: HubKey, ca_file: str | None, *, has_browser: bool, is_quiet: bool) -> SignedIn:
    """Raises AssentError."""
    say = output.complain if is_quiet else output.say

    def tell(code: DeviceCode) -> None:
        say("Open this address in a browser, on any machine, and type in the code:")
        say("")
        say(f"  {code.address}")
        say(f"  {output.styled(code.user_code, 'strong')}")
        say("")
        say("Waiting for it … (Ctrl-C ends this; nothing is changed then)")

    def show(address: str) -> None:
        say("Sign in in the browser that opens." if opened(address) else "Open this address in a browser:")
        say("")
        say(f"  {address}")
        say("")
        if output.is_interactive():
            say("Should it end at a page that cannot be opened, paste the address of that page here:")

    trust = Trust.of(info, ca_file=ca_file)
    try:
        if has_browser:
            return await by_browser(trust, key, info.scopes, show, typed=_typed if output.is_interactive() else None)
        return await by_device_code(trust, key, info.scopes, tell)
    finally:
        await trust.close()


async def _typed() -> str:
    """A line of the terminal, without a thread that would hold up the end of the program."""
    loop, fd = asyncio.get_running_loop(), sys.stdin.fileno()
    is_there = asyncio.Event()
    loop.add_reader(fd, is_there.set)
    try:
        await is_there.wait()
    finally:
        loop.remove_reader(fd)
    return sys.stdin.readline()


def say_goodbye(paths: Paths, joined: Membership | None, key: HubKey | None) -> str:
    """Tell the relay that this hub left; why it does not know, in words."""
    if joined is None or key is None:
        return "The relay was not told. `assent team revoke` on another machine of yours shuts this one out."
    try:
        asyncio.run(_leave(paths, joined, key))
    except RefusedByRelayError as error:
        return "" if error.code in ("unknown-hub", "revoked") else f"The relay was told, and refused: {error.message}"
    except AssentError as error:
        return (
            f"The relay was not told: {error.message} It shows this machine until a person runs "
            f"`assent team revoke {joined.hub[:8]}` on another one."
        )
    return ""


async def _leave(paths: Paths, joined: Membership, key: HubKey) -> None:
    relay = Relay(joined.urls, config.load(paths.config).team.ca_file)
    try:
        await relay.ask("POST", "/team/leave", {}, key)
    finally:
        await relay.close()
