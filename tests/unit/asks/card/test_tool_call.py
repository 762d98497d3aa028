"""Safer commands that can take the place of another."""

import pytest

from assent.asks.card.tool_call import instead
from tests.unit.asks.judged import bash, card_of


@pytest.mark.parametrize(
    ("command", "safer"),
    [
        ("git clean -fdx && npm ci", "git clean -ndx && npm ci"),
        ("git push --force origin main", "git push --force-with-lease origin main"),
        ("git push origin main -f", "git push origin main --force-with-lease"),
        ("cd x && git reset --hard", "cd x && git stash --include-untracked"),
        ("git branch -D old", "git branch -d old"),
        ("docker compose down -v", "docker compose down"),
        ("rm -rf uploads", ""),
        ("git reset --hard HEAD~3", ""),
        ("git push --force-with-lease origin main", ""),
        ("git push -f; git branch -D x", ""),
        ("npm ci", ""),
    ],
)
def test_safer_command_is_whole(command: str, safer: str) -> None:
    """The rest of the line stays; where nothing is sure to be safer, nothing is offered."""
    assert card_of(bash(command)).risk.instead == safer


def test_command_that_stands_twice_is_not_replaced() -> None:
    """Which of them is meant cannot be told."""
    assert instead("git reset --hard; git reset --hard", ()) == ""
    assert card_of(bash("echo 'git reset --hard' && git reset --hard")).risk.instead == ""
