"""Permission modes in Assent's words."""

from typing import get_args

import pytest

from assent.protocol import modes


def test_every_mode_is_named_once() -> None:
    assert sorted(modes.MODES) == sorted(get_args(modes.Mode))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("acceptEdits", "accept_edits"),
        ("dontAsk", "preapproved_only"),
        ("bypassPermissions", "bypass"),
        ("plan", "plan"),
        ("bypass", "bypass"),
        ("turbo", "turbo"),
    ],
)
def test_earlier_spellings_are_read(written: str, expected: str) -> None:
    """A word that is not known stays visible as it is."""
    assert modes.canonical(written) == expected


def test_every_earlier_spelling_has_a_mode() -> None:
    assert set(modes.EARLIER) == set(get_args(modes.Earlier))
