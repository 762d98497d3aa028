"""``relay.toml``: what a relay is told before it starts."""

import ipaddress
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NewType
from urllib.parse import urlsplit

from msgspec import Struct, structs

from assent.protocol.team import TeamInfo
from assent.team import whom
from assent.team.roles import RoleTable
from assent.toml import shape
from assent.toml.document import ConfigError, Document, KeyPath, read

# Its password need not stand in a file then.
DATABASE_VARIABLE = "ASSENT_RELAY_DATABASE"

Listen = NewType("Listen", str)
HttpsUrl = NewType("HttpsUrl", str)
DatabaseUrl = NewType("DatabaseUrl", str)
Named = NewType("Named", str)
Word = NewType("Word", str)


class Team(Struct, frozen=True):
    name: Word = Word("")


class Relay(Struct, frozen=True):
    listen: Listen = Listen("127.0.0.1:8719")
    # Files of a certificate that hubs trust, and of its key.
    certificate: str | None = None
    key: str | None = None
    # Something in front of it speaks TLS.
    behind_proxy: bool = False

    @property
    def address(self) -> tuple[str, int]:
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]"), int(port)


class Database(Struct, frozen=True):
    url: DatabaseUrl = DatabaseUrl("")


class People(Struct, frozen=True):
    issuer: HttpsUrl = HttpsUrl("")
    client_id: Word = Word("")
    scopes: tuple[Word, ...] = tuple(
        Word(scope) for scope in ("openid", "email", "profile", "groups", "offline_access")
    )
    groups_claim: Word = Word("groups")
    # Of providers that want one from programs on people's machines, too. It is no secret: each hub is told.
    client_secret: str = ""


class Roles(Struct, frozen=True):
    """Who has which role. Without ``member`` each person may join whom the identity provider lets in."""

    member: tuple[Named, ...] = ()
    approver: tuple[Named, ...] = ()
    auditor: tuple[Named, ...] = ()
    admin: tuple[Named, ...] = ()

    def table(self) -> RoleTable:
        return RoleTable(member=self.member, approver=self.approver, auditor=self.auditor, admin=self.admin)


