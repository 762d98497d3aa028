"""Settings that keep our hooks from running although they seem to be there."""

from collections.abc import Callable
from typing import Any

import pytest

from assent.harnesses.base import Subscription
from assent.harnesses.claude_code import SUBSCRIPTIONS
from assent.harnesses.claude_code import hooks as entries
from assent.harnesses.claude_code.settings import disarmed
from assent.harnesses.site import find
from tests.unit.harnesses.claude_code.old_entries import exec_entry

OLD_SHARED = (
    's="${{ASSENT_HOME:+$ASSENT_HOME/state}}"; s="${{s:-${{XDG_STATE_HOME:-$HOME/.local/state}}/assent}}/shim/run"; '
    '[ -x "$s" ] || exit 0; exec "$s" claude-code {} 600 2'
)


def settings(**changed: dict[str, Any]) -> dict[str, Any]:
    """As installed, with entries of some events changed."""
    paths = find().paths
    made = {event: entries.local_entry(each, paths) for event, each in SUBSCRIPTIONS.items()}
    return {"hooks": {event: [{"hooks": [{**entry, **changed.get(event, {})}]}] for event, entry in made.items()}}


def installed(form: str) -> dict[str, Any]:
    paths = find({"ASSENT_HOME": "/home/o'neil/a b"}).paths
    forms: dict[str, Callable[[Subscription], dict[str, Any]]] = {
        "local": lambda each: entries.local_entry(each, paths, "deny"),
        "shared": entries.shared_entry,
        "http": lambda each: entries.http_entry(each, 1, "x"),
        "exec of 0.1.0": lambda each: exec_entry(each, paths),
        "shared of 0.1.0": lambda each: {"type": "command", "command": OLD_SHARED.format(each.event), "timeout": 630},
    }
    return {"hooks": {event: [{"hooks": [forms[form](each)]}] for event, each in SUBSCRIPTIONS.items()}}


@pytest.mark.parametrize("form", ["local", "shared", "http", "exec of 0.1.0", "shared of 0.1.0"])
def test_entries_of_every_form_are_armed(form: str) -> None:
    """This version's and those of 0.1.0."""
    assert disarmed(installed(form), installed=True) is None


@pytest.mark.parametrize(
    "change",
    [
        {"async": True},
        {"asyncRewake": True},
        {"once": True},
        {"if": "Bash(nothing *)"},
        {"shell": "powershell"},
        {"timeout": 0.01},
        {"command": "true # /assent/shim/hook.py claude-code"},
        {"command": "exit 0; exec /h/state/shim/python -I -S /h/state/shim/hook.py s claude-code PreToolUse 600 2"},
        {"command": 's="/shim/run"; exit 0; exec "$s" claude-code PreToolUse 600 2'},
        {"command": "/bin/true", "args": ["-I", "/h/state/shim/hook.py", "claude-code"]},
    ],
)
def test_entry_that_only_looks_like_a_gate_is_none(change: dict[str, Any]) -> None:
    """The client does not wait for it, or it does not start the shim."""
    assert disarmed(settings(PreToolUse=change), installed=True) == "lacks hooks of Assent (PreToolUse)"


def test_prefix_before_the_shim_is_no_gate() -> None:
    """Our own line, with a word before it that ends the shell."""
    command = settings()["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    assert disarmed(settings(PreToolUse={"command": f"exit 0; {command}"}), installed=True) is not None
    assert disarmed(settings(PreToolUse={"command": command.replace("exec ", "exec true ", 1)}), installed=True)


def test_entry_beside_ours_that_voids_it_disarms() -> None:
    """A mistake in another entry takes our gate along, and the sentence says which."""
    found = settings()
    found["hooks"]["PreToolUse"].append({"hooks": [{"type": "command", "command": "x", "timeout": "10"}]})
    told = disarmed(found, installed=True)
    assert told is not None
    assert "hooks.PreToolUse[1].hooks[0].timeout must be a positive number of seconds" in told


def test_setting_that_voids_the_file_disarms() -> None:
    """Where ours are in it; elsewhere it is not our concern."""
    found = {**settings(), "model": 5}
    assert "model must be text" in str(disarmed(found, installed=True))
    assert disarmed({"model": 5}, installed=False) is None


def test_fault_in_another_event_disarms_nothing() -> None:
    """The gates run all the same."""
    found = settings()
    found["hooks"]["Notification"].append(None)
    assert disarmed(found, installed=True) is None
