"""Tools that read, search and edit files."""

from pathlib import Path
from typing import Any

import pytest

from assent.policy.call import Call, Scene
from assent.policy.own import Own
from assent.policy.risk_of import risk_of
from assent.policy.session_taint import Memory
from assent.policy.shell.walk import Walk
from assent.protocol.decision import Risk
from assent.protocol.operations import FileChange, Patch
from tests.unit.policy.calls import PROJECT, SCENE, call
from tests.unit.policy.setting import SETTING

TOKEN = "ghp_Zk3nQ8vR2mW7yB4tL9xC5dH1jF6sP0aE"
OWN = Scene(PROJECT, own=Own(("/home/me/.local/state/assent",)))


@pytest.mark.parametrize(
    "path",
    [
        "/home/me/shop/src/a.py",
        "/home/me/notes.txt",
        "/etc/hostname",
        "/usr/include/stdio.h",
        "/home/other/notes.txt",
        "/root/notes.txt",
        "/home/me/shop/.env",
        "/home/me/.ssh/id_ed25519",
        "/etc/shadow",
        "/home/me/.claude/settings.json",
        "/home/me/.config/google-chrome/Default/Cookies",
        "/proc/self/environ",
        "/tmp/out.txt",
    ],
)
def test_reading_costs_as_much_by_tool_as_by_shell(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One table for both ways: a file that may be ``cat``-ed may be read."""
    monkeypatch.setenv("HOME", SETTING.home)
    scene = Scene(Path(SETTING.project))
    by_shell = max(e.risk for act in Walk(SETTING).line(f"cat {path}") for a in act.all() for e in a.effects)
    assert risk_of(call("Read", cwd=SETTING.project, file_path=path), scene).risk is by_shell


@pytest.mark.parametrize(
    ("fields", "risk"),
    [
        ({"pattern": "x", "glob": "*.py"}, Risk.LOOK),
        ({"pattern": "x", "glob": "{*.py,.env}"}, Risk.DANGER),
        ({"pattern": "x", "glob": "**/*.pem"}, Risk.DANGER),
        ({"pattern": "x", "glob": ".e*"}, Risk.DANGER),
        ({"pattern": "x", "path": "/home/me", "glob": "*"}, Risk.DANGER),
        ({"pattern": "x", "path": "/home/me/.aws"}, Risk.DANGER),
    ],
)
def test_searching_looks_into_the_files_its_filter_names(
    fields: dict[str, Any], risk: Risk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search shows what stands in the files."""
    monkeypatch.setenv("HOME", "/home/me")
    assert risk_of(call("Grep", **fields), SCENE).risk is risk


@pytest.mark.parametrize(
    ("path", "risk"),
    [
        ("/srv/project/conftest.py", Risk.CARE),
        ("/srv/project/.envrc", Risk.DANGER),
        ("/srv/project/.git/config", Risk.DANGER),
        ("/srv/project/.husky/pre-commit", Risk.DANGER),
        ("/srv/project/CLAUDE.md", Risk.DANGER),
        ("/srv/project/AGENTS.md", Risk.DANGER),
        ("/srv/project/.mcp.json", Risk.DANGER),
        ("/srv/project/.claude/commands/x.md", Risk.DANGER),
        ("/srv/project/sub/.claude/settings.local.json", Risk.DANGER),
        ("/home/me/.zshenv", Risk.DANGER),
        ("/home/me/.claude/shell-snapshots/snapshot-bash-1.sh", Risk.DANGER),
        ("/etc/cron.d/x", Risk.DANGER),
        ("/var/spool/cron/crontabs/me", Risk.DANGER),
        ("/usr/local/bin/x", Risk.DANGER),
        ("/etc/claude-code/managed-settings.json", Risk.DANGER),
        ("/home/me/.local/state/assent/keys/post", Risk.DANGER),
    ],
)
@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit", "NotebookEdit"])
def test_editing_what_others_obey_is_seen(tool: str, path: str, risk: Risk) -> None:
    """Files that steer agents, shells, git, editors or the system."""
    field = "notebook_path" if tool == "NotebookEdit" else "file_path"
    assert risk_of(call(tool, **{field: path}), OWN).risk is risk


def test_reading_assents_own_files_is_danger() -> None:
    """Keys and the record of this machine lie there."""
    assert risk_of(call("Read", file_path="/home/me/.local/state/assent/journal.db"), OWN).risk is Risk.DANGER


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("Write", {"content": '{"disableAllHooks": true}'}),
        ("Edit", {"old_string": "{", "new_string": '{"disableAllHooks":true,'}),
        ("MultiEdit", {"edits": [{"old_string": "{", "new_string": '{ "disableAllHooks" : true,'}]}),
    ],
)
def test_switching_off_hooks_is_called_by_its_name(tool: str, fields: dict[str, Any]) -> None:
    """The ask must show what is at stake."""
    reply = risk_of(call(tool, file_path="/srv/project/.claude/settings.local.json", **fields), SCENE)
    assert reply.risk is Risk.DANGER
    assert reply.why == "It switches off the agent's hooks (.claude/settings.local.json), and Assent's are among them."


@pytest.mark.parametrize(
    ("path", "content", "risk"),
    [
        ("/srv/project/src/api.py", f'KEY = "{TOKEN}"', Risk.DANGER),
        ("/srv/project/tests/test_api.py", f'KEY = "{TOKEN}"', Risk.CARE),
        ("/srv/project/src/api.py", 'KEY = "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"', Risk.CHANGE),
        ("/srv/project/src/api.py", 'KEY = os.environ["KEY"]', Risk.CHANGE),
        ("/srv/project/package.json", '{"scripts": {"postinstall": "node x.js"}}', Risk.DANGER),
        ("/srv/project/package.json", '{"scripts": {"build": "tsc"}}', Risk.CARE),
        ("/srv/project/package.json", '{"version": "1.2.3"}', Risk.CHANGE),
    ],
)
def test_what_is_written_counts_too(path: str, content: str, risk: Risk) -> None:
    """A key in a file that git keeps is out for good; scripts that run unasked wait for the next install."""
    assert risk_of(call("Write", file_path=path, content=content), SCENE).risk is risk


def test_file_of_this_session_may_be_changed_again(tmp_path: Path) -> None:
    """It is in no commit because the session wrote it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/index").write_bytes(b"DIRC" + bytes([0, 0, 0, 2, 0, 0, 0, 0]))
    (tmp_path / "a.py").write_text("x = 1\n")
    edit = {"file_path": str(tmp_path / "a.py"), "old_string": "1", "new_string": "2"}
    assert risk_of(call("Edit", **edit), Scene(tmp_path)).risk is Risk.CARE
    memory = Memory(made={str(tmp_path / "a.py")})
    assert risk_of(call("Edit", **edit), Scene(tmp_path, memory=memory)).risk is Risk.CHANGE


def test_patch_that_cannot_be_read_is_a_danger() -> None:
    """It may change anything."""
    assert risk_of(Call("apply_patch", {}, str(PROJECT), decoded=Patch(files=())), SCENE)[0] is Risk.DANGER


def test_every_file_of_a_patch_is_judged() -> None:
    """The worst counts, wherever it stands; a file that is moved is deleted in one place and written in another."""
    files = (FileChange(path="a.py", new="x"), FileChange(path="/etc/hosts"), FileChange(path="b", old="", new=""))
    assert risk_of(Call("apply_patch", {}, str(PROJECT), decoded=Patch(files=files)), SCENE)[0] is Risk.DANGER
    assert risk_of(Call("apply_patch", {}, str(PROJECT), decoded=Patch(files=files[:1])), SCENE)[0] < Risk.DANGER
