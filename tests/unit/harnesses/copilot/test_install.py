"""The file that Copilot's hooks stand in."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from assent.harnesses import copilot
from assent.harnesses.base import SettingsError, Transcripts
from assent.harnesses.copilot import disarmed, places, plan, powers, reads, remove, session_of, transcripts, watched
from assent.harnesses.site import Site
from assent.paths import find


@pytest.fixture
def site(tmp_path: Path) -> Site:
    environ = {"HOME": str(tmp_path)}
    return Site(find(environ), tmp_path, tmp_path / "project", environ=environ)


def planned(site: Site, before: bytes | None = None) -> bytes:
    return plan(site, "user", before, transport="auto", token="", with_telemetry=True).after


def test_every_event_has_one_entry_with_a_timeout_in_seconds(site: Site) -> None:
    """Its default of 30 seconds is too short for a person."""
    hooks = json.loads(planned(site))["hooks"]
    assert hooks.keys() == copilot.SUBSCRIPTIONS.keys()
    assert hooks["preToolUse"][0]["timeoutSec"] == 630
    assert "copilot preToolUse 610" in hooks["preToolUse"][0]["bash"]


def test_long_wait_gets_a_fitting_timeout(site: Site) -> None:
    """The hub lets go before the client does."""
    waits = Site(site.paths, site.home, site.project, environ=site.environ, wait=timedelta(hours=3))
    assert json.loads(planned(waits))["hooks"]["permissionRequest"][0]["timeoutSec"] == 3 * 3600 + 30


def test_gate_answers_by_itself_where_the_shim_is_gone(site: Site) -> None:
    """A missing program would be a refusal that says nothing."""
    hooks = json.loads(planned(site))["hooks"]
    assert "permissionDecision" in hooks["preToolUse"][0]["bash"]
    assert hooks["postToolUse"][0]["bash"].endswith("; fi")


def test_file_of_another_program_is_left_alone(site: Site) -> None:
    """Though it has our name."""
    with pytest.raises(SettingsError):
        planned(site, b'{"version": 1, "hooks": {}}')
    with pytest.raises(SettingsError):
        planned(site, b"{")


def test_remove_takes_ours_and_leaves_others(site: Site) -> None:
    """The file goes where nothing else stands in it."""
    ours = planned(site)
    assert remove(ours, None).is_empty
    mixed = json.loads(ours)
    mixed["hooks"]["preToolUse"].append({"type": "command", "bash": "other"})
    left = remove(json.dumps(mixed).encode(), None)
    assert json.loads(left.after)["hooks"] == {"preToolUse": [{"type": "command", "bash": "other"}]}
    assert not left.is_empty
    assert remove(left.after, None).after == left.after


def test_folder_of_its_own_is_found(tmp_path: Path) -> None:
    """By the variable that moves the client's folder."""
    environ = {"HOME": str(tmp_path), "COPILOT_HOME": str(tmp_path / "moved")}
    site = Site(find(environ), tmp_path, tmp_path, environ=environ)
    assert places(site)[0].path == tmp_path / "moved/hooks/assent.json"


@pytest.mark.parametrize(
    ("text", "installed", "armed"),
    [
        ('{"disableAllHooks": true}', False, False),
        ('{"disableAllHooks": false}', False, True),
        ("{}", True, False),
        (None, True, False),
        (None, False, True),
        ("no json", False, True),
    ],
)
def test_file_that_switches_hooks_off_is_seen(text: str | None, installed: bool, armed: bool) -> None:
    assert (disarmed(text, installed=installed, managed=False) is None) is armed


def test_own_entries_keep_it_armed(site: Site) -> None:
    assert disarmed(planned(site).decode(), installed=True, managed=False) is None


def test_files_that_switch_off_are_watched(tmp_path: Path) -> None:
    """Those of the home and of a project."""
    files = watched(str(tmp_path))
    assert str(tmp_path / ".github/copilot/settings.json") in files
    assert all(map(reads, files))
    assert not reads(str(tmp_path / ".github/workflows/ci.json"))


def test_hooks_of_others_are_a_power(site: Site) -> None:
    """They run as the user, on every event."""
    text = '{"hooks": {"preToolUse": [{"bash": "other"}]}}'
    assert powers(text, site.paths, lambda *_: False) == {"hook:preToolUse:other": "a hook that runs on preToolUse"}
    assert powers(planned(site).decode(), site.paths, lambda *_: False) == {}
    assert powers("{", site.paths, lambda *_: False) is None


SESSION = "09b50860-ea98-45c2-9c2f-2b74455ab95f"


def test_transcripts_of_all_sessions_lie_beside_the_users_hooks() -> None:
    """A folder for each session."""
    found = transcripts("/home/dev/.copilot/hooks/assent.json", "user")
    assert found == Transcripts(Path("/home/dev/.copilot/session-state"), depth=1)
    assert transcripts("/src/shop/.github/hooks/assent.json", "project") is None


@pytest.mark.parametrize(
    ("file", "session"),
    [
        (f"/h/.copilot/session-state/{SESSION}/events.jsonl", SESSION),
        (f"/h/.copilot/session-state/{SESSION}/workspace.yaml", None),
        (f"/h/other/{SESSION}/events.jsonl", None),
        ("/h/.copilot/session-state/notes/events.jsonl", None),
    ],
)
def test_transcript_is_known_by_its_place(file: str, session: str | None) -> None:
    """Its folder is named like the session."""
    assert session_of(file) == session
