"""What an install would do, told beforehand."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from assent.errors import UsageError
from assent.files import RefusedError
from assent.harnesses import registry
from assent.harnesses.claude_code import NO_HTTP, SUBSCRIPTIONS
from assent.harnesses.claude_code.settings import form_of, ours
from assent.harnesses.site import Scope, Site, Transport, find
from assent.install import rotation, undo
from assent.install.apply import apply
from assent.install.plan import Plan, plan_install, plan_system, plan_uninstall


def value(plan: Plan) -> Any:
    assert plan.after is not None
    return json.loads(plan.after.decode("utf-8-sig"))


def forms(plan: Plan) -> dict[str, str | None]:
    return {at[1]: form_of(handler) for at, handler in ours(value(plan))}


def tree(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


def test_planning_leaves_no_trace(site: Site) -> None:
    """A dry run makes no folder, no token and no file."""
    before = tree(site.home), tree(site.project)
    plan = plan_install(site)
    assert not plan.is_noop
    assert (tree(site.home), tree(site.project)) == before


@pytest.mark.parametrize(
    ("scope", "transport", "event", "expected"),
    [
        ("user", "auto", "PreToolUse", "local"),
        ("user", "auto", "PostToolUse", "http"),
        ("local", "auto", "PostToolUse", "http"),
        ("project", "auto", "PreToolUse", "shared"),
        ("project", "auto", "PostToolUse", "shared"),
        ("project", "shim", "PostToolUse", "shared"),
        ("user", "shim", "PostToolUse", "local"),
        ("user", "http", "PreToolUse", "http"),
        ("user", "http", "SessionStart", "local"),
    ],
)
def test_form_follows_scope_and_transport(
    site: Site, scope: Scope, transport: Transport, event: str, expected: str
) -> None:
    """Gates by shim, observers by HTTP, nothing with a token in a shared file."""
    assert forms(plan_install(site, scope, transport))[event] == expected


def test_all_subscribed_events_are_planned(site: Site) -> None:
    """One entry for each event, with the timeout subscribed."""
    plan = plan_install(site)
    found = {at[1]: handler["timeout"] for at, handler in ours(value(plan))}
    assert found == {event: s.timeout for event, s in SUBSCRIPTIONS.items()}
    assert plan.events == tuple(SUBSCRIPTIONS)


def test_batches_are_planned_where_the_configuration_wants_them(site: Site) -> None:
    """One more entry, like that of any observer."""
    plan = plan_install(replace(site, tool_batches=True))
    assert set(plan.events) - set(SUBSCRIPTIONS) == {"PostToolBatch"}
    assert forms(plan)["PostToolBatch"] == forms(plan)["PostToolUse"] == "http"


def test_install_over_an_entry_of_batches_takes_it_out_and_warns_of_nothing(site: Site, settings: Path) -> None:
    """Who updates sees it in the diff."""
    before = plan_install(replace(site, tool_batches=True)).after
    assert before is not None
    settings.write_bytes(before)
    plan = plan_install(site)
    assert "PostToolBatch" not in value(plan)["hooks"]
    assert '-    "PostToolBatch": [' in plan.diff
    assert plan.notes == ()


def test_forced_http_says_what_it_costs(site: Site) -> None:
    """Events that cannot come over HTTP, and gates that open when the hub is down, are named."""
    notes = " ".join(plan_install(site, "user", "http").notes)
    for event in NO_HTTP:
        assert event in notes
    assert "While the hub is down" in notes


def test_http_in_a_project_file_is_refused(site: Site) -> None:
    """A token never stands in a shared file, not even on request."""
    with pytest.raises(UsageError, match="token"):
        plan_install(site, "project", "http")


def test_project_file_has_no_token_and_no_machine_path(site: Site) -> None:
    """Others check this file out."""
    plan = plan_install(site, "project")
    assert plan.after is not None
    text = plan.after.decode()
    for private in (str(site.home), str(site.project), str(site.paths.state), "Bearer", "127.0.0.1", "token"):
        assert private not in text
    assert plan.new_token is None


def test_home_folder_is_not_a_project(site: Site) -> None:
    """There the project's file would be the user's own."""
    with pytest.raises(UsageError, match="belongs to you"):
        plan_install(find({"HOME": str(site.home)}, site.home), "project")


def test_claude_config_dir_is_honoured(site: Site, tmp_path: Path) -> None:
    """A client told to live elsewhere is served there."""
    moved = find({"HOME": str(site.home), "CLAUDE_CONFIG_DIR": str(tmp_path / "cc")}, site.project)
    assert plan_install(moved).path == tmp_path / "cc" / "settings.json"
    assert plan_install(moved, "local").path == site.project / ".claude" / "settings.local.json"


def test_existing_token_is_used(site: Site) -> None:
    """The hub's token is the one written."""
    rotation.keep(site.paths, "k" * 43)
    plan = plan_install(site)
    assert plan.new_token is None
    assert plan.after is not None
    assert b"Bearer " + b"k" * 43 in plan.after


