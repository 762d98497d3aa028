"""The real Qwen Code with our hooks: what runs, what is stopped, and answers from elsewhere."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.lab import fetched
from tests.e2e.lab.chat_model import Turn
from tests.e2e.lab.qwen import QwenLab
from tests.e2e.lab.waiting import HANG, until

QwenFactory = Callable[..., QwenLab]


def shell(command: str) -> tuple[str, dict[str, object]]:
    return "run_shell_command", {"command": command, "description": "d", "is_background": False}


LS, TOUCH, PUSH = shell("ls"), shell("touch made"), shell("git push --force origin main")


@pytest.fixture
def qwen(tmp_path: Path) -> Iterator[QwenFactory]:
    binary = fetched.program("qwen")
    labs: list[QwenLab] = []

    def make(*turns: Turn, installed: bool = True) -> QwenLab:
        lab = QwenLab(tmp_path / str(len(labs)), binary, turns)
        labs.append(lab)
        if installed:
            lab.hub.assent("install", "--harness", "qwen", "--yes")
        return lab

    yield make
    for lab in labs:
        lab.close()


@pytest.mark.clients
def test_look_runs_unasked_and_danger_is_stopped_with_a_reason(qwen: QwenFactory) -> None:
    """In a run without a person where all is allowed: the model reads why, and all is recorded under its own name."""
    lab = qwen([LS], [PUSH])
    lab.hub.start()
    assert lab.headless("--yolo").code == 0
    listed, pushed = lab.model.results()
    assert "README.md" in listed
    assert "It overwrites commits on the remote" in pushed
    calls = lab.records("PreToolUse")
    assert [(call.body["harness"], call.payload["permission_mode"]) for call in calls] == [("qwen", "bypass")] * 2
    assert len(lab.records("UserPromptSubmit")) == 1


def test_answers_from_elsewhere_reach_it(qwen: QwenFactory) -> None:
    """Where it would ask: a yes runs the call, a no tells the model what was written, a changed call runs changed. The
    yes counts for the last look before the call, too: one ask for each."""
    lab = qwen([TOUCH], [shell("touch other")], [shell("touch third")])
    lab.hub.configure(rules='[[rule]]\nmatch = "Bash(touch *)"\ndecision = "ask"\nreason = "Look at it."\n')
    lab.hub.start()
    lab.hub.leave_desk()
    terminal = lab.terminal("--approval-mode", "default")
    terminal.submit("go")
    first = lab.hub.wait_for_ask()
    assert first["view"]["line"] == "touch made"
    lab.hub.answer(first, "allow")
    lab.model.wait_for_result(1)
    lab.hub.answer(lab.hub.wait_for_ask(2), "deny", message="One is enough.")
    assert "One is enough." in lab.model.wait_for_result(2)
    edited = {"command": "touch changed", "description": "d", "is_background": False}
    lab.hub.answer(lab.hub.wait_for_ask(3), "allow_edited", edited=edited)
    lab.model.wait_for_result(3)
    assert sorted(file.name for file in lab.project.iterdir()) == ["README.md", "changed", "made"]
    assert len(lab.hub.asks()) == 3
    assert len(lab.records("PermissionRequest")) == 3


@pytest.mark.clients
def test_yes_in_its_own_dialog_is_not_asked_for_again(qwen: QwenFactory) -> None:
    """Its dialog opens where nobody is away, and the last look before the call comes after it."""
    lab = qwen([TOUCH])
    lab.hub.configure(rules='[[rule]]\nmatch = "Bash(touch *)"\ndecision = "ask"\nreason = "Look at it."\n')
    lab.hub.start()
    terminal = lab.terminal("--approval-mode", "default")
    terminal.submit("go")
    terminal.wait_for("Yes, allow once")
    terminal.press("Enter")
    lab.model.wait_for_result(1)
    assert (lab.project / "made").exists()
    assert len(lab.records("PreToolUse")) == 1


@pytest.mark.clients
def test_escape_withdraws_the_ask(qwen: QwenFactory) -> None:
    """Its hook is ended, and by that the hub knows."""
    lab = qwen([TOUCH])
    lab.hub.start()
    lab.hub.leave_desk()
    terminal = lab.terminal("--approval-mode", "default")
    terminal.submit("go")
    lab.hub.wait_for_ask()
    terminal.press("Escape")
    assert lab.hub.wait_for_ask(state="closed")["result"]["ending"] == "terminal"
    assert not (lab.project / "made").exists()


@pytest.mark.clients
def test_call_is_asked_about_where_everything_is_allowed(qwen: QwenFactory) -> None:
    """Right before the call, in a run without a terminal; there it takes no other input."""
    lab = qwen([TOUCH], [shell("touch other")])
    lab.hub.configure(rules='[[rule]]\nmatch = "Bash(touch *)"\ndecision = "ask"\nreason = "Look at it."\n')
    lab.hub.start()
    lab.hub.leave_desk()
    with lab.running("--yolo") as client:
        ask = lab.hub.wait_for_ask()
        assert "allow_edited" not in [choice["choice"] for choice in ask["choices"]]
        lab.hub.answer(ask, "allow")
        lab.model.wait_for_result(1)
        lab.hub.answer(lab.hub.wait_for_ask(2), "deny", message="One is enough.")
        client.communicate(timeout=HANG)
        assert client.returncode == 0
    assert (lab.project / "made").exists()
    assert not (lab.project / "other").exists()
    assert "One is enough." in lab.model.results()[1]


@pytest.mark.clients
def test_rules_speak_about_what_a_call_is(qwen: QwenFactory) -> None:
    """Not about what this client calls its tool."""
    lab = qwen([LS], [TOUCH])
    lab.hub.configure(rules='[[rule]]\nmatch = "Bash(ls)"\ndecision = "deny"\nreason = "Not here."\n')
    lab.hub.start()
    assert lab.headless("--yolo").code == 0
    assert "Not here." in lab.model.results()[0]
    assert (lab.project / "made").exists()


@pytest.mark.clients
def test_call_is_denied_where_the_shim_is_gone(qwen: QwenFactory) -> None:
    """The entry answers by itself in the mode in which silence would run the call."""
    lab = qwen([TOUCH])
    shutil.rmtree(lab.hub.paths.shim)
    assert lab.headless("--yolo").code == 0
    assert not (lab.project / "made").exists()
    assert "Assent could not be reached" in lab.model.results()[0]


@pytest.mark.clients
def test_repository_that_switches_hooks_off_is_named_and_exec_holds_against_it(qwen: QwenFactory) -> None:
    """One line of a checkout is enough for the client; the file of `assent exec` outranks it."""
    lab = qwen([PUSH], installed=False)
    (lab.project / ".qwen").mkdir()
    (lab.project / ".qwen/settings.json").write_text('{"disableAllHooks": true}')
    lab.hub.assent("install", "--harness", "qwen", "--yes")
    assert ".qwen/settings.json" in lab.hub.assent("doctor", "--harness", "qwen", code=1)
    lab.hub.assent("uninstall", "--yes")
    lab.hub.start()
    assert lab.executed("--yolo").code == 0
    assert "It overwrites commits on the remote" in lab.model.results()[0]


@pytest.mark.clients
def test_variable_in_a_file_of_the_project_is_seen(qwen: QwenFactory) -> None:
    """With it the client runs no hooks: doctor names the file, and the session's transcript raises an alarm."""
    lab = qwen([LS])
    (lab.project / ".env").write_text("QWEN_CODE_SIMPLE=1\n")
    assert "(QWEN_CODE_SIMPLE)" in lab.hub.assent("doctor", "--harness", "qwen", code=1)
    lab.hub.start()
    assert lab.headless("--yolo").code == 0
    assert lab.records("PreToolUse") == []
    until(lambda: json.loads(lab.hub.assent("status", "--json"))["ungated"], "the alarm")


@pytest.mark.clients
def test_exec_holds_against_a_variable_in_a_file_of_the_project(qwen: QwenFactory) -> None:
    lab = qwen([PUSH], installed=False)
    (lab.project / ".env").write_text("QWEN_CODE_SAFE_MODE=1\nQWEN_CODE_SIMPLE=1\n")
    lab.hub.start()
    assert lab.executed("--yolo").code == 0
    assert "It overwrites commits on the remote" in lab.model.results()[0]


def test_uninstall_leaves_the_settings_as_they_were(qwen: QwenFactory) -> None:
    """Byte for byte."""
    lab = qwen(installed=False)
    before = lab.settings.read_bytes()
    lab.hub.assent("install", "--harness", "qwen", "--yes")
    assert "PreToolUse" in json.loads(lab.settings.read_bytes())["hooks"]
    lab.hub.assent("uninstall", "--yes")
    assert lab.settings.read_bytes() == before
