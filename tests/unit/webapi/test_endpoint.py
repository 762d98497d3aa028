"""Bodies of requests."""

import pytest

from assent.webapi.endpoint import DEEPEST, ProblemError, is_too_deep, parsed


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


@pytest.mark.parametrize(("levels", "expected"), [(DEEPEST, False), (DEEPEST + 1, True)])
def test_nesting_is_bounded(levels: int, expected: bool) -> None:
    """By a number of ours, whatever the decoder could take."""
    assert is_too_deep(nested(levels)) is expected


@pytest.mark.parametrize(
    "body",
    [b"[" + b"{}," * 500 + b"{}]", b'["' + b"[" * 500 + b'"]', b'["\\"' + b"[" * 500 + b'"]'],
    ids=["side by side", "in a text", "behind a quote in a text"],
)
def test_brackets_that_do_not_nest_are_not_counted(body: bytes) -> None:
    """Agents send texts full of them."""
    assert not is_too_deep(body)


def test_body_that_is_too_deep_is_refused_in_words() -> None:
    """The same for every kind of body."""
    with pytest.raises(ProblemError, match="nested deeper than 100 levels"):
        parsed(nested(400), list)
