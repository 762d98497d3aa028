"""What is merged into Qwen Code's settings, and what switches it off."""

import json
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from assent.config import Config
from assent.harnesses import qwen
from assent.harnesses.base import SettingsError, Transcripts
from assent.harnesses.qwen import disarmed, managed_hooks, places, plan, powers, reads, remove, watched
from assent.harnesses.site import Site, Situation
from assent.paths import find

THEIRS = b"""{
    "model": {"name": "m"},
    "hooks": {"PreToolUse": [{"matcher": "edit", "hooks": [{"type": "command", "command": "other"}]}], "Stop": []}
}
"""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    environ = {"HOME": str(tmp_path)}
    return Site(find(environ), tmp_path, tmp_path / "project", environ=environ, root=tmp_path / "root")


def planned(site: Site, before: bytes | None = None) -> bytes:
    return plan(site, "user", before, transport="auto", token="", with_telemetry=True).after


def entry(content: bytes, event: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(content)["hooks"][event][-1]["hooks"][0]
    return found


def test_every_event_has_one_entry(site: Site) -> None:
    assert json.loads(planned(site))["hooks"].keys() == qwen.SUBSCRIPTIONS.keys()


def test_timeout_is_written_in_the_unit_that_the_client_reads(site: Site) -> None:
    """From 1000 on it takes a number for milliseconds."""
    content = planned(site)
    assert entry(content, "PermissionRequest")["timeout"] == 630
    assert entry(content, "Stop")["timeout"] == 3_630_000
    waits = Site(site.paths, site.home, site.project, environ=site.environ, wait=timedelta(hours=3))
    assert entry(planned(waits), "PreToolUse")["timeout"] == (3 * 3600 + 30) * 1000


@pytest.mark.parametrize("before", [b"{}", THEIRS, b'{"hooks": {}}\n', b'\t{"a": 1}', b'{\n  // Mine.\n  "a": 1,\n}\n'])
def test_undo_is_byte_equal(site: Site, before: bytes) -> None:
    """Whatever stands in the file stays as it is."""
    after = planned(site, before)
    assert planned(site, after) == after
    assert remove(after, before).after == before


def test_file_that_was_not_there_is_empty_again(site: Site) -> None:
    change = remove(planned(site), None)
    assert change.is_empty
    assert set(change.events) == set(qwen.SUBSCRIPTIONS)


@pytest.mark.parametrize("before", [b"{", b"[]", b'{"hooks": []}', b'{"hooks": {"Stop": {}}}'])
def test_file_that_cannot_be_changed_safely_is_left(site: Site, before: bytes) -> None:
    with pytest.raises(SettingsError):
        planned(site, before)


@pytest.mark.parametrize(("mode", "says"), [("yolo", True), ("default", False)])
def test_gate_answers_by_itself_where_the_shim_is_gone(site: Site, mode: str, says: bool) -> None:
    """In the mode in which silence runs the call, and only there."""
    command = str(entry(planned(site), "PreToolUse")["command"])
    payload = json.dumps({"permission_mode": mode, "tool_input": {"command": 'echo "yolo"'}})
    shell = shutil.which("sh") or "/bin/sh"
    done = subprocess.run([shell, "-c", command], input=payload, capture_output=True, text=True, env={}, check=True)
    assert ('"permissionDecision":"deny"' in done.stdout) is says
    run = subprocess.run(
        [shell, "-c", command], input=payload, capture_output=True, text=True, env={"ASSENT_RUN": "id=1"}, check=True
    )
    assert '"permissionDecision":"deny"' in run.stdout


@pytest.mark.parametrize(
    ("text", "installed", "armed"),
    [
        ('{"disableAllHooks": true}', False, False),
        ('{"disableAllHooks": true, /* quietly */ }', False, False),
        ('{"disableAllHooks": false}', False, True),
        ("{}", True, False),
        (None, True, False),
        (None, False, True),
        ("no json", False, True),
        ('{"env": {"QWEN_CODE_SIMPLE": "1"}}', False, False),
        ('{"env": {"QWEN_CODE_SAFE_MODE": true}}', False, False),
        ('{"env": {"QWEN_CODE_SIMPLE": "0", "OTHER": "1"}}', False, True),
        ("A=1\nexport QWEN_CODE_SAFE_MODE = 'On' # quietly\n", False, False),
        ("QWEN_CODE_SIMPLE: yes", False, False),
        ("QWEN_CODE_SIMPLE=0\n#QWEN_CODE_SIMPLE=1\n", False, True),
        ("QWEN_CODE_SIMPLER=1\nX=QWEN_CODE_SIMPLE=1\n", False, True),
    ],
)
def test_file_that_switches_hooks_off_is_seen(text: str | None, installed: bool, armed: bool) -> None:
    assert (disarmed(text, installed=installed, managed=False) is None) is armed


def test_own_entries_keep_it_armed(site: Site) -> None:
    assert disarmed(planned(site).decode(), installed=True, managed=False) is None


def test_settings_of_home_and_project_are_watched(tmp_path: Path) -> None:
    files = watched(str(tmp_path))
    assert files == [str(tmp_path / name) for name in (".qwen/settings.json", ".qwen/.env", ".env")]
    # What else stands in the last two is not kept.
    assert [reads(file) for file in files] == [True, False, False]
    assert not reads(str(tmp_path / "settings.json"))


def test_hooks_of_others_and_a_mode_that_never_asks_are_powers(site: Site) -> None:
    """The first run as the user, on every event."""
    found = powers(
        '{"tools": {"approvalMode": "yolo"}, "hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}', site.paths, _no
    )
    assert found is not None
    assert sorted(found.values()) == ["a hook that runs on Stop", "the mode yolo, in which the client never asks"]
    assert powers(planned(site).decode(), site.paths, _no) == {}
    assert powers("{", site.paths, _no) is None


def _no(_name: str, _value: str) -> bool:
    return False


def test_folder_of_its_own_is_found(tmp_path: Path) -> None:
    """By the variable that moves the client's folder."""
    environ = {"HOME": str(tmp_path), "QWEN_HOME": str(tmp_path / "moved")}
    site = Site(find(environ), tmp_path, tmp_path, environ=environ)
    assert places(site)[0].path == tmp_path / "moved/settings.json"


def codes(site: Site) -> dict[str, str]:
    situation = Situation(site.paths, site.home, site.project, site.environ, Config(), None, root=site.root)
    return {finding.code: finding.level for check in qwen.CHECKS["hooks"] for finding in check(situation)}


def test_doctor_names_a_repository_that_switches_hooks_off(site: Site) -> None:
    """And is content where the system's settings hold against it."""
    own, project, system = (place.path for place in places(site))
    assert codes(site) == {"qwen-hooks": "warning"}
    for path, content in ((own, planned(site)), (project, b'{"disableAllHooks": true}')):
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    assert codes(site) == {"qwen-hooks": "ok", "qwen-disabled": "problem"}
    notes = plan(site, "user", None, transport="auto", token="", with_telemetry=True).notes
    assert any(".qwen/settings.json" in note for note in notes)
    system.parent.mkdir(parents=True)
    system.write_text('{"disableAllHooks": false}')
    assert managed_hooks(site) == system
    assert codes(site) == {"qwen-hooks": "ok"}
    (site.project / ".env").write_text("QWEN_CODE_SIMPLE=1\n")
    assert codes(site) == {"qwen-hooks": "ok", "qwen-disabled": "problem"}


def test_sessions_are_known_by_their_transcripts(tmp_path: Path) -> None:
    """Of one whose hooks are off nothing else tells."""
    folder = qwen.transcripts(str(tmp_path / ".qwen/settings.json"), "user")
    assert folder == Transcripts(tmp_path / ".qwen/projects", depth=2)
    assert qwen.transcripts(str(tmp_path / ".qwen/settings.json"), "project") is None
    session = "f99a20f2-d641-4324-b03f-da4e8e92712d"
    assert qwen.session_of(f"/h/.qwen/projects/-p/chats/{session}.jsonl") == session
    assert qwen.session_of(f"/h/.qwen/projects/-p/tmp/{session}.jsonl") is None
    assert qwen.session_of("/h/.qwen/projects/-p/chats/index.jsonl") is None
