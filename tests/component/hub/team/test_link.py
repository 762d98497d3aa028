"""The stream to a team's relay: begun, broken, begun again, and never waited for."""

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from assent.config import Team
from assent.hub.team.base import AwayError, RefusedByRelayError
from assent.hub.team.link import TeamLink, pause
from assent.paths import Paths
from assent.protocol.team import AnswerResult, Gone, Hello, Revoked, Snapshot
from assent.secrets_store import Vault
from assent.team import membership as memberships
from assent.team.provider import ProviderAwayError
from assent.team.sign_in import SignedIn
from tests.component.hub.team.joined import HOUR, FakeProvider, joined, link_of, paths_in, token
from tests.services.team_relay import Relay, certified
from tests.waiting import seen

pytestmark = pytest.mark.anyio

GONE = Gone("h" * 43, "ask-1")


@pytest.fixture
def relay() -> Iterator[Relay]:
    with Relay() as relay:
        yield relay


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return paths_in(tmp_path)


@contextlib.asynccontextmanager
async def running(link: TeamLink) -> AsyncIterator[TeamLink]:
    task = asyncio.create_task(link.run_forever())
    try:
        yield link
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def connected(link: TeamLink) -> None:
    await seen(lambda: link.is_connected, "a connected link")


async def away(link: TeamLink, words: str) -> None:
    await seen(lambda: words in str((link.told() or {}).get("why")), words)


async def test_hub_in_no_team_does_nothing(paths: Paths) -> None:
    """Nothing is sent, and nothing is said about it."""
    link = link_of(paths)
    async with running(link):
        with pytest.raises(AwayError, match="in no team"):
            await link.send("/team/gone", GONE)
    assert link.told() is None


async def test_joined_hub_connects_and_says_so(paths: Paths, relay: Relay) -> None:
    """First what the relay says of itself, then that the link is there, then what waits elsewhere."""
    membership = joined(paths, relay)
    link, heard = link_of(paths), list[str]()
    link.on("hello", lambda hello: heard.append(f"hello of {hello.relay}"))
    link.on_connected(lambda: heard.append("connected"))
    link.on("snapshot", lambda _: heard.append("snapshot"))
    async with running(link):
        await seen(lambda: len(heard) == 3, "three words")
        assert heard == ["hello of relay-1", "connected", "snapshot"]
        told = link.told()
        assert told is not None
        assert (told["state"], told["owner"], told["roles"]) == ("connected", "ada@example.org", ("member",))
        assert relay.connected == [membership.hub]


async def test_events_arrive_as_what_they_are(paths: Paths, relay: Relay) -> None:
    """Also in pieces, with other line ends, and beside events of a newer relay."""
    membership = joined(paths, relay)
    link, heard = link_of(paths), list[object]()
    for name in ("gone", "result", "revoked"):
        link.on(name, heard.append)
    async with running(link):
        await connected(link)
        relay.send_raw(membership.hub, b": a comment\n\nevent: later\ndata: {}\n\nevent: gone\r\ndata: {\r\nda")
        relay.send_raw(membership.hub, b'ta: "hub": "' + b"h" * 43 + b'", "ask": "\xe2\x80\xa8"}\r\n\r\n')
        relay.send(membership.hub, "result", AnswerResult("s" * 43, "ask", "n" * 16, text="taken"))
        relay.send(membership.hub, "revoked", Revoked(("r" * 43,)))
        await seen(lambda: len(heard) == 3, "three events")
    assert heard == [
        Gone("h" * 43, "\u2028"),
        AnswerResult("s" * 43, "ask", "n" * 16, text="taken"),
        Revoked(("r" * 43,)),
    ]


async def test_what_cannot_be_read_is_left_out(paths: Paths, relay: Relay) -> None:
    """And what comes after it is heard."""
    membership = joined(paths, relay)
    link, heard = link_of(paths), list[object]()
    link.on("gone", heard.append)
    async with running(link):
        await connected(link)
        for content in (b"{", b"[" * 50_000, b'{"hub": 1}', b"\xff", b"null"):
            relay.send_raw(membership.hub, b"event: gone\ndata: " + content + b"\n\n")
        relay.send(membership.hub, "gone", GONE)
        await seen(lambda: heard, "the one that can be read")
    assert heard == [GONE]


