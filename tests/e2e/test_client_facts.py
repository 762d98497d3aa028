"""What docs/claude-code-facts.md says about the client itself, with plain hooks and without Assent."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from assent.harnesses.claude_code import settings_schema
from tests.e2e.conftest import LabFactory
from tests.e2e.lab.client import BYPASS
from tests.e2e.lab.lab import Lab, write
from tests.e2e.lab.model import bash, say

PLAIN_HOOK = str(Path(__file__).with_name("lab") / "plain_hook.py")
TOUCH = [[bash("touch made.txt")], [say("Done.")]]
ALLOW_RULE = {"permissions": {"allow": ["Bash(touch:*)"]}}


def answering(event: str = "PreToolUse", **decision: Any) -> dict[str, Any]:
    """A hook in exec form that gives this answer."""
    rest: dict[str, Any] = {name: decision.pop(name) for name in ("continue", "stopReason") if name in decision}
    answer: dict[str, Any] = {**rest, "hookSpecificOutput": {"hookEventName": event, **decision}}
    return {"type": "command", "command": sys.executable, "args": ["-I", PLAIN_HOOK, "/dev/null", json.dumps(answer)]}


def hooked(hook: dict[str, Any], event: str = "PreToolUse") -> dict[str, Any]:
    return {"hooks": {event: [{"hooks": [hook]}]}}


def ran(lab: Lab) -> bool:
    return (lab.project / "made.txt").exists()


def test_prompt_in_dont_ask_mode_is_refused_despite_an_allow_rule(lab: LabFactory) -> None:
    """In `-p` an ask beats the user's allow rule, and the model gets the bare reason."""
    hook = answering(permissionDecision="ask", permissionDecisionReason="Look first.")
    here = lab(TOUCH, settings={**hooked(hook), **ALLOW_RULE})
    here.headless(mode="dontAsk")
    assert not ran(here)
    assert here.model.news()[1] == ["[error] Look first."]


def test_missing_interpreter_disarms_the_gate_in_bypass(lab: LabFactory) -> None:
    """A hook that cannot be started is no hook: in bypassPermissions the call runs."""
    here = lab(TOUCH, settings=hooked({"type": "command", "command": "/nowhere/python", "args": ["hook.py"]}))
    here.headless(mode=BYPASS)
    assert ran(here)


@pytest.mark.parametrize("mode", ["default", BYPASS])
def test_missing_script_blocks_every_call(lab: LabFactory, mode: str) -> None:
    """Python exits 2 when it cannot open its script, and the client takes that for a block."""
    hook = {"type": "command", "command": sys.executable, "args": ["-I", "-S", "/nowhere/hook.py"]}
    here = lab(TOUCH, settings=hooked(hook))
    here.headless(mode=mode)
    assert not ran(here)
    assert "/nowhere/hook.py" in here.model.news()[1][0]


def test_deny_with_continue_false_ends_the_turn(lab: LabFactory) -> None:
    """Both parts are honoured: the call does not run, and the model is not asked again."""
    denial: dict[str, Any] = {
        "permissionDecision": "deny",
        "permissionDecisionReason": "No.",
        "continue": False,
        "stopReason": "Stop.",
    }
    here = lab(TOUCH, settings=hooked(answering(**denial)))
    run = here.headless()
    assert not ran(here)
    assert run.result["terminal_reason"] == "hook_stopped"
    assert len(here.model.requests()) == 1


LISTED = '{"permissions": {"allow": ["Bash(mkdir:*)"]}}'


@pytest.mark.parametrize(("files", "after"), [({}, ["Bash(touch:*)"]), ({".claude/settings.local.json": LISTED}, [])])
def test_replaced_rules_empty_a_list_that_is_there(lab: LabFactory, files: dict[str, str], after: list[str]) -> None:
    """Replacing rules makes a file where there is none, and empties the list of one that is: a fault of the client."""
    rules = [{"toolName": "Bash", "ruleContent": "touch:*"}]
    grant = {"type": "replaceRules", "rules": rules, "behavior": "allow", "destination": "localSettings"}
    hook = answering("PermissionRequest", decision={"behavior": "allow", "updatedPermissions": [grant]})
    here = lab(TOUCH, settings=hooked(hook, "PermissionRequest"), files=files)
    here.headless()
    assert ran(here)
    assert json.loads(here.local_settings().read_text())["permissions"]["allow"] == after


