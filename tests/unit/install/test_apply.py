"""Install and uninstall on real files: everything else stays, and everything comes back."""

import json
import os
import shlex
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assent.files import RefusedError
from assent.harnesses import hook_table
from assent.harnesses.claude_code import SUBSCRIPTIONS
from assent.harnesses.claude_code.install import is_ours
from assent.harnesses.claude_code.settings import form_of, ours, own_file
from assent.harnesses.json_edit import Document
from assent.harnesses.site import Scope, Site
from assent.install import manifest
from assent.install.apply import apply
from assent.install.plan import plan_install, plan_uninstall
from assent.shim import place
from tests.unit.harnesses.claude_code.old_entries import exec_entry

FOREIGN = """{
  "permissions": {"allow": ["Bash(ls:*)"],   "deny": []},
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "~/bin/check \\u00e9" } ] }
    ],
    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]
  },
  "env": { "ZED": "1", "ALPHA": "2" }
}
"""

FILES = {
    "foreign hooks": FOREIGN.encode(),
    "compact": b'{"z":1,"a":[],"hooks":{"Stop":[]}}',
    "tabs": b'{\n\t"z": 1,\n\t"a": {}\n}\n',
    "four spaces": b'{\n    "z": 1,\n    "hooks": {}\n}\n',
    "crlf": FOREIGN.replace("\n", "\r\n").encode(),
    "byte order mark": b"\xef\xbb\xbf" + FOREIGN.encode(),
    "no final newline": FOREIGN.rstrip("\n").encode(),
    "empty object": b"{}",
    "spread empty object": b"{\n}\n",
    "no content": b"",
    "umlauts": '{"name": "Grüße"}\n'.encode(),
}


def install(site: Site, scope: Scope = "user") -> None:
    apply(plan_install(site, scope), site.paths)


def uninstall(site: Site, scope: Scope = "user") -> None:
    apply(plan_uninstall(site.paths, own_file(site, scope), scope), site.paths)


def install_as_0_1_0(site: Site) -> None:
    plan = plan_install(site)
    before = plan.before if plan.before and plan.before.strip() else b"{}\n"
    old = {event: exec_entry(subscription, site.paths) for event, subscription in SUBSCRIPTIONS.items()}
    apply(replace(plan, after=hook_table.put_in(Document.read(before), old, is_ours).write()), site.paths)


def load(path: Path) -> Any:
    return json.loads(path.read_bytes().decode("utf-8-sig"))


@pytest.fixture(params=FILES.values(), ids=list(FILES))
def written(request: pytest.FixtureRequest, settings: Path) -> bytes:
    settings.write_bytes(request.param)
    data: bytes = request.param
    return data


def test_uninstall_gives_the_file_back_byte_for_byte(site: Site, settings: Path, written: bytes) -> None:
    """Whatever the hand it was written in."""
    install(site)
    assert settings.read_bytes() != written
    uninstall(site)
    assert settings.read_bytes() == written
    assert manifest.load(site.paths).installs == ()


def test_uninstall_after_a_second_install_gives_the_first_file_back(site: Site, settings: Path, written: bytes) -> None:
    """Re-installing, also with another transport, does not forget what stood there first."""
    install(site)
    apply(plan_install(site, "user", "shim"), site.paths)
    install(site)
    uninstall(site)
    assert settings.read_bytes() == written


def test_entries_of_0_1_0_are_renewed_and_given_back(site: Site, settings: Path, written: bytes) -> None:
    """Installed by the old version, installed again by this one: the new form, and undone byte for byte."""
    install_as_0_1_0(site)
    assert {form_of(handler) for at, handler in ours(load(settings)) if at[1] == "PreToolUse"} == {"exec"}
    install(site)
    assert {form_of(handler) for _, handler in ours(load(settings))} == {"local", "http"}
    uninstall(site)
    assert settings.read_bytes() == written


def test_uninstall_takes_out_entries_of_0_1_0(site: Site, settings: Path, written: bytes) -> None:
    """Also without an install by this version in between."""
    install_as_0_1_0(site)
    uninstall(site)
    assert settings.read_bytes() == written


def test_uninstall_without_backup_removes_only_our_spans(site: Site, settings: Path, written: bytes) -> None:
    """With manifest and backups lost, our entries are still found, and the rest is not reformatted."""
    install(site)
    manifest.location(site.paths).unlink()
    uninstall(site)
    if b"{}" in written or b"[]" in written or len(written) < 5:
        # Empty containers may go or close up: whether they were there is not recorded.
        kept = load(settings)
        assert not list(ours(kept))
    else:
        assert settings.read_bytes() == written