def test_diff_shows_the_change_and_hides_the_token(site: Site, settings: Path) -> None:
    """People read the diff on recorded terminals."""
    settings.write_text('{\n  "model": "opus"\n}\n')
    plan = plan_install(site)
    assert plan.new_token is not None
    assert plan.diff.startswith(f"--- {settings}\n+++ {settings}\n@@ -1,3 +1,")
    assert '+  "hooks": {\n' in plan.diff
    assert plan.new_token not in plan.diff
    assert "Bearer ••••" in plan.diff


def test_diff_is_plain_text_whatever_the_line_ends(site: Site, settings: Path) -> None:
    """Carriage returns would garble a terminal; a missing last newline is marked as everywhere."""
    settings.write_bytes(b'{\r\n  "model": "opus"\r\n}')
    diff = plan_install(site).diff
    assert "\r" not in diff
    assert diff.endswith("\n }\n\\ No newline at end of file\n")
    assert '-  "model": "opus"\n+  "model": "opus",\n' in diff


def test_diff_of_a_new_file_comes_from_nothing(site: Site) -> None:
    """The first line says that there was no file."""
    assert plan_install(site).diff.startswith("--- /dev/null\n")


def test_second_install_has_an_empty_diff(site: Site) -> None:
    """Nothing to do is said as nothing to do."""
    apply(plan_install(site), site.paths)
    again = plan_install(site)
    assert again.is_noop
    assert again.diff == ""


def test_change_of_transport_replaces_in_place(site: Site, settings: Path) -> None:
    """Each event keeps exactly one entry of ours, and its place in the file."""
    apply(plan_install(site), site.paths)
    order = list(value(plan_install(site))["hooks"])
    plan = plan_install(site, "user", "shim")
    assert set(forms(plan).values()) == {"local"}
    assert list(value(plan)["hooks"]) == order
    assert len(list(ours(value(plan)))) == len(SUBSCRIPTIONS)


def test_entries_in_another_scope_are_noted(site: Site) -> None:
    """Two scopes with our entries would handle every event twice."""
    apply(plan_install(site), site.paths)
    assert any("handled twice" in note for note in plan_install(site, "project").notes)
    assert not any("handled twice" in note for note in plan_install(site).notes)


def test_disabled_hooks_are_noted(site: Site, settings: Path) -> None:
    """An install that would have no effect says so."""
    settings.write_text('{"disableAllHooks": true}')
    assert any("disableAllHooks" in note for note in plan_install(site).notes)


def test_token_behind_a_link_is_noted(site: Site, settings: Path, tmp_path: Path) -> None:
    """A user with linked dotfiles is told where the token goes."""
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    settings.symlink_to(real)
    assert any(str(real) in note for note in plan_install(site).notes)
    assert not any(str(real) in note for note in plan_install(site, "user", "shim").notes)


def test_local_scope_warns_of_the_token(site: Site) -> None:
    """The file lies in a repository, though it should be ignored there."""
    assert any("version control" in note for note in plan_install(site, "local").notes)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{\n  "a": 1,\n}', ":3:1: expected a name"),
        ("{ // comment\n}", ":1:3: expected a name"),
        ('{"hooks": null}', ':1:11: "hooks" should be an object'),
        ('{"hooks": []}', ':1:11: "hooks" should be an object'),
        ('{"hooks": "x"}', ':1:11: "hooks" should be an object'),
        ('{"hooks": {}, "hooks": {}}', ":1:15: 'hooks' stands here a second time"),
        ("[]", ":1:1: expected an object of settings"),
    ],
)
def test_unreadable_settings_are_refused_with_the_place(site: Site, settings: Path, text: str, where: str) -> None:
    """File, line, column, what was expected, and that nothing was changed."""
    settings.write_text(text)
    for attempt in (plan_install, lambda s: plan_uninstall(s.paths, settings)):
        with pytest.raises(RefusedError) as caught:
            attempt(site)
        assert f"{settings}{where}" in str(caught.value)
        assert "Nothing was changed." in str(caught.value)
        assert caught.value.hint
    assert settings.read_text() == text


