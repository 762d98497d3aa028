"""Our entries in a settings file that has comments, and what keeps them from running."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from assent.config import Config
from assent.harnesses import gemini
from assent.harnesses.base import SettingsError
from assent.harnesses.gemini import CHECKS, disarmed, managed_hooks, places, plan, powers, reads, remove, watched
from assent.harnesses.json_text import without_comments
from assent.harnesses.site import Site, Situation
from assent.paths import find

THEIRS = b"""{
  // Mine.
  "model": {"name": "x"}, /* not yours */
  "hooks": {
    // Sounds.
    "AfterAgent": [{"hooks": [{"type": "command", "command": "beep"}]}] // at the end
  }
}
"""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    environ = {"HOME": str(tmp_path)}
    return Site(find(environ), tmp_path, tmp_path / "project", environ=environ, root=tmp_path / "root")


def planned(site: Site, before: bytes | None = None) -> bytes:
    return plan(site, "user", before, transport="auto", token="", with_telemetry=True).after


def read(content: bytes) -> Any:
    return json.loads(without_comments(content.decode()))


def entry(content: bytes, event: str) -> dict[str, Any]:
    found: dict[str, Any] = read(content)["hooks"][event][-1]["hooks"][0]
    return found


def test_every_event_has_one_entry_with_a_timeout_in_milliseconds(site: Site) -> None:
    """Its default of a minute is too short for a person."""
    content = planned(site)
    assert read(content)["hooks"].keys() == gemini.SUBSCRIPTIONS.keys()
    assert entry(content, "BeforeTool")["timeout"] == 630_000
    assert "gemini BeforeTool 610" in entry(content, "BeforeTool")["command"]
    assert entry(content, "BeforeTool")["command"].startswith("export ASSENT_GEMINI_PID=$PPID; ")


def test_long_wait_gets_a_fitting_timeout(site: Site) -> None:
    """The hub lets go before the client does."""
    assert entry(planned(replace(site, wait=timedelta(hours=3))), "BeforeTool")["timeout"] == (3 * 3600 + 30) * 1_000


def test_gate_answers_by_itself_where_the_shim_is_gone(site: Site) -> None:
    content = planned(site)
    assert '"decision":"deny"' in entry(content, "BeforeTool")["command"]
    assert entry(content, "AfterTool")["command"].endswith("; fi")


def test_name_is_kept_and_cannot_be_guessed(site: Site) -> None:
    """A repository may switch hooks off by their name."""
    once, other = planned(site), planned(site)
    assert entry(once, "BeforeTool")["name"] != entry(other, "BeforeTool")["name"]
    assert planned(site, once) == once


def test_others_keep_their_entries_and_comments(site: Site) -> None:
    after = planned(site, THEIRS)
    assert all(comment in after for comment in (b"// Mine.", b"/* not yours */", b"// Sounds.", b"// at the end"))
    assert read(after)["hooks"]["AfterAgent"][0] == read(THEIRS)["hooks"]["AfterAgent"][0]


@pytest.mark.parametrize("before", [THEIRS, b"{}\n", b"{\n  // nothing yet\n}", b'{"hooks": {}}', b'{"a": 1,}'])
def test_remove_gives_back_every_byte(site: Site, before: bytes) -> None:
    removed = remove(planned(site, before), before)
    assert removed.after == before
    assert set(removed.events) == gemini.SUBSCRIPTIONS.keys()
    assert remove(before, before).after == before


def test_file_that_held_nothing_else_is_empty_afterwards(site: Site) -> None:
    """Comments are something."""
    assert remove(planned(site), None).is_empty
    assert not remove(planned(site, b"{\n  // nothing yet\n}"), None).is_empty


@pytest.mark.parametrize("before", [b"{", b"[]", b'{"hooks": []}'])
def test_file_that_cannot_be_changed_safely_is_refused(site: Site, before: bytes) -> None:
    with pytest.raises(SettingsError):
        planned(site, before)


def test_folder_of_its_own_is_found(site: Site, tmp_path: Path) -> None:
    """By the variable that moves the client's home."""
    moved = replace(site, environ={"GEMINI_CLI_HOME": str(tmp_path / "moved")})
    assert places(moved)[0].path == tmp_path / "moved/.gemini/settings.json"


@pytest.mark.parametrize(
    ("text", "installed", "armed"),
    [
        ('{"hooksConfig": {"enabled": false}} // off', False, False),
        ('{"hooksConfig": {"enabled": true}}', False, True),
        ('{"hooksConfig": {"disabled": ["assent-0a1b2c3d"]}}', False, False),
        ('{"hooksConfig": {"disabled": ["beep"]}}', False, True),
        ('{"hooksConfig": 1}', False, True),
        ("{}", True, False),
        (None, True, False),
        (None, False, True),
        ("no json", False, True),
    ],
)
def test_file_that_switches_hooks_off_is_seen(text: str | None, installed: bool, armed: bool) -> None:
    assert (disarmed(text, installed=installed, managed=False) is None) is armed


def test_own_entries_keep_it_armed(site: Site) -> None:
    assert disarmed(planned(site, THEIRS).decode(), installed=True, managed=False) is None


def test_command_in_the_place_of_a_name_is_seen(site: Site) -> None:
    """The client takes both."""
    command = entry(planned(site), "BeforeTool")["command"]
    assert disarmed(json.dumps({"hooksConfig": {"disabled": [command]}}), installed=False, managed=False)


def test_files_that_switch_off_are_watched(tmp_path: Path) -> None:
    files = watched(str(tmp_path))
    assert files == [str(tmp_path / ".gemini/settings.json")]
    assert all(map(reads, files))
    assert not reads(str(tmp_path / "settings.json"))


def test_administrators_line_holds_them(site: Site) -> None:
    assert managed_hooks(site) is None
    file = places(site)[-1].path
    file.parent.mkdir(parents=True)
    file.write_text('{"hooksConfig": {"enabled": true}}')
    assert managed_hooks(site) == file


def test_commands_of_others_are_a_power(site: Site) -> None:
    """They run as the user."""
    assert powers(THEIRS.decode(), site.paths, lambda *_: False) == {
        "hook:AfterAgent:beep": "a hook that runs on AfterAgent"
    }
    text = '{"mcpServers": {"a": {"command": "b", "args": ["c"]}}, "tools": {"discoveryCommand": "d"}}'
    assert powers(text, site.paths, lambda *_: False) == {
        "mcp:a:b c": "a program for the tools of a",
        "tools:discoveryCommand:d": "a command that brings tools",
    }
    assert powers(planned(site).decode(), site.paths, lambda *_: False) == {}
    assert powers("{", site.paths, lambda *_: False) is None


def found(site: Site) -> dict[str, str]:
    situation = Situation(
        site.paths, site.home, site.project, site.environ, Config(), None, root=site.root, harnesses=("gemini",)
    )
    return {finding.code: finding.level for check in CHECKS["hooks"] for finding in check(situation)}


def test_doctor_says_what_keeps_hooks_from_running(site: Site) -> None:
    """And always that there are none where an editor starts the client."""
    own, theirs, _ = (place.path for place in places(site))
    assert found(site) == {"gemini-hooks": "warning"}
    own.parent.mkdir(parents=True)
    own.write_bytes(planned(site))
    assert found(site) == {"gemini-hooks": "ok", "gemini-acp": "note"}
    theirs.parent.mkdir(parents=True)
    theirs.write_text('{"hooksConfig": {"enabled": false}}')
    assert found(site)["gemini-disabled"] == "problem"
