"""Signing in at identity providers that are not ours: Keycloak, and a certified one for Node."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from assent.protocol.team import TeamInfo
from assent.team import sign_in
from assent.team.keys import HubKey
from assent.team.sign_in import SignedIn, SignInError
from assent.team.trust import Trust
from tests.e2e.lab.identity import Keycloak, OidcProvider, RealProvider
from tests.services.forms import walk

pytestmark = [pytest.mark.anyio, pytest.mark.clients]

SCOPES = TeamInfo(1, "acme", "", "").scopes
KEY = HubKey.create()


@pytest.fixture(scope="module")
def keycloak(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keycloak]:
    running = Keycloak(tmp_path_factory.mktemp("keycloak"))
    try:
        running.start()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def oidc_provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OidcProvider]:
    running = OidcProvider(tmp_path_factory.mktemp("oidc-provider"))
    try:
        running.start()
        yield running
    finally:
        running.stop()


@pytest.fixture
async def trusted() -> AsyncIterator[list[Trust]]:
    made: list[Trust] = []
    yield made
    for trust in made:
        await trust.close()


class Person:
    """At the provider's pages, beside the machine that waits."""

    def __init__(self, provider: RealProvider, name: str, trusted: list[Trust]) -> None:
        self.provider, self.name = provider, name
        self.trust = Trust(provider.issuer, provider.client_id)
        trusted.append(self.trust)
        self._walks: list[asyncio.Task[list[str]]] = []

    def goes(self, address: str) -> None:
        self._walks.append(asyncio.create_task(walk(address, self.provider.answers(self.name))))

    async def by_browser(self) -> SignedIn:
        signed = await sign_in.by_browser(self.trust, KEY, SCOPES, self.goes)
        pages = await self._walks[-1]
        assert "Signed in" in pages[-1]
        return signed

    async def by_device_code(self) -> SignedIn:
        try:
            return await sign_in.by_device_code(
                self.trust, KEY, SCOPES, lambda code: self.goes(code.verification_uri_complete)
            )
        finally:
            await asyncio.gather(*self._walks)


def about(signed: SignedIn) -> tuple[str, tuple[str, ...]]:
    return signed.identity.mail, tuple(sorted(signed.identity.groups))


ADA = ("ada@example.org", ("dev", "sre-oncall"))


async def test_keycloak(keycloak: Keycloak, trusted: list[Trust]) -> None:
    """In a browser and by a device code, later without the person, with a new key, and not for a disabled account.

    One test, since it takes a minute to start."""
    await _keycloak_in_a_browser(Person(keycloak, "ada", trusted))
    await _keycloak_by_a_device_code(Person(keycloak, "ada", trusted))
    await _keycloak_disables_an_account(Person(keycloak, "bob", trusted), keycloak)
    await _keycloak_signs_with_a_new_key(Person(keycloak, "ada", trusted), keycloak)


async def _keycloak_in_a_browser(ada: Person) -> None:
    signed = await ada.by_browser()
    assert about(signed) == ADA
    newer = await sign_in.renewed(ada.trust, signed.proof, signed.refresh)
    assert about(newer) == ADA
    # It has no nonce.
    assert newer.proof.fresh


async def _keycloak_by_a_device_code(ada: Person) -> None:
    """Its tokens have the nonce that was asked for, though no standard says so."""
    signed = await ada.by_device_code()
    assert about(signed) == ADA
    assert about(await sign_in.renewed(ada.trust, signed.proof, signed.refresh)) == ADA


async def _keycloak_disables_an_account(bob: Person, keycloak: Keycloak) -> None:
    signed = await bob.by_browser()
    # Nobody verified his mail.
    assert about(signed) == ("", ("dev",))
    keycloak.disable("bob")
    with pytest.raises(SignInError) as error:
        await sign_in.renewed(bob.trust, signed.proof, signed.refresh)
    assert error.value.code == "invalid_grant"
    assert sign_in.needs_person(error.value)


async def _keycloak_signs_with_a_new_key(ada: Person, keycloak: Keycloak) -> None:
    """It is fetched when it is met; what the old one signed still counts."""
    signed = await ada.by_browser()
    keycloak.rotate()
    later = sign_in.clock() + 60_000
    newer = await sign_in.renewed(ada.trust, signed.proof, signed.refresh, now=lambda: later)
    assert about(newer) == ADA
    assert newer.proof.token == signed.proof.token


async def test_certified_provider_in_a_browser(oidc_provider: OidcProvider, trusted: list[Trust]) -> None:
    """It signs with ES256, and puts the first nonce into newer tokens."""
    ada = Person(oidc_provider, "ada", trusted)
    signed = await ada.by_browser()
    assert about(signed) == ADA
    newer = await sign_in.renewed(ada.trust, signed.proof, signed.refresh)
    assert about(newer) == ADA
    assert not newer.proof.fresh
    with pytest.raises(SignInError) as error:
        await sign_in.renewed(ada.trust, signed.proof, signed.refresh)
    assert error.value.code == "invalid_grant"


async def test_certified_provider_by_a_device_code(oidc_provider: OidcProvider, trusted: list[Trust]) -> None:
    """It leaves the nonce out there, as standards allow; the browser is named instead."""
    with pytest.raises(SignInError) as error:
        await Person(oidc_provider, "ada", trusted).by_device_code()
    assert error.value.code == "no-nonce"
    assert "browser" in str(error.value)
