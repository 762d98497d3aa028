"""Hook entries, run by real shells with and without the program they name."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assent.harnesses.claude_code import SUBSCRIPTIONS
from assent.harnesses.claude_code import hooks as entries
from assent.paths import Paths, find
from tests.captured import payload
from tests.waiting import HANG

GATE = SUBSCRIPTIONS["PreToolUse"]
SHELLS = [path for name in ("sh", "dash", "bash", "zsh", "ksh", "busybox") if (path := shutil.which(name))]
BYPASS = {**payload("PreToolUse", "Bash"), "permission_mode": "bypassPermissions"}
DEFAULT = {**payload("PreToolUse", "Bash"), "permission_mode": "default"}


@pytest.fixture(params=SHELLS, ids=[Path(shell).name for shell in SHELLS])
def shell(request: pytest.FixtureRequest) -> list[str]:
    program = str(request.param)
    return [program, "sh"] if program.endswith("busybox") else [program]


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return find({"ASSENT_HOME": str(tmp_path / "a place")})


def run(
    shell: list[str], entry: Mapping[str, Any], sent: object = BYPASS, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """As the client runs it: one line for the shell, the payload on stdin, here without any program on the PATH."""
    data = sent if isinstance(sent, str) else json.dumps(sent, separators=(",", ":"))
    env = {"PATH": "/nowhere", **(env or {})}
    return subprocess.run(
        [*shell, "-c", entry["command"]], env=env, cwd="/", input=data, capture_output=True, text=True, timeout=HANG
    )


def place_programs(paths: Paths) -> None:
    """Stand-ins that say how they were started."""
    paths.shim.mkdir(parents=True)
    for name in ("python", "run"):
        program = paths.shim / name
        program.write_text(f'#!/bin/sh\nprintf "%s|" {name} "$@"; {shutil.which("cat")}\n')
        program.chmod(0o700)
    (paths.shim / "hook.py").touch()


def decision(done: subprocess.CompletedProcess[str]) -> str | None:
    """What the client reads."""
    assert (done.returncode, done.stderr) == (0, "")
    if not done.stdout:
        return None
    output = json.loads(done.stdout)["hookSpecificOutput"]
    assert output["hookEventName"] == "PreToolUse"
    for way_out in ("assent up", "assent doctor", "assent install", "leave the permission mode"):
        assert way_out in output["permissionDecisionReason"]
    return str(output["permissionDecision"])


def test_local_entry_becomes_the_shim(shell: list[str], paths: Paths) -> None:
    """With its arguments, and with the payload still unread."""
    place_programs(paths)
    done = run(shell, entries.local_entry(GATE, paths), "{}")
    script, socket = paths.shim / "hook.py", paths.hook_socket
    assert done.stdout == f"python|-I|-S|{script}|{socket}|claude-code|PreToolUse|610|2|{{}}"
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("gone", ["python", "hook.py", "everything", "mode of python"])
@pytest.mark.parametrize(("sent", "expected"), [(BYPASS, "deny"), (DEFAULT, None)], ids=["bypass", "default"])
def test_gate_without_its_program_denies_in_bypass(
    shell: list[str], paths: Paths, gone: str, sent: dict[str, Any], expected: str | None
) -> None:
    """In every other mode the client decides as without a hook."""
    place_programs(paths)
    if gone == "everything":
        shutil.rmtree(paths.state)
    elif gone == "mode of python":
        (paths.shim / "python").chmod(0o600)
    else:
        (paths.shim / gone).unlink()
    assert decision(run(shell, entries.local_entry(GATE, paths, "deny_in_bypass"), sent)) == expected


@pytest.mark.parametrize(
    ("unreachable", "in_bypass", "in_default"),
    [
        ("no_opinion", None, None),
        ("prompt_in_bypass", "ask", None),
        ("deny_in_bypass", "deny", None),
        ("deny", "deny", "deny"),
    ],
)
def test_gate_without_its_program_answers_as_configured(
    shell: list[str], paths: Paths, unreachable: str, in_bypass: str | None, in_default: str | None
) -> None:
    """What the shim would say without a hub, the entry says without a shim."""
    entry = entries.local_entry(GATE, paths, unreachable)
    assert [decision(run(shell, entry, sent)) for sent in (BYPASS, DEFAULT)] == [in_bypass, in_default]


@pytest.mark.parametrize("unreachable", entries.UNREACHABLE)
def test_run_of_exec_is_refused_without_the_program(shell: list[str], paths: Paths, unreachable: str) -> None:
    """`assent exec` promised that nothing goes on unjudged."""
    entry = entries.local_entry(GATE, paths, unreachable)
    assert decision(run(shell, entry, DEFAULT, {"ASSENT_RUN": "x"})) in ("deny", "ask")


@pytest.mark.parametrize("event", [event for event in SUBSCRIPTIONS if event != "PreToolUse"])
@pytest.mark.parametrize("unreachable", ["deny_in_bypass", "deny"])
def test_other_events_go_on_without_the_program(paths: Paths, event: str, unreachable: str) -> None:
    """Turns end and prompts arrive: silence, and exit code 0."""
    sent = {**payload(event), "permission_mode": "bypassPermissions"}
    for entry in (
        entries.local_entry(SUBSCRIPTIONS[event], paths, unreachable),
        entries.shared_entry(SUBSCRIPTIONS[event]),
    ):
        done = run([SHELLS[0]], entry, sent, {"ASSENT_HOME": str(paths.state.parent)})
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "sent",
    [
        json.dumps(BYPASS),
        json.dumps(BYPASS, indent=2),
        json.dumps(BYPASS, separators=(",", ":")) + "\n",
        json.dumps({"tool_input": {"content": "é\\n%s\x7f$(echo)`" * 20_000}, **BYPASS}, ensure_ascii=False),
    ],
    ids=["spaces", "lines", "newline", "long"],
)
def test_bypass_is_seen_in_every_spelling(shell: list[str], paths: Paths, sent: str) -> None:
    """White space between the tokens, one line or many, and a payload of a big file."""
    assert decision(run(shell, entries.local_entry(GATE, paths, "deny_in_bypass"), sent)) == "deny"


@pytest.mark.parametrize(
    "command", ["grep bypassPermissions .", 'echo \'"permission_mode":"bypassPermissions"\'', "\\"]
)
def test_text_of_a_command_is_no_mode(shell: list[str], paths: Paths, command: str) -> None:
    """Only a JSON string of its own is: quotes inside a string are escaped."""
    sent = {**DEFAULT, "tool_input": {"command": command}}
    assert decision(run(shell, entries.local_entry(GATE, paths, "deny_in_bypass"), sent)) is None


def test_no_input_is_no_bypass(shell: list[str], paths: Paths) -> None:
    """And no reason to wait."""
    assert decision(run(shell, entries.local_entry(GATE, paths, "deny_in_bypass"), "")) is None


@pytest.mark.parametrize("variables", [["HOME"], []])
def test_shared_entry_is_harmless_without_assent(shell: list[str], tmp_path: Path, variables: list[str]) -> None:
    """On a colleague's machine it ends at once, says nothing and decides nothing, in bypassPermissions too."""
    done = run(shell, entries.shared_entry(GATE), BYPASS, {name: str(tmp_path) for name in variables})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("variable", ["ASSENT_HOME", "XDG_STATE_HOME", "HOME"])
