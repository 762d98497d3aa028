"""What a hub recorded, from its beginning, for whoever learns from it: with the hub up or down."""

from collections.abc import Iterator

from psycopg import Connection

from assent.journal.base import JournalError
from assent.journal.postgres.address import Address
from assent.journal.postgres.chain import head, records
from assent.journal.postgres.link import QUERY, Link
from assent.journal.postgres.schema import check_version
from assent.protocol.record import Record

PAGE = 1000
PATIENCE = 5.0
PAGE_SECONDS = 30.0
ALL_SECONDS = 3600.0


class PostgresHistory:
    """The records of one hub up to the moment it was opened."""

    def __init__(self, url: str, hub: str, *, since: int = 0) -> None:
        """``since`` in Unix milliseconds. Raises JournalError where there is nothing that can be read."""
        self._address = Address.read(url)
        self._hub = hub
        self._since = since
        link = self._link()
        try:
            with link.use() as connection:
                check_version(connection, self._address.name)
                self._last = head(connection, hub).seq
                row = connection.execute(QUERY["first_since"], (hub, since)).fetchone()
        except JournalError as error:
            raise JournalError(f"Nothing was read: {error.message}", hint=error.hint) from error
        finally:
            link.close()
        self._before = row[0] - 1 if row and row[0] is not None else self._last

    def __len__(self) -> int:
        """About how many records there are to read: some may have been pruned."""
        return max(0, self._last - self._before)

    def __iter__(self) -> Iterator[Record]:
        link = self._link()
        try:
            with link.use(seconds=ALL_SECONDS) as connection:
                yield from self._each(connection)
        finally:
            link.close()

    def _each(self, connection: Connection) -> Iterator[Record]:
        seen = self._before
        while page := records(connection, "read", self._hub, seen, self._last + 1, PAGE):
            seen = page[-1].seq
            yield from (record for record in page if record.at >= self._since)

    def _link(self) -> Link:
        return Link(self._address, name="assent learns", patience=PATIENCE, statement=PAGE_SECONDS)
