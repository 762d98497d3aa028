"""Where the record of the past is kept, as the settings say."""

from assent.config import Config
from assent.errors import AssentError
from assent.journal.reading import History
from assent.paths import Paths

__all__ = ["History", "open_history"]


def open_history(paths: Paths, settings: Config, *, since: int) -> History:
    """The records from ``since`` (Unix milliseconds) until now. Raises AssentError."""
    if settings.journal.url != "sqlite":
        raise AssentError("Nothing was read: this command reads a journal in SQLite only.")
    return History(paths.journal, since=since)