def test_shared_entry_finds_the_shim_where_assent_keeps_it(shell: list[str], tmp_path: Path, variable: str) -> None:
    """In each place the rest of Assent would look in, also with a space in its name."""
    env = {"HOME": str(tmp_path / "nobody"), "PATH": os.defpath, variable: str(tmp_path / "a place")}
    place_programs(find(env))
    done = run(shell, entries.shared_entry(GATE), '{"a": 1}', env)
    assert done.stdout == 'run|claude-code|PreToolUse|610|2|{"a": 1}'
    assert done.returncode == 0


@pytest.mark.parametrize("variable", ["ASSENT_HOME", "XDG_STATE_HOME", "HOME"])
@pytest.mark.parametrize("gone", ["python", "hook.py", "run", "everything"])
def test_shared_gate_denies_in_bypass_where_assent_lost_its_program(
    shell: list[str], tmp_path: Path, variable: str, gone: str
) -> None:
    """A state folder without a shim, or configuration without a state folder, is an installation that broke."""
    env = {"HOME": str(tmp_path / "nobody"), variable: str(tmp_path / "a place")}
    paths = find(env)
    place_programs(paths)
    paths.config_dir.mkdir(parents=True)
    if gone == "everything":
        shutil.rmtree(paths.state)
    else:
        (paths.shim / gone).unlink()
    entry = entries.shared_entry(GATE)
    assert [decision(run(shell, entry, sent, env)) for sent in (BYPASS, DEFAULT)] == ["deny", None]
