"""Who else decides?"""

from typing import Any

from assent.harnesses.claude_code.checks import others as check
from assent.harnesses.site import Situation
from tests.unit.install.doctor.situations import edit, texts, wrong


def add(event: str, handler: Any) -> Any:
    def change(settings: Any) -> None:
        settings["hooks"].setdefault(event, []).append({"hooks": [handler]})

    return change


def test_alone_is_fine(healthy: Situation) -> None:
    """Our own entries are not others."""
    assert wrong(check, healthy) == []


def test_other_permission_hook_is_a_warning(healthy: Situation) -> None:
    """The first answer wins, so a person may be too late."""
    edit(healthy, add("PermissionRequest", {"type": "command", "command": "auto-approve --all"}))
    assert wrong(check, healthy) == [("others-PermissionRequest", "warning")]
    assert "auto-approve --all" in texts(check(healthy))


def test_other_tool_hook_is_a_note(healthy: Situation) -> None:
    """It cannot allow what we deny, but it is good to know."""
    edit(healthy, add("PreToolUse", {"type": "http", "url": "http://127.0.0.1:1/x"}))
    assert wrong(check, healthy) == [("others-PreToolUse", "note")]


def test_hooks_that_cannot_decide_are_not_named(healthy: Situation) -> None:
    """A notifier does not conflict."""
    edit(healthy, add("Notification", {"type": "command", "command": "notify-send"}))
    assert wrong(check, healthy) == []


def test_hostile_name_is_shown_inert(healthy: Situation) -> None:
    """Escape codes and length do not reach the terminal."""
    edit(healthy, add("PreToolUse", {"type": "command", "command": "\x1b[2J" + "x" * 500}))
    shown = texts(check(healthy))
    assert "\x1b" not in shown
    assert "x" * 100 not in shown
