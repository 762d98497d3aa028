"""The log as a file: every decision that the filter lets through, page by page."""

import csv
import io
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from assent.client import Client
from assent.errors import AssentError
from assent.views.decisions import DecisionRow

PAGE = 200
MOST = 20_000
COLUMNS = (
    *("seq", "at", "ask", "risk", "session", "project", "tool", "verb", "what", "decision", "choice", "by"),
    *("surface", "device", "waited_ms", "ending", "certainty", "why", "call", "hash"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(client: Client, text: str, file: str, report: Callable[[int], None]) -> tuple[int, bool]:
    """How many there were, and whether there are more. ``told`` hears how far it is. Nothing is overwritten."""
    path = Path(file).expanduser()
    if path.suffix not in (".jsonl", ".csv"):
        raise AssentError("Nothing was written: the name must end with .jsonl or .csv.")
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        why = "it exists already" if isinstance(error, FileExistsError) else (error.strerror or "it cannot be").lower()
        raise AssentError(f"Nothing was written to {path}: {why}.") from None
    write = _csv if path.suffix == ".csv" else _jsonl
    count, before = 0, None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            if path.suffix == ".csv":
                out.write(_cells(COLUMNS))
            while count < MOST:
                rows, before = client.decisions(text, limit=PAGE, before=before)
                out.writelines(write(rows))
                count += len(rows)
                report(count)
                if before is None:
                    break
    except AssentError:
        # Half of it would pass for all of it.
        path.unlink(missing_ok=True)
        raise
    except OSError as error:
        path.unlink(missing_ok=True)
        raise AssentError(f"Nothing was written to {path}: {(error.strerror or 'it failed').lower()}.") from None
    return count, before is not None


def _fields(row: DecisionRow) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(row)
    return {**fields, "at": datetime.fromtimestamp(row.at / 1000, UTC).isoformat(timespec="milliseconds")}


def _jsonl(rows: list[DecisionRow]) -> Iterator[str]:
    return (f"{msgspec.json.encode(_fields(row)).decode()}\n" for row in rows)


def _csv(rows: list[DecisionRow]) -> Iterator[str]:
    return (_cells([_safe(fields.get(name, "")) for name in COLUMNS]) for fields in map(_fields, rows))


def _safe(value: object) -> object:
    """A table program must not take what an agent wrote for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _cells(values: Any) -> str:
    line = io.StringIO()
    csv.writer(line, quoting=csv.QUOTE_ALL).writerow(values)
    return line.getvalue()
