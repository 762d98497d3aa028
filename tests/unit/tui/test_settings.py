"""The settings in force, as people read them."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from assent.tui.settings import AWAY, HUSH, changeable, entries
from assent.units import duration
from tests.unit.tui.drawn import plain


def told(settings: dict[str, Any]) -> str:
    found = entries({"file": "~/.config/assent/config.toml", "settings": settings})
    return "\n".join(plain(line) for entry in found for line in entry.draw(76, False))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("wait", "PT600S", "10m"),
        ("keep", "P180D", "180d"),
        ("max_size", 2 << 30, "2 GiB"),
        ("tls", True, "yes"),
        ("quiet", None, "not set"),
        ("extra", [], "none"),
        ("ladder", [{"surface": "page", "after": "P0D"}, {"surface": "push", "after": "PT20S"}], "page after 0s, push"),
        (
            "ladder_for",
            {"look": None, "danger": [{"surface": "telegram", "after": "P0D"}]},
            "danger: telegram after 0s",
        ),
        ("ladder_for", {"look": None}, "none"),
    ],
)
def test_a_setting_is_told_in_words(name: str, value: object, words: str) -> None:
    """Times, sizes and steps as one would write them."""
    assert words in told({"section": {name: value}})


def test_what_is_changed_above_does_not_stand_below() -> None:
    """What may not be changed does."""
    state = {"file": "f", "settings": {"stance": "strict", "asks": {"wait": "PT60S"}}, "changeable": ["asks.wait"]}
    below = "\n".join(plain(line) for entry in entries(state) for line in entry.draw(76, False))
    assert "stance" in below
    assert "wait" not in below
    assert [row.name for row in changeable(state, {})] == [AWAY, HUSH, "asks.wait"]


@pytest.mark.parametrize(
    ("value", "words"),
    [("PT5400S", "1h30m"), ("P180D", "180d"), ("P1DT30S", "1d30s"), ("PT0S", "0s"), ("P0D", "0s")],
)
def test_length_of_time_is_told_as_it_is_typed(value: str, words: str) -> None:
    """The hub reads it back as the same."""
    state = {"file": "f", "settings": {"asks": {"wait": value}}, "changeable": ["asks.wait"]}
    row = changeable(state, {})[-1]
    assert row.value == words
    assert duration(words) == msgspec.convert(value, timedelta)