async def test_flood_is_taken_in_portions(paths: Paths, relay: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it, in order, and the loop is free between them."""
    monkeypatch.setattr("assent.hub.team.link.MOST_AT_ONCE", 10)
    monkeypatch.setattr("assent.hub.team.link.PER", 0.01)
    membership = joined(paths, relay)
    link, heard, turns = link_of(paths), list[str](), set[int]()
    link.on("gone", lambda gone: heard.append(gone.ask))

    async def work() -> None:
        while True:
            turns.add(len(heard))
            await asyncio.sleep(0)

    async with running(link):
        await connected(link)
        other = asyncio.create_task(work())
        lines = [f'event: gone\ndata: {{"hub":"{"h" * 43}","ask":"{number}"}}\n\n' for number in range(200)]
        relay.send_raw(membership.hub, "".join(lines).encode())
        await seen(lambda: len(heard) == 200, "all events")
        other.cancel()
    assert heard == [str(number) for number in range(200)]
    assert len(turns) > 10


async def test_part_that_fails_does_not_end_the_stream(paths: Paths, relay: Relay) -> None:
    """The others hear of it all the same."""
    membership = joined(paths, relay)
    link, heard = link_of(paths), list[object]()

    def fail(_: object) -> None:
        raise RuntimeError("a part")

    link.on("gone", fail)
    link.on("gone", heard.append)
    async with running(link):
        await connected(link)
        relay.send(membership.hub, "gone", GONE)
        await seen(lambda: heard, "the event")
        assert link.is_connected


async def test_stream_that_ended_is_begun_again(paths: Paths, relay: Relay) -> None:
    """Each time parts are told, so that they post what is open."""
    joined(paths, relay)
    link, times = link_of(paths), list[int]()
    link.on_connected(lambda: times.append(1))
    async with running(link):
        await connected(link)
        relay.drop()
        await seen(lambda: len(times) == 2, "a second stream")
        assert link.is_connected


async def test_relay_that_comes_back_is_found_again(paths: Paths, relay: Relay) -> None:
    """Meanwhile sending fails at once, in words."""
    joined(paths, relay)
    link = link_of(paths)
    async with running(link):
        await connected(link)
        relay.stop()
        await seen(lambda: not link.is_connected, "a broken link")
        with pytest.raises(AwayError):
            await link.send("/team/gone", GONE)
        relay.start()
        await connected(link)
        assert await link.send("/team/gone", GONE) == b"{}"


async def test_other_relay_takes_over(paths: Paths, relay: Relay) -> None:
    """What broke is not tried first."""
    with Relay(name="relay-2") as other:
        joined(paths, relay, other)
        link, heard = link_of(paths), list[str]()
        link.on("hello", lambda hello: heard.append(hello.relay))
        async with running(link):
            await connected(link)
            relay.drop()
            await seen(lambda: len(heard) == 2, "the other relay")
    assert heard == ["relay-1", "relay-2"]


async def test_relay_that_is_away_at_the_start_is_waited_for(paths: Paths, relay: Relay) -> None:
    """The second one is asked meanwhile."""
    with Relay(name="relay-2") as other:
        joined(paths, relay, other)
        relay.stop()
        link, heard = link_of(paths), list[Hello]()
        link.on("hello", heard.append)
        async with running(link):
            await connected(link)
    assert [hello.relay for hello in heard] == ["relay-2"]


async def test_link_says_since_when_and_why_it_is_away(paths: Paths, relay: Relay) -> None:
    """In words that people can do something with."""
    joined(paths, relay)
    relay.stop()
    link = link_of(paths)
    async with running(link):
        await away(link, "cannot be reached")
        told = link.told()
        assert told is not None
        assert told["state"] == "away"
        assert told["since"] <= time.time() * 1000


async def test_sent_message_arrives_signed(paths: Paths, relay: Relay) -> None:
    """By the key that joined."""
    membership = joined(paths, relay)
    link = link_of(paths)
    async with running(link):
        await connected(link)
        await asyncio.gather(*(link.send("/team/gone", Gone("h" * 43, f"ask-{number}")) for number in range(20)))
    assert {hub for _, hub, _ in relay.posted} == {membership.hub}
    assert len(relay.bodies("/team/gone")) == 20


async def test_refusal_comes_with_its_code(paths: Paths, relay: Relay) -> None:
    """The stream stays."""
    joined(paths, relay)
    relay.refuses["/team/gone"] = (422, "bad-ask")
    link = link_of(paths)
    async with running(link):
        await connected(link)
        with pytest.raises(RefusedByRelayError) as refusal:
            await link.send("/team/gone", GONE)
        assert (refusal.value.status, refusal.value.code) == (422, "bad-ask")
        assert link.is_connected


async def test_what_does_not_greet_is_no_relay(paths: Paths, relay: Relay) -> None:
    """Nothing of it is taken."""
    joined(paths, relay)
    relay.first = "gone"
    link, heard = link_of(paths), list[Snapshot]()
    link.on("snapshot", heard.append)
    async with running(link):
        await away(link, "does not speak as a relay does")
    assert heard == []


async def test_web_server_is_told_from_a_relay(paths: Paths, relay: Relay) -> None:
    """Its pages are no errors of a relay."""
    joined(paths, relay)
    relay.refuses["/team/stream"] = (404, "not-found")
    link = link_of(paths)
    async with running(link):
        await seen(lambda: (link.told() or {}).get("code") == "not-found", "the code")


async def test_hub_that_was_shut_out_says_so(paths: Paths, relay: Relay) -> None:
    """It is not asked again and again."""
    membership = joined(paths, relay)
    link = link_of(paths)
    async with running(link):
        await connected(link)
        relay.revoked.append(membership.hub)
        with pytest.raises(RefusedByRelayError, match="shut out"):
            await link.send("/team/gone", GONE)
        await away(link, "shut out")
        assert (link.told() or {})["code"] == "revoked"
    assert relay.begun == [membership.hub]


async def test_relay_that_forgot_a_hub_is_joined_again(paths: Paths, relay: Relay) -> None:
    """Its database may have been set back; the owner need not do anything."""
    membership = joined(paths, relay)
    relay.hubs.clear()
    link = link_of(paths)
    async with running(link):
        await connected(link)
    assert relay.hubs[membership.hub].request.proof == membership.proof


async def test_workload_joins_again_with_a_newer_token(paths: Paths, relay: Relay, tmp_path: Path) -> None:
    """Read where it was read before."""
    (tmp_path / "token").write_text("newer\n")
    source = str(tmp_path / "token")
    membership = joined(paths, relay, identity=None, proof=None, token_source=source, answerers=("group:sre",))
    relay.hubs.clear()
    link = link_of(paths)
    async with running(link):
        await connected(link)
    request = relay.hubs[membership.hub].request
    assert (request.workload, request.proof) == ("newer", None)


async def test_workload_without_a_place_for_tokens_says_what_to_do(paths: Paths, relay: Relay) -> None:
    """What was piped in once is gone."""
    joined(paths, relay, identity=None, proof=None)
    relay.hubs.clear()
    link = link_of(paths)
    async with running(link):
        await away(link, "newer token")
        assert "assent leave" in (link.told() or {})["hint"]


async def test_joining_while_the_hub_runs_connects_it(paths: Paths, relay: Relay) -> None:
    """And leaving ends it, without a restart."""
    link = link_of(paths)
    async with running(link):
        joined(paths, relay)
        link.reload()
        await connected(link)
        memberships.forget(paths.team)
        link.reload()
        await seen(lambda: not link.is_connected, "the end of it")
        await seen(lambda: relay.connected == [], "the end of the stream")
        assert link.told() is None


async def test_long_absence_is_told_everywhere(paths: Paths, relay: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short one is not."""
    joined(paths, relay)
    relay.stop()
    link = link_of(paths)
    async with running(link):
        await away(link, "cannot be reached")
        assert link.warning() is None
        monkeypatch.setattr("assent.hub.team.link.WORTH_TELLING_MS", -1)
        assert "asks stay on this machine" in (link.warning() or "")


async def test_machine_that_slept_begins_its_stream_again(
    paths: Paths, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock went on, and what measures waiting did not."""
    joined(paths, relay)
    monkeypatch.setattr("assent.hub.team.link.LOOK_AT_CLOCK", 0.01)
    slept = [0]
    monkeypatch.setattr("assent.hub.team.link.now_ms", lambda: int(time.time() * 1000) + slept[0])
    link = link_of(paths)
    async with running(link):
        await connected(link)
        slept[0] = HOUR // 60
        await seen(lambda: len(relay.begun) > 1, "another stream")


@pytest.mark.parametrize("content", [b"{", b"", b'{"version": 2}'])
async def test_damaged_file_is_told_and_stops_nothing(paths: Paths, content: bytes) -> None:
    """The hub goes on without the team."""
    paths.team.write_bytes(content)
    paths.team.chmod(0o600)
    link = link_of(paths)
    async with running(link):
        told = link.told()
        assert told is not None
        assert told["state"] == "trouble"
        assert "assent leave" in told["why"]
        assert link.warning() == told["why"]
        with pytest.raises(AwayError):
            await link.send("/team/gone", GONE)


async def test_missing_or_other_key_is_told(paths: Paths, relay: Relay) -> None:
    """A new one is not made: the team does not know it."""
    joined(paths, relay)
    paths.team_key.unlink()
    link = link_of(paths)
    async with running(link):
        await away(link, "is missing")
    assert not paths.team_key.exists()


async def test_certificate_file_that_cannot_be_used_is_told(paths: Paths, relay: Relay, tmp_path: Path) -> None:
    """With the setting that names it."""
    joined(paths, relay)
    link = link_of(paths, team=Team(ca_file=str(tmp_path / "none.pem")))
    async with running(link):
        await away(link, "none.pem cannot be used")
        assert "ca_file" in (link.told() or {})["hint"]


@pytest.mark.parametrize("ahead", [HOUR, -24 * HOUR])
async def test_clock_that_is_off_shuts_no_hub_out(paths: Paths, relay: Relay, ahead: int) -> None:
    """The relay says what time it is, and that is used for signing."""
    joined(paths, relay)
    relay.ahead_ms = ahead
    async with running(link_of(paths)) as link:
        await connected(link)
        relay.ahead_ms = 0
        assert await link.send("/team/gone", GONE) == b"{}"


async def test_relay_is_known_by_its_certificate(paths: Paths, tmp_path: Path) -> None:
    """At any address of its name; the authority is one of the settings."""
    tls, authority = certified(tmp_path, "localhost")
    with Relay(tls=tls, host="localhost") as relay:
        joined(paths, relay)
        async with running(link_of(paths, team=Team(ca_file=authority))) as link:
            await connected(link)
            assert await link.send("/team/gone", GONE) == b"{}"


async def test_certificate_nobody_vouches_for_is_refused(paths: Paths, tmp_path: Path) -> None:
    """With the setting that would name the authority."""
    tls, _ = certified(tmp_path, "localhost")
    with Relay(tls=tls, host="localhost") as relay:
        membership = joined(paths, relay)
        async with running(link_of(paths)) as link:
            await away(link, "is not trusted here")
            assert "ca_file" in (link.told() or {})["hint"]
    assert membership.hub not in relay.begun


async def test_certificate_of_another_name_is_refused(paths: Paths, tmp_path: Path) -> None:
    """Though its authority is trusted."""
    tls, authority = certified(tmp_path, "relay.example.net")
    with Relay(tls=tls, host="localhost") as relay:
        joined(paths, relay)
        async with running(link_of(paths, team=Team(ca_file=authority))) as link:
            await away(link, "is not trusted here")


async def test_address_that_takes_and_says_nothing_is_left(
    paths: Paths, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a relay that hangs."""
    monkeypatch.setattr("assent.hub.team.link.GREETED_WITHIN", 0.3)
    with Relay(name="relay-2") as other:
        joined(paths, relay, other)
        relay.is_silent = True
        link, heard = link_of(paths), list[str]()
        link.on("hello", lambda hello: heard.append(hello.relay))
        async with running(link):
            await connected(link)
    assert heard == ["relay-2"]


async def test_proof_of_half_its_time_is_renewed(paths: Paths, relay: Relay) -> None:
    """Written down, with the next refresh token, and sent to the relay."""
    joined(paths, relay, age_ms=7 * HOUR)
    Vault(paths).put("team", "refresh", "one")
    provider = FakeProvider()
    link = link_of(paths, provider)
    async with running(link):
        await seen(lambda: relay.bodies("/team/proof"), "the newer proof at the relay")
    assert provider.asked == ["one"]
    assert Vault(paths).get("team", "refresh") == "one'"
    kept = memberships.load(paths.team)
    assert kept is not None
    assert kept == link.membership
    assert kept.proof is not None
    assert relay.bodies("/team/proof")[0]["fresh"] == kept.proof.fresh
    assert (link.told() or {})["sign_in"] == ""


async def test_young_proof_is_left_alone(paths: Paths, relay: Relay) -> None:
    """Providers count how often they are asked."""
    joined(paths, relay, age_ms=5 * HOUR)
    Vault(paths).put("team", "refresh", "one")
    provider = FakeProvider()
    link = link_of(paths, provider)
    async with running(link):
        await connected(link)
    assert provider.asked == []


async def test_relay_that_wants_a_newer_proof_gets_one(paths: Paths, relay: Relay) -> None:
    """Once, and then the stream begins."""
    joined(paths, relay)
    Vault(paths).put("team", "refresh", "one")
    relay.refuses["/team/stream"] = (403, "proof-too-old")
    provider = FakeProvider()
    link = link_of(paths, provider)
    async with running(link):
        await seen(lambda: relay.bodies("/team/proof"), "the newer proof")
        relay.refuses.clear()
        await connected(link)


async def test_without_a_refresh_token_the_owner_is_told_in_time(paths: Paths, relay: Relay) -> None:
    """Half of the time is left then."""
    joined(paths, relay, age_ms=7 * HOUR)
    link = link_of(paths)
    async with running(link):
        await seen(lambda: (link.told() or {})["sign_in"], "what to do")
        assert "assent team sign-in" in (link.told() or {})["sign_in"]
        await connected(link)


async def test_proof_that_ran_out_is_told(paths: Paths, relay: Relay) -> None:
    """The link stays: asks are shown, answers do not count."""
    joined(paths, relay, age_ms=13 * HOUR)
    link = link_of(paths, FakeProvider())
    async with running(link):
        await connected(link)
        assert "ran out" in (link.told() or {})["sign_in"]


async def test_provider_that_is_away_is_asked_again(
    paths: Paths, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refresh token is not lost over it."""
    monkeypatch.setattr("assent.hub.team.renewal.SOONEST_AGAIN", 0.05)
    joined(paths, relay, age_ms=7 * HOUR)
    Vault(paths).put("team", "refresh", "one")
    provider = FakeProvider()
    provider.error = ProviderAwayError("away")
    link = link_of(paths, provider)
    async with running(link):
        await seen(lambda: len(provider.asked) > 1, "a second try")
        provider.error = None
        await seen(lambda: relay.bodies("/team/proof"), "the newer proof")


async def test_renewal_does_not_write_over_a_new_sign_in(paths: Paths, relay: Relay) -> None:
    """A person at the desk goes first."""
    joined(paths, relay, age_ms=7 * HOUR)
    Vault(paths).put("team", "refresh", "one")

    class Meanwhile(FakeProvider):
        async def __call__(self, membership: memberships.Membership, refresh: str) -> SignedIn:
            joined(paths, relay, owner="ada, again")
            return await super().__call__(membership, refresh)

    provider = Meanwhile()
    link = link_of(paths, provider)
    async with running(link):
        await seen(lambda: provider.asked, "the provider was asked")
        await connected(link)
    kept = memberships.load(paths.team)
    assert kept is not None
    assert kept.owner == "ada, again"
    assert Vault(paths).get("team", "refresh") == "one"


async def test_renewal_brings_nothing_back_after_leaving(paths: Paths, relay: Relay) -> None:
    """Neither the team nor what renews a sign-in."""
    joined(paths, relay, age_ms=7 * HOUR)
    Vault(paths).put("team", "refresh", "one")

    class Meanwhile(FakeProvider):
        async def __call__(self, membership: memberships.Membership, refresh: str) -> SignedIn:
            memberships.forget(paths.team)
            Vault(paths).forget("team", "refresh")
            return await super().__call__(membership, refresh)

    provider = Meanwhile()
    async with running(link_of(paths, provider)) as link:
        await seen(lambda: provider.asked, "the provider was asked")
        await connected(link)
    assert not paths.team.exists()
    assert Vault(paths).get("team", "refresh") is None


async def test_whoever_is_connected_has_key_and_membership(paths: Paths, relay: Relay) -> None:
    """Also in the moment in which a person signs in again or leaves."""
    joined(paths, relay)
    async with running(link_of(paths)) as link:
        await connected(link)
        link.reload()
        assert not link.is_connected
        await connected(link)
        assert link.key is not None
        assert link.membership is not None


def test_first_try_comes_within_two_seconds() -> None:
    """Later ones within half a minute, also after days."""
    assert all(0 < pause(failures) < 2 for failures in (0, 1) for _ in range(100))
    assert all(pause(failures) <= 30 for failures in (2, 3, 10, 100, 5_000))


async def test_closed_port_is_not_waited_for(paths: Paths) -> None:
    """A name that is known, and a port at which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    joined(paths, urls=(f"http://127.0.0.1:{port}",))
    link = link_of(paths)
    async with running(link):
        await away(link, f"http://127.0.0.1:{port} cannot be reached")


async def test_token_of_now_runs_out_in_twelve_hours() -> None:
    """The helper of these tests says what a provider says."""
    assert abs(memberships.issued_at(token()) - time.time() * 1000) < HOUR
