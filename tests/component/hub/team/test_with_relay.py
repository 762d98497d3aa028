"""Link and verbs of a hub with a real relay on a real database."""

import asyncio
import contextlib
import functools
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assent import paths as locations
from assent.cli import main
from assent.client import Client
from assent.hub.team.link import TeamLink
from assent.hub.team.renewal import at_provider
from assent.paths import Paths
from assent.protocol.team import Snapshot, TeamAsk, TeamInfo
from assent.secrets_store import Vault
from assent.team import membership as memberships
from assent.team.keys import HubKey
from assent.team.membership import Membership
from assent.team.sign_in import by_device_code
from assent.team.trust import Trust
from tests.component import postgres
from tests.component.hub.ask_client import answer, asks, hook, one, permission, waiting
from tests.component.hub.team.joined import HOUR, link_of, paths_in
from tests.component.hub_process import HubProcess
from tests.component.relay.team import Hub, Team, team
from tests.services.oidc_provider import Provider, an_hour_ago
from tests.waiting import HANG, seen, until

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here() -> AsyncIterator[Team]:
    async with team(postgres.emptied()) as made:
        made.provider.now = an_hour_ago
        yield made


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return paths_in(tmp_path)


async def no_sleep(_: float) -> None:
    await asyncio.sleep(0)


async def joined(here: Team, paths: Paths, *, is_told: bool = True) -> Membership:
    """Signed in as a person does it, and in the team if the relay was told."""
    provider = here.provider
    provider.automatic = "ada@example.org"
    info = TeamInfo(1, "Example", provider.issuer, provider.client_id)
    key = HubKey.load_or_create(paths.team_key)
    trust = Trust.of(info)
    signed = await by_device_code(trust, key, info.scopes, lambda _: None, sleep=no_sleep)
    await trust.close()
    membership = Membership(
        urls=tuple(f"http://127.0.0.1:{relay.port}" for relay in here.relays),
        info=info,
        hub=key.id,
        machine="laptop",
        owner=signed.identity.label,
        joined_at=1,
        identity=signed.identity,
        proof=signed.proof,
    )
    memberships.save(paths.team, membership)
    Vault(paths).put("team", "refresh", signed.refresh)
    if is_told:
        hub = here.hub(here.relays[0])
        hub.key, hub.salt, hub._token = key, signed.proof.salt, signed.proof.token
        await hub.join()
    return membership


@contextlib.asynccontextmanager
async def running(paths: Paths) -> AsyncIterator[TeamLink]:
    link = link_of(paths, at_provider)
    task = asyncio.create_task(link.run_forever())
    try:
        yield link
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def connected(link: TeamLink) -> None:
    await seen(lambda: link.is_connected, "a connected link")


async def test_link_carries_both_ways(here: Team, paths: Paths) -> None:
    """An ask of another machine of the same person comes, and what is sent arrives there."""
    relay = await here.relay()
    membership = await joined(here, paths)
    other = await here.joined(relay)
    async with running(paths) as link:
        heard = list[Any]()
        link.on("ask", heard.append)
        link.on("snapshot", heard.append)
        await connected(link)
        ask = other.ask()
        await other.post("/team/asks", ask)
        await seen(lambda: ask in heard, "the ask")
        own = Hub(here.provider, other.place, "ada@example.org", key=link.key or HubKey.create())
        await link.send("/team/asks", own.ask("ask-2"))
        shown = await other.hears(TeamAsk)
        assert (shown.ask, shown.hub) == ("ask-2", membership.hub)
        assert isinstance(heard[0], Snapshot)


async def test_other_relay_is_used_when_one_ends(here: Team, paths: Paths) -> None:
    """Both carry the same team."""
    first, _ = await here.relay(), await here.relay()
    await joined(here, paths)
    async with running(paths) as link:
        names = list[str]()
        link.on("hello", lambda hello: names.append(hello.relay))
        await connected(link)
        await first.stop()
        await seen(lambda: len(set(names)) == 2, "the other relay")


async def test_hub_the_relay_does_not_know_joins_by_itself(here: Team, paths: Paths) -> None:
    """With the proof it has."""
    await here.relay()
    await joined(here, paths, is_told=False)
    async with running(paths) as link:
        await connected(link)


async def test_hub_that_is_shut_out_hears_it(here: Team, paths: Paths) -> None:
    """And is not let in again."""
    relay = await here.relay()
    membership = await joined(here, paths)
    other = await here.joined(relay)
    async with running(paths) as link:
        await connected(link)
        await other.raw("POST", "/team/revoke", json.dumps({"hub": membership.hub}).encode())
        await seen(lambda: (link.told() or {})["code"] == "revoked", "the word of it")
        assert not link.is_connected


async def test_proof_is_renewed_without_the_person(here: Team, paths: Paths) -> None:
    """The relay takes the newer one; groups may have changed since."""
    await here.relay()
    provider = here.provider
    times = [provider.now() - 7 * HOUR / 1000]
    provider.now, real = (lambda: times[0]), provider.now
    before = await joined(here, paths)
    provider.now = real
    provider.users["ada@example.org"].groups = ("dev", "sre")
    async with running(paths) as link:
        await seen(lambda: link.membership != before, "a newer proof")
        await connected(link)
        after = link.membership
    assert after is not None
    assert after.identity is not None
    assert after.identity.groups == ("dev", "sre")
    assert (after.runs_out_at or 0) > (before.runs_out_at or 0)
    assert memberships.load(paths.team) == after