class Workload(Struct, frozen=True):
    """Tokens of machines without people that may join: CI, clusters."""

    issuer: HttpsUrl
    audience: Word
    # Patterns; "*" stands for any characters.
    subjects: tuple[Word, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """As others are told them: the issuer, and the pattern of a subject."""
        return tuple(f"{self.issuer} {subject}" for subject in self.subjects)


class Settings(Struct, frozen=True):
    version: Literal[1] = 1
    team: Team = Team()
    relay: Relay = Relay()
    database: Database = Database()
    people: People = People()
    roles: Roles = Roles()
    workloads: tuple[Workload, ...] = ()

    def info(self, version: int) -> TeamInfo:
        return TeamInfo(
            version=version,
            name=self.team.name,
            issuer=self.people.issuer,
            client_id=self.people.client_id,
            scopes=self.people.scopes,
            groups_claim=self.people.groups_claim,
            client_secret=self.people.client_secret,
            workloads=tuple(name for workload in self.workloads for name in workload.names),
        )


def load(path: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Raises ConfigError."""
    document = read(path)
    if document is None:
        hint = "Write one, as docs/relay.md shows, and name it with --config."
        raise ConfigError(path, None, None, "There is no such file.", hint=hint)
    return parse(document, environment)


def parse(document: Document, environment: Mapping[str, str]) -> Settings:
    """Raises ConfigError."""
    settings = shape.fill(document, Settings, document.data, (), _READERS)
    if url := environment.get(DATABASE_VARIABLE):
        try:
            settings = structs.replace(settings, database=Database(_database_url(url)))
        except ValueError as error:
            raise ConfigError(document.path, None, None, f"{DATABASE_VARIABLE} cannot be read: {error}.") from None
    for at, value, example in (
        (("team", "name"), settings.team.name, "Example"),
        (("people", "issuer"), settings.people.issuer, "https://id.example.com"),
        (("people", "client_id"), settings.people.client_id, "assent"),
        (("database", "url"), settings.database.url, "postgresql://assent@db.example.com/assent"),
    ):
        if not value:
            table, key = at
            also = f", or set {DATABASE_VARIABLE}" if table == "database" else ""
            hint = f'Add {key} = "{example}" to [{table}]{also}.'
            raise document.wrong_key(at, f'"{key}" is missing in [{table}].', hint)
    _check_listening(document, settings.relay)
    _check_people(document, settings.people)
    _check_workloads(document, settings)
    return settings


def _check_listening(document: Document, relay: Relay) -> None:
    if bool(relay.certificate) != bool(relay.key):
        given = "certificate" if relay.certificate else "key"
        raise document.wrong_value(("relay", given), "A certificate and its key are given together, or neither.")
    host, _ = relay.address
    if not (relay.certificate or relay.behind_proxy or ipaddress.ip_address(host).is_loopback):
        raise document.wrong_value(
            ("relay", "listen"),
            f'"{relay.listen}" is reached by other machines, and hubs would speak to it without TLS.',
            "Give certificate and key, or say behind_proxy = true where something in front of it speaks TLS.",
        )


def _check_people(document: Document, people: People) -> None:
    if "openid" not in people.scopes:
        hint = 'Add "openid": without it an identity provider gives no ID token.'
        raise document.wrong_value(("people", "scopes"), '"openid" is missing in the scopes.', hint)


def _check_workloads(document: Document, settings: Settings) -> None:
    for index, workload in enumerate(settings.workloads):
        at: KeyPath = ("workloads", index)
        if workload.audience == settings.people.client_id:
            raise document.wrong_value(
                (*at, "audience"),
                f'"{workload.audience}" is the client_id of people: a token of a person could pass for a workload\'s.',
                "Name another audience here, and ask for it where the workload's token is made.",
            )
        if not workload.subjects:
            hint = 'Name them like "repo:acme/*:ref:refs/heads/main"; "*" stands for any characters.'
            raise document.wrong_value((*at, "subjects"), "No workload could join: subjects is empty.", hint)


def _listen(text: str) -> Listen:
    host, _, port = text.rpartition(":")
    bare = host.removeprefix("[").removesuffix("]")
    try:
        address = ipaddress.ip_address(bare)
        is_written_well = (address.version == 6) == host.startswith("[") == host.endswith("]")
    except ValueError:
        is_written_well = False
    if not (is_written_well and port.isascii() and port.isdigit() and int(port) < 65536):
        raise ValueError('an address with its port is written like "0.0.0.0:8719" or "[::1]:8719"')
    return Listen(text)


def _https_url(text: str) -> HttpsUrl:
    example = 'an address is written like "https://id.example.com"'
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        raise ValueError(example) from None
    if not host or parts.username or parts.query or parts.fragment or not text.isprintable() or " " in text:
        raise ValueError(example)
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_loopback(host)):
        raise ValueError(f"{example}; http is for tests on loopback alone")
    return HttpsUrl(text)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _database_url(text: str) -> DatabaseUrl:
    if not text.startswith(("postgresql://", "postgres://")):
        raise ValueError('an address of a database begins with "postgresql://"')
    return DatabaseUrl(text)


def _named(text: str) -> Named:
    if trouble := whom.problem(text):
        raise ValueError(trouble)
    if text == whom.OWNER:
        raise ValueError('"owner" has no role; name persons or groups')
    return Named(text)


def _word(text: str) -> Word:
    if not text.strip() or not text.isprintable() or len(text) > 300:
        raise ValueError("it needs a text of one line")
    return Word(text)


_READERS: shape.Readers = {
    Listen: _listen,
    HttpsUrl: _https_url,
    DatabaseUrl: _database_url,
    Named: _named,
    Word: _word,
}
