"""Every event that can be provoked arrives, and arrives typed."""

import json
import re
import time
from pathlib import Path
from typing import Any

from assent.protocol.events import EVENTS
from tests.e2e.conftest import LabFactory
from tests.e2e.lab.classifier import LOCAL
from tests.e2e.lab.lab import Lab, read_json, write
from tests.e2e.lab.model import Block, Body, Turn, bash, call, say
from tests.e2e.lab.waiting import until

_UNATTENDED = """
SessionStart InstructionsLoaded Setup UserPromptSubmit UserPromptExpansion MessageDisplay PreToolUse PermissionRequest
PostToolUse PostToolUseFailure PostToolBatch SubagentStart SubagentStop TaskCreated TaskCompleted Elicitation
ElicitationResult PreCompact PostCompact Stop StopFailure SessionEnd
"""
UNATTENDED = set(_UNATTENDED.split())
AUTO_MODE = {"PermissionDenied"}
TERMINAL = {
    "Notification",
    "CwdChanged",
    "DirectoryAdded",
    "ConfigChange",
    "PreModelSwitch",
    "PostModelSwitch",
    "FileChanged",
}
TEAM = {"TeammateIdle"}
NOT_PROVOKED = {
    "WorktreeCreate": "not subscribed: a hook that does not make the worktree itself aborts it",
    "WorktreeRemove": "not sent for worktrees that the client made itself",
}

ALLOW_ALL: dict[str, Any] = {"event": "PreToolUse", "decision": {"decision": "allow"}}
SKILL = "---\nname: hello\ndescription: Greet\n---\nSay hello to $ARGUMENTS\n"
QUESTION = {
    "question": "Which database?",
    "header": "Database",
    "multiSelect": False,
    "options": [{"label": "SQLite", "description": "One file"}, {"label": "Postgres", "description": "A server"}],
}


def left_alone(command: str) -> dict[str, Any]:
    """No opinion on this command, whatever stands further down."""
    silence = {"decision": "no_opinion", "cause": "no_rule"}
    return {"event": "PreToolUse", "match": {"tool_input.command": command}, "decision": silence}


def also_subscribe(lab: Lab, **matchers: str) -> None:
    """Listen to events that an installation leaves out, the way it listens to observers."""
    settings = read_json(lab.user_settings())
    observer = settings["hooks"]["PostToolUse"][0]["hooks"]
    for event, matcher in matchers.items():
        settings["hooks"][event] = [{"matcher": matcher, "hooks": observer}]
    write(lab.user_settings(), json.dumps(settings))


def change_until_noticed(lab: Lab, file: Path) -> None:
    """Nothing tells when the client begins to watch, and it reports only a file that has been still for a while."""
    changes: list[float] = []

    def noticed() -> bool:
        if not changes or time.monotonic() - changes[-1] > 2:
            changes.append(time.monotonic())
            write(file, f"{len(changes)}\n")
        return "FileChanged" in lab.hub.events()

    until(noticed, "FileChanged in the journal")


def arrived(lab: Lab) -> set[str]:
    """The events in the journal, after making sure that each was read as what it is."""
    entries = lab.hub.entries("event")
    untyped = [entry for entry in entries if entry.body.get("known") is False or "trouble" in entry.body]
    assert untyped == []
    return {entry.event for entry in entries}


def test_every_event_is_provoked_or_says_why_not() -> None:
    """The lists of this file together are the events we know."""
    assert UNATTENDED | AUTO_MODE | TERMINAL | TEAM | set(NOT_PROVOKED) == set(EVENTS)


def test_unattended_runs_send_typed_events(lab: LabFactory) -> None:
    """Tools, failures, sub-agents, tasks, a form, a compaction, an API error: all of it is understood."""
    script = {
        "FAILING": [Turn(status=401, error="authentication_error")],
        "SUBAGENT": [[bash("ls")], [say("Looked.")]],
        "main": [
            [say("Starting."), bash("echo hi")],
            [bash("exit 3")],
            [bash("touch asked.txt")],
            [call("Agent", description="Look", prompt="SUBAGENT", subagent_type="Explore", run_in_background=False)],
            [call("TaskCreate", subject="Write docs", description="All", activeForm="Writing")],
            [call("TaskUpdate", taskId="1", status="completed")],
            [call("mcp__lab__ask")],
            [say("Done.")],
        ],
    }
    here = lab(script, mcp=True, files={"CLAUDE.md": "Be kind.\n", ".claude/skills/hello/SKILL.md": SKILL})
    here.install()
    also_subscribe(here, MessageDisplay="", PostToolBatch="")
    here.hub.start([left_alone("touch asked.txt"), ALLOW_ALL])
    session = here.headless("/hello there").result["session_id"]
    here.headless("/compact", "--resume", session)
    here.headless("FAILING go", "--init")
    assert arrived(here) >= UNATTENDED


