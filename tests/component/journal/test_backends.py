"""Every test of a journal finds it empty, whatever the tests before it did in the same process."""

from pathlib import Path

import pytest

from tests.component import postgres
from tests.component.journal.backends import Postgres

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "left_behind",
    [
        "CREATE TABLE assent_meta (id int)",
        "CREATE TABLE assent_records (id int)",
        "CREATE TABLE assent_meta (name text, value text); CREATE TABLE assent_records (id int);"
        "INSERT INTO assent_meta VALUES ('version', '99')",
        "CREATE FUNCTION assent_never_changes() RETURNS int LANGUAGE SQL AS 'SELECT 1'",
        "CREATE SCHEMA team; CREATE TABLE team.assent_records (id int)",
    ],
)
async def test_database_is_empty_whatever_was_left_in_it(left_behind: str, tmp_path: Path) -> None:
    """Foreign tables and the schema of a newer program are what some tests leave."""
    postgres.emptied()
    postgres.execute(left_behind)
    backend = Postgres(tmp_path)
    assert await backend.journal.read() == []
    await backend.journal.close()
