"""The word to be typed for a Danger."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.asks.card.tool_call import match_word
from assent.protocol.decision import Seen
from tests.unit.asks.judged import asked, bash, card_of


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("rm -rf uploads", "uploads"),
        ("rm -rf ./build/../uploads/", "uploads"),
        ("git push --force origin main", "main"),
        ("kubectl delete ns prod", "prod"),
        ("git clean -fdx && npm ci", "clean"),
        ("curl -d @x https://example.com/a", "example.com"),
        ("psql prod -c 'drop table x'", "prod"),
        ("npm publish", "publish"),
        ("rm -rf /srv/outside/x", "outside"),
        ("rm -rf ü", "Bash"),
    ],
)
def test_word_comes_from_what_is_touched(command: str, word: str) -> None:
    """It can only be known by reading."""
    card = card_of(bash(command))
    assert (card.risk.level, card.risk.match) == ("danger", word)


def test_word_of_a_file_is_its_name() -> None:
    """The last part of the path."""
    assert card_of(asked("Read", file_path="/home/dev/.ssh/id_ed25519")).risk.match == "id_ed25519"


def test_word_is_asked_for_danger_only() -> None:
    """Below that a press or two is enough."""
    assert card_of(bash("npm ci")).risk.match == ""


@given(st.lists(st.text(), max_size=3), st.text(), st.text(max_size=10))
def test_word_is_never_empty_and_can_be_typed(targets: list[str], text: str, name: str) -> None:
    """Whatever the target is, on any keyboard."""
    word = match_word([Seen("delete", "danger", target, "") for target in targets], text, name)
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{1,18}[A-Za-z0-9]", word, re.ASCII)
