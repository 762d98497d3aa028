"""Are our entries there, all of them, and right?"""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from assent.config import Config, Hub
from assent.harnesses.claude_code import SUBSCRIPTIONS
from assent.harnesses.claude_code import hooks as entries
from assent.harnesses.claude_code.checks import hooks as check
from assent.harnesses.claude_code.checks import timeouts
from assent.harnesses.claude_code.settings import own_file
from assent.harnesses.site import Scope, Situation
from assent.install.apply import apply
from assent.install.plan import plan_install
from assent.install.undo import uninstall
from assent.paths import find
from tests.unit.harnesses.claude_code.old_entries import exec_entry
from tests.unit.install.doctor.situations import edit, manage, texts, with_hub, wrong


def test_a_fresh_install_is_fine(healthy: Situation) -> None:
    """What the installer writes, the doctor accepts."""
    assert wrong(check, healthy) == []
    assert "has 29 entries of Assent" in texts(check(healthy))


def with_batches(situation: Situation, *, wanted: bool) -> Situation:
    return replace(situation, config=Config(hub=Hub(tool_batches=wanted)))


@pytest.mark.parametrize(
    ("scope", "transport"), [("user", "auto"), ("user", "shim"), ("user", "http"), ("project", "auto")]
)
def test_batches_are_fine_however_they_are_configured(healthy: Situation, scope: Scope, transport: Any) -> None:
    """An entry from when they were listened to is no mistake, and neither is its absence; an install takes it out."""
    uninstall(healthy.site)
    earlier = with_batches(healthy, wanted=True)
    apply(plan_install(earlier.site, scope, transport), healthy.paths)
    assert wrong(check, earlier) == []
    assert wrong(check, healthy) == []
    assert wrong(timeouts, healthy) == []
    assert "has 30 entries" in texts(check(healthy))
    apply(plan_install(healthy.site, scope, transport), healthy.paths)
    assert wrong(check, healthy) == []
    assert "has 29 entries" in texts(check(healthy))


def test_batches_that_are_wanted_and_not_installed_are_named(healthy: Situation) -> None:
    """As any other observer."""
    wanted = with_batches(healthy, wanted=True)
    assert wrong(check, wanted) == [("hooks-incomplete", "warning")]
    assert "lacks entries for PostToolBatch" in texts(check(wanted))


def test_old_entry_of_batches_with_a_wrong_token_is_named(healthy: Situation) -> None:
    """While it stands there it has to be right: the client tells of every post that is turned away."""
    apply(plan_install(with_batches(healthy, wanted=True).site), healthy.paths)
    edit(
        healthy, lambda s: s["hooks"]["PostToolBatch"][0]["hooks"][0].update(url="http://127.0.0.1:1/hook/claude-code")
    )
    assert wrong(check, healthy) == [("hooks-wrong", "problem")]
    assert "(PostToolBatch)" in texts(check(healthy))


@pytest.mark.parametrize("scope", ["project", "local"])
def test_each_scope_is_accepted(healthy: Situation, scope: Scope) -> None:
    """Wherever it was installed."""
    uninstall(healthy.site)
    apply(plan_install(healthy.site, scope), healthy.paths)
    assert wrong(check, healthy) == []


@pytest.mark.parametrize("transport", ["shim", "http"])
def test_each_transport_is_accepted(healthy: Situation, transport: Any) -> None:
    """However it was installed."""
    apply(plan_install(healthy.site, "user", transport), healthy.paths)
    assert wrong(check, healthy) == []


def test_missing_entries_are_a_problem(healthy: Situation) -> None:
    """Without entries nothing is judged."""
    own_file(healthy.site, "user").unlink()
    assert wrong(check, healthy) == [("hooks-missing", "problem")]


def test_enabled_plugin_stands_in_for_entries(healthy: Situation) -> None:
    """The plugin brings its own."""
    own_file(healthy.site, "user").unlink()
    edit(healthy, lambda s: s.update(enabledPlugins={"assent@somewhere": True}))
    assert wrong(check, healthy) == []
    edit(healthy, lambda s: s.update(enabledPlugins={"assent@somewhere": False}))
    assert wrong(check, healthy) == [("hooks-missing", "problem")]


@pytest.mark.parametrize(("event", "level"), [("PreToolUse", "problem"), ("PostToolUse", "warning")])
def test_missing_event_is_named(healthy: Situation, event: str, level: str) -> None:
    """A missing gate is worse than a missing observer."""
    edit(healthy, lambda s: s["hooks"].pop(event))
    assert wrong(check, healthy) == [("hooks-incomplete", level)]
    assert f"lacks entries for {event}." in texts(check(healthy))


def test_matcher_around_our_entry_is_a_problem(healthy: Situation) -> None:
    """Calls that do not match would pass unseen."""
    edit(healthy, lambda s: s["hooks"]["PreToolUse"][0].update(matcher="Bash"))
    assert wrong(check, healthy) == [("hooks-narrow", "problem")]