def test_install_keeps_every_line_of_the_file(site: Site, settings: Path) -> None:
    """Order, indentation and odd spacing of other settings are not touched; ours come after."""
    settings.write_text(FOREIGN)
    install(site)
    after = settings.read_text()
    for line in FOREIGN.splitlines():
        assert line.rstrip("]} ") in after
    assert list(load(settings)) == ["permissions", "hooks", "env"]
    assert load(settings)["hooks"]["PreToolUse"][0] == json.loads(FOREIGN)["hooks"]["PreToolUse"][0]


@pytest.mark.parametrize("scope", ["user", "project", "local"])
def test_uninstall_removes_a_file_and_folder_we_made(site: Site, home: Path, scope: Scope) -> None:
    """What was not there before is not there afterwards."""
    (home / ".claude").rmdir()
    path = own_file(site, scope)
    install(site, scope)
    assert path.exists()
    uninstall(site, scope)
    assert not path.parent.exists()


def test_uninstall_keeps_a_folder_that_others_use(site: Site) -> None:
    """The folder was ours, but no longer ours alone."""
    path = own_file(site, "local")
    install(site, "local")
    (path.parent / "notes").touch()
    uninstall(site, "local")
    assert not path.exists()
    assert (path.parent / "notes").exists()


def test_uninstall_after_a_foreign_change_removes_only_ours(site: Site, settings: Path) -> None:
    """Settings made after us stay; so does the hand they are written in."""
    settings.write_text(FOREIGN)
    install(site)
    changed = settings.read_text().replace('"ZED": "1"', '"ZED":   "changed"')
    settings.write_text(changed)
    uninstall(site)
    assert settings.read_text() == FOREIGN.replace('"ZED": "1"', '"ZED":   "changed"')


def test_uninstall_after_a_foreign_change_drops_only_containers_we_made(site: Site, settings: Path) -> None:
    """An empty list of the user's stays, one of ours goes."""
    settings.write_text('{"hooks": {"Stop": []}, "a": 1}')
    install(site)
    settings.write_text(settings.read_text().replace('"a": 1', '"a": 2'))
    uninstall(site)
    assert load(settings) == {"hooks": {"Stop": []}, "a": 2}


def test_uninstall_keeps_what_was_added_to_a_file_we_made(site: Site, settings: Path) -> None:
    """The client itself writes to that file, for example when a person says always."""
    install(site)
    value = load(settings) | {"model": "opus"}
    settings.write_text(json.dumps(value, indent=2))
    uninstall(site)
    assert load(settings) == {"model": "opus"}


def test_uninstall_removes_a_file_we_made_though_it_was_reformatted(site: Site, settings: Path) -> None:
    """Only our entries in another hand are still only our entries."""
    install(site)
    settings.write_text(json.dumps(load(settings)))
    uninstall(site)
    assert not settings.exists()


def test_install_after_a_foreign_change_remembers_the_change(site: Site, settings: Path) -> None:
    """What uninstall gives back is the file as its owner last had it."""
    settings.write_text(FOREIGN)
    install(site)
    changed = FOREIGN.replace('"ZED": "1"', '"ZED": "9"')
    settings.write_text(settings.read_text().replace('"ZED": "1"', '"ZED": "9"'))
    apply(plan_install(site, "user", "shim"), site.paths)
    uninstall(site)
    assert settings.read_text() == changed


def test_link_stays_a_link(site: Site, settings: Path, tmp_path: Path) -> None:
    """The file it points to is edited."""
    real = tmp_path / "dotfiles" / "settings.json"
    real.parent.mkdir()
    real.write_text(FOREIGN)
    settings.symlink_to(real)
    install(site)
    assert settings.is_symlink()
    assert list(ours(load(real)))
    uninstall(site)
    assert settings.is_symlink()
    assert real.read_text() == FOREIGN


def test_dangling_link_gets_its_file(site: Site, settings: Path, tmp_path: Path) -> None:
    """A link prepared for a file to come is kept, before and after."""
    real = tmp_path / "later.json"
    settings.symlink_to(real)
    install(site)
    assert real.exists()
    uninstall(site)
    assert not real.exists()
    assert settings.is_symlink()