async def test_account_that_was_disabled_is_told(here: Team, paths: Paths) -> None:
    """In time: what the provider said counts a few hours more."""
    await here.relay()
    provider = here.provider
    times = [provider.now() - 7 * HOUR / 1000]
    provider.now, real = (lambda: times[0]), provider.now
    await joined(here, paths)
    provider.now = real
    provider.users["ada@example.org"].is_disabled = True
    async with running(paths) as link:
        await seen(lambda: "assent team sign-in" in (link.told() or {})["sign_in"], "what to do")
        await connected(link)


@pytest.fixture
def beside() -> Iterator[tuple[str, Provider]]:
    """The address of a relay in a thread of its own, and its identity provider."""
    started, ended = threading.Event(), threading.Event()
    found: list[tuple[str, Provider]] = []

    async def serve() -> None:
        async with team(postgres.emptied()) as here:
            relay = await here.relay()
            found.append((f"http://127.0.0.1:{relay.port}", here.provider))
            started.set()
            await asyncio.to_thread(ended.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    until(started.is_set, "the relay")
    yield found[0]
    ended.set()
    thread.join()


def test_two_machines_of_one_person_through_all_verbs(
    beside: tuple[str, Provider],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Join, see each other, shut one out, leave."""
    url, provider = beside
    provider.automatic = "ada@example.org"
    monkeypatch.setattr("assent.cli.teams.by_device_code", functools.partial(by_device_code, sleep=no_sleep))
    monkeypatch.setattr("assent.cli.teams.CONNECTED_WITHIN", HANG)
    homes = [tmp_path_factory.mktemp("h"), tmp_path_factory.mktemp("h")]

    def at(home: Path) -> Callable[..., dict[str, Any]]:
        def run(*argv: str) -> dict[str, Any]:
            monkeypatch.setenv("ASSENT_HOME", str(home))
            capsys.readouterr()
            code = main.run([*argv, "--json"])
            said: dict[str, Any] = json.loads(capsys.readouterr().out)
            return said | {"code": code}

        return run

    first, second = map(at, homes)
    hub = HubProcess(homes[0]).start()
    try:
        assert first("join", url, "--yes", "--machine", "desk")["link"]["state"] == "connected"
        assert second("join", url, "--yes", "--machine", "lost")["link"] is None
        assert {each["machine"] for each in first("team", "hubs")["hubs"]} == {"desk", "lost"}
        first("team", "revoke", "lost", "--yes")
        assert [each["machine"] for each in first("team", "hubs")["hubs"] if each.get("revoked_at")] == ["lost"]
        assert first("team", "sign-in")["link"]["state"] == "connected"
        assert first("leave", "--yes")["relay_told"] is True
        monkeypatch.setenv("ASSENT_HOME", str(homes[0]))
        assert Client(locations.find()).team() is None
    finally:
        hub.stop()


def test_ask_is_answered_on_the_other_machine(
    beside: tuple[str, Provider],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was asked on one machine is shown on the other, and the yes that is given there reaches the agent. Once
    a machine has left, its own desk alone is asked."""
    url, provider = beside
    provider.automatic, provider.now = "ada@example.org", an_hour_ago
    monkeypatch.setattr("assent.cli.teams.by_device_code", functools.partial(by_device_code, sleep=no_sleep))
    monkeypatch.setattr("assent.cli.teams.CONNECTED_WITHIN", HANG)
    here, there = hubs = [HubProcess(tmp_path_factory.mktemp("h")) for _ in range(2)]

    def verb(hub: HubProcess, *argv: str) -> None:
        monkeypatch.setenv("ASSENT_HOME", hub.environ["ASSENT_HOME"])
        assert main.run([*argv, "--yes"]) == 0

    try:
        for hub, name in zip(hubs, ("laptop", "desktop"), strict=True):
            hub.start()
            verb(hub, "join", url, "--machine", name)
        with hook(here, permission("git push origin main")) as (run, ask):
            (shown,) = waiting(there)
            assert answer(there, shown, "allow")[0] == 202
            assert run.decision == {"behavior": "allow"}
            assert until(lambda: one(here, ask["id"])["state"] == "told", "the receipt")
        assert [each["name"] for each in there.api("GET", "/api/status")[1]["new_machines"]] == ["laptop"]
        until(lambda: not asks(there), "the end of it on the other machine")
        verb(here, "leave")
        with hook(here, permission("git push origin other")) as (run, ask):
            assert answer(here, ask, "deny")[0] == 202
            assert run.decision["behavior"] == "deny"
        assert asks(there) == []
    finally:
        for hub in hubs:
            hub.stop()


def test_workload_joins_and_is_listed(
    beside: tuple[str, Provider],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Who may answer stays what was said here."""
    url, provider = beside
    (tmp_path / "token").write_text(provider.workload_token("assent-ci"))
    monkeypatch.setenv("ASSENT_HOME", str(tmp_path / "home"))
    argv = ["join", url, "--yes", "--json", "--workload", str(tmp_path / "token"), "--from", "group:sre"]
    assert main.run(argv) == 0
    said = json.loads(capsys.readouterr().out)["joined"]
    assert said["is_workload"] is True
    assert said["owner"].startswith("acme/app")
    assert said["answerers"] == ["group:sre"]
