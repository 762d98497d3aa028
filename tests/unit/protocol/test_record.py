"""What records say of the client, in every version, and the hash of a record."""

import hashlib
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol.record import GENESIS, Client, Draft, Record, chained, client_of, is_intact

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
drafts = st.builds(
    Draft,
    at=st.integers(0, 2**53),
    kind=st.sampled_from(["event", "decision", "answer"]),
    **dict.fromkeys(("session", "agent", "call", "ask", "request", "risk", "decision", "by"), st.none() | text),
    body=st.dictionaries(text, json, max_size=4),
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            {"harness": "h", "project": "/p", "attended": False, "entrypoint": "cli", "pid": 7},
            Client(harness="h", project="/p", attended=False, entrypoint="cli", pid=7),
        ),
        (
            {
                "harness": "h",
                "env": {
                    "CLAUDE_PROJECT_DIR": "/p",
                    "CLAUDE_CODE_SESSION_ATTENDED": "0",
                    "CLAUDE_CODE_ENTRYPOINT": "cli",
                    "CLAUDE_PID": "7",
                },
            },
            Client(harness="h", project="/p", attended=False, entrypoint="cli", pid=7),
        ),
        ({"env": "odd", "pid": "x", "attended": "yes"}, Client()),
        ({}, Client()),
    ],
)
def test_client_is_read_from_plain_fields_or_from_the_variables_of_0_1_0(
    body: dict[str, Any], expected: Client
) -> None:
    assert client_of(body) == expected


def hash_of_0_1_0(record: Record) -> str:
    """As version 0.1.0 computed it: all that is present, as one object whose names are sorted at every depth."""
    fields = msgspec.structs.asdict(record)
    present = {name: value for name, value in fields.items() if name not in ("prev", "hash") and value is not None}
    return hashlib.sha256(record.prev.encode() + msgspec.json.encode(present, order="sorted")).hexdigest()


@given(draft=drafts, seq=st.integers(1, 2**53))
def test_hash_is_that_of_0_1_0(draft: Draft, seq: int) -> None:
    """Whatever is recorded, its hash is the one that every earlier version gives it, so old journals verify."""
    record = chained(draft, hub="h", seq=seq, prev=GENESIS)
    assert record.hash == hash_of_0_1_0(record)
    assert is_intact(record)


def test_hash_covers_every_field_of_a_record() -> None:
    """There is no field that could be changed without notice."""
    draft = Draft(at=1, kind="event", body={"a": 1})
    record = chained(draft, hub="h", seq=1, prev=GENESIS)
    for name in set(Record.__struct_fields__) - {"hash"}:
        changed = {"a": 2} if name == "body" else 2 if name in ("at", "seq") else "x"
        assert not is_intact(msgspec.structs.replace(record, **{name: changed})), name


def test_body_of_its_own_takes_the_place_of_the_drafts() -> None:
    """The record and its hash are of the body that is stored."""
    record = chained(Draft(at=1, kind="event", body={"a": (1,)}), hub="h", seq=1, prev=GENESIS, body={"a": [1]})
    assert record.body == {"a": [1]}
    assert is_intact(record)
