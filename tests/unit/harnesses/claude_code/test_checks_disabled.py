"""Does something keep our hooks from running?"""

import pytest

from assent.harnesses.claude_code.checks import disabled as check
from assent.harnesses.claude_code.settings import own_file
from assent.harnesses.site import Scope, Situation
from tests.unit.install.doctor.situations import edit, manage, texts, wrong


def test_nothing_is_disabled_by_default(healthy: Situation) -> None:
    """The usual case, also with the key set to false."""
    assert wrong(check, healthy) == []
    edit(healthy, lambda s: s.update(disableAllHooks=False))
    assert wrong(check, healthy) == []


@pytest.mark.parametrize("scope", ["user", "project", "local"])
def test_disabled_hooks_are_a_problem(healthy: Situation, scope: Scope) -> None:
    """One line in any file silences all hooks."""
    edit(healthy, lambda s: s.update(disableAllHooks=True), scope)
    assert wrong(check, healthy) == [("disabled-all", "problem")]
    assert str(own_file(healthy.site, scope)) in texts(check(healthy))


@pytest.mark.parametrize("name", ["managed-settings.json", "managed-settings.d/10-hooks.json"])
def test_disabled_hooks_in_managed_settings_are_a_problem(healthy: Situation, name: str) -> None:
    """Files of the administrator are read too."""
    path = manage(healthy, {"disableAllHooks": True}, name)
    assert wrong(check, healthy) == [("disabled-all", "problem")]
    assert str(path) in texts(check(healthy))


def test_managed_hooks_only_is_a_problem_unless_ours_are_managed(healthy: Situation) -> None:
    """Then entries in the user's file do nothing."""
    manage(healthy, {"allowManagedHooksOnly": True})
    assert wrong(check, healthy) == [("disabled-unmanaged", "problem")]
    ours = {"type": "http", "url": "http://127.0.0.1:8717/hook/claude-code"}
    manage(healthy, {"allowManagedHooksOnly": True, "hooks": {"PreToolUse": [{"hooks": [ours]}]}})
    assert wrong(check, healthy) == []


def test_http_hooks_not_on_the_list_are_a_warning(healthy: Situation) -> None:
    """The client blocks hooks to addresses that are not allowed."""
    edit(healthy, lambda s: s.update(allowedHttpHookUrls=["https://example.com/*"]))
    assert wrong(check, healthy) == [("disabled-http", "warning")]
    edit(healthy, lambda s: s.update(allowedHttpHookUrls=["http://127.0.0.1:*"]))
    assert wrong(check, healthy) == []
