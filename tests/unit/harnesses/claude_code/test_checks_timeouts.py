"""Does the client wait long enough?"""

from dataclasses import replace
from datetime import timedelta

import msgspec

from assent.config import Asks
from assent.install.doctor.check import Situation
from assent.install.doctor.timeouts import check
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


def test_wait_longer_than_the_hook_is_a_warning(healthy: Situation) -> None:
    """A person would be promised time that the client does not give."""
    longer = msgspec.structs.replace(healthy.config, asks=Asks(wait=timedelta(minutes=20)))
    assert wrong(check, replace(healthy, config=longer)) == [("timeouts-wait", "warning")]
