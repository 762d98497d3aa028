"""Does the client accept every settings file?"""

import json
from typing import Any

import pytest

from assent.harnesses.claude_code.checks import schema as check
from assent.harnesses.claude_code.settings import own_file
from assent.harnesses.site import SCOPES, Scope, Situation
from tests.unit.install.doctor.situations import edit, manage, texts, wrong

BAD = {"hooks": [{"type": "command", "command": "x", "timeout": -1}]}


def test_a_fresh_install_is_fine(healthy: Situation) -> None:
    """What the installer writes, the client accepts."""
    assert wrong(check, healthy) == []


def test_fault_that_takes_our_hooks_along_is_a_problem(healthy: Situation) -> None:
    """With file, place and field, and what it costs."""
    edit(healthy, lambda s: s["hooks"]["PreToolUse"].append(BAD))
    assert wrong(check, healthy) == [("schema", "problem")]
    assert (
        f"{own_file(healthy.site, 'user')}: hooks.PreToolUse[1].hooks[0].timeout must be a positive number of seconds: "
        "the client runs no PreToolUse hook of this file, Assent's neither"
    ) in texts(check(healthy))


@pytest.mark.parametrize("scope", SCOPES)
def test_fault_of_others_is_a_warning_in_every_file(healthy: Situation, scope: Scope) -> None:
    """Their own hooks do not run, ours do."""
    edit(healthy, lambda s: s.setdefault("hooks", {}).update(FileChanged=[BAD]), scope)
    assert wrong(check, healthy) == [("schema", "warning")]
    assert "hooks.FileChanged[0].hooks[0].timeout" in texts(check(healthy))


def test_managed_settings_are_looked_at(healthy: Situation) -> None:
    """Also those of drop-in files."""
    path = manage(healthy, {"hooks": {"Stop": [BAD]}}, "managed-settings.d/10.json")
    assert wrong(check, healthy) == [("schema", "warning")]
    assert str(path) in texts(check(healthy))


def test_plugins_are_looked_at(healthy: Situation) -> None:
    """Wherever the client put them."""
    path = own_file(healthy.site, "user").parent / "plugins/cache/m/p/1.0.0/hooks/hooks.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"description": 5, "hooks": {"Stop": [BAD]}}))
    assert wrong(check, healthy) == [("schema", "warning")]
    assert str(path) in texts(check(healthy))


@pytest.mark.parametrize("setting", [{"model": 5}, {"disableAllHooks": "false"}, {"permissions": {"allow": "x"}}])
def test_setting_that_voids_the_file_is_a_problem(healthy: Situation, setting: dict[str, Any]) -> None:
    """Every hook in it goes with it."""
    edit(healthy, lambda s: s.update(setting))
    assert wrong(check, healthy) == [("schema", "problem")]
    assert "the client ignores the whole file, Assent's neither" in texts(check(healthy))


def test_every_fault_is_named(healthy: Situation) -> None:
    """Not only the first."""
    edit(healthy, lambda s: s["hooks"].update(Nonsense=[], FileChanged=[BAD, {"matcher": 5, "hooks": [None]}]))
    assert len(wrong(check, healthy)) == 4