def test_circular_link_is_refused(site: Site, settings: Path) -> None:
    """There is no file to edit."""
    settings.symlink_to(settings)
    with pytest.raises(RefusedError, match="Nothing was changed"):
        plan_install(site)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o644])
def test_file_with_a_token_is_private_until_it_is_given_back(site: Site, settings: Path, mode: int) -> None:
    """Other users cannot read the token; the mode comes back with the bytes, also after a second install."""
    settings.write_text("{}")
    settings.chmod(mode)
    for _ in range(2):
        install(site)
        assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    uninstall(site)
    assert stat.S_IMODE(settings.stat().st_mode) == mode


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_mode_of_a_file_without_a_token_is_kept(site: Site, mode: int) -> None:
    """A project's shared file is as readable as it was."""
    settings = own_file(site, "project")
    settings.parent.mkdir(parents=True)
    settings.write_text("{}")
    settings.chmod(mode)
    install(site, "project")
    assert stat.S_IMODE(settings.stat().st_mode) == mode
    uninstall(site, "project")
    assert stat.S_IMODE(settings.stat().st_mode) == mode


def test_install_makes_a_file_private_that_is_otherwise_as_it_should_be(site: Site, settings: Path) -> None:
    """0.1.0 left the token in a file that others could read."""
    settings.write_text("{}")
    install(site)
    settings.chmod(0o644)
    applied = apply(plan_install(site), site.paths)
    assert applied.plan.is_noop
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    assert applied.mended == (f"{settings} holds a token, so only you can read it now.",)
    assert apply(plan_install(site), site.paths).mended == ()


def test_install_mends_the_keys(site: Site) -> None:
    """Before it writes one of them into a settings file."""
    install(site)
    token = site.paths.keys / "post.token"
    token.chmod(0o644)
    assert str(token) in apply(plan_install(site), site.paths).mended[0]
    assert stat.S_IMODE(token.stat().st_mode) == 0o600


def test_install_replaces_a_token_that_others_could_write(site: Site, settings: Path) -> None:
    """It may have been planted: a new one is made, and written into the settings."""
    install(site)
    token = site.paths.keys / "post.token"
    planted = "p" * 43
    token.write_text(planted)
    token.chmod(0o666)
    install(site)
    assert token.read_text() != planted
    assert token.read_text() in settings.read_text()
    assert stat.S_IMODE(token.stat().st_mode) == 0o600


def test_new_file_with_a_token_is_private(site: Site, settings: Path) -> None:
    """Other users cannot read the token; a shared file has none and follows the umask."""
    install(site)
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    install(site, "project")
    assert stat.S_IMODE(own_file(site, "project").stat().st_mode) & 0o044


def test_read_only_file_is_refused(site: Site, settings: Path) -> None:
    """The mark is a wish of the owner's, although a rename could go around it."""
    settings.write_text(FOREIGN)
    settings.chmod(0o444)
    with pytest.raises(RefusedError, match="read-only") as caught:
        plan_install(site)
    assert caught.value.hint
    assert settings.read_text() == FOREIGN


def test_read_only_folder_is_refused(site: Site, settings: Path) -> None:
    """A file in a folder that may not change is not replaced."""
    settings.write_text(FOREIGN)
    settings.parent.chmod(0o555)
    try:
        with pytest.raises(RefusedError, match="read-only"):
            plan_install(site)
    finally:
        settings.parent.chmod(0o755)
    assert settings.read_text() == FOREIGN


def test_file_made_read_only_after_planning_is_refused(site: Site, settings: Path) -> None:
    """Looked at again when it counts."""
    settings.write_text(FOREIGN)
    plan = plan_install(site)
    settings.chmod(0o400)
    with pytest.raises(RefusedError, match="read-only"):
        apply(plan, site.paths)
    assert not site.paths.state.exists()


def test_folder_in_its_place_is_refused(site: Site, settings: Path) -> None:
    """A folder is not moved out of the way."""
    settings.mkdir()
    with pytest.raises(RefusedError, match="is a folder"):
        plan_install(site)


def test_pipe_in_its_place_is_refused(site: Site, settings: Path) -> None:
    """And it does not make us wait."""
    os.mkfifo(settings)
    with pytest.raises(RefusedError, match="not a regular file"):
        plan_install(site)


