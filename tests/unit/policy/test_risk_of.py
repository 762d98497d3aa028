"""The risk of a tool call."""

from pathlib import Path
from typing import Any

import pytest

from assent.policy.call import Call, Scene
from assent.policy.risk_of import risk_of
from assent.protocol.decision import Risk
from assent.protocol.operations import Shell
from tests.unit.policy.calls import SCENE, call


@pytest.mark.parametrize(
    ("tool", "fields", "risk"),
    [
        ("Read", {"file_path": "/srv/project/src/a.py"}, Risk.LOOK),
        ("Read", {"file_path": "src/a.py"}, Risk.LOOK),
        ("Read", {"file_path": "/srv/project/../other/a.py"}, Risk.CARE),
        ("Read", {"file_path": "/srv/project2/a.py"}, Risk.CARE),
        ("Read", {"file_path": "/etc/hosts"}, Risk.CARE),
        ("Read", {"file_path": "/srv/project/.env"}, Risk.DANGER),
        ("Read", {"file_path": "/home/me/.ssh/id_rsa"}, Risk.DANGER),
        ("Read", {}, Risk.CARE),
        ("Write", {"file_path": "/home/me/.claude/plans/brave-fox.md"}, Risk.CHANGE),
        ("Write", {"file_path": "/home/me/.claude/plans/../settings.json"}, Risk.DANGER),
        ("Write", {"file_path": "/home/me/.claude/plans/run.sh"}, Risk.DANGER),
        ("Glob", {"pattern": "**/*.py"}, Risk.LOOK),
        ("Glob", {"pattern": "**/.env"}, Risk.LOOK),
        ("Glob", {"pattern": "/etc/*"}, Risk.LOOK),
        ("Grep", {"pattern": "x"}, Risk.LOOK),
        ("Grep", {"pattern": "x", "path": "/etc"}, Risk.CARE),
        ("Grep", {"pattern": "x", "path": ".env"}, Risk.DANGER),
        ("Grep", {"pattern": "x", "glob": ".env*"}, Risk.DANGER),
        ("Write", {"file_path": "/srv/project/src/a.py"}, Risk.CHANGE),
        ("Edit", {"file_path": "/srv/project/src/a.py"}, Risk.CHANGE),
        ("MultiEdit", {"file_path": "/srv/project/src/a.py"}, Risk.CHANGE),
        ("NotebookEdit", {"notebook_path": "/srv/project/a.ipynb"}, Risk.CHANGE),
        ("Write", {"file_path": "/tmp/a.py"}, Risk.CHANGE),
        ("Write", {"file_path": "/srv/project/.env"}, Risk.CARE),
        ("Write", {"file_path": "/home/me/.aws/credentials"}, Risk.DANGER),
        ("Write", {"file_path": "/srv/project/.git/hooks/pre-commit"}, Risk.DANGER),
        ("Write", {"file_path": "/srv/project/.claude/settings.json"}, Risk.DANGER),
        ("Edit", {"file_path": "/srv/project/.github/workflows/ci.yml"}, Risk.DANGER),
        ("Edit", {"file_path": "/home/me/.bashrc"}, Risk.DANGER),
        ("Write", {"file_path": 3}, Risk.CARE),
        ("WebFetch", {"url": "https://example.com"}, Risk.CARE),
        ("WebSearch", {"query": "x"}, Risk.CARE),
        ("AskUserQuestion", {"questions": []}, Risk.LOOK),
        ("ExitPlanMode", {}, Risk.LOOK),
        ("TodoWrite", {"todos": []}, Risk.LOOK),
        ("TaskUpdate", {}, Risk.LOOK),
        ("Agent", {"prompt": "x"}, Risk.CHANGE),
        ("Task", {"prompt": "x"}, Risk.CHANGE),
        ("Bash", {"command": "ls"}, Risk.LOOK),
        ("Bash", {"command": "ls", "dangerouslyDisableSandbox": False}, Risk.LOOK),
        ("Bash", {"command": "ls", "dangerouslyDisableSandbox": True}, Risk.CARE),
        ("Monitor", {"command": "tail -f a.log"}, Risk.LOOK),
        ("KillShell", {"shell_id": "1"}, Risk.CHANGE),
        ("Bash", {"command": "ls > out.txt"}, Risk.CHANGE),
        ("Bash", {"command": "frobnicate"}, Risk.CARE),
        ("Bash", {"command": "ls; rm -rf /"}, Risk.DANGER),
        ("Bash", {}, Risk.CARE),
        ("mcp__a__b", {}, Risk.CARE),
        ("SomethingNew", {}, Risk.CARE),
        ("PowerShell", {"command": "rm -rf ~"}, Risk.DANGER),
        ("SomethingNew", {"file_path": "/home/me/.ssh/id_rsa"}, Risk.DANGER),
    ],
)
def test_risk_follows_what_the_call_names(tool: str, fields: dict[str, Any], risk: Risk) -> None:
    """Whatever is unknown is Care at least."""
    assert risk_of(call(tool, **fields), SCENE).risk is risk


@pytest.mark.parametrize(
    ("mode", "risk"),
    [(None, Risk.CHANGE), ("accept_edits", Risk.CHANGE), ("plan", Risk.CHANGE), ("bypass", Risk.DANGER)],
)
def test_risk_of_a_sub_agent_depends_on_whom_it_asks(mode: str | None, risk: Risk) -> None:
    """One that never asks is a way around the asks of this session."""
    assert risk_of(Call("Agent", {"prompt": "x", "mode": mode}, "/srv/project"), SCENE).risk is risk


def test_risk_of_a_link_is_the_risk_of_where_it_leads(tmp_path: Path) -> None:
    """A harmless name inside the project may lead to a secret outside."""
    (tmp_path / "notes.txt").symlink_to("/home/me/.ssh/id_rsa")
    (tmp_path / "folder").symlink_to("/etc")
    scene = Scene(tmp_path)
    assert risk_of(call("Read", file_path=str(tmp_path / "notes.txt")), scene).risk is Risk.DANGER
    assert risk_of(call("Read", file_path=str(tmp_path / "folder/shadow")), scene).risk is Risk.DANGER
    assert risk_of(call("Write", file_path=str(tmp_path / "folder/x")), scene).risk is Risk.DANGER


def test_risk_inside_a_project_reached_through_a_link(tmp_path: Path) -> None:
    """The project itself may be a link; its files are still inside."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    read = call("Read", file_path=str(tmp_path / "link/a.py"))
    assert risk_of(read, Scene(tmp_path / "link")).risk is Risk.LOOK


@pytest.mark.parametrize(("command", "is_later"), [("sh", True), ("python3", True), ("ls", False), ("sh -c ls", False)])
def test_interpreter_is_a_danger_where_what_is_typed_into_it_is_not_heard_of(command: str, is_later: bool) -> None:
    """Its start is the last that is judged; a client that tells of what is typed is not concerned."""
    unheard = Call("Bash", {}, "/srv/project", decoded=Shell(command=command, typed_unseen=True))
    assert (risk_of(unheard, SCENE)[0] is Risk.DANGER) is is_later
    assert risk_of(call("Bash", command=command), SCENE)[0] < Risk.DANGER
