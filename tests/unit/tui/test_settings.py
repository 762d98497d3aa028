"""The settings in force, as people read them."""

from typing import Any

import pytest

from assent.tui.settings import entries
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
