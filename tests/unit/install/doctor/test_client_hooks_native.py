"""Which of the two programs is the shim, and why?"""

import shutil
from pathlib import Path

import pytest

from assent.harnesses.site import Situation
from assent.install.doctor.client import shim as check
from assent.shim import native, place
from tests import gates
from tests.unit.install.doctor.situations import texts, wrong


def placed(healthy: Situation, monkeypatch: pytest.MonkeyPatch, gate: Path) -> Situation:
    monkeypatch.setattr(native, "PROGRAM", gate)
    place.place(healthy.paths, unreachable="deny")
    return healthy


def test_native_shim_is_named(healthy: Situation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it was placed and starts."""
    situation = placed(healthy, monkeypatch, gates.sanitized())
    assert wrong(check, situation) == []
    assert "the native shim" in texts(check(situation))


@pytest.mark.parametrize(
    ("text", "why"), [(None, "has none for this machine"), ("#!/bin/false\n", "it ended with 1 when it was tried")]
)
def test_python_shim_is_named_with_its_reason(
    healthy: Situation, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str | None, why: str
) -> None:
    """It does the same, so that is nothing to repair."""
    gate = tmp_path / "gate"
    if text:
        gate.write_text(text)
    situation = placed(healthy, monkeypatch, gate)
    assert wrong(check, situation) == []
    assert "the Python shim; no native one: " in texts(check(situation))
    assert why in texts(check(situation))


def test_native_shim_that_no_longer_starts_is_a_problem(
    healthy: Situation, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """For example in a home that moved to another kind of machine."""
    helper = tmp_path / "helper"
    shutil.copy("/bin/false", helper)
    gate = tmp_path / "gate"
    gate.write_text(f"#!{helper}\n")
    monkeypatch.setattr(native, "refusal", lambda program: "")
    situation = placed(healthy, monkeypatch, gate)
    monkeypatch.undo()
    monkeypatch.setattr(native, "PROGRAM", gate)
    assert wrong(check, situation) == [("shim-broken", "problem")]
