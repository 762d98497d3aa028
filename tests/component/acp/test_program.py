"""`assent acp` as a process between a scripted editor and a toy agent."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.ask_client import answer, asks
from tests.component.hub_process import HubProcess, running_hub
from tests.e2e.lab.acp_editor import Editor, choose
from tests.waiting import HANG, until

TOY = [sys.executable, str(Path(__file__).with_name("toy_agent.py"))]
RULES = """
[[rule]]
match = "Bash(git push *)"
decision = "deny"
reason = "Pushes are reviewed."

[[rule]]
match = "Write(**/locked.txt)"
decision = "deny"
reason = "It is locked."

[[rule]]
match = "Bash(npm publish)"
decision = "ask"
reason = "Publishing is for people."
"""
OPTIONS = [
    {"optionId": "always", "name": "Always", "kind": "allow_always"},
    {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubProcess]:
    with running_hub(tmp_path, rules=RULES) as running:
        yield running


@contextmanager
def edited(hub: HubProcess, folder: Path, agent: list[str] = TOY, **environ: str) -> Iterator[Editor]:
    argv = [sys.executable, "-m", "assent", "acp", "--", *agent]
    with Editor(argv, folder, {**hub.environ, **environ}, folder / "errors.txt") as editor:
        yield editor


def permission(command: str) -> dict[str, Any]:
    call = {"toolCallId": command, "kind": "execute", "title": command, "rawInput": {"command": command}}
    return {"ask": "session/request_permission", "params": {"toolCall": call, "options": OPTIONS}}


def run(editor: Editor, folder: Path, *wanted: dict[str, Any]) -> list[Any]:
    """One turn in which the agent asks for these; what it was answered."""
    session = editor.open_session(folder)
    done = editor.prompt(session, json.dumps(wanted)).get(timeout=HANG)
    answers: list[Any] = done["result"]["_meta"]["answers"]
    return answers


def outcome(option: str) -> dict[str, Any]:
    return {"outcome": {"outcome": "selected", "optionId": option}}


def test_look_is_allowed_and_danger_refused_without_the_editor(hub: HubProcess, tmp_path: Path) -> None:
    with edited(hub, tmp_path) as editor:
        assert run(editor, tmp_path, permission("ls"), permission("git push -f")) == [outcome("yes"), outcome("no")]
        assert editor.asked == []
        assert "Pushes are reviewed." in editor.said()


def test_file_and_command_of_the_editor_are_judged(hub: HubProcess, tmp_path: Path) -> None:
    """A refusal is an error that the agent reads; what is left goes to the editor."""
    locked = {"ask": "fs/write_text_file", "params": {"path": str(tmp_path / "locked.txt"), "content": "x"}}
    plain = {"ask": "fs/write_text_file", "params": {"path": str(tmp_path / "plain.txt"), "content": "x"}}
    push = {"ask": "terminal/create", "params": {"command": "git", "args": ["push", "origin"]}}
    with edited(hub, tmp_path) as editor:
        editor.answer = lambda _: {"done": True}
        said = run(editor, tmp_path, locked, plain, push)
    assert [each.get("message") for each in said] == ["Assent: It is locked.", None, "Assent: Pushes are reviewed."]
    assert [each["params"]["path"] for each in editor.asked] == [str(tmp_path / "plain.txt")]


@pytest.mark.parametrize(("choice", "option"), [("allow", "yes"), ("deny", "no")])
def test_answer_from_elsewhere_reaches_the_agent(hub: HubProcess, tmp_path: Path, choice: str, option: str) -> None:
    """Beside the editor's dialog, which is withdrawn."""
    with edited(hub, tmp_path) as editor:
        session = editor.open_session(Path("/p"))
        turn = editor.prompt(session, json.dumps([permission("touch a")]))
        (ask,) = until(lambda: asks(hub), "an ask")
        shown = editor.wait_for_permission()
        answer(hub, ask, choice)
        assert turn.get(timeout=HANG)["result"]["_meta"]["answers"] == [outcome(option)]
        withdrawn = [each for each in editor.notices if each["method"] == "$/cancel_request"]
        assert [each["params"]["requestId"] for each in withdrawn] == [shown["id"]]


