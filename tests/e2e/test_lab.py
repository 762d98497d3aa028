"""The laboratory itself, where it could hide a failure."""

import threading
from pathlib import Path

import pytest

from tests.e2e.lab import slots
from tests.e2e.lab.model import Model
from tests.e2e.lab.slots import Forgiveness
from tests.e2e.lab.waiting import until


def test_only_the_first_false_start_of_a_run_is_forgiven(tmp_path: Path) -> None:
    """The count is kept in the run's folder, so that worker processes share it."""
    assert Forgiveness(tmp_path / "tally").forgive("did not paint")
    assert not Forgiveness(tmp_path / "tally").forgive("did not start")
    assert Forgiveness(tmp_path / "tally").forgiven() == ["did not paint", "did not start"]


def test_waiting_in_vain_fails_and_names_what_was_missing() -> None:
    """A deadline that passes is a failure, never a silent return."""
    with pytest.raises(AssertionError, match="the moon: not seen within"):
        until(lambda: False, "the moon", 0.1)


def test_model_request_that_does_not_come_fails() -> None:
    """Waiting for a request has a deadline too."""
    model = Model([])
    try:
        with pytest.raises(AssertionError, match="model request 1 of lane main"):
            model.wait_for(1, seconds=0.1)
    finally:
        model.close()


def test_all_slots_are_only_given_when_no_other_is_held(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """While one slot is held, no other run gets them all."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    got = threading.Event()

    def take_all() -> None:
        with slots.every_slot():
            got.set()

    taker = threading.Thread(target=take_all)
    with slots.one_slot():
        taker.start()
        assert not got.wait(0.3)
    assert got.wait(10)
    taker.join()