def test_concurrent_edit_is_refused(site: Site, settings: Path) -> None:
    """A running session may write its settings while a person reads the diff; neither loses anything."""
    settings.write_text("{}")
    plan = plan_install(site)
    settings.write_text('{"model": "opus"}')
    with pytest.raises(RefusedError, match="changed meanwhile") as caught:
        apply(plan, site.paths)
    assert caught.value.hint == "run the command again."
    assert settings.read_text() == '{"model": "opus"}'
    assert list(settings.parent.iterdir()) == [settings]


def test_file_that_appeared_meanwhile_is_not_overwritten(site: Site, settings: Path) -> None:
    """No file at planning means no file at writing."""
    plan = plan_install(site)
    settings.write_text('{"model": "opus"}')
    with pytest.raises(RefusedError, match="changed meanwhile"):
        apply(plan, site.paths)
    assert settings.read_text() == '{"model": "opus"}'


def test_backup_is_made_and_private(site: Site, settings: Path, written: bytes) -> None:
    """The bytes that stood there are kept, for this user alone."""
    plan = plan_install(site)
    backup = apply(plan, site.paths).backup
    assert backup is not None
    assert backup.read_bytes() == written
    assert backup.parent == site.paths.backup
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert stat.S_IMODE(site.paths.backup.stat().st_mode) == 0o700


def test_second_install_writes_nothing(site: Site, settings: Path) -> None:
    """Same bytes, same inode, no second backup."""
    settings.write_text(FOREIGN)
    install(site)
    before = settings.stat(), sorted(site.paths.backup.iterdir())
    install(site)
    assert (settings.stat(), sorted(site.paths.backup.iterdir())) == before


def test_install_puts_the_shim_in_place(site: Site) -> None:
    """No entry ever points to a program that is not there; a re-install repairs it."""
    install(site)
    for _ in range(2):
        at, handler = next(iter(ours(load(own_file(site, "user")))))
        assert at[1] == "PreToolUse"
        words = shlex.split(handler["command"])
        program, script = words[words.index("exec") + 1], words[words.index("-S") + 1]
        assert Path(program).exists()
        Path(script).unlink()
        install(site)


@pytest.mark.parametrize(("given", "expected"), [(None, "deny"), ("no_opinion", "no_opinion")])
def test_install_leaves_the_shims_setting_unless_told(site: Site, given: str | None, expected: str) -> None:
    """What the shim does without a hub is the configuration's to say, not the installer's."""
    place.place(site.paths, unreachable="deny")
    apply(plan_install(site), site.paths, unreachable=given)
    placed = (site.paths.shim / "forward.py").read_bytes()
    place.place(site.paths, unreachable=expected)
    assert (site.paths.shim / "forward.py").read_bytes() == placed


def test_install_keeps_the_planned_token(site: Site) -> None:
    """The hub will read the token the entries carry."""
    plan = plan_install(site)
    apply(plan, site.paths)
    token = site.paths.keys / "post.token"
    assert token.read_text() == plan.new_token
    assert stat.S_IMODE(token.stat().st_mode) == 0o600


def test_token_made_by_the_hub_meanwhile_is_not_replaced(site: Site, settings: Path) -> None:
    """Entries with a token the hub does not know would be turned away."""
    plan = plan_install(site)
    site.paths.keys.mkdir(parents=True)
    (site.paths.keys / "post.token").write_text("h" * 43)
    with pytest.raises(RefusedError, match="token meanwhile"):
        apply(plan, site.paths)
    assert not settings.exists()


def test_unusable_state_folder_is_refused_before_anything_changes(site: Site, settings: Path) -> None:
    """Without a place for the backup there is no undo, so nothing begins."""
    settings.write_text(FOREIGN)
    site.paths.state.parent.mkdir(parents=True)
    site.paths.state.write_text("a file where the folder should be")
    with pytest.raises(RefusedError, match="Nothing was changed") as caught:
        apply(plan_install(site), site.paths)
    assert caught.value.hint is not None
    assert settings.read_text() == FOREIGN


def test_damaged_backup_is_not_restored(site: Site, settings: Path) -> None:
    """A backup that is no longer what we kept is not put over a good file."""
    settings.write_text(FOREIGN)
    install(site)
    for backup in site.paths.backup.iterdir():
        backup.write_text("garbage")
    uninstall(site)
    assert settings.read_text() == FOREIGN


def test_uninstall_of_a_file_that_is_gone_forgets_it(site: Site, settings: Path) -> None:
    """The user removed it; there is nothing left to do."""
    install(site)
    settings.unlink()
    uninstall(site)
    assert manifest.load(site.paths).installs == ()
    assert not settings.exists()
