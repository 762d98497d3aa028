"""The entries we write, and telling them from others'."""

import re
import shlex
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from assent import keys
from assent.harnesses import shell_entry
from assent.harnesses.base import Subscription
from assent.harnesses.claude_code import SUBSCRIPTIONS
from assent.harnesses.claude_code import hooks as entries
from assent.harnesses.claude_code.settings import form_of
from assent.harnesses.site import Site
from tests.unit.harnesses.claude_code.old_entries import exec_entry

GATE = Subscription("PreToolUse", "shim", 630, may_hold=True)
OBSERVER = Subscription("PostToolUse", "http", 5)


def test_local_entry_names_interpreter_script_and_socket(site: Site) -> None:
    """The shell replaces itself by the program, which gets everything it needs in its arguments."""
    state = site.paths.state
    entry = entries.local_entry(SUBSCRIPTIONS["UserPromptSubmit"], site.paths)
    assert entry == {
        "type": "command",
        "command": f"if [ -x {state}/shim/python ] && [ -r {state}/shim/hook.py ]; "
        f"then exec {state}/shim/python -I -S {state}/shim/hook.py {site.paths.hook_socket} "
        "claude-code UserPromptSubmit 8 5; fi",
        "timeout": 10,
    }


@pytest.mark.parametrize("event", SUBSCRIPTIONS)
def test_only_the_gate_has_words_of_its_own(site: Site, event: str) -> None:
    """Without its program every other hook is silent, in files of one user and of many."""
    for entry in (entries.local_entry(SUBSCRIPTIONS[event], site.paths), entries.shared_entry(SUBSCRIPTIONS[event])):
        assert entry["command"].endswith("; fi") is (event != "PreToolUse")
        assert "exit 2" not in entry["command"]


@pytest.mark.parametrize("event", SUBSCRIPTIONS)
@pytest.mark.parametrize("unreachable", entries.UNREACHABLE)
def test_failing_gate_blocks_where_the_user_chose_deny(site: Site, unreachable: str, event: str) -> None:
    """And only the gate: elsewhere it would close dialogs and swallow prompts."""
    for entry in (
        entries.local_entry(SUBSCRIPTIONS[event], site.paths, unreachable),
        entries.http_entry(SUBSCRIPTIONS[event], 1, "x", unreachable),
    ):
        blocks = unreachable == "deny" and event == "PreToolUse"
        assert entry.get("onFailure") == ("block" if blocks else None)


def test_shared_gate_does_not_block_others(site: Site) -> None:
    """What one user chose does not refuse the calls of others who check the file out."""
    assert "onFailure" not in entries.shared_entry(GATE)


@pytest.mark.parametrize("unreachable", entries.UNREACHABLE)
def test_gate_tells_which_choice_it_was_written_for(site: Site, unreachable: str) -> None:
    """So that a change of the configuration since is noticed."""
    entry = entries.local_entry(GATE, site.paths, unreachable)
    assert entries.written_for(entry, GATE, site.paths) == unreachable
    assert entries.written_for({"command": "true"}, GATE, site.paths) is None


def test_http_entry_carries_the_token_in_a_header() -> None:
    """The token is never part of the address."""
    assert entries.http_entry(OBSERVER, 8717, "t" * 43) == {
        "type": "http",
        "url": "http://127.0.0.1:8717/hook/claude-code",
        "headers": {"Authorization": "Bearer " + "t" * 43},
        "timeout": 5,
    }


@pytest.mark.parametrize("subscription", SUBSCRIPTIONS.values(), ids=SUBSCRIPTIONS)
def test_shim_gives_up_before_the_client_kills_it(subscription: Subscription) -> None:
    """Deadline below the client's timeout, silence below the deadline, and neither is zero."""
    assert 0 < entries.silence(subscription) < shell_entry.deadline(subscription) < subscription.timeout
    if subscription.may_hold:
        assert subscription.timeout - shell_entry.deadline(subscription) == 20


