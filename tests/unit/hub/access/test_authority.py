"""Our own certificate authority vouches for one name, renews what it signed, and starts anew only when it must."""

import contextlib
import datetime
import ipaddress
import ssl
import stat
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from assent.hub.access.authority import AUTHORITY_DAYS, RENEW_BEFORE_DAYS, SERVER_DAYS, Authority

NOW = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)


def read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    made = Authority(tmp_path, "desk.example.net")
    assert made.renew(NOW)
    return made


def test_authority_is_constrained_to_one_name(authority: Authority) -> None:
    """Critical, so that who does not know the rule refuses; addresses, of which the name says nothing, are shut out."""
    found = read(authority.certificate).extensions.get_extension_for_class(x509.NameConstraints)
    assert found.critical
    assert found.value.permitted_subtrees == [x509.DNSName("desk.example.net")]
    assert found.value.excluded_subtrees == [
        x509.IPAddress(ipaddress.ip_network("0.0.0.0/0")),
        x509.IPAddress(ipaddress.ip_network("::/0")),
    ]


@pytest.mark.parametrize("address", ["192.0.2.7", "2001:db8::7"])
def test_authority_for_an_address_is_constrained_to_it(tmp_path: Path, address: str) -> None:
    """One address, and no name at all."""
    made = Authority(tmp_path, address)
    made.renew(NOW)
    constraints = read(made.certificate).extensions.get_extension_for_class(x509.NameConstraints).value
    assert constraints.permitted_subtrees == [x509.IPAddress(ipaddress.ip_network(address))]
    assert constraints.excluded_subtrees == [x509.DNSName("")]
    names = read(made.server_certificate).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.IPAddress) == [ipaddress.ip_address(address)]


@pytest.mark.parametrize("name", ["desk.example.net", "192.0.2.7", "2001:db8::7"])
def test_server_is_trusted_by_openssl(tmp_path: Path, name: str) -> None:
    """Not only by browsers, which read fewer parts of a certificate."""
    made = Authority(tmp_path, name)
    made.renew(datetime.datetime.now(datetime.UTC))
    serves = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serves.load_cert_chain(made.server_certificate, made.server_key)
    trusts = ssl.create_default_context(cafile=str(made.certificate))
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusts.wrap_bio(back, there, server_hostname=name)
    server = serves.wrap_bio(there, back, server_side=True)
    for side in (client, server, client):
        with contextlib.suppress(ssl.SSLWantReadError):
            side.do_handshake()
    assert client.getpeercert()


def test_authority_signs_servers_only(authority: Authority) -> None:
    """No further authorities, no code, no mail."""
    extensions = read(authority.certificate).extensions
    basic = extensions.get_extension_for_class(x509.BasicConstraints)
    assert (basic.critical, basic.value.ca, basic.value.path_length) == (True, True, 0)
    assert list(extensions.get_extension_for_class(x509.ExtendedKeyUsage).value) == [ExtendedKeyUsageOID.SERVER_AUTH]


def test_keys_are_private(authority: Authority) -> None:
    """Other users cannot read what signs for us."""
    for path in authority.folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_lifetimes_are_as_promised(authority: Authority) -> None:
    """Five years for what is installed by hand, ninety days for the rest."""
    for path, days in ((authority.certificate, AUTHORITY_DAYS), (authority.server_certificate, SERVER_DAYS)):
        found = read(path)
        assert found.not_valid_after_utc == NOW + datetime.timedelta(days=days)
        assert found.not_valid_before_utc < NOW


def test_server_certificate_is_renewed_in_time(authority: Authority) -> None:
    """By the same authority, so that no phone notices."""
    before, root = authority.server_certificate.read_bytes(), authority.certificate.read_bytes()
    early = NOW + datetime.timedelta(days=SERVER_DAYS - RENEW_BEFORE_DAYS - 1)
    assert not authority.renew(early)
    assert authority.renew(early + datetime.timedelta(days=2))
    assert authority.server_certificate.read_bytes() != before
    assert authority.certificate.read_bytes() == root
    read(authority.server_certificate).verify_directly_issued_by(read(authority.certificate))


def test_another_name_needs_another_authority(authority: Authority) -> None:
    """The old one may not vouch for it."""
    root = authority.certificate.read_bytes()
    assert Authority(authority.folder, "other.example.net").renew(NOW)
    assert authority.certificate.read_bytes() != root


def test_authority_near_its_end_is_made_anew(authority: Authority) -> None:
    """Before it can no longer cover what it signs."""
    root = authority.certificate.read_bytes()
    assert authority.renew(NOW + datetime.timedelta(days=AUTHORITY_DAYS - SERVER_DAYS + 1))
    assert authority.certificate.read_bytes() != root


@pytest.mark.parametrize("name", ["ca.key", "ca.crt", "server.key", "server.crt"])
@pytest.mark.parametrize("content", [b"", b"junk", None])
def test_damaged_file_is_made_anew(authority: Authority, name: str, content: bytes | None) -> None:
    """A file cut off by a crash, emptied or gone does not keep others out for good."""
    path = authority.folder / name
    path.unlink() if content is None else path.write_bytes(content)
    assert authority.renew(NOW)
    assert not authority.renew(NOW)
    read(authority.server_certificate).verify_directly_issued_by(read(authority.certificate))


def test_key_of_another_certificate_is_noticed(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A crash between two writes leaves two that do not belong together."""
    other = Authority(tmp_path_factory.mktemp("other"), authority.name)
    other.renew(NOW)
    authority.server_key.write_bytes(other.server_key.read_bytes())
    assert authority.renew(NOW)
    assert not authority.renew(NOW)


def test_fingerprint_reads_as_phones_show_it(authority: Authority) -> None:
    """Pairs of hexadecimal digits."""
    parts = authority.fingerprint().split(":")
    assert len(parts) == 32
    assert all(len(part) == 2 and part == part.upper() for part in parts)
    assert Authority(authority.folder / "nowhere", "x").fingerprint() == ""
    assert Authority(authority.folder / "nowhere", "x").download() == b""
