"""What the hub says of itself."""

from dataclasses import replace

import pytest

from assent.harnesses.site import Situation
from assent.install.doctor.hub import hub as check
from assent.shim import stopped
from tests.unit.install.doctor.situations import texts, with_hub, wrong


def test_running_hub_is_fine(healthy: Situation) -> None:
    """Of this version and without trouble."""
    assert wrong(check, healthy) == []


def test_absent_hub_is_a_note(healthy: Situation) -> None:
    """The next hook starts it, so nothing is wrong."""
    assert wrong(check, replace(healthy, hub=None, lock_held=False)) == [("hub-absent", "note")]


def test_stopped_hub_is_a_problem(healthy: Situation) -> None:
    """Nothing is judged until it is started again."""
    stopped.leave(healthy.paths, stopped.arm(healthy.paths))
    assert wrong(check, replace(healthy, hub=None, lock_held=False)) == [("hub-stopped", "problem")]


def test_forged_stop_mark_is_no_stop(healthy: Situation) -> None:
    """A file of that name which no hub wrote changes nothing: the next hook starts the hub."""
    healthy.paths.stopped_mark.touch()
    assert wrong(check, replace(healthy, hub=None, lock_held=False)) == [("hub-absent", "note")]


def test_hub_that_does_not_answer_is_a_problem(healthy: Situation) -> None:
    """It holds the lock, so no other can take its place."""
    assert wrong(check, replace(healthy, hub=None)) == [("hub-hangs", "problem")]


def test_hub_of_another_version_is_a_warning(healthy: Situation) -> None:
    """After an upgrade the old one goes on until it is restarted."""
    assert wrong(check, with_hub(healthy, version="0.0.1")) == [("hub-version", "warning")]


@pytest.mark.parametrize("what", ["config", "rules", "port"])
def test_trouble_is_a_problem_and_told_in_its_words(healthy: Situation, what: str) -> None:
    """The hub goes on without the part that is wrong; people must know."""
    troubled = with_hub(healthy, **{f"{what}_trouble": "line 3: no such key"})
    assert wrong(check, troubled) == [(f"hub-{what}", "problem")]
    assert "line 3: no such key" in texts(check(troubled))


def test_unreadable_events_are_a_warning(healthy: Situation) -> None:
    """They were counted, not lost in silence."""
    assert wrong(check, with_hub(healthy, bad_input=3)) == [("hub-bad-input", "warning")]
