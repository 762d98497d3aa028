"""The general attitude."""

import pytest

from assent.policy.stance import Stance, StanceName
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion, Prompt
from assent.protocol.events import PreToolUse, Stop
from assent.protocol.risk import Risk
from tests.unit.policy.calls import SCENE, pre, request

LOOK = pre("Read", file_path="/srv/project/a.py")
CHANGE = pre("Edit", file_path="/srv/project/a.py")
CARE = pre("Bash", command="make")
DANGER = pre("Read", file_path="/srv/project/.env")


def stance(name: StanceName) -> Stance:
    return Stance(lambda _: name)


@pytest.mark.parametrize(
    ("name", "decisions"),
    [
        ("watch", (NoOpinion, NoOpinion, NoOpinion, NoOpinion)),
        ("balanced", (Allow, NoOpinion, NoOpinion, Prompt)),
        ("strict", (Allow, NoOpinion, Prompt, Deny)),
    ],
)
def test_stance_answers_each_risk(name: StanceName, decisions: tuple[type[Decision], ...]) -> None:
    """The table of the documentation."""
    for event, risk, decision in zip((LOOK, CHANGE, CARE, DANGER), Risk, decisions, strict=True):
        opinion = stance(name).speak(event, SCENE)
        assert opinion is not None
        assert (opinion.by, opinion.risk) == (f"stance:{name}", risk)
        assert isinstance(opinion.decision, decision)


@pytest.mark.parametrize("event", [pre("AskUserQuestion", questions=[]), pre("ExitPlanMode", plan="x")])
def test_stance_leaves_questions_and_plans_to_people(event: PreToolUse) -> None:
    """They only look, but nobody else may answer them."""
    for name in ("balanced", "strict"):
        opinion = stance(name).speak(event, SCENE)
        assert opinion is not None
        assert opinion.decision == NoOpinion("no_rule")


def test_stance_allows_nothing_once_a_dialog_opens() -> None:
    """Somebody's rule asked for it, and that outranks our ease."""
    opinion = stance("balanced").speak(request("Read", file_path="/srv/project/a.py"), SCENE)
    assert opinion is not None
    assert opinion.decision == NoOpinion("no_rule")


def test_stance_says_why() -> None:
    """In words the person and the model can use."""
    opinion = stance("strict").speak(DANGER, SCENE)
    assert opinion is not None
    assert opinion.decision == Deny("Secrets go by this name. Risk: danger; stance: strict.")


def test_stance_speaks_about_gates_only() -> None:
    """A stop has no risk."""
    assert stance("strict").speak(Stop(session_id="s"), SCENE) is None
