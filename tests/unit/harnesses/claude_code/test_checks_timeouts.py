"""Does the client wait long enough?"""

from dataclasses import replace
from datetime import timedelta

import msgspec

from assent.config import Asks
from assent.harnesses.claude_code.checks import timeouts as check
from assent.harnesses.site import Situation
from tests.unit.install.doctor.situations import edit, texts, wrong


def test_written_timeouts_are_fine(healthy: Situation) -> None:
    """What the installer writes, the doctor accepts."""
    assert wrong(check, healthy) == []


def test_changed_timeout_is_a_warning(healthy: Situation) -> None:
    """The client would end a hook that still waits for a person."""
    edit(healthy, lambda s: s["hooks"]["PermissionRequest"][0]["hooks"][0].update(timeout=60))
    assert wrong(check, healthy) == [("timeouts", "warning")]
    assert "PermissionRequest has the timeout 60, not 630 seconds" in texts(check(healthy))


def test_missing_timeout_is_a_warning(healthy: Situation) -> None:
    """The client's default is not ours."""
    edit(healthy, lambda s: s["hooks"]["Stop"][0]["hooks"][0].pop("timeout"))
    assert wrong(check, healthy) == [("timeouts", "warning")]


def waiting(situation: Situation, wait: timedelta) -> Situation:
    return replace(situation, config=msgspec.structs.replace(situation.config, asks=Asks(wait=wait)))


def test_entry_older_than_a_longer_wait_is_a_warning(healthy: Situation) -> None:
    """The client would end the hook before the time is up."""
    longer = waiting(healthy, timedelta(hours=4))
    assert set(wrong(check, longer)) == {("timeouts", "warning")}
    assert "PermissionRequest has the timeout 630, not 14430 seconds, which an asks.wait of 4:00:00 needs" in texts(
        check(longer)
    )


def test_entry_of_an_earlier_longer_wait_is_fine(healthy: Situation) -> None:
    """It waits long enough."""
    edit(healthy, lambda s: s["hooks"]["PermissionRequest"][0]["hooks"][0].update(timeout=14_430))
    assert wrong(check, healthy) == []
