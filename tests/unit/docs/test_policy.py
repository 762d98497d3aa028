"""The page about judging shows what the program really says."""

import re
from pathlib import Path

import pytest

from assent import paths as locations
from assent.cli.try_ import page
from assent.learn.replayer import Trials
from assent.protocol.decision import TrialQuestion

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")


@pytest.fixture
def trials(home: Path) -> Trials:
    return Trials(locations.find({"ASSENT_HOME": str(home / "assent")}))


def test_shown_trial_is_what_the_program_prints(trials: Trials) -> None:
    """To the letter."""
    command, shown = re.findall(r"\$ assent try '(.*)'\n(.*?)```", TEXT, re.DOTALL)[0]
    printed = "\n".join(page(trials.hold(TrialQuestion(command, "/src/shop")), 80))
    assert re.sub(r"\x1b\[[0-9;]*m", "", printed) == shown.rstrip("\n")


def test_examples_of_each_risk_have_that_risk(trials: Trials) -> None:
    """The table in the docs holds."""
    rows = re.findall(r"^\| \*\*(\w+)\*\* \|[^|]*\| (.*) \|[^|]*\|$", TEXT, re.MULTILINE)
    assert [risk for risk, _ in rows] == ["Look", "Change", "Care", "Danger"]
    for risk, examples in rows:
        commands = [text.replace("\\|", "|") for text in re.findall(r"`([^`]+)`", examples)]
        assert commands
        for command in commands:
            assert (command, trials.hold(TrialQuestion(command, "/src/shop")).risk) == (command, risk.lower())
