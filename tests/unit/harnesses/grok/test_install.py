"""The file that Grok's hooks stand in."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from assent.config import Config
from assent.harnesses import grok
from assent.harnesses.base import SettingsError
from assent.harnesses.grok import disarmed, managed_hooks, places, plan, powers, reads, remove, watched
from assent.harnesses.site import Site, Situation
from assent.paths import find


@pytest.fixture
def site(tmp_path: Path) -> Site:
    environ = {"HOME": str(tmp_path)}
    return Site(find(environ), tmp_path, tmp_path / "project", environ=environ, root=tmp_path / "root")


def planned(site: Site, before: bytes | None = None) -> bytes:
    return plan(site, "user", before, transport="auto", token="", with_telemetry=True).after


def commands(content: bytes) -> dict[str, str]:
    return {event: groups[0]["hooks"][0]["command"] for event, groups in json.loads(content)["hooks"].items()}


def test_every_event_has_one_entry_with_a_timeout(site: Site) -> None:
    """Its default of 5 seconds is too short for a person."""
    hooks = json.loads(planned(site))["hooks"]
    assert hooks.keys() == grok.SUBSCRIPTIONS.keys()
    assert hooks["PreToolUse"][0]["hooks"][0]["timeout"] == 630


def test_no_entry_names_a_variable_that_may_be_unset(site: Site) -> None:
    """The client does not run such a line, and lets the call pass."""
    assert not any(re.search(r"\$\w|\$\{\w+\}", command) for command in commands(planned(site)).values())


@pytest.mark.parametrize(("mode", "says"), [("bypassPermissions", True), ("default", False)])
def test_gate_answers_by_itself_where_the_shim_is_gone(site: Site, mode: str, says: bool) -> None:
    """In the mode in which silence runs the call."""
    shell = shutil.which("sh") or "/bin/sh"
    done = subprocess.run(
        [shell, "-c", commands(planned(site))["PreToolUse"]],
        input=json.dumps({"permission_mode": mode}),
        capture_output=True,
        text=True,
        env={},
        check=True,
    )
    assert ('"permissionDecision":"deny"' in done.stdout) is says


def test_file_of_another_program_is_left_alone(site: Site) -> None:
    """Though it has our name."""
    with pytest.raises(SettingsError):
        planned(site, b'{"hooks": {}}')
    with pytest.raises(SettingsError):
        planned(site, b"{")
    with pytest.raises(SettingsError):
        remove(b"{", None)


def test_remove_takes_ours_and_leaves_others(site: Site) -> None:
    """The file goes where nothing else stands in it."""
    ours = planned(site)
    assert remove(ours, None).is_empty
    mixed = json.loads(ours)
    mixed["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "other"}]})
    left = remove(json.dumps(mixed).encode(), None)
    assert json.loads(left.after)["hooks"] == {"Stop": [{"hooks": [{"type": "command", "command": "other"}]}]}
    assert not left.is_empty
    assert remove(left.after, None).after == left.after


def test_folder_of_its_own_is_found(tmp_path: Path) -> None:
    """By the variable that moves the client's folder."""
    environ = {"HOME": str(tmp_path), "GROK_HOME": str(tmp_path / "moved")}
    site = Site(find(environ), tmp_path, tmp_path, environ=environ)
    assert places(site)[0].path == tmp_path / "moved/hooks/assent.json"


def test_file_without_our_gate_is_seen(site: Site) -> None:
    assert disarmed("{}", installed=True, managed=False)
    assert disarmed(None, installed=True, managed=False)
    assert disarmed(None, installed=False, managed=False) is None
    assert disarmed(planned(site).decode(), installed=True, managed=False) is None


def test_own_file_is_watched(tmp_path: Path) -> None:
    files = watched(str(tmp_path))
    assert files == [str(tmp_path / ".grok/hooks/assent.json")]
    assert all(map(reads, files))


def test_hooks_of_others_are_a_power(site: Site) -> None:
    """They run as the user, on every event."""
    found = powers('{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}', site.paths, lambda *_: False)
    assert list((found or {}).values()) == ["a hook that runs on Stop"]
    assert powers(planned(site).decode(), site.paths, lambda *_: False) == {}
    assert powers("{", site.paths, lambda *_: False) is None


def test_hooks_that_an_organisation_enforces_are_found(site: Site) -> None:
    """They stand in a file of the system, in TOML."""
    assert managed_hooks(site) is None
    path = places(site)[2].path
    path.parent.mkdir(parents=True)
    path.write_text(f"[[hooks.PreToolUse]]\nhooks = [{{ command = '''{commands(planned(site))['Stop']}''' }}]\n")
    assert managed_hooks(site) == path


def test_doctor_says_what_is_missing_and_what_a_person_switched_off(site: Site) -> None:
    situation = Situation(site.paths, site.home, site.project, site.environ, Config(), None, root=site.root)

    def codes() -> dict[str, str]:
        return {finding.code: finding.level for check in grok.CHECKS["hooks"] for finding in check(situation)}

    assert codes() == {"grok-hooks": "warning"}
    own = places(site)[0].path
    own.parent.mkdir(parents=True)
    own.write_bytes(planned(site))
    assert codes() == {"grok-hooks": "ok"}
    (own.parent.parent / "disabled-hooks").write_text("global/assent:pre_tool_use[0].hooks[0]\n")
    assert codes() == {"grok-hooks": "ok", "grok-disabled": "problem"}
    less = json.loads(planned(site))
    del less["hooks"]["Stop"]
    own.write_text(json.dumps(less))
    assert codes()["grok-hooks"] == "problem"
