"""A relay that forges, against proofs of a real identity provider: what it makes up of them gets no yes."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import structs

from assent.protocol.team import LONGEST_PROOF_MS, Identity, Proof, TeamInfo
from assent.team.keys import HubKey, binding
from assent.team.trust import Trust
from tests.services.oidc_provider import Provider, new_key, signed, user
from tests.unit.hub.team.machines import Relay, Team
from tests.unit.hub.team.test_forged import CHARACTERS, Scene, replaced, waiting

pytestmark = pytest.mark.anyio

ADA = "ada@example.org"
HOUR = 3_600


@dataclass
class Real:
    """Tokens of a provider that is asked over HTTP, and trust in it."""

    provider: Provider
    trust: Trust

    def proof(self, key: HubKey, who: Identity, at: int) -> Proof:
        return self.provider.proof(who.mail, key, iat=at // 1000)

    async def identity(self, proof: Proof, now_ms: int, longest: int = LONGEST_PROOF_MS) -> Identity:
        return await self.trust.identity(proof, now_ms, longest)

    async def close(self) -> None:
        """It is the tests'."""


@dataclass
class Stage:
    provider: Provider
    scene: Scene

    def forged(self, proof: Proof, nonce: str = "b" * 20) -> Any:
        """Ada's own key signs, so that the proof alone decides."""
        return self.scene.signed(self.scene.desktop, proof=proof, nonce=nonce)

    def proof(self, **changes: Any) -> Proof:
        """Old enough that its machine is no new one."""
        return self.provider.proof(ADA, self.scene.desktop.link.key, **{"iat": time.time() - HOUR, **changes})


async def staged(provider: Provider, trust: Trust) -> Stage:
    relay = Relay(Real(provider, trust), time.time_ns() // 1_000_000)
    relay.info = TeamInfo(1, "Example", provider.issuer, provider.client_id)
    team = Team(relay)
    me = Identity(provider.issuer, "subject-of-ada", ADA, "Ada", ("dev",))
    return Stage(provider, await waiting(team, me))


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    with Provider(users={ADA: user(ADA, ("dev",))}) as provider:
        trust = Trust(provider.issuer, provider.client_id)
        made = await staged(provider, trust)
        yield made
        await made.scene.team.close()
        await trust.close()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"aud": "another-client"}, "wrong-audience"),
        ({"iss": "https://id.example.net"}, "wrong-issuer"),
        ({"nonce": None}, "wrong-key"),
        ({"nonce": "n" * 43}, "wrong-key"),
        ({"iat": time.time() - 13 * HOUR}, "proof-too-old"),
        ({"iat": time.time() + HOUR, "exp": time.time() + 2 * HOUR}, "from-the-future"),
        ({"sub": "subject-of-bob"}, "not-asked"),
        ({"typ": "Bearer"}, "bad-token"),
    ],
    ids=["audience", "issuer", "no nonce", "another nonce", "old", "future", "another person", "access token"],
)
async def test_proof_that_says_something_else_gets_no_yes(stage: Stage, changes: dict[str, Any], code: str) -> None:
    """Each is signed by the provider itself; the right one counts afterwards."""
    await stage.scene.check_refused(stage.forged(stage.proof(**changes)), code)


@pytest.mark.parametrize("alg", ["RS256", "ES256"])
async def test_proof_that_another_signed_gets_no_yes(stage: Stage, alg: str) -> None:
    """A key that the provider never had, under the name of one it has."""
    right, provider = stage.proof(), stage.provider
    own = provider.keys[0]
    claims = provider.claims(provider.users[ADA], nonce=binding(right.key, right.salt))
    stranger = structs.replace(right, token=signed(new_key(alg, 7), claims, header={"kid": own.kid, "alg": alg}))
    result = await stage.scene.result(stage.forged(stranger))
    assert (result.is_taken, result.code) in {(False, "bad-signature"), (False, "unknown-key")}
    unsigned = structs.replace(right, token=signed(None, claims, header={"kid": own.kid, "alg": "none"}))
    assert (await stage.scene.result(stage.forged(unsigned))).code == "bad-algorithm"
    assert not stage.scene.laptop.tasks[0].done()


async def test_newer_token_of_another_person_gets_no_yes(stage: Stage) -> None:
    """It would lend them their groups."""
    stage.provider.users["bob@example.org"] = user("bob@example.org", ("sre",))
    proof = structs.replace(stage.proof(iat=time.time() - HOUR), fresh=stage.provider.id_token("bob@example.org"))
    await stage.scene.check_refused(stage.forged(proof), "other-person")


async def test_keys_that_rotated_go_on_counting(stage: Stage) -> None:
    """What a new key signs counts once the provider was asked again."""
    stage.provider.rotate(keeps_old=True)
    stage.scene.team.relay.now += 31_000
    assert (await stage.scene.result(stage.forged(stage.proof()))).is_taken


def test_any_changed_character_of_a_proof_is_refused() -> None:
    """Of token, salt and key; after all of that the answer that was meant is taken."""
    with asyncio.Runner() as runner, Provider(users={ADA: user(ADA, ("dev",))}) as provider:
        trust = Trust(provider.issuer, provider.client_id)
        scene = runner.run(staged(provider, trust)).scene

        @given(st.sampled_from(["token", "salt", "key"]), st.integers(0, 2_000), CHARACTERS)
        def check(name: str, at: int, by: str) -> None:
            proof = scene.answer.proof
            forged = structs.replace(proof, **{name: replaced(getattr(proof, name), at, by)})
            assume(forged != proof)
            assert not runner.run(scene.result(structs.replace(scene.answer, proof=forged))).is_taken
            assert not scene.laptop.tasks[0].done()

        check()
        assert runner.run(scene.result(scene.answer)).is_taken
        runner.run(scene.team.close())
        runner.run(trust.close())
