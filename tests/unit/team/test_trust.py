"""What counts of an identity provider's word: all else is refused, by whatever bit it differs."""

import asyncio
import base64
import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol.team import LONGEST_PROOF_MS, Identity, Proof, TeamInfo
from assent.team.keys import HubKey, fresh_salt
from assent.team.provider_keys import FRESH_MS, LONGEST_MS, ProviderKeys
from assent.team.trust import LARGEST_TOKEN, SKEW_MS, Trust, UntrustedError, Workload
from tests.services.oidc_provider import Provider, SigningKey, new_key, packed, signed

ADA, BOB = "ada@example.org", "bob@example.org"
NOW = 1_800_000_000_000
HOUR = 3_600_000
KEY, OTHER = HubKey.create(), HubKey.create()
JOBS = "https://ci.example"

T = TypeVar("T")


def provider(alg: str = "RS256") -> Provider:
    """One that is not started: its keys are on the disk. No port is 0, so none is asked by accident."""
    return Provider(keys=[new_key(alg)], now=lambda: NOW / 1000)


def trusting(folder: Path, one: Provider, *, at: int = NOW, **settings: Any) -> Trust:
    """With the provider's keys as they were kept at that time."""
    trust = Trust(one.issuer, one.client_id, folder=folder, **settings)
    keep(folder, one.issuer, one.jwks(), at)
    return trust


def keep(folder: Path, issuer: str, jwks: dict[str, Any], at: int) -> None:
    file = ProviderKeys(trust_provider(issuer), folder)._file()
    assert file is not None
    file.write_text(json.dumps({"issuer": issuer, "at": at, "jwks": jwks}))
    file.chmod(0o600)


def trust_provider(issuer: str) -> Any:
    return Trust(issuer, "any").provider


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def refused(work: Coroutine[Any, Any, object]) -> str:
    """The code of the refusal."""
    with pytest.raises(UntrustedError) as error:
        run(work)
    assert error.value.why
    return error.value.code


@pytest.mark.parametrize("alg", ["RS256", "PS256", "ES256"])
def test_proof_says_whose_key_it_is(tmp_path: Path, alg: str) -> None:
    """With mail, name and groups, in each of the algorithms."""
    one = provider(alg)
    found = run(trusting(tmp_path, one).identity(one.proof(ADA, KEY), NOW))
    assert found == Identity(one.issuer, "subject-of-ada", ADA, "Ada", ("dev", "sre-oncall"))


def test_key_of_a_set_need_not_name_its_algorithm(tmp_path: Path) -> None:
    """Its kind decides; PS256 by an RSA key is as good."""
    one = provider()
    trust = trusting(tmp_path, one)
    keep(tmp_path, one.issuer, {"keys": [{n: v for n, v in key.jwk.items() if n != "alg"} for key in one.keys]}, NOW)
    for alg in ("RS256", "PS256"):
        assert run(trust.identity(one.proof(ADA, KEY, header={"alg": alg}), NOW)).mail == ADA


PROVIDER = provider()
PROOF = PROVIDER.proof(ADA, KEY)


@pytest.fixture(scope="module")
def trust(tmp_path_factory: pytest.TempPathFactory) -> Trust:
    return trusting(tmp_path_factory.mktemp("keys"), PROVIDER)


@given(part=st.sampled_from(["key", "salt", "token"]), data=st.data())
def test_changed_proof_is_refused(trust: Trust, part: str, data: st.DataObject) -> None:
    """In any letter of key, salt or token."""
    text = getattr(PROOF, part)
    place = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(codec="ascii"))
    changed = text[:place] + letter + text[place + 1 :]
    if changed != text:
        assert refused(trust.identity(msgspec.structs.replace(PROOF, **{part: changed}), NOW))


@given(st.one_of(st.text(max_size=200), st.binary(max_size=90).map(lambda content: f"{packed(content)}.e30.x")))
def test_anything_else_is_no_proof(trust: Trust, text: str) -> None:
    """In any place; the refusal is a sentence."""
    for part in ("key", "salt", "token"):
        assert refused(trust.identity(msgspec.structs.replace(PROOF, **{part: text}), NOW))
    if text:
        assert refused(trust.identity(msgspec.structs.replace(PROOF, fresh=text), NOW))


