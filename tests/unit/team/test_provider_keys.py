"""One key of an identity provider: what it may sign with, and what it has signed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.team.provider_keys import ProviderKey
from tests.services.oidc_provider import SigningKey, new_key

ALGORITHMS = ("RS256", "PS256", "ES256")
KEYS = {alg: new_key(alg) for alg in ALGORITHMS}
CONTENT = b"what was signed"


def public(key: SigningKey, *algorithms: str) -> ProviderKey:
    return ProviderKey(key.kid, frozenset(algorithms or (key.alg,)), key.private.public_key())


@pytest.mark.parametrize("alg", ALGORITHMS)
def test_key_knows_what_it_signed(alg: str) -> None:
    """And nothing else: another text, another algorithm, another key."""
    key = public(KEYS[alg])
    signature = KEYS[alg].sign(CONTENT, alg)
    assert key.has_signed(alg, CONTENT, signature)
    assert not key.has_signed(alg, CONTENT + b".", signature)
    assert not any(key.has_signed(other, CONTENT, signature) for other in ALGORITHMS if other != alg)
    assert not public(new_key("ES256")).has_signed(alg, CONTENT, signature)


@pytest.mark.parametrize(("made", "asked"), [("RS256", "PS256"), ("PS256", "RS256")])
def test_algorithm_of_a_signature_is_the_one_that_made_it(made: str, asked: str) -> None:
    """An RSA key may have two; each checks its own."""
    key = public(KEYS["RS256"], "RS256", "PS256")
    signature = KEYS["RS256"].sign(CONTENT, made)
    assert key.has_signed(made, CONTENT, signature)
    assert not key.has_signed(asked, CONTENT, signature)


@given(alg=st.sampled_from(ALGORITHMS), signature=st.binary(max_size=300))
def test_anything_else_is_no_signature(alg: str, signature: bytes) -> None:
    """Of whatever length."""
    assert not public(KEYS[alg]).has_signed(alg, CONTENT, signature)
