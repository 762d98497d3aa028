"""What an answer to PermissionRequest does in the real client."""

from typing import Any

import pytest

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.lab import Lab, read_json
from tests.e2e.lab.model import bash, call, say

TWO_CALLS = [[bash("touch one.txt")], [bash("touch two.txt")], [say("Done.")]]
TOUCH_RULE = {"toolName": "Bash", "ruleContent": "touch:*"}
LOCAL = ".claude/settings.local.json"


def answering(lab: Lab, **decision: Any) -> Lab:
    """This lab, installed and with a hub that answers its first PermissionRequest so."""
    lab.install()
    lab.hub.start([{"event": "PermissionRequest", "nth": 1, "decision": decision}])
    return lab


def granting(lab: Lab, **grant: Any) -> Lab:
    return answering(lab, decision="allow", grants=[grant])


def asked(lab: Lab) -> int:
    return lab.hub.events().count("PermissionRequest")


def made(lab: Lab) -> list[str]:
    return sorted(path.name for path in lab.project.glob("*.txt"))


def test_allow_runs_this_call_and_no_other(lab: LabFactory) -> None:
    """An allow is for once: the next equal call is asked about again, and refused without an answer."""
    here = answering(lab(TWO_CALLS), decision="allow")
    here.headless()
    assert made(here) == ["one.txt"]
    assert asked(here) == 2


def test_deny_gives_the_model_exactly_the_message(lab: LabFactory) -> None:
    """The reason of a deny is the whole error, with nothing of ours around it."""
    here = answering(lab(TWO_CALLS[:1]), decision="deny", reason="Use the Write tool instead.")
    here.headless()
    assert made(here) == []
    assert here.model.news()[1] == ["[error] Use the Write tool instead."]


def test_deny_with_interrupt_ends_the_turn(lab: LabFactory) -> None:
    """The model is not asked again after an interrupt."""
    here = answering(lab(TWO_CALLS), decision="deny", reason="Stop here.", interrupt=True)
    run = here.headless()
    assert made(here) == []
    assert run.result["subtype"] == "error_during_execution"
    assert len(here.model.requests()) == 1


def test_allow_with_updated_input_runs_the_changed_command(lab: LabFactory) -> None:
    """A person's edit of the command is what runs."""
    changed = {"command": "touch changed.txt", "description": "Changed"}
    here = answering(lab(TWO_CALLS[:1]), decision="allow", updated_input=changed)
    here.headless()
    assert made(here) == ["changed.txt"]


@pytest.mark.parametrize("destination", ["session", "localSettings", "projectSettings", "userSettings"])
def test_added_rule_spares_the_second_question(lab: LabFactory, destination: str) -> None:
    """An always-allow holds from the next call on, and stands in the file it was meant for and in no other."""
    here = lab(TWO_CALLS)
    files = {
        "localSettings": here.local_settings(),
        "projectSettings": here.project_settings(),
        "userSettings": here.user_settings(),
    }
    granting(here, type="addRules", rules=[TOUCH_RULE], behavior="allow", destination=destination)
    here.headless()
    assert made(here) == ["one.txt", "two.txt"]
    assert asked(here) == 1
    holding = [name for name, path in files.items() if path.exists() and "permissions" in read_json(path)]
    assert holding == [name for name in files if name == destination]
    for name in holding:
        assert read_json(files[name])["permissions"]["allow"] == ["Bash(touch:*)"]


def test_set_mode_changes_the_mode_of_the_session(lab: LabFactory) -> None:
    """After acceptEdits was granted the next call is made in that mode, and not asked about."""
    here = granting(lab(TWO_CALLS), type="setMode", mode="acceptEdits", destination="session")
    here.headless()
    modes = [entry.payload["permission_mode"] for entry in here.hub.entries("event", "PreToolUse")]
    assert modes == ["default", "accept_edits"]
    assert made(here) == ["one.txt", "two.txt"]
    assert asked(here) == 1


def test_added_directory_is_open_from_then_on(lab: LabFactory) -> None:
    """A granted directory is written to the local settings, and reading there needs no question any more."""
    here = lab([])
    outside = here.folder / "outside"
    outside.mkdir()
    (outside / "note.txt").write_text("outside\n")
    reading = [call("Read", file_path=str(outside / "note.txt"))]
    here.model.script = {"main": [[bash("touch one.txt")], reading, [say("Done.")]]}
    here.hub.configure('stance = "watch"')
    granting(here, type="addDirectories", directories=[str(outside)], destination="localSettings")
    here.headless()
    assert asked(here) == 1
    assert "outside" in here.model.news()[2][0]
    assert read_json(here.local_settings())["permissions"]["additionalDirectories"] == [str(outside)]


def test_replaced_rules_hold_for_the_session(lab: LabFactory) -> None:
    """Rules replaced in memory spare the second question and touch no file."""
    here = granting(lab(TWO_CALLS), type="replaceRules", rules=[TOUCH_RULE], behavior="allow", destination="session")
    here.headless()
    assert made(here) == ["one.txt", "two.txt"]
    assert asked(here) == 1
    assert not here.local_settings().exists()


def test_rules_of_a_file_are_never_replaced(lab: LabFactory) -> None:
    """The client would lose the rules of that file: the call is allowed, the grant left out, and the file stays."""
    rules = '{"permissions": {"allow": ["Bash(mkdir:*)"]}}'
    here = lab(TWO_CALLS, files={LOCAL: rules})
    granting(here, type="replaceRules", rules=[TOUCH_RULE], behavior="allow", destination="localSettings")
    here.headless()
    assert made(here) == ["one.txt"]
    assert asked(here) == 2
    assert here.local_settings().read_text() == rules


def test_removed_rule_is_gone_from_its_file(lab: LabFactory) -> None:
    """A rule taken back leaves the others of its file."""
    here = lab(TWO_CALLS, files={LOCAL: '{"permissions": {"allow": ["Bash(mkdir:*)", "Bash(ls:*)"]}}'})
    rule = {"toolName": "Bash", "ruleContent": "mkdir:*"}
    granting(here, type="removeRules", rules=[rule], behavior="allow", destination="localSettings")
    here.headless()
    assert made(here) == ["one.txt"]
    assert read_json(here.local_settings())["permissions"]["allow"] == ["Bash(ls:*)"]
