"""Who may speak to a relay, and how much."""

import asyncio
import secrets
import socket

import msgspec
import pytest

from assent.protocol.team import LARGEST_ASK, Gone, Identity, Joined, JoinRequest, Proof, Snapshot, TeamAsk
from assent.relay import doorkeeper, hubs, live, streams
from assent.relay.exchange import now_ms
from assent.relay.hubs import FRESH_MS, LONGEST_ABSENCE_MS
from assent.relay.store import AskRow
from assent.team.keys import HubKey, signed_headers
from tests.component import postgres
from tests.component.relay.team import Hub, Team, refused
from tests.waiting import seen

pytestmark = pytest.mark.anyio
MINUTE = 60_000


async def test_key_that_did_not_join_is_unknown(here: Team) -> None:
    """However well it signs."""
    stranger = here.hub(await here.relay())
    refusal = await refused(stranger.post("/team/asks", stranger.ask()))
    assert (refusal.status, refusal.code) == (401, "unknown-hub")


async def test_body_of_a_stranger_is_not_read(here: Team) -> None:
    """The relay's memory is for those who joined."""
    relay = await here.relay()
    stranger = here.hub(relay)
    headers = "".join(f"{name}: {value}\r\n" for name, value in stranger.sign("POST", "/team/asks", b"").items())
    head = f"POST /team/asks HTTP/1.1\r\nhost: x\r\ncontent-length: {LARGEST_ASK}\r\n{headers}\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", relay.port)
    writer.write(head.encode())
    assert b" 401 " in await reader.readline()
    writer.close()


async def test_signature_of_another_key_is_refused(here: Team) -> None:
    """The name of a hub alone opens nothing."""
    hub = await here.joined(await here.relay())
    forged = signed_headers(HubKey.create(), "GET", "/team/hubs", b"", now_ms(), secrets.token_urlsafe(16))
    refusal = await refused(hub.raw("GET", "/team/hubs", headers=forged | {"assent-device": hub.id}))
    assert (refusal.status, refusal.code) == (403, "bad-signature")


async def test_signature_holds_for_one_body_and_one_path(here: Team) -> None:
    """What was signed cannot be used for something else."""
    hub = await here.joined(await here.relay())
    headers = hub.sign("POST", "/team/asks", b"{}")
    assert (await refused(hub.raw("POST", "/team/asks", b'{"a":1}', headers))).code == "bad-signature"
    assert (await refused(hub.raw("POST", "/team/leave", b"{}", headers))).code == "bad-signature"


async def test_request_counts_once(here: Team) -> None:
    """The same bytes again are refused."""
    hub = await here.joined(await here.relay())
    body = msgspec.json.encode(hub.ask())
    headers = hub.sign("POST", "/team/asks", body)
    await hub.raw("POST", "/team/asks", body, headers)
    assert (await refused(hub.raw("POST", "/team/asks", body, headers))).code == "replayed"


async def test_clock_that_is_off_is_named(here: Team) -> None:
    """The hub learns that it is the time, and not the key."""
    hub = await here.joined(await here.relay())
    late = signed_headers(hub.key, "GET", "/team/hubs", b"", now_ms() - 10 * MINUTE, secrets.token_urlsafe(16))
    assert (await refused(hub.raw("GET", "/team/hubs", headers=late))).code == "clock"


async def test_message_in_the_name_of_another_hub_is_not_carried(here: Team) -> None:
    """A hub speaks of its own asks, and of its own person's answers."""
    relay = await here.relay()
    hub, other = await here.joined(relay), await here.joined(relay)
    await other.post("/team/asks", ask := other.ask())
    for path, message in (
        ("/team/asks", ask),
        ("/team/gone", other.gone(ask)),
        ("/team/answers", other.answer(ask)),
    ):
        assert (await refused(hub.post(path, message))).code == "bad-message"
    assert hub.heard(Gone) == []


