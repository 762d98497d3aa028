"""Bodies survive the journal, and odd ones do not break a reader."""

import msgspec
import pytest

from assent.protocol import bodies
from assent.protocol.record import GENESIS, Draft, Kind, chained

WRITTEN: dict[Kind, msgspec.Struct] = {
    "ask": bodies.AskBody(
        "permission", "PermissionRequest", "claude-code", project="/src/shop", tool="Bash", line="ls"
    ),
    "answer": bodies.AnswerBody("allow_session", "page", device="desk", waited_ms=1200, grants=("Bash(ls *)",)),
    "refused": bodies.RefusedBody("allow", "too late"),
    "told": bodies.ToldBody(delivered=False, why="the client was gone"),
    "outcome": bodies.OutcomeBody("ran", "reported", took_ms=12),
    "push": bodies.PushBody("telegram", sent=False, why="you typed 4 s ago"),
    "rules": bodies.RulesBody("rules.toml", added=("deny Bash(rm *)",)),
    "config": bodies.ConfigBody("config.toml", {"stance": ('"balanced"', '"strict"')}),
    "checkpoint": bodies.CheckpointBody(through=9, hash=GENESIS, kept=1, digest=GENESIS, removed=8),
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_body_is_read_as_it_was_written(kind: Kind) -> None:
    """What a draft takes, a reader of the record gets back."""
    written = WRITTEN[kind]
    record = chained(Draft(at=1, kind=kind, body=bodies.body(written)), hub="h", seq=1, prev=GENESIS)
    stored = msgspec.json.decode(msgspec.json.encode(record), type=type(record))
    assert bodies.read(stored, type(written)) == written  # type: ignore[type-var]


def test_body_of_another_shape_is_none() -> None:
    """A tampered body does not raise."""
    record = chained(Draft(at=1, kind="answer", body={"choice": 7}), hub="h", seq=1, prev=GENESIS)
    assert bodies.read(record, bodies.AnswerBody) is None