def test_blank_file_counts_as_empty(site: Site, settings: Path) -> None:
    """Some tools leave a file without content behind."""
    settings.write_bytes(b" \n")
    apply(plan_install(site), site.paths)
    apply(plan_uninstall(site.paths, settings), site.paths)
    assert settings.read_bytes() == b" \n"


def test_state_folder_that_json_cannot_name_is_refused(site: Site) -> None:
    """A path of undecodable bytes would come out of the file as another path."""
    odd = find({"HOME": str(site.home), "ASSENT_HOME": str(site.home) + "/\udcff"}, site.project)
    with pytest.raises(RefusedError, match="JSON cannot hold"):
        plan_install(odd)


def changed(data: bytes) -> bytes:
    return data.replace(b"{", b'{"added": 1,', 1)


def test_file_that_only_we_wrote_is_restored(site: Site, settings: Path) -> None:
    """Byte for byte, and the plan says so."""
    settings.write_bytes(b'{ "a":1 }')
    apply(plan_install(site), site.paths)
    plan = plan_uninstall(site.paths, settings)
    assert (plan.after, plan.restored) == (b'{ "a":1 }', True)


def test_change_of_others_since_is_kept(site: Site, settings: Path) -> None:
    """Only our entries are taken out; what stood there before does not come back over it."""
    settings.write_bytes(b'{ "a":1 }')
    apply(plan_install(site), site.paths)
    settings.write_bytes(changed(settings.read_bytes()))
    plan = plan_uninstall(site.paths, settings)
    assert (value(plan), plan.restored) == ({"added": 1, "a": 1}, False)


def test_without_a_manifest_entries_are_taken_out(site: Site, settings: Path) -> None:
    """They are recognised without it; nothing is restored."""
    settings.write_bytes(b'{"a":1}')
    apply(plan_install(site), site.paths)
    (site.paths.state / "installs.json").unlink()
    plan = plan_uninstall(site.paths, settings)
    assert (value(plan), plan.restored) == ({"a": 1}, False)


@pytest.mark.parametrize("damage", [None, b"other"])
def test_backup_that_is_not_what_was_kept_is_not_used(site: Site, settings: Path, damage: bytes | None) -> None:
    """Gone, or changed since."""
    settings.write_bytes(b'{"a":1}')
    apply(plan_install(site), site.paths)
    for path in site.paths.backup.iterdir():
        path.unlink() if damage is None else path.write_bytes(damage)
    plan = plan_uninstall(site.paths, settings)
    assert (value(plan), plan.restored) == ({"a": 1}, False)


def test_file_that_we_made_goes_and_one_with_more_in_it_stays(site: Site, settings: Path) -> None:
    """What others put into it since is theirs."""
    apply(plan_install(site), site.paths)
    plan = plan_uninstall(site.paths, settings)
    assert (plan.after, plan.restored) == (None, True)
    settings.write_bytes(settings.read_bytes() + b"\n")
    assert plan_uninstall(site.paths, settings).after is None
    settings.write_bytes(changed(settings.read_bytes()))
    assert value(plan_uninstall(site.paths, settings)) == {"added": 1}


def test_install_again_remembers_what_stood_there_first(site: Site, settings: Path) -> None:
    """Not its own entries; and where others changed it since, the file as it is without ours."""
    settings.write_bytes(b'{ "a":1 }')
    apply(plan_install(site), site.paths)
    assert plan_install(site).original == b'{ "a":1 }'
    settings.write_bytes(changed(settings.read_bytes()))
    original = plan_install(site).original
    assert original is not None
    assert json.loads(original) == {"added": 1, "a": 1}


def test_scope_that_a_client_lacks_names_those_it_has(site: Site) -> None:
    """Without what an administrator set, which is not ours to write."""
    with pytest.raises(UsageError, match="no settings of the odd scope") as refused:
        plan_install(site, cast("Scope", "odd"))
    assert refused.value.hint == "it has: user, project, local."


def test_system_line_is_planned_applied_and_taken_out(site: Site, tmp_path: Path) -> None:
    """Without a shim: a line starts nothing. What stood there before comes back byte for byte."""
    there = replace(site, root=tmp_path / "root")
    harness = registry.default()
    plan = plan_system(there, harness)
    plan.path.parent.mkdir(parents=True)
    plan.path.write_bytes(b'{"model":   "opus"}\n')
    apply(plan_system(there, harness), there.paths)
    assert json.loads(plan.path.read_bytes()) == {"model": "opus", "disableAllHooks": False}
    assert not there.paths.shim.exists()
    assert plan_system(there, harness).is_noop
    (undone,) = [each for each in undo.survey(there).plans if each.path == plan.path]
    apply(undone, there.paths)
    assert plan.path.read_bytes() == b'{"model":   "opus"}\n'