async def test_too_large_body_is_refused(here: Team) -> None:
    """Before it is read, and also where its text alone is too large."""
    hub = await here.joined(await here.relay())
    assert (await refused(hub.post("/team/asks", hub.ask(text="x" * (LARGEST_ASK + 1))))).code == "too-large"
    assert (await refused(hub.raw("POST", "/team/asks", b" " * (3 * LARGEST_ASK)))).status == 413


@pytest.mark.parametrize("name", ["", "x" * 101, "with space", "ü"])
async def test_odd_id_is_refused(here: Team, name: str) -> None:
    """Ids go into notes and logs as they are."""
    hub = await here.joined(await here.relay())
    assert (await refused(hub.post("/team/asks", hub.ask(name)))).code == "bad-message"


@pytest.mark.parametrize("deadline", [-1, -(10**30), 10**15, 10**30])
async def test_odd_deadline_is_refused(here: Team, deadline: int) -> None:
    """It has to fit into the table, and to come some day."""
    hub = await here.joined(await here.relay())
    assert (await refused(hub.post("/team/asks", hub.ask(deadline=deadline)))).code == "bad-message"


async def test_value_that_the_database_does_not_take_keeps_no_other(here: Team) -> None:
    """What is posted beside it is shared as always."""
    relay = await here.relay()
    hub = await here.joined(relay)
    odd = AskRow(hub.id, "odd", 10**30, 1, b"{}", Identity("i", "s"))
    relay.exchange.writer.changes.ask(odd)
    assert await hub.post("/team/asks", hub.ask()) == {"reach": "team"}
    assert postgres.execute("SELECT ask FROM team_ask") == [("ask-1",)]


