"""What is shown of an address, and what of it is refused."""

from typing import Any, cast

import pytest

from assent.journal.base import JournalError
from assent.journal.postgres.link import Address, Link


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("postgresql://me:s3cret@db.example:5433/assent", "db.example:5433/assent"),
        ("postgres://db.example/assent?password=s3cret", "db.example/assent"),
        ("postgresql:///assent?host=/run/postgresql", "/run/postgresql/assent"),
        ("postgresql://?service=team", "service team"),
        ("postgresql://", "the local server"),
        ("postgresql://one,two/assent?target_session_attrs=read-write", "one,two/assent"),
    ],
)
def test_address_is_shown_without_user_and_password(url: str, name: str) -> None:
    """Host, port and database are enough to know which one is meant."""
    assert Address.read(url).name == name


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:s3@cret@db/assent",
        "postgresql://me:s3/cret@db/assent",
        "postgresql://me:s3cret%zz@db/assent",
        "postgresql://me@db/assent?pasword=s3cret",
        "postgresql://me:s3cret@[::1/assent",
    ],
)
def test_address_that_cannot_be_read_is_not_quoted(url: str) -> None:
    """The message says how to write one, and repeats nothing of it."""
    with pytest.raises(JournalError) as refused:
        Address.read(url)
    message = str(refused.value)
    assert "cret" not in message
    assert "s3" not in message
    assert "%40" in message


def test_secrets_are_taken_out_of_what_the_driver_says() -> None:
    """Whatever it quotes."""
    address = Address.read("postgresql://me:s3cret@db/assent")
    assert address.without_secrets("bad password s3cret!") == "bad password …!"


class Handle:
    """Stands in for a connection."""

    closed = 0

    def close(self) -> None:
        self.closed += 1


def test_dropped_connection_is_closed_once() -> None:
    """And not used again; a link that has none is not connected."""
    link = Link(Address.read("postgresql://db/x"), name="test")
    link.drop()
    assert not link.is_connected
    handle = Handle()
    link._connection = cast("Any", handle)
    assert link.is_connected
    link.drop()
    link.drop()
    assert (handle.closed, link.is_connected) == (1, False)


def test_closed_link_connects_no_more() -> None:
    """Reading is refused with the reason."""
    link = Link(Address.read("postgresql://db/x"), name="test")
    handle = Handle()
    link._connection = cast("Any", handle)
    link.close()
    assert handle.closed == 1
    with pytest.raises(JournalError, match="journal is closed"), link.use():
        pass
