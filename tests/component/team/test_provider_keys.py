"""Keys of an identity provider, fetched over real HTTP: rotated, withdrawn, away, and kept."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.team import provider_keys
from assent.team.provider_keys import FRESH_MS, LONGEST_MS, PAUSE_MS
from assent.team.trust import UntrustedError
from tests.component.team.trusting import ADA, DISCOVERY, KEY, NOW, refused, then, trusting
from tests.services.oidc_provider import Provider, new_key

pytestmark = pytest.mark.anyio


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(now=then, keys=[new_key()]) as running:
        yield running


async def test_keys_are_fetched_once(provider: Provider) -> None:
    """For as many proofs as come at the same time, and later."""
    async with trusting(provider) as trust:
        found = await asyncio.gather(*(trust.identity(provider.proof(ADA, KEY), NOW) for _ in range(20)))
        assert {one.mail for one in found} == {ADA}
        assert provider.requests == [f"GET {DISCOVERY}", "GET /keys"]


async def test_new_key_is_fetched_when_it_is_met(provider: Provider) -> None:
    """Without a word from anyone; of another kind as well."""
    async with trusting(provider) as trust:
        await trust.identity(provider.proof(ADA, KEY), NOW)
        for number, alg in enumerate(("RS256", "ES256", "PS256"), 1):
            old = provider.proof(ADA, KEY)
            provider.rotate(alg, keeps_old=True)
            now = NOW + number * PAUSE_MS
            assert (await trust.identity(provider.proof(ADA, KEY), now)).mail == ADA
            assert (await trust.identity(old, now)).mail == ADA


async def test_key_that_is_gone_no_longer_counts(provider: Provider) -> None:
    """As soon as it is noticed: with the next new one, or within the hour."""
    async with trusting(provider) as trust:
        old = provider.proof(ADA, KEY)
        await trust.identity(old, NOW)
        provider.rotate()
        await trust.identity(old, NOW + FRESH_MS - 1)
        with pytest.raises(UntrustedError) as error:
            await trust.identity(old, NOW + FRESH_MS)
        assert error.value.code == "unknown-key"
        assert "assent team sign-in" in str(error.value)


async def test_unknown_keys_ask_the_provider_seldom(provider: Provider) -> None:
    """Strangers can send as many as they like."""
    async with trusting(provider) as trust:
        await trust.identity(provider.proof(ADA, KEY), NOW)
        provider.requests.clear()
        for number in range(50):
            error = await refused(trust, provider, NOW + PAUSE_MS + number, header={"kid": f"unknown-{number}"})
            assert error.code == "unknown-key"
        assert provider.requests.count("GET /keys") == 1


async def test_kept_keys_count_while_the_provider_is_away(provider: Provider, tmp_path: Path) -> None:
    """In the same run and in the next, for a day."""
    proof = provider.proof(ADA, KEY)
    async with trusting(provider, tmp_path) as trust:
        await trust.identity(proof, NOW)
        provider.stop()
        assert (await trust.identity(proof, NOW + 2 * FRESH_MS)).mail == ADA
    async with trusting(provider, tmp_path) as trust:
        assert (await trust.identity(proof, NOW + 2 * FRESH_MS)).mail == ADA
        with pytest.raises(UntrustedError) as error:
            await trust.identity(proof, NOW + LONGEST_MS, longest=2 * LONGEST_MS)
        assert error.value.code == "no-keys"
        assert "cannot be reached" in str(error.value)


async def test_keys_are_kept_for_their_owner_alone(provider: Provider, tmp_path: Path) -> None:
    """One file, nothing half-written beside it."""
    async with trusting(provider, tmp_path / "team") as trust:
        await trust.identity(provider.proof(ADA, KEY), NOW)
    (file,) = (tmp_path / "team").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


async def test_keys_count_where_they_cannot_be_kept(provider: Provider, tmp_path: Path) -> None:
    """A folder that cannot be made costs the next start, not this one."""
    (tmp_path / "team").write_text("a file")
    async with trusting(provider, tmp_path / "team") as trust:
        assert (await trust.identity(provider.proof(ADA, KEY), NOW)).mail == ADA


async def test_provider_that_comes_back_is_asked_again(provider: Provider) -> None:
    """After the pause, not with every proof."""
    proof = provider.proof(ADA, KEY)
    provider.stop()
    async with trusting(provider) as trust:
        for later in (0, 1, PAUSE_MS - 1):
            with pytest.raises(UntrustedError) as error:
                await trust.identity(proof, NOW + later)
            assert error.value.code == "no-keys"
        provider.start()
        assert (await trust.identity(proof, NOW + PAUSE_MS)).mail == ADA


async def test_clock_that_was_set_back_does_not_stop_looking(provider: Provider) -> None:
    """Keys from the future are not counted, and are fetched anew."""
    async with trusting(provider) as trust:
        await trust.identity(
            provider.proof(ADA, KEY, iat=NOW // 1000 + 86_400, exp=NOW // 1000 + 90_000), NOW + 86_400_000
        )
        assert (await trust.identity(provider.proof(ADA, KEY), NOW)).mail == ADA
        assert provider.requests.count("GET /keys") == 2


async def test_provider_that_hangs_does_not_hold_up_known_keys(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look goes on by itself, and is ended with the trust."""
    monkeypatch.setattr(provider_keys, "PATIENCE", 0.05)
    proof = provider.proof(ADA, KEY)
    async with trusting(provider) as trust:
        await trust.identity(proof, NOW)
        port = provider.port
        provider.stop()
        waiting = asyncio.Event()

        async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await waiting.wait()
            writer.close()

        async with await asyncio.start_server(silent, "127.0.0.1", port):
            assert (await trust.identity(proof, NOW + FRESH_MS)).mail == ADA
            await trust.close()
            waiting.set()


async def test_trouble_of_one_provider_is_not_that_of_another(provider: Provider) -> None:
    """A CI whose keys cannot be had, and people who can sign in."""
    with Provider(now=then, keys=[new_key("ES256", 1)]) as ci:
        async with trusting(provider, workloads=(f"{ci.issuer} repo:acme/*",)) as trust:
            ci.moods["/keys"] = (500, {}, b"")
            with pytest.raises(UntrustedError) as error:
                await trust.workload(ci.workload_token(provider.client_id), NOW)
            assert error.value.code == "no-keys"
            assert (await trust.identity(provider.proof(ADA, KEY), NOW)).mail == ADA
            ci.moods.clear()
            found = await trust.workload(ci.workload_token(provider.client_id), NOW + PAUSE_MS)
            assert found.name == "acme/app, deploy"
