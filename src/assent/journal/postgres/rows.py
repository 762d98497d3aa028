"""Records as rows. PostgreSQL has no NUL in text, so it is written as two other characters."""

from typing import Any

import msgspec

from assent.filter import project_of, tool_of
from assent.protocol.record import Record
from assent.searchable import searchable

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


def row(record: Record) -> dict[str, Any]:
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
    fields["body"] = msgspec.json.encode(record.body).decode()
    return fields


def record(values: tuple[Any, ...]) -> Record:
    fields = dict(zip(FIELDS, values, strict=True))
    try:
        fields["body"] = msgspec.json.decode(fields["body"])
    except msgspec.DecodeError:
        # Somebody wrote over it. One such record must not hide the others, and verify will name it.
        fields["body"] = {"unreadable": fields["body"]}
    for name in _TEXTS:
        if fields[name] is not None:
            fields[name] = _read(fields[name])
    return Record(**fields)