def test_pre_tool_use_waits_two_seconds_for_a_silent_hub() -> None:
    """Every tool call pays for a hanging hub, so the gate gives up soonest."""
    assert entries.silence(GATE) == 2
    assert entries.silence(SUBSCRIPTIONS["PermissionRequest"]) == 5


def test_shared_entry_holds_nothing_of_this_machine(site: Site) -> None:
    """What stands in a shared file names no home, no folder and no secret."""
    command = entries.shared_entry(GATE)["command"]
    assert str(site.home) not in command
    assert str(site.paths.state) not in command
    assert "Bearer" not in command
    assert 'exec "${s-}/shim/run" claude-code PreToolUse 610 2; fi' in command


@pytest.mark.parametrize("event", SUBSCRIPTIONS)
def test_no_line_names_a_variable_that_may_be_unset(site: Site, event: str) -> None:
    """Another client that runs these lines skips such a one, and lets the call pass."""
    for entry in (entries.local_entry(SUBSCRIPTIONS[event], site.paths), entries.shared_entry(SUBSCRIPTIONS[event])):
        assert set(re.findall(r"\$(\w+)|\$\{(\w+)\}", entry["command"])) <= {("HOME", "")}


@pytest.mark.parametrize("event", SUBSCRIPTIONS)
def test_every_form_is_recognised_as_ours(site: Site, event: str) -> None:
    """Whatever we write, we know again."""
    subscription = SUBSCRIPTIONS[event]
    assert form_of(entries.local_entry(subscription, site.paths)) == "local"
    assert form_of(entries.shared_entry(subscription)) == "shared"
    assert form_of(exec_entry(subscription, site.paths)) == "exec"
    assert form_of(entries.http_entry(subscription, 1, "x")) == "http"


@pytest.mark.parametrize(
    "handler",
    [
        {
            "type": "command",
            "command": "/old/place/assent/shim/python /old/place/assent/shim/hook.py s claude-code Stop 1 1",
        },
        {
            "type": "command",
            "command": 's="$HOME/.local/state/assent/shim/run"; [ -x "$s" ] || exit 0; exec "$s" claude-code Stop 1 1',
        },
        {
            "type": "command",
            "command": "/h/state/shim/python",
            "args": ["/h/state/shim/hook.py", "s", "claude-code", "Stop"],
        },
        {"type": "http", "url": "http://localhost:9999/hook/claude-code"},
    ],
)
def test_entries_of_other_versions_are_recognised(handler: dict[str, Any]) -> None:
    """Another folder, another port, another way to start the shim: still ours."""
    assert form_of(handler) is not None


@pytest.mark.parametrize(
    "handler",
    [
        None,
        "x",
        {},
        {"type": "command", "command": "assent-like-tool shim/run"},
        {"type": "command", "command": "/usr/bin/python", "args": ["/me/shim/hook.py", "claude-code"]},
        {"type": "command", "command": "/usr/bin/python", "args": [1, None]},
        {"type": "command", "command": "echo hook.py claude-code"},
        {"type": "http", "url": "https://example.com/hook/claude-code"},
        {"type": "http", "url": "http://127.0.0.1:8717/hook/other"},
        {"type": "http", "url": "http://[broken"},
        {"type": "prompt", "prompt": "is this fine?"},
    ],
)
def test_entries_of_others_are_not_ours(handler: Any) -> None:
    """A resemblance is not enough: what we take for ours we would remove."""
    assert form_of(handler) is None


def test_hooks_that_ask_or_tell_carry_a_status_message(site: Site) -> None:
    """The spinner says why it turns, and a model that is told something reads that instead of our command line."""
    said = {e for e, s in SUBSCRIPTIONS.items() if "statusMessage" in entries.local_entry(s, site.paths)}
    asking = {"Stop", "SubagentStop", "PreToolUse", "PermissionRequest", "PermissionDenied", "Elicitation"}
    assert said == asking | {"TeammateIdle", "TaskCompleted"}
    assert all(len(message) <= 60 for message in entries.STATUS_MESSAGES.values())


