"""Writing to a database that several hubs share."""

from typing import Any, cast

import pytest

from assent.journal.postgres.journal import _take_turns
from assent.journal.postgres.link import QUERY
from assent.protocol.record import Draft


class Statements:
    """A connection that keeps what it is asked to execute."""

    def __init__(self) -> None:
        self.executed: list[str] = []

    def execute(self, query: str, values: object) -> None:
        self.executed.append(query)


def answer(ask: str) -> Draft:
    return Draft(at=1, kind="answer", ask=ask)


@pytest.mark.parametrize(
    ("asks", "executed"),
    [([], []), (["ask01"], []), (["ask01", "ask01"], []), (["ask02", "ask01"], [QUERY["take_turns"]])],
)
def test_hub_waits_its_turn_only_with_answers_to_several_asks(asks: list[str], executed: list[str]) -> None:
    """A single answer cannot wait for another hub that waits for it, and saves the statement."""
    connection = Statements()
    _take_turns(cast("Any", connection), [[answer(ask)] for ask in asks])
    assert connection.executed == executed