def test_answer_in_the_editor_closes_the_ask(hub: HubProcess, tmp_path: Path) -> None:
    with edited(hub, tmp_path) as editor:
        session = editor.open_session(Path("/p"))
        turn = editor.prompt(session, json.dumps([permission("touch a")]))
        until(lambda: asks(hub), "an ask")
        shown = editor.wait_for_permission()
        editor.send(id=shown["id"], result=outcome("always"))
        assert turn.get(timeout=HANG)["result"]["_meta"]["answers"] == [outcome("always")]
        until(lambda: not asks(hub), "no ask is open")


def test_command_of_the_editor_that_needs_a_person_is_asked_about(hub: HubProcess, tmp_path: Path) -> None:
    """By a question of the proxy's own: the editor would run it unasked."""
    publish = {"ask": "terminal/create", "params": {"command": "npm", "args": ["publish"]}}
    with edited(hub, tmp_path) as editor:
        editor.answer = choose("reject_once")
        (said,) = run(editor, tmp_path, publish)
    assert said["message"] == "A person said no to this."
    assert [each["method"] for each in editor.asked] == ["session/request_permission"]


def test_agent_in_a_mode_that_asks_nothing_is_shown_so(hub: HubProcess, tmp_path: Path) -> None:
    with edited(hub, tmp_path, TOY_MODE="yolo") as editor:
        editor.open_session(tmp_path)
        (session,) = until(lambda: hub.api("GET", "/api/snapshot")[1]["sessions"], "the session")
    assert (session["mode"], session["harness"]) == ("bypass", "acp:toy")


# --- the process


def test_exit_code_and_errors_are_the_agents(hub: HubProcess, tmp_path: Path) -> None:
    with edited(hub, tmp_path, TOY_CODE="7") as editor:
        editor.call("initialize", protocolVersion=1)
        assert editor.close() == 7
    assert "toy: ready" in (tmp_path / "errors.txt").read_text()


def test_agent_that_ends_ends_the_proxy(hub: HubProcess, tmp_path: Path) -> None:
    """Though the editor still listens."""
    with edited(hub, tmp_path) as editor:
        editor.send(method="quit", params={"code": 3})
        assert editor.process.wait(timeout=HANG) == 3


def test_signal_ends_agent_and_proxy(hub: HubProcess, tmp_path: Path) -> None:
    with edited(hub, tmp_path) as editor:
        editor.call("initialize", protocolVersion=1)
        children = _children(editor.process.pid)
        editor.process.send_signal(signal.SIGTERM)
        assert editor.process.wait(timeout=HANG) == 128 + signal.SIGTERM
        assert not any(_runs(child) for child in children)


def test_huge_message_goes_through_both_ways(hub: HubProcess, tmp_path: Path) -> None:
    text = "ä" * (3 << 20)
    with edited(hub, tmp_path) as editor:
        session = editor.open_session(tmp_path)
        update = {"method": "session/update", "params": {"sessionId": session, "update": {"sessionUpdate": text}}}
        editor.prompt(session, json.dumps([update])).get(timeout=HANG)
        assert [each["params"]["update"]["sessionUpdate"] for each in editor.notices] == [text]


def test_agent_that_is_not_there_is_told(tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "assent", "acp", "--", "no-such-agent"]
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "ASSENT_HOME": str(tmp_path)}
    done = subprocess.run(argv, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (127, "")
    assert "no-such-agent was not found. The agent was not started." in done.stderr


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    assert found
    return [int(each) for each in found]


def _runs(pid: int) -> bool:
    try:
        return "toy_agent" in Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False
