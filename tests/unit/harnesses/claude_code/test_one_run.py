"""Hooks for one run: what is added to a command line, and which command lines are refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assent.errors import AssentError, UsageError
from assent.harnesses.claude_code import MANAGED_FOLDER, one_run
from assent.harnesses.claude_code.hooks import entries as handlers
from assent.harnesses.claude_code.settings import own_file
from assent.harnesses.site import Site
from assent.protocol.modes import Run

RUN = Run(id="0f3a", wait=600)
PRE = {"type": "command", "command": "ours"}


@pytest.mark.parametrize(
    "words",
    [
        ("npx", "claude", "-p", "go"),
        ("docker", "run", "claude"),
        ("claude-wrapper",),
        ("claude", "mcp", "list"),
        ("claude", "-p", "go", "--bare"),
        ("claude", "--safe-mode", "-p", "go"),
        ("claude", "--bg", "go"),
        ("claude", "--cloud=x"),
        ("claude", "--version"),
        ("claude", "--append-system-prompt", "--", "--bare", "-p", "go"),
    ],
)
def test_what_cannot_be_gated_is_refused(site: Site, words: tuple[str, ...]) -> None:
    """An agent is never started past the gate, and the message says that none was."""
    with pytest.raises(UsageError, match=r"The agent was not started\."):
        one_run.check(words, {}, site)


@pytest.mark.parametrize(
    "words", [("claude", "-p", "go"), ("/opt/bin/claude", "--", "--bare"), ("claude", "-p", "mcp", "--verbose")]
)
def test_plain_runs_pass(site: Site, words: tuple[str, ...]) -> None:
    """By name or path; what stands after two dashes is the prompt."""
    one_run.check(words, {"CLAUDE_CODE_SIMPLE": "0"}, site)


def test_mode_without_hooks_in_the_environment_is_refused(site: Site) -> None:
    """A variable can ask for it as well as an option."""
    with pytest.raises(UsageError, match="CLAUDE_CODE_SIMPLE is set"):
        one_run.check(("claude",), {"CLAUDE_CODE_SIMPLE": "1"}, site)


@pytest.mark.parametrize(
    "managed",
    [
        {"disableAllHooks": True},
        {"allowManagedHooksOnly": True},
        {"strictPluginOnlyCustomization": True},
        {"strictPluginOnlyCustomization": ["hooks"]},
    ],
)
def test_managed_settings_that_forbid_hooks_are_told(site: Site, tmp_path: Path, managed: dict[str, Any]) -> None:
    """Nothing outranks them, so the run is refused; other managed settings are no obstacle."""
    here = replace(site, root=tmp_path / "root")
    file = here.root / MANAGED_FOLDER / "managed-settings.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"model": "opus"}))
    one_run.check(("claude",), {}, here)
    file.write_text(json.dumps(managed))
    with pytest.raises(AssentError, match="nothing outranks managed settings"):
        one_run.check(("claude",), {}, here)


def test_settings_put_hooks_in_force_and_keep_theirs() -> None:
    """Hooks are on, modes without hooks are off, the run is named, and what the user gave is still there."""
    theirs = {"model": "opus", "env": {"A": "1", "ASSENT_RUN": "x"}, "hooks": {"PreToolUse": [{"hooks": []}]}}
    made = one_run.settings({"PreToolUse": PRE}, RUN, theirs)
    assert made == {
        "model": "opus",
        "disableAllHooks": False,
        "env": {
            "A": "1",
            "CLAUDE_CODE_SIMPLE": "",
            "CLAUDE_CODE_SAFE_MODE": "",
            "ASSENT_RUN": "id=0f3a on-ask=deny wait=600",
        },
        "hooks": {"PreToolUse": [{"hooks": []}, {"hooks": [PRE]}]},
    }


@pytest.mark.parametrize("theirs", [{"disableAllHooks": True}, {"hooks": []}, {"hooks": {"Stop": {}}}, {"env": "x"}])
def test_settings_that_do_not_go_together_are_refused(theirs: dict[str, Any]) -> None:
    """Who switches hooks off for this run does not want this command."""
    with pytest.raises(UsageError, match="not started"):
        one_run.settings({"PreToolUse": PRE}, RUN, theirs)


def test_their_settings_are_taken_out_of_the_command_line(tmp_path: Path) -> None:
    """The client takes the last of several, so there must be one; in every spelling, but not in the prompt."""
    file = tmp_path / "theirs.json"
    file.write_text('{"model": "opus"}')
    words = ["claude", "--settings={}", "-p", "go", "--settings", str(file), "--", "--settings"]
    assert one_run.given(words) == {"model": "opus"}
    ours = tmp_path / "ours.json"
    assert one_run.arguments(words, "/bin/claude", ours) == [
        "/bin/claude", "--settings", str(ours), "-p", "go", "--", "--settings",
    ]  # fmt: skip
    assert one_run.given(["claude", "-p", "go"]) == {}


def test_two_dashes_that_are_the_value_of_an_option_hide_no_settings() -> None:
    """The client reads on after them: of several settings the last counts, and it must be ours."""
    words = ["claude", "-n", "--", "--settings", '{"disableAllHooks": true}', "-p", "--", "--settings=prompt"]
    assert one_run.given(words) == {"disableAllHooks": True}
    made = one_run.arguments(words, "/bin/claude", Path("/run/x.json"))
    assert made == ["/bin/claude", "--settings", "/run/x.json", "-n", "--", "-p", "--", "--settings=prompt"]


@pytest.mark.parametrize("value", ["{", "[1]", "/nowhere/settings.json", ""])
def test_unreadable_settings_of_theirs_are_refused(value: str) -> None:
    """Rather no run than one with other settings than they meant."""
    with pytest.raises(UsageError, match="not started"):
        one_run.given(["claude", "--settings", value])


def test_entries_of_another_form_are_noticed(site: Site) -> None:
    """The client runs equal entries once; others it runs beside ours."""
    wanted = handlers(site, "user", "auto", "token")
    file = own_file(site, "user")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"hooks": {event: [{"hooks": [entry]}] for event, entry in wanted.items()}}))
    assert one_run.twice(site, wanted) == []
    assert one_run.twice(site, handlers(site, "user", "shim", "token")) == [file]


def test_environment_speaks_for_no_other_run() -> None:
    """Everything else is passed on."""
    assert one_run.environment({"A": "1", "ASSENT_RUN": "x", "CLAUDE_CODE_SIMPLE": "0"}) == {"A": "1"}
