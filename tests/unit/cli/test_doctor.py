"""The doctor's report: worst first, remedies under it, and no praise without proof."""

import json
from collections.abc import Callable

import pytest

from assent.cli.doctor import hub_status
from assent.client import Client
from assent.errors import HubUnreachableError
from assent.harnesses.site import Finding, Situation
from assent.paths import Paths
from assent.protocol.session import Session
from tests.unit.cli.conftest import Run, status

Answers = Callable[..., None]
NO_HUB = HubUnreachableError("No hub is running.")


@pytest.fixture
def findings(monkeypatch: pytest.MonkeyPatch) -> list[Finding]:
    found: list[Finding] = []

    def run_all(_: Situation) -> list[Finding]:
        return list(found)

    monkeypatch.setattr("assent.install.doctor.run.run_all", run_all)
    return found


def test_doctor_puts_problems_first_with_their_remedies(assent: Run, answers: Answers, findings: list[Finding]) -> None:
    """Worst first, the remedy below, the verdict last; exit 1."""
    answers(status=NO_HUB)
    findings += [
        Finding("a", "ok", "Fine."),
        Finding("b", "warning", "Odd.", "look."),
        Finding("c", "problem", "Broken\nin two.", "mend it."),
        Finding("d", "note", "By the way."),
    ]
    result = assent("doctor")
    assert result.code == 1
    assert result.out == (
        "✗ Broken\n  in two.\n  → mend it.\n! Odd.\n  → look.\n· By the way.\n✓ Fine.\n"
        "not working: see the problems above.\n"
    )


def test_doctor_without_an_event_proves_nothing(assent: Run, answers: Answers, findings: list[Finding]) -> None:
    """No problem is not yet a proof."""
    answers(status=NO_HUB)
    findings.append(Finding("a", "ok", "Fine."))
    result = assent("doctor")
    assert result.code == 0
    assert result.out.endswith("not proven: nothing is wrong, but no event of an agent has come through yet.\n")


def test_doctor_says_working_after_a_real_event(assent: Run, answers: Answers, findings: list[Finding]) -> None:
    """An event that was seen is the proof."""
    answers(status=NO_HUB)
    findings.append(Finding("event-seen", "ok", "Seen."))
    result = assent("doctor", "--json")
    assert result.code == 0
    assert json.loads(result.out) == {
        "summary": "working",
        "findings": [{"code": "event-seen", "level": "ok", "text": "Seen.", "remedy": None}],
    }


@pytest.mark.parametrize(
    ("sessions", "seen"),
    [
        ([], None),
        ([Session(id="demo-1", last=1_500_000)], None),
        ([Session(id="test-1", last=1_500_000)], None),
        ([Session(id="s1", last=999_999)], None),
        ([Session(id="demo-1", last=1_500_000), Session(id="s1", last=1_400_000)], 1_400_000),
    ],
)
def test_doctor_takes_no_demo_for_an_agent(
    answers: Answers, paths: Paths, sessions: list[Session], seen: int | None
) -> None:
    """A replay and a session from before the hub's start prove nothing."""
    answers(status=status(last_event_at=1_500_000), sessions=sessions)
    found = hub_status(Client(paths))
    assert found is not None
    assert found["last_event_at"] == seen


def test_doctor_points_into_a_wrong_config(
    assent: Run, answers: Answers, findings: list[Finding], paths: Paths
) -> None:
    """Without a hub to say so, the doctor reads the file itself."""
    answers(status=NO_HUB)
    paths.config_dir.mkdir(parents=True)
    paths.config.write_text('stance = "brave"\n')
    result = assent("doctor")
    assert result.code == 1
    assert f"✗ {paths.config}:1: " in result.out
