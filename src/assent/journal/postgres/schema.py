"""Looking at a database before touching it, and bringing what is ours up to date."""

from typing import Any

import msgspec
from psycopg import Connection

from assent.filter import project_of, tool_of
from assent.journal.base import JournalError
from assent.journal.postgres.link import QUERY
from assent.journal.schema import migrations
from assent.protocol.record import Record
from assent.record_text import searchable

FIELDS = tuple(Record.__struct_fields__)
COLUMNS = ", ".join(FIELDS)
_TEXTS = tuple(name for name in FIELDS if name not in ("seq", "at", "body"))
_ESCAPE = str.maketrans({"\0": "\x010", "\x01": "\x011"})


def written(text: str) -> str:
    """No two texts are written alike, and what begins another one still does."""
    return text.translate(_ESCAPE) if "\0" in text or "\x01" in text else text


def _read(text: str) -> str:
    if "\x01" not in text:
        return text
    return text.replace("\x010", "\0").replace("\x011", "\x01")


def row(record: Record, body: bytes) -> dict[str, Any]:
    """As the table has it: the record, and what searches look at."""
    event = record.body.get("event")
    fields: dict[str, Any] = msgspec.structs.asdict(record)
    fields |= {
        "body": None,
        "event": event if isinstance(event, str) else None,
        "tool": tool_of(record),
        "project": project_of(record),
        "words": searchable(record),
    }
    for name, value in fields.items():
        if isinstance(value, str):
            fields[name] = written(value)
    fields["body"] = body.decode()
    return fields


def record(values: tuple[Any, ...]) -> Record:
    fields = dict(zip(FIELDS, values, strict=True))
    try:
        fields["body"] = msgspec.json.decode(fields["body"])
    except msgspec.DecodeError:
        # It was tampered with. One such record must not hide the others, and verify will name it.
        fields["body"] = {"unreadable": fields["body"]}
    for name in _TEXTS:
        if fields[name] is not None:
            fields[name] = _read(fields[name])
    return Record(**fields)


CREATED = "Let its owner create it, or name another one in [journal] url."


def bring_up_to_date(connection: Connection, place: str) -> None:
    """What is refused is left as it was. Several hubs may do this at once: one does, the others wait."""
    steps = migrations("postgres")
    if _version(connection, place, newest=max(steps)) == max(steps):
        return
    for number, step in steps.items():
        # One transaction with its number: a step is taken whole or not at all.
        with connection.transaction():
            # A step may have to rewrite a large table, or to wait for a hub that does.
            connection.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
            connection.execute(QUERY["one_migrates"])
            if number > _version(connection, place, newest=max(steps)):
                # Without values, so that several statements go at once.
                connection.execute(step.encode())
                connection.execute(QUERY["set_version"], [str(number)])


def check_version(connection: Connection, place: str) -> None:
    """For readers: the tables must exist and have today's version."""
    newest = max(migrations("postgres"))
    if _version(connection, place, newest=newest) < newest:
        raise JournalError(
            f"The journal in PostgreSQL at {place} was begun by no hub, or by one of an older assent.",
            hint="`assent restart` brings it up to date.",
        )


def _version(connection: Connection, place: str, *, newest: int) -> int:
    row = connection.execute(QUERY["surroundings"]).fetchone()
    assert row is not None
    schema, encoding, has_meta, has_records = row
    if schema is None:
        raise JournalError(f"The schema named for the journal in PostgreSQL at {place} does not exist.", hint=CREATED)
    if encoding != "UTF8":
        hint = "Create a database with ENCODING 'UTF8' and name it in [journal] url."
        raise JournalError(f"The database at {place} is in {encoding}, which cannot hold every text.", hint=hint)
    if not has_meta and not has_records:
        return 0
    meta = connection.execute(QUERY["version"]).fetchone() if has_meta and _is_meta(connection) else None
    if not has_records or meta is None or not str(meta[0]).isdigit():
        hint = "Name another database or schema in [journal] url."
        raise JournalError(
            f"At {place} there are tables called assent_… that are no journal. They were left as they are.", hint=hint
        )
    version = int(meta[0])
    if version > newest:
        raise JournalError(
            f"The journal in PostgreSQL at {place} was written by a newer assent (schema {version}, this one knows "
            f"{newest}). It was left as it is.",
            hint="Update assent, or name another database in [journal] url.",
        )
    return version


def _is_meta(connection: Connection) -> bool:
    """Whether the table is ours: another program's table of that name may have other columns."""
    row = connection.execute(
        "SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('assent_meta') AND attname IN ('name', 'value')"
    ).fetchone()
    return row == (2,)
