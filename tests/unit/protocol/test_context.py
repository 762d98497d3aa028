"""How full a context is."""

import pytest

from assent.protocol import context
from assent.protocol.context import Context
from assent.protocol.record import GENESIS, Draft, chained
from assent.views import figures


@pytest.mark.parametrize(
    ("filled", "words"),
    [
        (Context(124_000, 200_000), "context 62 % of 200 k"),
        (Context(10, 1_000_000), "context 0 % of 1 M"),
        (Context(124_000), "context 124 k tokens"),
        # A window that is too small cannot be the right one.
        (Context(250_000, 200_000), "context 250 k tokens"),
    ],
)
def test_words_say_percent_only_of_a_known_window(filled: Context, words: str) -> None:
    """Otherwise the tokens alone."""
    assert figures.context(filled) == words


def test_record_is_read_back() -> None:
    """A record of something else is none."""
    filled = Context(5, 10, "m")
    draft = Draft(at=1, kind="hub", body=context.body(filled))
    assert context.read(chained(draft, hub="h", seq=1, prev=GENESIS)) == filled
    assert context.read(chained(Draft(at=1, kind="hub", body={"what": "x"}), hub="h", seq=1, prev=GENESIS)) is None
    bad = Draft(at=1, kind="hub", body={"what": "context", "tokens": "many"})
    assert context.read(chained(bad, hub="h", seq=1, prev=GENESIS)) is None
