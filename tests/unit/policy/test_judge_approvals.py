"""What needs an approval: asked about, whatever else would let it pass."""

from pathlib import Path

import pytest

from assent.policy.call import Memo, Scene, Voice
from assent.policy.judge import judge
from assent.policy.judges.stance import Stance
from assent.policy.rules.book import RuleBook
from assent.protocol.approval import ApprovalView
from assent.protocol.decision import Allow, Decision, Deny, Halt, NoOpinion, Prompt
from assent.protocol.events import PermissionDenied
from tests.unit.policy.calls import PROJECT, SCENE, pre, request
from tests.unit.policy.test_judge import Raises, Says

MAKE = pre("Bash", command="make deploy")
NEEDED = '[[approval]]\nmatch = "make"\nfrom = "group:sre"\nreason = "Deployments are seen by two."\n'


def book(tmp_path: Path, text: str = NEEDED) -> RuleBook:
    file = tmp_path / "rules.toml"
    file.write_text(text, encoding="utf-8")
    return RuleBook(file)


def project(folder: Path, text: str) -> None:
    (folder / ".assent").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".assent" / "rules.toml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "says", [Allow(), NoOpinion("no_rule"), Prompt("Is this right?"), None], ids=["allow", "silence", "prompt", "none"]
)
@pytest.mark.parametrize("mode", ["default", "auto", "bypass", "accept_edits", "preapproved_only"])
def test_call_is_asked_about_whatever_else_is_said(tmp_path: Path, says: Decision | None, mode: str) -> None:
    """No rule, no permission and no mode of the client spares an approval."""
    event = pre("Bash", command="make deploy", mode=mode)
    judgement = judge(event, SCENE, [book(tmp_path), Says(says, "person:x")])
    assert judgement.decision == Prompt("This needs an approval: 1 of group:sre. Deployments are seen by two.")
    assert judgement.by == "approval:user#1"
    assert judgement.approval is not None
    assert judgement.trace[-1].by == "approval:user#1"


@pytest.mark.parametrize("refusal", [Deny("no"), Halt("stop")])
def test_denied_call_stays_denied(tmp_path: Path, refusal: Decision) -> None:
    """An approval lifts nothing."""
    judgement = judge(MAKE, SCENE, [book(tmp_path), Says(refusal)])
    assert judgement.decision == refusal
    assert judgement.approval is None


def test_pause_does_not_spare_it(tmp_path: Path) -> None:
    """A person who pauses the policy decides for themselves, not for those who have to agree."""
    assert judge(MAKE, SCENE, [book(tmp_path)], paused=True).approval is not None


def test_permission_request_is_left_open(tmp_path: Path) -> None:
    """Its dialog is opening already; a call the client refused is a matter of appeals."""
    judgement = judge(request("Bash", command="make deploy"), SCENE, [book(tmp_path), Says(Allow())])
    assert judgement.decision == NoOpinion("asked")
    assert judgement.is_left
    assert judgement.approval is not None
    refused = PermissionDenied(session_id="s", cwd=str(PROJECT), tool_name="Bash", tool_input={"command": "make"})
    assert judge(refused, SCENE, [book(tmp_path)]).approval is None


def test_other_calls_are_judged_as_before(tmp_path: Path) -> None:
    """Trace and verdict of what no approval is about are the same to the letter."""
    ls = pre("Bash", command="ls")
    others: list[Voice] = [Says(Allow(), "rule:user#1"), Stance(lambda _: "balanced")]
    assert judge(ls, SCENE, [book(tmp_path), *others]) == judge(ls, SCENE, [book(tmp_path, ""), *others])


def test_failing_voice_does_not_lose_it(tmp_path: Path) -> None:
    """What is heard as a prompt is held for those who have to agree."""
    assert judge(MAKE, SCENE, [Raises(), book(tmp_path)]).approval is not None


def test_changed_file_is_in_force_for_a_known_line(tmp_path: Path) -> None:
    """What is remembered of a line is not who has to agree to it."""
    file = tmp_path / "rules.toml"
    file.write_text("", encoding="utf-8")
    rules = RuleBook(file)
    voices: list[Voice] = [rules]
    memo = Memo()
    assert judge(MAKE, SCENE, voices, memo=memo).approval is None
    file.write_text(NEEDED, encoding="utf-8")
    rules.hurry()
    assert judge(MAKE, SCENE, voices, memo=memo).approval is not None


def test_rules_of_user_and_project_have_to_be_satisfied_both(tmp_path: Path) -> None:
    """A project tightens further, and cannot take the place of the user's."""
    folder = tmp_path / "project"
    project(folder, '[[approval]]\nmatch = "tool:Bash"\nfrom = ["group:web", "owner"]\ncount = 2\n')
    found = judge(MAKE, Scene(folder), [book(tmp_path)]).approval
    assert found is not None
    assert found.rules == "approval:project#1, approval:user#1"


@pytest.mark.parametrize(
    ("says", "asked"), [(Allow(), [("group:web",)]), (Prompt("Is it?"), [("group:web",), ("owner",)])]
)
def test_project_cannot_take_the_decision_from_the_owner(tmp_path: Path, says: Decision, asked: list[object]) -> None:
    """What the owner would have been asked about needs the owner as well; a rule of their own may leave it out."""
    project(tmp_path, '[[approval]]\nmatch = "make"\nfrom = "group:web"\n')
    (tmp_path / "user").mkdir()
    found = judge(MAKE, Scene(tmp_path), [book(tmp_path / "user", ""), Says(says)]).approval
    assert found is not None
    assert [one.whom for one in found.each] == asked
    assert found.rules == "approval:project#1"
    yours = judge(MAKE, Scene(tmp_path), [book(tmp_path / "user"), Says(says)]).approval
    assert yours is not None
    assert ("owner",) not in [one.whom for one in yours.each]


def needs(otherwise: str) -> str:
    return f'[[approval]]\nmatch = "make"\nfrom = "group:sre"\nelse = "{otherwise}"\n'


def test_without_approval_it_is_denied(tmp_path: Path) -> None:
    """Unless the rule leaves it to the owner."""
    assert isinstance(judge(MAKE, SCENE, [book(tmp_path, needs("deny"))]).without_approval, Deny)
    assert isinstance(judge(MAKE, SCENE, [book(tmp_path, needs("hand_back"))]).without_approval, Prompt)
    asked = judge(request("Bash", command="make"), SCENE, [book(tmp_path, needs("hand_back"))])
    assert asked.without_approval == NoOpinion("handed_back")


def test_nothing_is_handed_back_where_the_client_drops_prompts(tmp_path: Path) -> None:
    """In bypass the client runs what it would have to ask about on its own files: that is denied."""
    text = needs("hand_back").replace('"make"', '"claude"')
    event = pre("Bash", command="rm .claude/settings.json", mode="bypass")
    judgement = judge(event, SCENE, [book(tmp_path, text)])
    assert isinstance(judgement.approval, ApprovalView)
    assert isinstance(judgement.without_approval, Deny)
