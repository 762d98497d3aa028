"""``assent relay --check``: whether the settings can work, without letting anyone in."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from assent.errors import AssentError
from assent.relay import tables
from assent.relay.database import Database
from assent.relay.exchange import now_ms
from assent.relay.server import tls_of
from assent.relay.settings import Settings
from assent.team.provider import Provider
from assent.team.provider_keys import ProviderKeys


@dataclass(frozen=True, slots=True)
class Finding:
    subject: str
    is_good: bool
    says: str
    hint: str | None = None


async def check(settings: Settings) -> list[Finding]:
    """Nothing is written to the database, and nothing listens."""
    findings = [_listening(settings), await _database(settings), await _provider(settings)]
    return findings + [
        await _keys("workloads", issuer) for issuer in sorted({one.issuer for one in settings.workloads})
    ]


def _listening(settings: Settings) -> Finding:
    relay = settings.relay
    try:
        tls = tls_of(relay)
    except AssentError as error:
        return Finding("listen", False, error.message, error.hint)
    behind = "behind a proxy that speaks TLS" if relay.behind_proxy else "without TLS, for this machine alone"
    return Finding("listen", True, f"{relay.listen}, {'with TLS' if tls else behind}")


async def _database(settings: Settings) -> Finding:
    try:
        database = Database(settings.database.url, "assent relay --check", migrates=False)
        async with database.connection() as connection:
            version = await tables.version(connection)
            cursor = await connection.execute("SELECT has_schema_privilege(current_schema(), 'CREATE')")
            may_create = (await cursor.fetchone() or (False,))[0]
        await database.close()
    except AssentError as error:
        return Finding("database", False, error.message, error.hint)
    if version == tables.NEWEST:
        return Finding("database", True, f"the tables are there (version {version})")
    if not may_create:
        hint = "let the schema's owner grant CREATE to it."
        return Finding("database", False, "The tables are missing, and the relay's role may not create them.", hint)
    return Finding("database", True, "the tables are missing or older; the relay brings them up to date when it starts")


async def _provider(settings: Settings) -> Finding:
    issuer = settings.people.issuer
    finding = await _keys("issuer", issuer)
    if not finding.is_good:
        return finding
    try:
        found = await Provider(issuer).discovered()
    except AssentError as error:
        return Finding("issuer", False, error.message, error.hint)
    ways = [
        *(["in a browser"] if found.authorization_endpoint and found.token_endpoint else []),
        *(["by a code on another device"] if found.device_authorization_endpoint and found.token_endpoint else []),
    ]
    if not ways:
        return Finding("issuer", False, f"At {urlsplit(issuer).netloc} people cannot sign in to a program.")
    return Finding("issuer", True, f"{urlsplit(issuer).netloc} has keys; people sign in {' or '.join(ways)}")


async def _keys(subject: str, issuer: str) -> Finding:
    keys = ProviderKeys(Provider(issuer))
    try:
        await keys.matching(None, "RS256", now_ms())
    except AssentError as error:
        return Finding(subject, False, error.message, error.hint)
    finally:
        await keys.close()
    return Finding(subject, True, f"{urlsplit(issuer).netloc} has keys")
