"""Codex's hooks.json with our entries, and the trust they need."""

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from assent.harnesses import codex
from assent.harnesses.base import SettingsError
from assent.harnesses.codex import places, plan, remove
from assent.harnesses.codex.install import Trust, entries, fingerprint, is_ours, key, label, trust
from assent.harnesses.hook_table import handlers
from assent.harnesses.site import Site
from assent.paths import find

THEIRS = {"type": "command", "command": "true"}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    environ = {"HOME": str(tmp_path)}
    return Site(find(environ), tmp_path, tmp_path / "project", environ=environ)


def planned(site: Site, before: bytes | None = None) -> bytes:
    return plan(site, "user", before, transport="auto", token="", with_telemetry=True).after


def give_trust(site: Site, content: bytes, **state: object) -> None:
    path = places(site)[0].path
    told = {
        key(path, at): {"trusted_hash": fingerprint(at[1], each), **state} for at, each in handlers(json.loads(content))
    }
    lines = [
        f"[hooks.state.{json.dumps(name)}]\n"
        + "".join(f"{word} = {json.dumps(value)}\n" for word, value in each.items())
        for name, each in told.items()
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    (path.parent / "config.toml").write_text("".join(lines))


def test_every_event_has_one_entry(site: Site) -> None:
    """For a shell that is there, whichever one the user has."""
    hooks = json.loads(planned(site))["hooks"]
    assert hooks.keys() == codex.SUBSCRIPTIONS.keys()
    entry = hooks["PreToolUse"][0]["hooks"][0]
    assert entry["timeout"] == 630
    assert entry["command"].startswith("/bin/sh -c '")
    assert "codex PreToolUse 610 2" in entry["command"]


def test_gate_answers_by_itself_where_the_shim_is_gone(site: Site) -> None:
    """Where nothing is asked it denies; elsewhere it leaves the call to the client."""
    command = entries(site)["PreToolUse"]["command"]

    def said(payload: str) -> str:
        return subprocess.run(
            ["/bin/sh", "-c", command], input=payload, capture_output=True, text=True, check=True
        ).stdout

    assert (
        json.loads(said('{"permission_mode":"bypassPermissions"}'))["hookSpecificOutput"]["permissionDecision"]
        == "deny"
    )
    assert said('{"permission_mode":"default","command":"\\"bypassPermissions\\""}') == ""


def test_install_comes_last_and_uninstall_gives_the_bytes_back(site: Site) -> None:
    """Codex knows trusted hooks by their number."""
    before = json.dumps({"description": "mine", "hooks": {"Stop": [{"hooks": [THEIRS]}]}}, indent=1).encode()
    after = planned(site, before)
    assert json.loads(after)["hooks"]["Stop"][0] == {"hooks": [THEIRS]}
    assert remove(after, before).after == before


def test_file_with_nothing_else_is_empty_afterwards(site: Site) -> None:
    change = remove(planned(site), None)
    assert change.is_empty
    assert change.events == tuple(codex.SUBSCRIPTIONS)
    assert remove(b"{}", None).after == b"{}"


def test_uninstall_keeps_the_numbers_of_those_that_follow(site: Site) -> None:
    """An empty group stands in the place of ours."""
    mixed = json.loads(planned(site))
    mixed["hooks"]["PreToolUse"].append({"hooks": [THEIRS]})
    left = json.loads(remove(json.dumps(mixed).encode(), None).after)["hooks"]
    assert left == {"PreToolUse": [{"hooks": []}, {"hooks": [THEIRS]}]}


def test_second_install_changes_nothing(site: Site) -> None:
    """A changed entry would have to be trusted again."""
    assert planned(site, planned(site)) == planned(site)


@pytest.mark.parametrize("before", [b"{", b"[]", b'{"hooks": []}', b'{"hooks": {}, "owner": 1}'])
def test_file_that_codex_would_not_read_is_refused(site: Site, before: bytes) -> None:
    """A key at the top that it does not know voids all of it."""
    with pytest.raises(SettingsError):
        planned(site, before)


def test_http_is_refused(site: Site) -> None:
    with pytest.raises(SettingsError):
        plan(site, "user", None, transport="http", token="", with_telemetry=False)


def test_folder_of_its_own_is_found(tmp_path: Path) -> None:
    """By the variable that moves it."""
    environ = {"HOME": str(tmp_path), "CODEX_HOME": str(tmp_path / "moved")}
    site = Site(find(environ), tmp_path, tmp_path, environ=environ)
    assert places(site)[0].path == tmp_path / "moved/hooks.json"


@pytest.mark.parametrize("folder", ["plain", "a b", "it's"])
def test_own_entries_are_known_in_any_folder(tmp_path: Path, folder: str) -> None:
    environ = {"HOME": str(tmp_path), "ASSENT_HOME": str(tmp_path / folder)}
    site = Site(find(environ), tmp_path, tmp_path, environ=environ)
    assert all(map(is_ours, entries(site).values()))
    assert not is_ours({"command": f"/bin/sh -c {shlex.quote('exec codex PreToolUse 1 1')}"})
    assert not is_ours({"command": "/bin/sh -c '"})
    assert not is_ours("x")


@pytest.mark.parametrize(
    ("event", "entry", "expected"),
    [
        (
            "PreToolUse",
            {"command": "true é", "timeout": 630, "statusMessage": "looking"},
            "sha256:33e4cad445443a5db811de2cae0ccd1a55b6952ae6ebd37e73d1eff440ad84d8",
        ),
        (
            "SessionEnd",
            {"command": "true", "timeout": 4},
            "sha256:0408973db4c606ef0b942b13de03431201c09e7746a6fbf2d078370f1af83d68",
        ),
        ("Stop", {"command": "true"}, "sha256:2ba34c7a02841fada06b868a093d041fd3d9de81883c789a321916b0aa118851"),
    ],
)
def test_fingerprint_is_the_clients_own(event: str, entry: dict[str, object], expected: str) -> None:
    """As the real client's app server told it for these entries."""
    assert fingerprint(event, entry) == expected


def test_event_has_another_spelling_in_the_clients_notes() -> None:
    assert label("PermissionRequest") == "permission_request"


def test_new_entries_have_to_be_trusted(site: Site) -> None:
    """People are told so, until the client has their word."""
    change = plan(site, "user", None, transport="auto", token="", with_telemetry=False)
    assert any("trusted" in note for note in change.notes)
    give_trust(site, change.after)
    assert plan(site, "user", change.after, transport="auto", token="", with_telemetry=False).notes == ()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "trusted"),
        ({"enabled": False}, "off"),
        ({"trusted_hash": "sha256:00"}, "changed"),
        ({"trusted_hash": ""}, "untrusted"),
    ],
)
def test_trust_is_read_from_the_clients_notes(site: Site, given: dict[str, object], expected: str) -> None:
    content = planned(site)
    give_trust(site, content, **given)
    found = trust(site, places(site)[0].path, json.loads(content))
    assert {each.state for each in found} == {expected}
    assert found[0] == Trust("SessionStart", found[0].state)


def test_trust_is_found_where_the_folder_is_a_link(tmp_path: Path) -> None:
    """The client follows it."""
    (tmp_path / "real").mkdir()
    (tmp_path / ".codex").symlink_to(tmp_path / "real")
    at = ("hooks", "PreToolUse", 0, "hooks", 0)
    assert key(tmp_path / ".codex/hooks.json", at) == f"{tmp_path}/real/hooks.json:pre_tool_use:0:0"
