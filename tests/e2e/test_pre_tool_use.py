"""What an answer to PreToolUse does in the real client."""

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.client import BYPASS
from tests.e2e.lab.model import bash, say

TOUCH = [[bash("touch made.txt")], [say("Done.")]]
RULE = '[[rule]]\nmatch = "Bash(touch *)"\ndecision = "{}"\nreason = "Nothing is made here."\n'


def test_rule_deny_keeps_the_tool_from_running_and_tells_the_model_why(lab: LabFactory) -> None:
    """A deny rule stops the call; its reason is the error the model reads."""
    here = lab(TOUCH)
    here.hub.configure(rules=RULE.format("deny"))
    here.guard()
    here.headless()
    assert not (here.project / "made.txt").exists()
    assert "Nothing is made here." in here.model.news()[1][0]
    decided = here.hub.entries("decision", "PreToolUse")
    assert [entry.decision for entry in decided] == ["deny"]


def test_rule_allow_runs_the_tool_without_a_permission_request(lab: LabFactory) -> None:
    """An allow rule answers before the client would ask."""
    here = lab(TOUCH)
    here.hub.configure(rules=RULE.format("allow"))
    here.guard()
    here.headless()
    assert (here.project / "made.txt").exists()
    assert "PermissionRequest" not in here.hub.events()


def test_prompt_opens_the_dialog_with_its_reason(lab: LabFactory) -> None:
    """A rule that asks makes the client show its own dialog with our reason; the person's Yes runs the call."""
    here = lab(TOUCH, settings={"permissions": {"allow": ["Bash(touch:*)"]}})
    here.hub.configure(rules=RULE.format("ask"))
    here.guard()
    terminal = here.terminal()
    terminal.submit("go")
    assert "Nothing is made here." in terminal.wait_for_dialog()
    assert not (here.project / "made.txt").exists()
    terminal.press("1")
    here.model.wait_for(2)
    assert (here.project / "made.txt").exists()


def test_updated_input_with_allow_runs_the_changed_command(lab: LabFactory) -> None:
    """What runs is what the answer says, not what the model wrote."""
    here = lab(TOUCH)
    here.install()
    changed = {"command": "touch changed.txt", "description": "Changed"}
    here.hub.start([{"event": "PreToolUse", "decision": {"decision": "allow", "updated_input": changed}}])
    here.headless()
    assert (here.project / "changed.txt").exists()
    assert not (here.project / "made.txt").exists()


def test_added_context_reaches_the_model(lab: LabFactory) -> None:
    """A note beside an allow stands in the next request to the model."""
    here = lab(TOUCH)
    here.install()
    here.hub.start([{"event": "PreToolUse", "decision": {"decision": "allow", "context": "The build is red."}}])
    here.headless()
    assert (here.project / "made.txt").exists()
    assert any("The build is red." in line for line in here.model.news()[1])


def test_floor_holds_in_bypass_mode_against_an_allow_rule(lab: LabFactory) -> None:
    """An agent does not operate its own guard, whatever mode it runs in and whatever the rules allow."""
    here = lab([[bash("assent down")], [say("Done.")]])
    here.hub.configure(rules='[[rule]]\nmatch = "Bash(assent down)"\ndecision = "allow"\n')
    here.guard()
    here.headless(mode=BYPASS)
    assert here.model.news()[1][0].startswith("[error] PreToolUse:Bash hook error:")
    assert [entry.by for entry in here.hub.entries("decision", "PreToolUse")] == ["floor:own-verbs"]
    assert here.hub.is_reachable()


def test_deny_with_interrupt_ends_the_turn(lab: LabFactory) -> None:
    """The call does not run, and the model is not asked again."""
    here = lab(TOUCH)
    here.install()
    here.hub.start([{"event": "PreToolUse", "decision": {"decision": "deny", "reason": "Stop.", "interrupt": True}}])
    here.headless()
    assert not (here.project / "made.txt").exists()
    assert len(here.model.requests()) == 1
