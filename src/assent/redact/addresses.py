"""Secrets in addresses: the password before a host, and the values of telling query parameters.

An address is taken apart before names are looked for in it, so that a user called *token* does not make a secret of the
host. Scheme, user, host, port and path stay."""

import re
from collections.abc import Iterator

from assent.redact import named

Span = tuple[int, int, str]

_ADDRESS = re.compile(r"""://(?P<authority>[^\s/?#"'`⟨⟩<>\\]{0,600})(?P<rest>[^\s"'`⟨⟩<>\\]{0,4096})""")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}$")
_DATABASES = re.compile(
    r"(?i)(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb|rediss?|valkeys?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|oracle|nats"
    r"|couchdb|neo4j|bolt|cassandra|influxdb|kafka|mqtts?|stomp|snowflake|libsql|ldaps?|smtps?|cql)"
    r"(?:\+[a-z0-9]{1,12})?$|[a-z]{3,12}\+(?!https?$|ssh$|git$)[a-z0-9]{2,12}$"
)
# The password of a database may hold what would end the host of a page.
_UNQUOTED = re.compile(r"""://[^\s/@:"'`]{0,100}:(?P<password>[^\s"'`⟨⟩@]{1,256})@(?=[\w.-]{1,200}(?:[:/?\s"']|$))""")
_BARE_USER = re.compile(r"(?=[a-z_-]{0,60}[A-Z0-9])[A-Za-z0-9_-]{20,255}$")
_PARAMETER = re.compile(r"(?P<name>[A-Za-z0-9_.\[\]-]{1,60})=(?P<value>[^&#;\s]{1,2048})")
_SIGNATURES = frozenset(
    {"sig", "signature", "x-amz-signature", "x-goog-signature", "x-amz-security-token", "awsaccesskeyid"}
)
_KEYS = frozenset({"key", "apikey", "appid", "app_key", "subscription-key", "hapikey", "code", "sk", "k"})
_SHORTEST = 4
_SHORTEST_KEY = 16

# Without a scheme it takes more than the form: addresses of mail and names of packages look the same.
_LOOSE = re.compile(
    r"""(?<![\w:/@.%+-])(?P<user>[A-Za-z0-9._%+-]{1,64}):(?P<password>[^\s:/@"'`⟨⟩]{1,128})@"""
    r"(?=(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w@])|localhost\b|\d{1,3}(?:\.\d{1,3}){3}\b)"
)
_MAIL = frozenset(
    """mailto mail email e-mail to from cc bcc reply-to author contact sender by user sip xmpp acct jid npm ssh
    git""".split()  # noqa: SIM905 - readable
)


def spans_of(text: str) -> list[tuple[int, int]]:
    """Where addresses stand."""
    return [(match.start(), match.end()) for match in _ADDRESS.finditer(text)]


def hosts_of(text: str) -> Iterator[tuple[int, int]]:
    """Where the hosts of addresses stand, with their ports."""
    for match in _ADDRESS.finditer(text):
        at = match["authority"].rfind("@")
        yield match.start("authority") + at + 1, match.end("authority")


def found(text: str) -> Iterator[Span]:
    for address in _ADDRESS.finditer(text):
        scheme = _SCHEME.search(text[max(0, address.start() - 31) : address.start()])
        is_database = scheme is not None and _DATABASES.match(scheme[0]) is not None
        yield from _user_info(text, address, is_database=is_database)
        yield from _parameters(address["rest"], address.start("rest"))


def loose(text: str) -> Iterator[Span]:
    """Passwords before the host of an address that has no scheme."""
    for address in _LOOSE.finditer(text):
        user, password = address["user"].lower(), address["password"]
        if user in _MAIL or named.is_reference(password):
            continue
        if named.kind_of_field(user) or named.is_strong(password):
            yield address.start("password"), address.end("password"), "password"


def _user_info(text: str, address: re.Match[str], *, is_database: bool) -> Iterator[Span]:
    user_info, at, _ = address["authority"].rpartition("@")
    begin = address.start("authority")
    if not at:
        unquoted = _UNQUOTED.match(text, address.start()) if is_database else None
        if unquoted and not named.is_reference(unquoted["password"]):
            yield unquoted.start("password"), unquoted.end("password"), "connection-string"
        return
    user, colon, password = user_info.partition(":")
    if colon:
        if password and not named.is_reference(password):
            start = begin + len(user) + 1
            yield start, start + len(password), "connection-string" if is_database else "password"
    elif _BARE_USER.match(user):
        yield begin, begin + len(user), "token"


def _parameters(rest: str, begin: int) -> Iterator[Span]:
    if "=" not in rest:
        return
    for match in _PARAMETER.finditer(rest):
        name, value = match["name"].lower(), match["value"]
        kind = named.kind_of_field(match["name"])
        if name in _SIGNATURES:
            kind = "token" if len(value) >= _SHORTEST_KEY else None
        elif kind is None and name in _KEYS:
            kind = "key" if len(value) >= _SHORTEST_KEY and named.is_strong(value) else None
        if kind and len(value) >= _SHORTEST and named.is_field_value(value):
            yield begin + match.start("value"), begin + match.end("value"), kind
