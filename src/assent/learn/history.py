"""Where the record of the past is kept, as the settings say."""

from collections.abc import Iterator
from typing import Protocol

from assent.config import Config
from assent.journal import choose, reading
from assent.paths import Paths
from assent.protocol.record import Record


class History(Protocol):
    """The records of this hub up to the moment it was opened, oldest first; and about how many they are."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Record]: ...


def open_history(paths: Paths, settings: Config, *, since: int) -> History:
    """The records from ``since`` (Unix milliseconds) until now. Raises AssentError."""
    url = settings.journal.url
    if url == choose.SQLITE:
        return reading.History(paths.journal, since=since)
    return choose.postgres_history(url, since, file=paths.journal, hub_file=paths.hub_id)