def test_paths_with_odd_names_are_quoted(tmp_path: Path) -> None:
    """The shell reads them as one word."""
    from assent.paths import find

    paths = find({"ASSENT_HOME": str(tmp_path / "a b;c'd")})
    entry = entries.local_entry(GATE, paths)
    assert f"{tmp_path}/a b;c'd/state/shim/python" in shlex.split(entry["command"])
    assert form_of(entry) == "local"


@pytest.mark.parametrize("event", SUBSCRIPTIONS)
def test_what_we_write_is_ours_word_for_word(site: Site, event: str) -> None:
    """This version's entries, and those of 0.1.0."""
    subscription = SUBSCRIPTIONS[event]
    written = [entries.local_entry(subscription, site.paths, each) for each in entries.UNREACHABLE]
    written += [entries.shared_entry(subscription), exec_entry(subscription, site.paths)]
    written += [entries.http_entry(subscription, 1, keys.post_token(site.paths))]
    assert all(entries.is_ours(entry, site.paths) for entry in written)


def test_wait_of_hours_gets_a_timeout_that_fits(site: Site) -> None:
    """The hub lets go first, then the shim, then the client; entries that hold nobody stay as they are."""
    written = entries.entries(replace(site, wait=timedelta(hours=4)), "user", "auto", "token")
    held = written["PermissionRequest"]
    assert held["timeout"] == 4 * 3_600 + 30
    assert "claude-code PermissionRequest 14410 5; fi" in held["command"]
    assert (written["Stop"]["timeout"], written["PostToolUse"]["timeout"]) == (4 * 3_600 + 30, 5)
    usual = entries.entries(site, "user", "auto", "token")
    assert (usual["PermissionRequest"]["timeout"], usual["Stop"]["timeout"]) == (630, 3_630)


def test_timeout_fits_the_clients_clock(site: Site) -> None:
    """It counts milliseconds in 31 bits."""
    written = entries.entries(replace(site, wait=timedelta(days=400)), "user", "auto", "token")
    assert 20 * 86_400_000 < written["PermissionRequest"]["timeout"] * 1_000 < 2**31


def test_entry_for_a_long_wait_is_ours_and_one_for_a_short_one_is_not(site: Site) -> None:
    """A shorter one would take the asks away."""

    def written(timeout: int) -> set[bool]:
        given = replace(GATE, timeout=timeout)
        entry_of = (entries.shared_entry(given), entries.local_entry(given, site.paths))
        return {entries.is_ours(entry, site.paths) for entry in entry_of}

    assert written(14_430) == written(620) == {True}
    assert written(60) == written(9_000_000) == {False}


@pytest.mark.parametrize(
    "change",
    [
        {"command": "curl evil.example # /assent/shim/hook.py claude-code"},
        {"command": "exec /tmp/state/shim/python -I -S /tmp/state/shim/hook.py s claude-code PreToolUse 600 2"},
        {"command": 's=/tmp; exec "$s/shim/run" claude-code PreToolUse 600 2'},
        {"args": ["x"]},
        {"args": [5]},
        {"command": None},
    ],
)
def test_what_resembles_ours_is_not_ours(site: Site, change: dict[str, Any]) -> None:
    """It may run anything, and decide."""
    assert not entries.is_ours({**entries.local_entry(GATE, site.paths), **change}, site.paths)


def test_gate_with_another_last_word_is_not_ours(site: Site) -> None:
    """What it says without the shim counts as well."""
    entry = entries.local_entry(GATE, site.paths)
    entry["command"] = entry["command"].replace('"deny"', '"allow"')
    assert not entries.is_ours(entry, site.paths)


def test_server_on_this_machine_without_the_token_is_not_ours(site: Site) -> None:
    """Any program can listen on a port and answer hooks."""
    keys.post_token(site.paths)
    assert not entries.is_ours(entries.http_entry(GATE, 9999, "x" * 43), site.paths)
    assert not entries.is_ours({"type": "http", "url": "http://127.0.0.1:1/hook/claude-code"}, site.paths)
