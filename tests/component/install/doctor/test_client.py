"""Which client is on the PATH?"""

from pathlib import Path

import pytest

from assent.harnesses import site
from assent.harnesses.site import Situation
from assent.install.doctor.client import client_version as check
from tests.unit.install.doctor.situations import texts, wrong


def put_claude(situation: Situation, script: str) -> None:
    program = Path(situation.environ["PATH"]) / "claude"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)


def test_missing_client_is_a_note(healthy: Situation) -> None:
    """It may be started in another way."""
    assert wrong(check, healthy) == [("client-missing", "note")]


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("2.1.325", []),
        ("2.1.99", [("client-old", "warning")]),
        ("1.0.400", [("client-old", "warning")]),
        ("2.2.0", [("client-new", "note")]),
    ],
)
def test_version_is_compared_with_the_tested_one(healthy: Situation, version: str, expected: object) -> None:
    """By number, not by letters."""
    put_claude(healthy, f'echo "{version} (Claude Code)"')
    assert wrong(check, healthy) == expected
    assert version in texts(check(healthy))


@pytest.mark.parametrize("script", ["echo hello", "echo 2.1.325; exit 1", "exec /nowhere/at/all"])
def test_client_that_does_not_say_is_a_warning(healthy: Situation, script: str) -> None:
    """Something is wrong with it."""
    put_claude(healthy, script)
    assert wrong(check, healthy) == [("client-unknown", "warning")]


def test_client_that_hangs_is_given_up(healthy: Situation, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor does not wait for it."""
    monkeypatch.setattr(site, "VERSION_SECONDS", 0.2)
    put_claude(healthy, "exec /bin/sleep 30")
    assert wrong(check, healthy) == [("client-unknown", "warning")]


def test_client_is_asked_with_a_home_of_its_own(healthy: Situation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the user's home nor a secret of the environment reaches it."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    put_claude(healthy, f'[ "$HOME" != "{healthy.home}" ] && [ -z "$ANTHROPIC_API_KEY" ] && echo 2.1.325')
    assert wrong(check, healthy) == []
