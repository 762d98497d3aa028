"""What is shown of an address, and what of it is refused."""

import pytest

from assent.journal.base import JournalError
from assent.journal.postgres.address import Address


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
    said = str(refused.value)
    assert "cret" not in said
    assert "s3" not in said
    assert "%40" in said


def test_secrets_are_taken_out_of_what_the_driver_says() -> None:
    """Whatever it quotes."""
    address = Address.read("postgresql://me:s3cret@db/assent")
    assert address.without_secrets("bad password s3cret!") == "bad password …!"
