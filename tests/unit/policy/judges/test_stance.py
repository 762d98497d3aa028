"""The general attitude."""

from typing import Any

import msgspec
import pytest

from assent.harnesses import claude_code
from assent.policy.call import Scene
from assent.policy.judges.stance import Stance, StanceName
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion, Prompt, Risk
from assent.protocol.events import PreToolUse, Stop, with_raw
from tests.unit.policy.calls import PROJECT, SCENE, pre, request

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
    """They only look, but only a person may answer them."""
    for name in ("balanced", "strict"):
        opinion = stance(name).speak(event, SCENE)
        assert opinion is not None
        assert opinion.decision == NoOpinion("no_rule")


SUGGESTION = {"type": "addRules", "rules": [{"toolName": "Read"}], "behavior": "allow", "destination": "session"}


@pytest.mark.parametrize("fields", [{}, {"agent_id": "a1"}])
@pytest.mark.parametrize("attended", [True, False, None])
@pytest.mark.parametrize(("suggestions", "decision"), [([SUGGESTION], Allow()), ([], NoOpinion("no_rule"))])
def test_stance_answers_a_dialog_only_where_no_rule_or_hook_wants_it(
    attended: bool | None, fields: dict[str, Any], suggestions: list[Any], decision: Decision
) -> None:
    """The client offers something lasting where its own caution asks, and nothing where a rule or a hook does."""
    payload = {
        "hook_event_name": "PermissionRequest",
        "session_id": "s",
        "cwd": "/srv/project",
        "tool_name": "Read",
        "tool_input": {"file_path": "/srv/project/a.py"},
        "permission_suggestions": suggestions,
    }
    event = claude_code.decode(msgspec.json.encode({**payload, **fields}), event_name="PermissionRequest")
    opinion = stance("balanced").speak(event, Scene(PROJECT, attended=attended))
    assert opinion is not None
    assert opinion.decision == decision


@pytest.mark.parametrize("tool", ["Edit", "Write"])
def test_stance_never_allows_more_than_looking_at_a_dialog(tool: str) -> None:
    """Wherever it opens."""
    opinion = stance("balanced").speak(request(tool, file_path="/srv/project/a.py"), Scene(PROJECT, attended=False))
    assert opinion is not None
    assert opinion.decision == NoOpinion("no_rule")


def test_stance_passes_on_what_the_client_says() -> None:
    """Some clients say why they ask, and where they stopped."""
    event = with_raw(
        request("Read", file_path="/home/x/a"), {"decision_reason": "Outside.", "blocked_path": "/home/x/a"}
    )
    opinion = stance("balanced").speak(event, SCENE)
    assert opinion is not None
    assert opinion.why.endswith("The client says: Outside. The client stopped at /home/x/a.")


@pytest.mark.parametrize("mode", ["default", "accept_edits", "plan", "auto", "preapproved_only", "bypass"])
def test_stance_says_the_same_in_every_mode(mode: str) -> None:
    """Danger reaches a person even where the client would not ask; silence leaves the rest to the mode."""
    for fields, decision in (
        ({"command": "ls"}, Allow),
        ({"command": "touch a.txt"}, NoOpinion),
        ({"command": "make"}, NoOpinion),
        ({"command": "git push --force"}, Prompt),
    ):
        opinion = stance("balanced").speak(pre("Bash", mode=mode, **fields), SCENE)
        assert opinion is not None
        assert isinstance(opinion.decision, decision), fields


def test_stance_says_why() -> None:
    """In words the person and the model can use."""
    opinion = stance("strict").speak(DANGER, SCENE)
    assert opinion is not None
    assert opinion.decision == Deny("By its name, this file holds secrets: .env.")


def test_stance_speaks_about_gates_only() -> None:
    """A stop has no risk."""
    assert stance("strict").speak(Stop(session_id="s"), SCENE) is None
