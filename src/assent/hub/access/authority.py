"""A certificate authority of our own that can vouch for one name only: a thief of its key can pretend to be this
hub and no other server. It is installed once on a phone; what it signs is short-lived and renewed by itself."""

import datetime
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from assent.hub import state_file

AUTHORITY_DAYS = 5 * 365
SERVER_DAYS = 90
RENEW_BEFORE_DAYS = 30
# Clocks of phones are off now and then.
EARLIER = datetime.timedelta(days=1)

_Key = ec.EllipticCurvePrivateKey
_EVERY_ADDRESS: tuple[x509.GeneralName, ...] = (
    x509.IPAddress(ipaddress.ip_network("0.0.0.0/0")),
    x509.IPAddress(ipaddress.ip_network("::/0")),
)
# Matches every name.
_EVERY_NAME: tuple[x509.GeneralName, ...] = (x509.DNSName(""),)


@dataclass(frozen=True, slots=True)
class Authority:
    """Its files, and those of the certificate it vouches for, in a private folder."""

    folder: Path
    # A DNS name or an address.
    name: str

    @property
    def certificate(self) -> Path:
        return self.folder / "ca.crt"

    @property
    def server_certificate(self) -> Path:
        return self.folder / "server.crt"

    @property
    def server_key(self) -> Path:
        return self.folder / "server.key"

    @property
    def _key(self) -> Path:
        return self.folder / "ca.key"

    def renew(self, now: datetime.datetime) -> bool:
        """Make what is missing, meant for another name, or soon too old; whether anything was made. Raises OSError."""
        authority, key = _certificate(self.certificate), _private_key(self._key)
        if authority is None or key is None or not self._is_usable(authority, key, now):
            authority, key = self._make_authority(now)
        elif self._is_served(authority, now):
            return False
        self._make_server(authority, key, now)
        return True

    def fingerprint(self) -> str:
        """As phones show it before they install a certificate."""
        certificate = _certificate(self.certificate)
        return certificate.fingerprint(hashes.SHA256()).hex(":").upper() if certificate else ""

    def download(self) -> bytes:
        """For phones: DER, which all of them know. Empty if there is none."""
        certificate = _certificate(self.certificate)
        return certificate.public_bytes(serialization.Encoding.DER) if certificate else b""

    def _is_usable(self, authority: x509.Certificate, key: _Key, now: datetime.datetime) -> bool:
        try:
            constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value
        except x509.ExtensionNotFound:
            return False
        return (
            constraints == _constraints(self.name)
            and authority.public_key() == key.public_key()
            and authority.not_valid_after_utc - now > datetime.timedelta(days=SERVER_DAYS)
        )

    def _is_served(self, authority: x509.Certificate, now: datetime.datetime) -> bool:
        server, key = _certificate(self.server_certificate), _private_key(self.server_key)
        if server is None or key is None or server.public_key() != key.public_key():
            return False
        try:
            server.verify_directly_issued_by(authority)
        except Exception:  # the library raises several kinds, all of which mean no
            return False
        return server.not_valid_after_utc - now > datetime.timedelta(days=RENEW_BEFORE_DAYS)

    def _make_authority(self, now: datetime.datetime) -> tuple[x509.Certificate, _Key]:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Assent hub {self.name}"[:64])])
        certificate = (
            _builder(subject, subject, key, now, AUTHORITY_DAYS)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs_certificates=True), critical=True)
            .add_extension(_constraints(self.name), critical=True)
            .sign(key, hashes.SHA256())
        )
        state_file.write(self._key, _pem(key))
        state_file.write(self.certificate, certificate.public_bytes(serialization.Encoding.PEM))
        return certificate, key

    def _make_server(self, authority: x509.Certificate, authority_key: _Key, now: datetime.datetime) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        # Words, and not the name alone: OpenSSL takes an address there for a DNS name, of which none is permitted.
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Assent server {self.name}"[:64])])
        issuer_id = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
        certificate = (
            _builder(subject, authority.subject, key, now, SERVER_DAYS)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(x509.SubjectAlternativeName([_general(self.name)]), critical=False)
            .add_extension(issuer_id, critical=False)
            .sign(authority_key, hashes.SHA256())
        )
        state_file.write(self.server_key, _pem(key))
        state_file.write(self.server_certificate, certificate.public_bytes(serialization.Encoding.PEM))


def _builder(
    subject: x509.Name, issuer: x509.Name, key: _Key, now: datetime.datetime, days: int
) -> x509.CertificateBuilder:
    server = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(server, critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _constraints(name: str) -> x509.NameConstraints:
    """One name or one address. What is not spoken of would be free, so the other kind is shut out whole."""
    try:
        own: x509.GeneralName = x509.IPAddress(ipaddress.ip_network(name))
        others = _EVERY_NAME
    except ValueError:
        own, others = x509.DNSName(name), _EVERY_ADDRESS
    return x509.NameConstraints(permitted_subtrees=[own], excluded_subtrees=list(others))


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _certificate(path: Path) -> x509.Certificate | None:
    try:
        return x509.load_pem_x509_certificate(state_file.read(path) or b"")
    except ValueError:
        return None


def _private_key(path: Path) -> _Key | None:
    try:
        key = serialization.load_pem_private_key(state_file.read(path) or b"", password=None)
    except (ValueError, TypeError):
        return None
    return key if isinstance(key, _Key) else None


def _pem(key: _Key) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