async def test_open_asks_of_a_hub_are_bounded(here: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """One hub cannot fill what all use; what it has goes on."""
    monkeypatch.setattr(live, "MOST_OF_A_HUB", 2)
    hub = await here.joined(await here.relay())
    for name in ("one", "two"):
        await hub.post("/team/asks", hub.ask(name))
    assert (await refused(hub.post("/team/asks", hub.ask("three")))).code == "too-many-asks"
    await hub.post("/team/asks", hub.ask("two", change=2))
    await hub.post("/team/gone", hub.gone(hub.ask("one")))
    await hub.post("/team/asks", hub.ask("three"))


async def test_hub_that_floods_is_told_when_to_come_again(here: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """And others are served meanwhile."""
    monkeypatch.setattr(doorkeeper, "BURST", 3.0)
    monkeypatch.setattr(doorkeeper, "A_SECOND", 0.001)
    relay = await here.relay()
    hub = await here.joined(relay)
    for _ in range(2):
        await hub.raw("GET", "/team/hubs")
    refusal = await refused(hub.raw("GET", "/team/hubs"))
    assert (refusal.status, refusal.code, refusal.retry_after) == (429, "too-many", 1001)
    await here.joined(relay, "bob@example.org")


async def test_reader_that_stops_reading_is_cut_off(here: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it does not take in is not kept for it; others are told as always, and it may come back."""
    monkeypatch.setattr(streams, "MOST_BEHIND", 200_000)
    relay = await here.relay()
    holder, slow = await here.joined(relay), here.hub(relay)
    await slow.join()
    with connected(relay.port) as sock:
        head = "".join(f"{name}: {value}\r\n" for name, value in slow.sign("GET", "/team/stream", b"").items())
        await asyncio.to_thread(sock.sendall, f"GET /team/stream HTTP/1.1\r\nhost: x\r\n{head}\r\n".encode())
        await seen(lambda: relay.exchange.streams.get(slow.id), "the stream of the slow one")
        text = "x" * (LARGEST_ASK - 1)
        change = 0
        while relay.exchange.streams.get(slow.id):
            change += 1
            await holder.post("/team/asks", holder.ask(change=change, text=text))
    await slow.listen()
    assert slow.heard(Snapshot)[0].asks[0].change >= change


def connected(port: int) -> socket.socket:
    """One that has little room for what is sent to it."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.connect(("127.0.0.1", port))
    return sock


async def test_second_stream_of_a_hub_ends_the_first(here: Team) -> None:
    """Answers go where the hub is now."""
    relay = await here.relay()
    hub = await here.joined(relay)
    first = relay.exchange.streams.get(hub.id)
    again = Hub(hub.provider, hub.place, hub.mail, key=hub.key)
    here.stack.push_async_callback(again.close)
    await again.listen()
    assert first is not None
    await seen(lambda: first.has_ended, "the end of the first stream")


async def test_second_stream_is_told_the_end_of_what_the_first_was_shown(here: Team) -> None:
    """Though the first ends only after the second was shown it."""
    relay = await here.relay()
    holder, hub = await here.joined(relay), here.hub(relay)
    await hub.join()
    ask = holder.ask()
    await holder.post("/team/asks", ask)
    # Unlike a hub this one does not come back when it is ended.
    reader, writer = await asyncio.open_connection("127.0.0.1", relay.port)
    head = "".join(f"{name}: {value}\r\n" for name, value in hub.sign("GET", "/team/stream", b"").items())
    writer.write(f"GET /team/stream HTTP/1.1\r\nhost: x\r\n{head}\r\n".encode())
    await reader.readuntil(b"event: snapshot")
    await hub.listen()
    await reader.read()
    writer.close()
    await holder.post("/team/gone", Gone(holder.id, ask.ask, "ran"))
    assert (await hub.hears(Gone)).ask == ask.ask


async def test_hub_that_goes_on_talking_on_its_stream_is_cut_off(here: Team) -> None:
    """A second request, or anything else: nothing there would read it."""
    relay = await here.relay()
    hub = here.hub(relay)
    await hub.join()
    reader, writer = await asyncio.open_connection("127.0.0.1", relay.port)
    head = "".join(f"{name}: {value}\r\n" for name, value in hub.sign("GET", "/team/stream", b"").items())
    writer.write(f"GET /team/stream HTTP/1.1\r\nhost: x\r\n{head}\r\n".encode())
    await reader.readuntil(b"event: snapshot")
    writer.write(b"GET /team HTTP/1.1\r\nhost: x\r\n\r\n")
    await seen(lambda: relay.exchange.streams.get(hub.id) is None, "the end of its stream")
    writer.close()


async def test_proof_of_another_key_lets_no_one_in(here: Team) -> None:
    """Nor one that was not given for this key by the provider."""
    relay = await here.relay()
    ada, thief = here.hub(relay), here.hub(relay)
    for proof in (ada.proof(), Proof(thief.key.public, thief.salt, ada.proof().token)):
        request = JoinRequest(thief.key.public, "laptop", "0", proof)
        refusal = await refused(thief.post("/team/join", request))
        assert (refusal.status, refusal.code) == (403, "wrong-key")


async def test_workload_token_is_checked(here: Team) -> None:
    """Its audience and its subject; and one of a person is none of a workload."""
    hub = here.hub(await here.relay())
    provider = here.provider
    for token in (
        provider.workload_token("other"),
        provider.workload_token("assent-ci", repository="evil/app"),
        provider.id_token("ada@example.org"),
        "no token",
    ):
        assert (await refused(hub.join(workload=token))).status == 403


async def test_group_that_may_not_join_is_refused(here: Team) -> None:
    """Where the settings name members, no one else gets in."""
    here.roles = '[roles]\nmember = ["group:sre"]'
    relay = await here.relay()
    assert (await refused(here.hub(relay).join())).code == "not-a-member"
    await here.joined(relay, "bob@example.org")


async def renewed(hub: Hub, **claims: object) -> Joined:
    """A newer token of the same person, sent to the relay."""
    proof = hub.proof(fresh=True, **claims)
    return msgspec.json.decode(await hub.raw("POST", "/team/proof", msgspec.json.encode(proof)), type=Joined)


async def test_proof_that_is_too_old_shows_only_what_is_ones_own(here: Team) -> None:
    """Groups count as long as the provider's word is fresh, and again once it is renewed."""
    relay = await here.relay()
    holder, bob = await here.joined(relay), here.hub(relay, "bob@example.org")
    await bob.join()
    await age(here, bob, FRESH_MS + MINUTE)
    await bob.listen()
    await holder.post("/team/asks", ask := holder.ask(whom=("group:sre",)))
    assert (await refused(bob.post("/team/answers", bob.answer(ask)))).code == "proof-too-old"
    await renewed(bob)
    await seen(lambda: [one.ask for one in bob.heard(Snapshot)[-1].asks] == ["ask-1"], "a snapshot with the ask")
    assert bob.heard(TeamAsk) == []


async def test_proof_grows_too_old_while_its_hub_is_connected(here: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was for its owner's groups leaves its screen."""
    relay = await here.relay()
    holder, bob = await here.joined(relay), await here.joined(relay, "bob@example.org")
    await holder.post("/team/asks", holder.ask(whom=("group:sre",)))
    await bob.hears(TeamAsk)
    monkeypatch.setattr(hubs, "FRESH_MS", -MINUTE)
    relay.exchange.sweep_memory()
    await bob.hears(Snapshot, 2)
    assert bob.heard(Snapshot)[1].asks == ()


async def age(here: Team, hub: Hub, by: int) -> None:
    """As if its owner's proof had been made so long ago."""
    postgres.execute("UPDATE team_hub SET proven_at = proven_at - %s WHERE hub = %s", by, hub.id)
    postgres.execute("SELECT pg_notify('team', %s)", f'{{"relay":"test","hubs":["{hub.id}"]}}')
    for relay in here.relays:
        await relay.exchange.reload([hub.id])


async def test_hub_whose_owner_was_not_seen_for_long_has_to_renew(here: Team) -> None:
    """Until then it is let in nowhere but there."""
    relay = await here.relay()
    hub = here.hub(relay)
    await hub.join()
    await age(here, hub, LONGEST_ABSENCE_MS + MINUTE)
    assert (await refused(hub.post("/team/asks", hub.ask()))).code == "proof-too-old"
    await renewed(hub)
    await hub.post("/team/asks", hub.ask())


async def test_newer_groups_change_what_is_shown(here: Team) -> None:
    """At once, also where the stream is at another relay than the proof."""
    one, two = await here.relay(), await here.relay()
    holder, ada = await here.joined(one, "bob@example.org"), await here.joined(one)
    await holder.post("/team/asks", holder.ask(whom=("group:new",)))
    ada.place = here.hub(two).place
    later = now_ms() // 1000 + 60
    await renewed(ada, groups=["new"], iat=later, exp=later + 300)
    await seen(lambda: [one.ask for one in ada.heard(Snapshot)[-1].asks] == ["ask-1"], "a snapshot with the ask")


async def test_proof_of_another_person_is_refused(here: Team) -> None:
    """A hub stays its owner's."""
    relay = await here.relay()
    hub = await here.joined(relay)
    hub.mail, hub._token = "bob@example.org", ""
    assert (await refused(renewed(hub))).code == "other-person"


async def test_older_proof_does_not_bring_groups_back(here: Team) -> None:
    """One that was kept from before the person left the group."""
    relay = await here.relay()
    hub = here.hub(relay)
    await hub.join()
    then = now_ms() // 1000 - 600
    await renewed(hub, groups=["sre"], iat=then, exp=then + 300)
    known = relay.exchange.roster.get(hub.id)
    assert known is not None
    assert known.owner.groups == ("dev",)


async def test_only_ones_own_hubs_are_revoked(here: Team) -> None:
    """Except by an admin; to others it is not said whether there is such a hub."""
    relay = await here.relay()
    ada, bob, admin = [await here.joined(relay, f"{name}@example.org") for name in ("ada", "bob", "root")]
    wanted = msgspec.json.encode({"hub": ada.id})
    assert (await refused(bob.raw("POST", "/team/revoke", wanted))).code == "no-such-hub"
    await admin.raw("POST", "/team/revoke", wanted)
    await seen(lambda: ada.refusal is not None and ada.refusal.code == "revoked", "the end of its stream")
