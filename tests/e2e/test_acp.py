"""Real agents behind `assent acp`, with a scripted editor: what runs, what is stopped, and who answers."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts import get_clients
from tests.e2e.lab import acp_editor
from tests.e2e.lab.acp_editor import AcpLab, choose
from tests.e2e.lab.chat_model import Turn
from tests.e2e.lab.waiting import HANG, until

# Before any test moves HOME.
PROGRAMS = {name: get_clients.cached(name, os.environ) for name in ("opencode", "qwen", "gemini")}
LABS = {"opencode": acp_editor.opencode, "qwen": acp_editor.qwen, "gemini": acp_editor.gemini}
AcpFactory = Callable[..., AcpLab]
RULES = '[[rule]]\nmatch = "Bash(git push *)"\ndecision = "deny"\nreason = "Pushes are reviewed."\n'


def shell(agent: str, command: str) -> Turn:
    if agent == "opencode":
        return [("bash", {"command": command, "description": "d"})]
    return [("run_shell_command", {"command": command, "description": "d", "is_background": False})]


@pytest.fixture
def acp(tmp_path: Path) -> Iterator[AcpFactory]:
    labs: list[AcpLab] = []

    def make(agent: str, *calls: str | Turn) -> AcpLab:
        if not os.access(PROGRAMS[agent], os.X_OK):
            pytest.skip(f"{agent} is not in the cache; scripts/test-needs fetches it")
        turns = [shell(agent, call) if isinstance(call, str) else call for call in calls]
        lab = LABS[agent](tmp_path / str(len(labs)), PROGRAMS[agent], turns)
        labs.append(lab)
        return lab

    yield make
    for lab in labs:
        lab.close()


@pytest.mark.clients
@pytest.mark.parametrize("agent", ["opencode", "qwen", "gemini"])
def test_look_runs_unasked_and_danger_is_refused(acp: AcpFactory, agent: str) -> None:
    """Without the editor's dialog; the reason stands in the editor's conversation."""
    lab = acp(agent, "ls", "git push origin main")
    lab.hub.configure(rules=RULES)
    lab.hub.start()
    with lab.editor() as editor:
        session = editor.open_session(lab.project)
        editor.prompt(session).get(timeout=HANG)
        assert editor.permissions() == []
        assert "Pushes are reviewed." in editor.said()
    # One of them at times tells no more than the exit code of a command so short.
    assert any(mark in lab.model.results()[0] for mark in ("README.md", "Exit Code: 0"))
    harness = {"opencode": "acp:OpenCode", "qwen": "acp:qwen-code", "gemini": "acp:gemini-cli"}[agent]
    assert {entry.body["harness"] for entry in lab.hub.entries("event")} == {harness}
    assert lab.hub.events()[0] == "SessionStart"
    assert lab.hub.events()[-1] == "SessionEnd"


def test_answers_from_elsewhere_reach_the_agent(acp: AcpFactory) -> None:
    """Beside the editor's open dialog: a yes runs it, a no does not."""
    lab = acp("qwen", "touch made", "touch other")
    lab.hub.start()
    with lab.editor() as editor:
        turn = editor.prompt(editor.open_session(lab.project))
        lab.hub.answer(lab.hub.wait_for_ask(), "allow")
        lab.model.wait_for_result(1)
        assert (lab.project / "made").exists()
        lab.hub.answer(lab.hub.wait_for_ask(2), "deny")
        turn.get(timeout=HANG)
        assert len(editor.permissions()) == 2
    assert not (lab.project / "other").exists()


@pytest.mark.clients
def test_answer_in_the_editor_closes_the_ask(acp: AcpFactory) -> None:
    lab = acp("qwen", "touch made")
    lab.hub.start()
    with lab.editor() as editor:
        turn = editor.prompt(editor.open_session(lab.project))
        lab.hub.wait_for_ask()
        shown = editor.wait_for_permission()
        editor.send(id=shown["id"], result=choose("allow_once")(shown))
        turn.get(timeout=HANG)
    assert (lab.project / "made").exists()
    until(lambda: lab.hub.asks()[0]["state"] not in ("open", "doubtful"), "the ask is closed")


@pytest.mark.clients
def test_file_that_the_editor_writes_is_judged(acp: AcpFactory, tmp_path: Path) -> None:
    """A person agrees to the change; a rule about files still counts when the editor is asked to write it."""
    path = tmp_path / "0/project/note.txt"
    lab = acp("gemini", [("write_file", {"file_path": str(path), "content": "hello\n"})])
    lab.hub.start()
    with lab.editor() as editor:
        editor.answer = choose("allow_once")
        editor.prompt(editor.open_session(lab.project, fs={"readTextFile": True, "writeTextFile": True})).get(
            timeout=HANG
        )
        assert [each["method"] for each in editor.asked if each["method"] != "fs/read_text_file"] == [
            "session/request_permission",
            "fs/write_text_file",
        ]
    assert "fs/write_text_file" in [entry.payload["tool_name"] for entry in lab.hub.entries("event", "PreToolUse")]


@pytest.mark.parametrize("unreachable", ["no_opinion", "deny"])
def test_hub_that_cannot_start_allows_nothing(acp: AcpFactory, unreachable: str) -> None:
    """The editor asks alone, or it is refused where that is configured."""
    lab = acp("opencode", "ls")
    config = lab.hub.paths.config
    config.write_text(f'{config.read_text()}unreachable = "{unreachable}"\n')
    # A folder in the place of its lock: no hub can take it.
    lab.hub.paths.lock.mkdir(parents=True)
    with lab.editor() as editor:
        editor.answer = choose("reject_once")
        editor.prompt(editor.open_session(lab.project)).get(timeout=HANG)
        assert len(editor.permissions()) == (1 if unreachable == "no_opinion" else 0)
    lab.hub.paths.lock.rmdir()
    assert "README.md" not in str(lab.model.results())
