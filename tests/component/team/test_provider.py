"""An identity provider that is not to be believed, or not to be reached: what is said of it, over real HTTP."""

import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from assent.team.provider import LARGEST_DOCUMENT
from assent.team.trust import Trust
from tests.component.team.trusting import ADA, DISCOVERY, JSON, KEY, NOW, refused, then, trusting
from tests.services.oidc_provider import Provider, new_key

pytestmark = pytest.mark.anyio


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(now=then, keys=[new_key()]) as running:
        yield running


async def test_issuer_may_have_a_path() -> None:
    """As a realm has."""
    with Provider(now=then, path="/realms/acme", keys=[new_key()]) as provider:
        async with trusting(provider) as trust:
            assert (await trust.identity(provider.proof(ADA, KEY), NOW)).mail == ADA


async def test_issuer_is_compared_letter_by_letter(provider: Provider) -> None:
    """With a slash at its end it is found at the same place, and is another one."""
    async with trusting(provider) as trust:
        trust.issuer += "/"
        assert (await refused(trust, provider)).code == "wrong-issuer"
        error = await refused(trust, provider, iss=trust.issuer)
        assert error.code == "no-keys"
        assert "calls itself" in error.why


@pytest.mark.parametrize(
    ("path", "mood", "why"),
    [
        (DISCOVERY, (302, {"Location": "/keys"}, b""), "redirects"),
        ("/keys", (301, {"Location": "https://evil.example/keys"}, b""), "redirects"),
        (DISCOVERY, (404, {}, b""), "answers 404"),
        (DISCOVERY, (503, {}, b""), "answers 503"),
        ("/keys", (500, {}, b""), "answers 500"),
        (DISCOVERY, (200, JSON, b"<html>"), "cannot be read"),
        (DISCOVERY, (200, JSON, b"[" * 100_000), "cannot be read"),
        (DISCOVERY, (200, JSON, b'{"issuer": "https://evil.example", "jwks_uri": "x"}'), "calls itself"),
        ("/keys", (200, JSON, b"{}"), "cannot be read"),
        ("/keys", (200, JSON, b'{"keys": []}'), "publishes no key"),
        ("/keys", (200, JSON, b" " * (LARGEST_DOCUMENT + 1)), "answers more than"),
        ("/keys", (200, {**JSON, "Content-Encoding": "gzip"}, b"\x1f\x8b"), "packs its answers"),
    ],
)
async def test_what_a_provider_should_not_do_is_said(
    provider: Provider, path: str, mood: tuple[int, dict[str, str], bytes], why: str
) -> None:
    """And it counts as having no keys."""
    provider.moods[path] = mood
    async with trusting(provider) as trust:
        error = await refused(trust, provider)
        assert error.code == "no-keys"
        assert why in error.why


@pytest.mark.parametrize(
    ("jwks", "why"),
    [
        ("http://id.example/keys", "only https"),
        ("file:///etc/passwd", "no address"),
        ("ftp://127.0.0.1/keys", "only https"),
        ("", "no address"),
        ("https://user@id.example/keys", "no name, password"),
        ("https://id.example:x/keys", "no address"),
    ],
)
async def test_address_of_keys_has_to_be_a_safe_one(provider: Provider, jwks: str, why: str) -> None:
    """Plain HTTP stays on this machine."""
    body = f'{{"issuer": "{provider.issuer}", "jwks_uri": "{jwks}"}}'.encode()
    provider.moods[DISCOVERY] = (200, JSON, body)
    async with trusting(provider) as trust:
        error = await refused(trust, provider)
        assert error.code == "no-keys"
        assert why in error.why


@pytest.mark.parametrize("issuer", ["http://id.example", "http://192.0.2.1:5556", "ftp://localhost", "id.example", ""])
async def test_issuer_on_another_machine_needs_https(issuer: str) -> None:
    """Nothing is asked of it; the refusal says why."""
    trust = Trust(issuer, "c")
    away = Provider(now=then, keys=[new_key()])
    error = await refused(trust, away, iss=issuer)
    assert error.code == "no-keys"
    assert "is not used" in error.why


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of 127.0.0.1, signed by itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "an identity provider for tests")])
    at = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - timedelta(days=1))
        .not_valid_after(at + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "provider.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(made.public_bytes(Encoding.PEM) + private)
    return file


@pytest.fixture
def encrypted(certificate: Path) -> Iterator[Provider]:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with Provider(now=then, keys=[new_key()], tls=tls) as running:
        yield running


async def test_certificate_of_the_company_counts(
    encrypted: Provider, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system trusts it."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with trusting(encrypted) as trust:
        assert encrypted.issuer.startswith("https:")
        assert (await trust.identity(encrypted.proof(ADA, KEY), NOW)).mail == ADA


async def test_certificate_that_the_settings_name_counts(encrypted: Provider, certificate: Path) -> None:
    """For this provider alone."""
    async with trusting(encrypted, ca_file=str(certificate)) as trust:
        assert (await trust.identity(encrypted.proof(ADA, KEY), NOW)).mail == ADA


async def test_file_of_certificates_that_is_damaged_is_named(encrypted: Provider, tmp_path: Path) -> None:
    """It counts as having no keys."""
    (tmp_path / "ca.pem").write_text("no certificate")
    async with trusting(encrypted, ca_file=str(tmp_path / "ca.pem")) as trust:
        error = await refused(trust, encrypted)
        assert error.code == "no-keys"
        assert "ca.pem" in error.why


async def test_certificate_that_nobody_vouches_for_does_not_count(encrypted: Provider) -> None:
    """Another program could sit there."""
    async with trusting(encrypted) as trust:
        error = await refused(trust, encrypted)
        assert error.code == "no-keys"
        assert "certificate" in error.why.lower()


async def test_encrypted_issuer_has_encrypted_keys(
    encrypted: Provider, provider: Provider, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though plain HTTP would do for one on this machine."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    provider.keys = encrypted.keys
    body = f'{{"issuer": "{encrypted.issuer}", "jwks_uri": "{provider.issuer}/keys"}}'.encode()
    encrypted.moods[DISCOVERY] = (200, JSON, body)
    async with trusting(encrypted) as trust:
        error = await refused(trust, encrypted)
        assert error.code == "no-keys"
        assert "the issuer has https" in error.why