def test_auto_mode_sends_a_typed_denial(lab: LabFactory) -> None:
    """A call that the client's own classifier refuses is reported as such."""
    here = lab([[bash("curl -s http://127.0.0.1:9/x")], [say("Done.")]], classifier="block", env=LOCAL)
    here.guard()
    here.headless(mode="auto")
    assert arrived(here) >= AUTO_MODE


def test_terminal_session_sends_typed_events(lab: LabFactory) -> None:
    """A person's session: a dialog, a change of folder, settings and model, watched files, and the end."""
    script = [[bash("cd sub && pwd")], [bash("touch asked.txt")], [say("Done.")]]
    here = lab(script, files={"sub/keep": "", "watched.txt": "a\n", ".claude/settings.local.json": "{}\n"})
    here.install()
    also_subscribe(here, FileChanged="watched.txt")
    here.hub.start([left_alone("touch asked.txt"), ALLOW_ALL])
    terminal = here.terminal()
    change_until_noticed(here, here.project / "watched.txt")
    terminal.submit("go")
    terminal.wait_for_dialog()
    here.hub.wait_for("Notification")
    terminal.press("1")
    here.hub.wait_for("Stop")

    write(here.local_settings(), '{"env": {"A": "1"}}\n')
    here.hub.wait_for("ConfigChange")
    terminal.submit(f"/add-dir {here.home}")
    until(lambda: terminal.shows("Yes"), "the question about the directory")
    terminal.press("Enter")
    here.hub.wait_for("DirectoryAdded")
    terminal.submit("/model sonnet")
    here.hub.wait_for("PreModelSwitch")
    terminal.wait_for_dialog()
    terminal.press("1")
    here.hub.wait_for("PostModelSwitch")
    # The event comes before the dialog has gone, and until then it takes the keys.
    terminal.wait_for("Set model to")
    terminal.submit("/compact")
    here.hub.wait_for("PostCompact")
    terminal.wait_for("ompacted")
    terminal.leave()
    here.hub.wait_for("SessionEnd")
    assert arrived(here) >= TERMINAL


def test_team_sends_typed_events(lab: LabFactory) -> None:
    """A teammate that has nothing left to do says so."""
    script = {
        "TEAMMATE": [[say("Finished.")]],
        "main": [
            [call("Agent", description="T", prompt="TEAMMATE", subagent_type="general-purpose", name="researcher")],
            [say("Waiting.")],
        ],
    }
    here = lab(script, env={"CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"})
    here.install()
    here.hub.start([ALLOW_ALL])
    terminal = here.terminal()
    terminal.submit("go")
    here.hub.wait_for("TeammateIdle")
    assert arrived(here) >= TEAM


def test_question_is_answered_without_the_dialog(lab: LabFactory) -> None:
    """An answer given on PermissionRequest is what the model hears."""
    here = lab([[call("AskUserQuestion", questions=[QUESTION])], [say("Done.")]])
    here.install()
    answers = {"decision": "answered", "answers": {"Which database?": "Postgres"}}
    here.hub.start([{"event": "PermissionRequest", "decision": answers}])
    terminal = here.terminal()
    terminal.submit("go")
    assert "Postgres" in here.model.wait_for(2).news()[0]


def test_plan_is_approved_without_the_dialog(lab: LabFactory) -> None:
    """An allow given on PermissionRequest approves the plan, and the session leaves plan mode."""

    def write_plan(body: Body) -> list[Block]:
        match = re.search(r"(/\S+/plans/[\w-]+\.md)", json.dumps(body))
        assert match
        return [call("Write", file_path=match[1], content="# Plan\n1. Do it\n")]

    here = lab([write_plan, [call("ExitPlanMode")], [bash("echo go")], [say("Done.")]])
    here.install()
    here.hub.start(
        [{"event": "PermissionRequest", "match": {"tool_name": "ExitPlanMode"}, "decision": {"decision": "allow"}}]
    )
    terminal = here.terminal(mode="plan")
    terminal.submit("go")
    here.model.wait_for(3)
    here.hub.wait_for("PreToolUse", where=lambda entry: entry.payload["tool_name"] == "Bash")
    modes = [entry.payload["permission_mode"] for entry in here.hub.entries("event", "PreToolUse")]
    assert modes == ["plan", "plan", "default"]