@pytest.mark.parametrize(
    ("command", "contents", "is_silenced", "written"),
    [
        ("python3 -c 'print(1)'", ["python3 -c 'print(1)'"], True, [r"Bash(python3 -c 'print\(1\)')"]),
        (r"touch a\ b", [r"touch a\ b"], True, [r"Bash(touch a\\ b)"]),
        ("touch *.md", [r"touch \*.md"], False, [r"Bash(touch \\*.md)"]),
        ("mkdir -p d && touch x", ["mkdir -p d", "touch x"], True, ["Bash(mkdir -p d)", "Bash(touch x)"]),
        ("python3 -c 1 2>&1 | tail -5", ["python3 -c 1"], True, ["Bash(python3 -c 1)"]),
        ("echo hi > out.txt", ["echo hi > out.txt"], False, ["Bash(echo hi > out.txt)"]),
    ],
)
def test_exact_rule_silences_what_it_spells_out(
    lab: LabFactory, tmp_path: Path, command: str, contents: list[str], is_silenced: bool, written: list[str]
) -> None:
    """Contents are plain in an answer and escaped in the file; stars and redirections cannot be spelled out."""
    rules = [{"toolName": "Bash", "ruleContent": content} for content in contents]
    grant = {"type": "addRules", "rules": rules, "behavior": "allow", "destination": "localSettings"}
    hook = answering("PermissionRequest", decision={"behavior": "allow", "updatedPermissions": [grant]})
    log = tmp_path / "asked.jsonl"
    hook["args"][2] = str(log)
    here = lab([[bash(command)], [bash(command)], [say("Done.")]], settings=hooked(hook, "PermissionRequest"))
    here.headless()
    assert len(log.read_text().splitlines()) == (1 if is_silenced else 2)
    assert json.loads(here.local_settings().read_text())["permissions"]["allow"] == written


def test_plugin_folder_brings_its_hooks(lab: LabFactory) -> None:
    """`--plugin-dir` loads hooks/hooks.json of that folder."""
    here = lab(TOUCH)
    plugin = here.folder / "plugin"
    write(plugin / ".claude-plugin/plugin.json", json.dumps({"name": "probe", "version": "1.0.0", "description": "x"}))
    write(plugin / "hooks/hooks.json", json.dumps(hooked(answering(permissionDecision="allow"))))
    here.headless("go", "--plugin-dir", str(plugin))
    assert ran(here)


@pytest.mark.parametrize(
    ("more", "runs"),
    [
        ({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true", "timeout": -1}]}]}}, False),
        ({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true", "timeout": -1}]}]}}, True),
        ({"hooks": {"PreToolUse": [{"matcher": 5, "hooks": []}]}}, True),
        ({"model": 5}, True),
        ({"somethingNew": 5}, False),
    ],
    ids=["another event", "the same event", "matcher", "a setting", "unknown"],
)
def test_invalid_settings_disarm_hooks_without_a_word(lab: LabFactory, more: dict[str, Any], runs: bool) -> None:
    """One wrong field voids every hook of its event in that file, a setting of a wrong type the whole file."""
    settings = hooked(answering(permissionDecision="deny", permissionDecisionReason="No."))
    for event, groups in more.get("hooks", {}).items():
        settings["hooks"][event] = [*settings["hooks"].get(event, []), *groups]
    here = lab(TOUCH, settings={**more, **settings})
    run = here.headless(mode=BYPASS)
    assert (ran(here), run.stderr) == (runs, "")
    voids = settings_schema.voided({**more, **settings})
    assert ("PreToolUse" in voids) is runs