def test_signature_cut_off_is_refused(trust: Trust) -> None:
    """Down to none."""
    content, _, signature = PROOF.token.rpartition(".")
    for size in range(0, len(signature), 7):
        token = f"{content}.{signature[:size]}"
        assert refused(trust.identity(msgspec.structs.replace(PROOF, token=token), NOW))


def nonce_of(proof: Proof) -> str:
    return str(json.loads(_claims_of(proof.token))["nonce"])


def _claims_of(token: str) -> bytes:
    part = token.split(".")[1]
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"iss": "https://id.example"}, "wrong-issuer"),
        ({"iss": PROVIDER.issuer + "/"}, "wrong-issuer"),
        ({"aud": "another-client"}, "wrong-audience"),
        ({"aud": []}, "wrong-audience"),
        ({"aud": [PROVIDER.client_id, "another-client"]}, "wrong-audience"),
        ({"aud": [PROVIDER.client_id, "another-client"], "azp": "another-client"}, "wrong-audience"),
        ({"azp": "another-client"}, "wrong-audience"),
        ({"aud": PROVIDER.client_id.upper()}, "wrong-audience"),
        ({"nonce": "another"}, "wrong-key"),
        ({"nonce": None}, "wrong-key"),
        ({"iat": NOW // 1000 - 12 * 3600 - 1}, "proof-too-old"),
        ({"iat": 0}, "proof-too-old"),
        ({"iat": (NOW + SKEW_MS) // 1000 + 1, "exp": NOW // 1000 + 900}, "from-the-future"),
        ({"nbf": (NOW + SKEW_MS) // 1000 + 1}, "from-the-future"),
        ({"iat": None}, "bad-token"),
        ({"iat": "now"}, "bad-token"),
        ({"iat": True}, "bad-token"),
        ({"iat": -1}, "bad-token"),
        ({"iat": 1e300}, "bad-token"),
        ({"exp": None}, "bad-token"),
        ({"exp": 1}, "bad-token"),
        ({"sub": None}, "bad-token"),
        ({"sub": ""}, "bad-token"),
        ({"sub": 7}, "bad-token"),
        ({"sub": "a\nb"}, "bad-token"),
        ({"sub": "x" * 256}, "bad-token"),
        ({"iss": None}, "bad-token"),
        ({"aud": None}, "bad-token"),
        ({"typ": "Bearer"}, "bad-token"),
        ({"events": {"http://schemas.openid.net/event/backchannel-logout": {}}}, "bad-token"),
        ({"groups": "sre-oncall"}, "bad-groups"),
        ({"groups": [1]}, "bad-groups"),
        ({"groups": {"sre-oncall": True}}, "bad-groups"),
        ({"groups": [str(number) for number in range(1_001)]}, "bad-groups"),
    ],
)
def test_token_that_says_something_else_is_refused(trust: Trust, changes: dict[str, Any], code: str) -> None:
    """Though the provider signed it."""
    assert refused(trust.identity(PROVIDER.proof(ADA, KEY, **changes), NOW)) == code


@pytest.mark.parametrize(
    "header",
    [
        {"alg": "none"},
        {"alg": "None"},
        {"alg": "HS256"},
        {"alg": "RS512"},
        {"alg": "ES256"},
        {"alg": "EdDSA"},
        {"alg": ""},
    ],
)
def test_algorithm_is_not_the_tokens_choice(trust: Trust, header: dict[str, Any]) -> None:
    """None, the public key as a secret, another kind of key."""
    key, pem = PROVIDER.keys[0], PROVIDER.keys[0].public_pem
    proof = PROVIDER.proof(ADA, KEY)
    claims = json.loads(_claims_of(proof.token))
    if header["alg"] in ("none", "HS256"):
        token = signed(key, claims, header=header, secret=pem)
    else:
        # A signature of the right key under a header that says another algorithm.
        content = f"{packed(json.dumps({'typ': 'JWT', 'kid': key.kid, **header}).encode())}.{proof.token.split('.')[1]}"
        token = f"{content}.{packed(key.sign(content.encode(), 'RS256'))}"
    code = refused(trust.identity(msgspec.structs.replace(proof, token=token), NOW))
    assert code == ("unknown-key" if header["alg"] == "ES256" else "bad-algorithm")


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ({"crit": ["exp"], "exp": 1}, "bad-token"),
        ({"b64": False, "crit": ["b64"]}, "bad-token"),
        ({"b64": False}, "bad-token"),
        ({"typ": "at+jwt"}, "bad-token"),
        ({"typ": "logout+jwt"}, "bad-token"),
        ({"kid": 7}, "bad-token"),
        ({"kid": "another"}, "unknown-key"),
        ({"jwk": new_key("ES256").jwk, "kid": None}, ""),
        ({"jku": "https://evil.example/keys"}, ""),
    ],
)
def test_header_gives_no_key(trust: Trust, header: dict[str, Any], code: str) -> None:
    """Keys come from the provider; what a token brings is not looked at."""
    proof = PROVIDER.proof(ADA, KEY, header=header)
    if code:
        assert refused(trust.identity(proof, NOW)) == code
    else:
        assert run(trust.identity(proof, NOW)).mail == ADA


def test_key_that_a_token_brings_does_not_count(trust: Trust) -> None:
    """Its own signature by its own key."""
    own = new_key("ES256")
    claims = json.loads(_claims_of(PROOF.token))
    for kid in (None, own.kid, PROVIDER.keys[0].kid):
        token = signed(own, claims, header={"jwk": own.jwk, "kid": kid})
        assert refused(trust.identity(msgspec.structs.replace(PROOF, token=token), NOW)) == "unknown-key"


def test_other_key_with_the_same_name_is_refused(trust: Trust) -> None:
    """A name is no key."""
    impostor = SigningKey(PROVIDER.keys[0].kid, "RS256", rsa.generate_private_key(65537, 2048))
    token = signed(impostor, json.loads(_claims_of(PROOF.token)))
    assert refused(trust.identity(msgspec.structs.replace(PROOF, token=token), NOW)) == "bad-signature"


def test_proof_is_good_for_one_key(trust: Trust) -> None:
    """Another hub's key with this person's token belongs to no one."""
    for changed in ({"key": OTHER.public}, {"salt": fresh_salt()}):
        assert refused(trust.identity(msgspec.structs.replace(PROOF, **changed), NOW)) == "wrong-key"


def test_large_token_is_refused(trust: Trust) -> None:
    """Before anything is read."""
    proof = PROVIDER.proof(ADA, KEY, groups=["x" * 100 for _ in range(LARGEST_TOKEN // 100)])
    assert refused(trust.identity(proof, NOW)) == "bad-token"


@given(age=st.integers(-2 * SKEW_MS, 2 * LONGEST_PROOF_MS), longest=st.integers(0, LONGEST_PROOF_MS))
def test_age_is_bounded_on_both_sides(trust: Trust, age: int, longest: int) -> None:
    """By the time the provider wrote into it."""
    made = NOW - age
    proof = PROVIDER.proof(ADA, KEY, iat=made / 1000, exp=made / 1000 + 300)
    if -SKEW_MS <= age <= longest:
        assert run(trust.identity(proof, NOW, longest)).mail == ADA
    else:
        assert refused(trust.identity(proof, NOW, longest)) in ("proof-too-old", "from-the-future")


LONG_AGO: dict[str, Any] = {"iat": NOW // 1000 - 90 * 86_400, "exp": NOW // 1000 - 90 * 86_400 + 300}


def test_newer_token_of_the_same_person_counts(trust: Trust) -> None:
    """Its groups are those of now, and its age is what counts."""
    PROVIDER.users[ADA].groups = ("dev",)
    try:
        fresh = PROVIDER.id_token(ADA)
    finally:
        PROVIDER.users[ADA].groups = ("dev", "sre-oncall")
    found = run(trust.identity(PROVIDER.proof(ADA, KEY, fresh=fresh, **LONG_AGO), NOW))
    assert (found.mail, found.groups) == (ADA, ("dev",))


def test_what_the_newer_token_leaves_out_is_not_taken_from_the_old_one(trust: Trust) -> None:
    """Groups and mail are those of now or none; a name is for reading only."""
    fresh = PROVIDER.id_token(ADA, groups=None, email=None, name=None)
    found = run(trust.identity(PROVIDER.proof(ADA, KEY, fresh=fresh), NOW))
    assert found == Identity(PROVIDER.issuer, "subject-of-ada", "", "Ada", ())


@pytest.mark.parametrize(
    ("mail", "changes", "code"),
    [
        (BOB, {}, "other-person"),
        (ADA, {"sub": "subject-of-ada "}, "other-person"),
        (ADA, {"nonce": "another"}, "wrong-key"),
        (ADA, {"nonce": "not ascii: é"}, "wrong-key"),
        (ADA, {"aud": "another-client"}, "wrong-audience"),
        (ADA, {"iss": "https://id.example"}, "wrong-issuer"),
        (ADA, LONG_AGO, "proof-too-old"),
        (ADA, {"iat": NOW // 1000 + 600, "exp": NOW // 1000 + 900}, "from-the-future"),
        (ADA, {"typ": "Bearer"}, "bad-token"),
    ],
)
def test_newer_token_has_to_be_of_the_same_person(trust: Trust, mail: str, changes: dict[str, Any], code: str) -> None:
    """Of the same provider and client, and of today."""
    proof = PROVIDER.proof(ADA, KEY, fresh=PROVIDER.id_token(mail, **changes))
    assert refused(trust.identity(proof, NOW)) == code


def test_newer_token_does_not_mend_the_first_one(trust: Trust) -> None:
    """Whose key it is, only that one says."""
    proof = PROVIDER.proof(ADA, KEY, fresh=PROVIDER.id_token(ADA), nonce="another")
    assert refused(trust.identity(proof, NOW)) == "wrong-key"


def test_old_proof_still_says_whose_key_it_is(trust: Trust) -> None:
    """Before a refresh it is looked at without its age."""
    run(trust.check_key(PROVIDER.proof(ADA, KEY, **LONG_AGO), NOW))
    assert refused(trust.check_key(PROVIDER.proof(ADA, KEY, nonce=None, **LONG_AGO), NOW)) == "wrong-key"


@pytest.mark.parametrize("verified", [False, None, "false", 1, "yes", []])
def test_mail_nobody_verified_is_left_out(trust: Trust, verified: object) -> None:
    """Else any account could be the person of that address."""
    found = run(trust.identity(PROVIDER.proof(ADA, KEY, email_verified=verified), NOW))
    assert (found.mail, found.label) == ("", "Ada")


@pytest.mark.parametrize("mail", ["no mail", "a\nb@example.org", "x" * 260 + "@example.org", 7, ["ada@example.org"]])
def test_mail_of_another_form_is_left_out(trust: Trust, mail: object) -> None:
    """It is shown on every screen."""
    assert run(trust.identity(PROVIDER.proof(ADA, KEY, email=mail), NOW)).mail == ""


def test_groups_that_cannot_be_read_are_left_out(trust: Trust) -> None:
    """The others stay, each once."""
    proof = PROVIDER.proof(ADA, KEY, groups=["dev", "", "a\u202eb", "x" * 300, "dev", "on call"])
    assert run(trust.identity(proof, NOW)).groups == ("dev", "on call")


def test_groups_stand_in_the_claim_the_team_names(tmp_path: Path) -> None:
    """Some providers want names like addresses."""
    one = provider()
    one.groups_claim = "https://example.org/roles"
    trust = trusting(tmp_path, one, groups_claim="https://example.org/roles")
    assert run(trust.identity(one.proof(ADA, KEY), NOW)).groups == ("dev", "sre-oncall")


def test_client_of_several_audiences_has_to_be_the_authorized_one(trust: Trust) -> None:
    """As the standard says of ``azp``."""
    both: dict[str, Any] = {"aud": [PROVIDER.client_id, "another-client"], "azp": PROVIDER.client_id}
    assert run(trust.identity(PROVIDER.proof(ADA, KEY, **both), NOW)).mail == ADA


def test_trust_is_that_of_the_team() -> None:
    """As the relay told when the hub joined."""
    trust = Trust.of(TeamInfo(1, "acme", "https://id.example", "c", groups_claim="roles", client_secret="s"))
    assert (trust.issuer, trust.client_id, trust.groups_claim, trust.client_secret) == (
        ("https://id.example", "c", "roles", "s")
    )


# The provider's keys.


def weak() -> dict[str, Any]:
    return SigningKey("weak", "RS256", rsa.generate_private_key(65537, 1024)).jwk


@pytest.mark.parametrize(
    "entry",
    [
        {},
        [],
        "key",
        {"kty": "oct", "k": "c2VjcmV0", "alg": "HS256"},
        {"kty": "RSA"},
        {"kty": "RSA", "n": "AQAB", "e": "AQAB"},
        {"kty": "RSA", "n": "!", "e": "AQAB"},
        {"kty": "EC", "crv": "P-256", "x": "AQAB", "y": "AQAB"},
        {"kty": "EC", "crv": "P-521", "x": "AQAB", "y": "AQAB"},
        weak(),
        {**PROVIDER.keys[0].jwk, "use": "enc"},
        {**PROVIDER.keys[0].jwk, "alg": "RSA-OAEP"},
        {**PROVIDER.keys[0].jwk, "alg": "RS512"},
        {**PROVIDER.keys[0].jwk, "key_ops": ["encrypt"]},
        {**PROVIDER.keys[0].jwk, "kid": 7},
        {**PROVIDER.keys[0].jwk, "e": "AA"},
        {**PROVIDER.keys[0].jwk, "n": "A" * 3_000},
    ],
)
def test_key_of_another_kind_is_passed_over(tmp_path: Path, entry: Any) -> None:
    """It neither counts nor keeps those beside it from counting."""
    one = provider("ES256")
    trust = trusting(tmp_path, one)
    keep(tmp_path, one.issuer, {"keys": [entry, *one.jwks()["keys"]]}, NOW)
    assert run(trust.identity(one.proof(ADA, KEY), NOW)).mail == ADA
    assert len(trust._keys[one.issuer]._keys) == 1


def test_curve_is_p_256(tmp_path: Path) -> None:
    """A longer one has another algorithm."""
    one = Provider(keys=[SigningKey("p384", "ES384", ec.generate_private_key(ec.SECP384R1()))], now=lambda: NOW / 1000)
    assert refused(trusting(tmp_path, one).identity(one.proof(ADA, KEY), NOW)) == "bad-algorithm"


def test_key_signs_in_its_own_algorithm_only(tmp_path: Path) -> None:
    """Where the provider says which."""
    one = provider("RS256")
    proof = one.proof(ADA, KEY, header={"alg": "PS256"})
    assert refused(trusting(tmp_path, one).identity(proof, NOW)) == "unknown-key"


def test_token_that_names_no_key_counts_where_there_is_one(tmp_path: Path) -> None:
    """Among two it could be either."""
    one = provider()
    one.keys.append(new_key("ES256"))
    trust = trusting(tmp_path, one)
    assert run(trust.identity(one.proof(ADA, KEY, header={"kid": None}), NOW)).mail == ADA
    one.keys.append(new_key("RS256", 1))
    keep(tmp_path, one.issuer, one.jwks(), NOW)
    again = Trust(one.issuer, one.client_id, folder=tmp_path)
    assert refused(again.identity(one.proof(ADA, KEY, header={"kid": None}), NOW)) == "unknown-key"


@pytest.mark.parametrize(
    ("at", "code"),
    [
        (NOW, ""),
        (NOW - FRESH_MS + 1, ""),
        (NOW - FRESH_MS - 1, ""),
        (NOW - LONGEST_MS + 1, ""),
        (NOW - LONGEST_MS, "no-keys"),
        (NOW + SKEW_MS, ""),
        (NOW + SKEW_MS + 1, "no-keys"),
    ],
)
def test_kept_keys_count_for_a_day(tmp_path: Path, at: int, code: str) -> None:
    """The provider is away; longer, and keys it took back would count for ever."""
    one = provider()
    trust = trusting(tmp_path, one, at=at)
    if code:
        assert refused(trust.identity(one.proof(ADA, KEY), NOW)) == code
    else:
        assert run(trust.identity(one.proof(ADA, KEY), NOW)).mail == ADA


@pytest.mark.parametrize(
    "content", ["", "{}", "[" * 5_000, '{"issuer": "https://id.example", "at": 1, "jwks": {"keys": []}}', "\udcff"]
)
def test_damaged_file_of_keys_is_none(tmp_path: Path, content: str) -> None:
    """The provider is asked instead."""
    one = provider()
    trust = trusting(tmp_path, one)
    (file,) = tmp_path.iterdir()
    file.write_bytes(content.encode("utf-8", "surrogateescape"))
    assert refused(trust.identity(one.proof(ADA, KEY), NOW)) == "no-keys"


def test_file_of_keys_that_others_could_write_is_none(tmp_path: Path) -> None:
    """They could have planted theirs."""
    one = provider()
    trust = trusting(tmp_path, one)
    (file,) = tmp_path.iterdir()
    file.chmod(0o622)
    assert refused(trust.identity(one.proof(ADA, KEY), NOW)) == "no-keys"


# Workloads.


def jobs(folder: Path, *subjects: str) -> tuple[Trust, Provider]:
    ci = provider()
    trust = Trust(
        "https://id.example", "team", folder=folder, workloads=tuple(f"{ci.issuer} {one}" for one in subjects)
    )
    keep(folder, ci.issuer, ci.jwks(), NOW)
    return trust, ci


def test_job_of_a_listed_repository_may_join(tmp_path: Path) -> None:
    """It is called by repository and workflow."""
    trust, ci = jobs(tmp_path, "repo:acme/app:*")
    found = run(trust.workload(ci.workload_token("team"), NOW))
    assert found == Identity(ci.issuer, "repo:acme/app:ref:refs/heads/main", name="acme/app, deploy")


@pytest.mark.parametrize(
    ("audience", "changes", "code"),
    [
        ("team", {"repository": "evil/app"}, "wrong-workload"),
        ("team", {"repository": "acme/app2"}, "wrong-workload"),
        ("team", {"sub": "xrepo:acme/app:ref"}, "wrong-workload"),
        ("another", {}, "wrong-audience"),
        ("team", {"iss": "https://id.example"}, "wrong-issuer"),
        ("team", {"iss": "https://other.example"}, "wrong-issuer"),
        ("team", {"exp": NOW // 1000 - 200, "iat": NOW // 1000 - 500}, "proof-too-old"),
        ("team", {"iat": NOW // 1000 - 13 * 3600}, "proof-too-old"),
        ("team", {"iat": NOW // 1000 + 600, "exp": NOW // 1000 + 900}, "from-the-future"),
    ],
)
def test_other_jobs_may_not(tmp_path: Path, audience: str, changes: dict[str, Any], code: str) -> None:
    """All who have a repository can have a token of a public code host."""
    trust, ci = jobs(tmp_path, "repo:acme/app:*")
    assert refused(trust.workload(ci.workload_token(audience, **changes), NOW)) == code


def test_issuer_without_subjects_lets_nobody_in(tmp_path: Path) -> None:
    """It would let in all of them."""
    ci = provider()
    trust = Trust("https://id.example", "team", folder=tmp_path, workloads=(ci.issuer, f"{ci.issuer} "))
    assert refused(trust.workload(ci.workload_token("team"), NOW)) == "wrong-issuer"


def test_job_is_no_person(tmp_path: Path) -> None:
    """Its token is no proof, whatever nonce it has."""
    trust, ci = jobs(tmp_path, "*")
    proof = Proof(KEY.public, fresh_salt(), ci.workload_token("team"))
    assert refused(trust.identity(proof, NOW)) == "wrong-issuer"


@pytest.mark.parametrize(
    ("pattern", "subject", "expected"),
    [
        ("repo:acme/*", "repo:acme/app:ref:refs/heads/main", True),
        ("repo:acme/*:ref:refs/heads/main", "repo:acme/app:ref:refs/heads/main", True),
        ("repo:acme/app", "repo:acme/app:ref", False),
        ("repo:acme/app", "repo:acme/app", True),
        ("repo:acme/a.p", "repo:acme/app", False),
        ("repo:acme/*", "repo:acme2/app", False),
        ("*", "anything", True),
    ],
)
def test_subjects_match_as_a_whole(pattern: str, subject: str, expected: bool) -> None:
    """A star is the only sign with a meaning."""
    workload = Workload.parsed(f"{JOBS} {pattern}")
    assert workload is not None
    assert workload.is_for(JOBS, subject) is expected
    assert not workload.is_for("https://other.example", subject)
