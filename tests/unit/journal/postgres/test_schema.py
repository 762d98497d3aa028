"""Text that PostgreSQL has no room for."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from assent.journal.postgres.schema import FIELDS, record, row, written
from assent.protocol.record import GENESIS, Draft, chained, is_intact

texts = st.text(st.sampled_from("\0\x0101a"), max_size=8)


@given(one=texts, other=texts)
def test_no_two_texts_are_written_alike(one: str, other: str) -> None:
    """What is equal stays equal, what begins another text still does, and nothing else."""
    assert "\0" not in written(one)
    assert (written(one) == written(other)) == (one == other)
    assert written(one).startswith(written(other)) == one.startswith(other)


@given(session=texts, by=texts, value=texts)
def test_record_comes_back_as_it_was(session: str, by: str, value: str) -> None:
    """A row, read back, is the record: its hash still holds."""
    draft = Draft(at=1, kind="event", session=session, by=by, body={"text": value, "tool": value, "project": value})
    kept = chained(draft, hub="h", seq=1, prev=GENESIS)
    fields = row(kept, json.encode(kept.body))
    assert not any("\0" in each for each in fields.values() if isinstance(each, str))
    back = record(tuple(fields[name] for name in FIELDS))
    assert back == kept
    assert is_intact(back)


def test_tampered_body_is_shown_as_such() -> None:
    """One damaged record does not hide the others."""
    fields = row(chained(Draft(at=1, kind="event"), hub="h", seq=1, prev=GENESIS), b"{oops")
    assert record(tuple(fields[name] for name in FIELDS)).body == {"unreadable": "{oops"}