def test_command_of_another_place_is_a_problem(healthy: Situation) -> None:
    """For example after the state folder moved."""
    moved = entries.local_entry(SUBSCRIPTIONS["Stop"], find({"ASSENT_HOME": "/old"}))
    edit(healthy, lambda s: s["hooks"]["Stop"][0].update(hooks=[moved]))
    assert wrong(check, healthy) == [("hooks-wrong", "problem")]
    assert "(Stop)" in texts(check(healthy))


def test_entries_of_an_older_version_are_named(healthy: Situation) -> None:
    """They work, but pass everything once the interpreter is gone; an install renews them."""
    old = [exec_entry(SUBSCRIPTIONS[event], healthy.paths) for event in ("PreToolUse", "Stop")]
    edit(healthy, lambda s: s["hooks"].update(PreToolUse=[{"hooks": [old[0]]}], Stop=[{"hooks": [old[1]]}]))
    assert wrong(check, healthy) == [("hooks-old", "warning")]
    assert "(PreToolUse, Stop)" in texts(check(healthy))
    apply(plan_install(healthy.site), healthy.paths)
    assert wrong(check, healthy) == []


@pytest.mark.parametrize("transport", ["shim", "http"])
@pytest.mark.parametrize(("written", "configured"), [("deny", "prompt_in_bypass"), ("prompt_in_bypass", "deny")])
def test_entries_unlike_the_configuration_are_named(
    healthy: Situation, transport: Any, written: Any, configured: Any
) -> None:
    """`unreachable` stands in the gate's entry too, so a change of it wants an install."""
    healthy = replace(healthy, config=Config(hub=Hub(unreachable=written)))
    apply(plan_install(healthy.site, "user", transport), healthy.paths)
    assert wrong(check, healthy) == []
    healthy = replace(healthy, config=Config(hub=Hub(unreachable=configured)))
    assert wrong(check, healthy) == [("hooks-unreachable", "warning")]
    assert f'unreachable = "{configured}"' in texts(check(healthy))
    apply(plan_install(healthy.site, "user", transport), healthy.paths)
    assert wrong(check, healthy) == []


def test_fallback_unlike_the_configuration_is_named(healthy: Situation) -> None:
    """Also where neither blocks on failure."""
    silent = replace(healthy, config=Config(hub=Hub(unreachable="no_opinion")))
    assert wrong(check, silent) == [("hooks-unreachable", "warning")]
    assert f'the entry was written for "{Hub().unreachable}"' in texts(check(silent))


def test_wrong_token_is_a_problem(healthy: Situation) -> None:
    """The hub would turn these events away."""
    (healthy.paths.keys / "post.token").write_text("n" * 43)
    assert wrong(check, healthy) == [("hooks-wrong", "problem")]
    assert "token is not the hub's" in texts(check(healthy))
    assert "n" * 43 not in texts(check(healthy))


def test_port_the_hub_does_not_listen_on_is_a_problem(healthy: Situation) -> None:
    """The running hub's port counts; without a hub, the configured one."""
    assert wrong(check, with_hub(healthy, port=9999)) == [("hooks-wrong", "problem")]
    moved = msgspec.structs.replace(Config(), hub=Hub(port=9999))
    assert wrong(check, replace(healthy, config=moved)) == []
    assert wrong(check, replace(healthy, config=moved, hub=None)) == [("hooks-wrong", "problem")]


def test_http_for_an_event_without_http_is_a_problem(healthy: Situation) -> None:
    """The client would drop it without a word."""

    def change(settings: Any) -> None:
        settings["hooks"]["SessionStart"] = settings["hooks"]["PostToolUse"]

    edit(healthy, change)
    assert wrong(check, healthy) == [("hooks-wrong", "problem")]
    assert "never sends this event over HTTP" in texts(check(healthy))


@pytest.mark.parametrize(("event", "word"), [("PostToolUse", "token"), ("PreToolUse", "path of this machine")])
def test_private_things_in_a_shared_file_are_a_problem(healthy: Situation, event: str, word: str) -> None:
    """The user's entries were copied into the project."""
    planned = plan_install(healthy.site, "project").after
    assert planned is not None
    users = msgspec.json.decode(own_file(healthy.site, "user").read_bytes())
    own_file(healthy.site, "user").unlink()
    shared = msgspec.json.decode(planned)
    shared["hooks"][event] = users["hooks"][event]
    edit(healthy, lambda s: s.update(shared), "project")
    assert wrong(check, healthy) == [("hooks-wrong", "problem")]
    assert word in texts(check(healthy))


def test_two_scopes_are_a_warning(healthy: Situation) -> None:
    """Every event would be handled twice."""
    apply(plan_install(healthy.site, "local"), healthy.paths)
    assert wrong(check, healthy) == [("hooks-twice", "warning")]


def test_broken_settings_are_named_with_their_place(healthy: Situation) -> None:
    """Whichever of the files it is, an administrator's too."""
    path = manage(healthy, {})
    path.write_text('{"hooks": nothing}')
    assert wrong(check, healthy) == [("settings-broken", "problem")]
    assert f"{path}:1:11: expected a value" in texts(check(healthy))


def test_home_folder_counts_once(healthy: Situation) -> None:
    """There the project's file is the user's file."""
    assert wrong(check, replace(healthy, project=healthy.home)) == []
