"""The real opencode with our plugin: what runs, what is stopped, and answers from elsewhere."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.lab import fetched
from tests.e2e.lab.chat_model import Turn
from tests.e2e.lab.opencode import OpencodeLab
from tests.e2e.lab.waiting import HANG, until

OpencodeFactory = Callable[..., OpencodeLab]
LS = ("bash", {"command": "ls", "description": "List"})
TOUCH = ("bash", {"command": "touch made", "description": "Make a file"})
THIRD = ("bash", {"command": "touch third", "description": "Make a third"})
OTHER = ("bash", {"command": "touch other", "description": "Make another"})
PUSH = ("bash", {"command": "git push --force origin main", "description": "Push"})


CHANGE = ("bash", {"command": "git push --force origin dev", "description": "Push"})
QUESTION = {
    "questions": [
        {
            "question": "Which colour?",
            "header": "Colour",
            "options": [{"label": "red", "description": "r"}, {"label": "blue", "description": "b"}],
        }
    ]
}


@pytest.fixture
def opencode(tmp_path: Path) -> Iterator[OpencodeFactory]:
    binary = fetched.program("opencode")
    labs: list[OpencodeLab] = []

    def make(*turns: Turn, installed: bool = True, **settings: Any) -> OpencodeLab:
        lab = OpencodeLab(tmp_path / str(len(labs)), binary, turns, **settings)
        labs.append(lab)
        if installed:
            lab.hub.assent("install", "--harness", "opencode", "--yes")
        return lab

    yield make
    for lab in labs:
        lab.close()


@pytest.mark.clients
def test_look_runs_unasked_and_danger_is_stopped_with_a_reason(opencode: OpencodeFactory) -> None:
    """In a run without a person: the model reads why, and everything is recorded under its own name."""
    lab = opencode([LS], [PUSH])
    lab.hub.start()
    assert lab.headless().code == 0
    listed, pushed = lab.model.results()
    assert "README.md" in listed
    assert "It overwrites commits on the remote" in pushed
    calls = lab.records("PreToolUse")
    assert [call.body["harness"] for call in calls] == ["opencode", "opencode"]
    assert len({call.session for call in calls}) == 1


def test_dialogs_are_answered_from_elsewhere(opencode: OpencodeFactory) -> None:
    """A look opens none; a yes runs the call, a no tells the model what was written, a question gets its answer, and
    what is answered in the client ends the ask."""
    lab = opencode([LS], [TOUCH], [OTHER], [("question", QUESTION)], [THIRD])
    lab.hub.start()
    with lab.serving():
        lab.prompt()
        ask = lab.hub.wait_for_ask()
        assert ask["view"]["line"] == "touch made"
        assert lab.wait_for_dialog()["patterns"] == ["touch made"]
        lab.hub.answer(ask, "allow")
        lab.hub.answer(lab.hub.wait_for_ask(2), "deny", message="One is enough.")
        assert "One is enough." in lab.model.wait_for_result(3)
        lab.hub.answer(lab.hub.wait_for_ask(3), "answer", answers={"Which colour?": "blue"})
        assert '"Which colour?"="blue"' in lab.model.wait_for_result(4)
        lab.hub.wait_for_ask(4)
        lab.api("POST", f"/permission/{lab.wait_for_dialog()['id']}/reply", {"reply": "once"})
        lab.hub.wait_for_ask(4, state="closed")
        lab.model.wait_for_result(5)
    assert sorted(file.name for file in lab.project.iterdir()) == ["README.md", "made", "third"]
    assert lab.hub.entries("outcome")[-1].body["why"] == "allowed at the terminal"


@pytest.mark.clients
def test_rules_speak_about_what_a_call_is(opencode: OpencodeFactory) -> None:
    """Not about what this client calls its tool; what a rule allows opens no dialog."""
    lab = opencode([LS], [TOUCH])
    rules = '[[rule]]\nmatch = "Bash(ls)"\ndecision = "deny"\nreason = "Not here."\n\n'
    lab.hub.configure(rules=f'{rules}[[rule]]\nmatch = "Bash(touch *)"\ndecision = "allow"\n')
    lab.hub.start()
    with lab.serving():
        lab.prompt()
        assert "Not here." in lab.model.wait_for_result(1)
        lab.model.wait_for_result(2)
    assert (lab.project / "made").exists()
    assert lab.hub.asks() == []


@pytest.mark.clients
def test_answer_that_stays_makes_the_next_call_silent(opencode: OpencodeFactory) -> None:
    """Assent remembers it, and answers the client's dialog before it is seen."""
    lab = opencode([TOUCH], [OTHER])
    lab.hub.start()
    with lab.serving():
        lab.prompt()
        ask = lab.hub.wait_for_ask()
        lab.hub.answer(ask, "allow_here", grant=ask["stays"][0]["kind"])
        lab.model.wait_for_result(2)
    assert (lab.project / "other").exists()
    assert len(lab.hub.asks()) == 1


@pytest.mark.clients
def test_input_that_a_person_changed_runs_changed(opencode: OpencodeFactory) -> None:
    """In a run without a person, where they are asked before the call."""
    lab = opencode([CHANGE])
    lab.hub.configure(extra='[asks]\nunattended = "always"\n')
    lab.hub.start()
    with lab.running() as client:
        ask = lab.hub.wait_for_ask()
        edited = {"command": "echo changed", "description": "Say it"}
        lab.hub.answer(ask, "allow_edited", edited=edited, match="dev")
        client.communicate(timeout=HANG)
    assert "changed" in lab.model.results()[0]


@pytest.mark.clients
def test_danger_is_refused_where_the_users_rules_allow_everything(opencode: OpencodeFactory) -> None:
    """No dialog would open, so nothing that needs one may start."""
    lab = opencode([PUSH], permission={"*": "allow"})
    lab.hub.start()
    with lab.serving():
        lab.prompt()
        assert "It overwrites commits on the remote" in lab.model.wait_for_result(1)


@pytest.mark.clients
def test_sub_agent_is_an_agent_of_its_parents_session(opencode: OpencodeFactory) -> None:
    """It has a session of its own in the client."""
    task = ("task", {"description": "look", "prompt": "look around", "subagent_type": "general"})
    lab = opencode([task], [LS], "seen", "done")
    lab.hub.start()
    assert lab.headless().code == 0
    parent, child = lab.records("PreToolUse")
    assert parent.session == child.session
    assert child.payload["agent_id"] != parent.session
    assert lab.records("SubagentStart")
    assert lab.records("SubagentStop")


@pytest.mark.clients
def test_ask_survives_a_hub_that_is_killed(opencode: OpencodeFactory) -> None:
    """The next hub asks again, and the answer reaches the same call."""
    lab = opencode([TOUCH])
    lab.hub.start()
    with lab.serving():
        lab.prompt()
        lab.hub.wait_for_ask()
        lab.hub.kill()
        until(lab.hub.is_reachable, "another hub was started")
        lab.hub.answer(lab.hub.wait_for_ask(), "allow")
        lab.model.wait_for_result(1)
    assert (lab.project / "made").exists()


@pytest.mark.clients
def test_one_run_is_gated_without_a_plugin_file(opencode: OpencodeFactory) -> None:
    """`assent exec` gives it the plugin for that run."""
    lab = opencode([LS], [PUSH], installed=False)
    lab.hub.start()
    done = lab.executed("--fail-on", "denied")
    listed, pushed = lab.model.results()
    assert "README.md" in listed
    assert "It overwrites commits on the remote" in pushed
    assert done.code == 121
    assert not lab.plugin.exists()


@pytest.mark.clients
@pytest.mark.parametrize("gone", ["python", "opencode.js"])
def test_call_is_denied_where_the_shim_is_gone(opencode: OpencodeFactory, gone: str) -> None:
    """In a run without a person no dialog would open."""
    lab = opencode([TOUCH])
    (lab.hub.paths.shim / gone).unlink()
    assert lab.headless().code == 0
    assert not (lab.project / "made").exists()
    assert "Assent could not be reached" in lab.model.results()[0]


@pytest.mark.clients
def test_without_a_hub_the_clients_own_dialog_opens(opencode: OpencodeFactory) -> None:
    """With a person in front of it silence means that the client asks."""
    lab = opencode([TOUCH])
    (lab.hub.paths.shim / "start-hub").write_text("#!/bin/sh\nexit 1\n")
    with lab.serving():
        lab.prompt()
        assert lab.wait_for_dialog()["patterns"] == ["touch made"]
    assert not (lab.project / "made").exists()


def test_uninstall_leaves_no_file(opencode: OpencodeFactory) -> None:
    """The file is ours alone, and nothing else was touched."""
    lab = opencode()
    before = (lab.config / "opencode.json").read_bytes()
    assert lab.plugin.exists()
    lab.hub.assent("uninstall", "--yes")
    assert not lab.plugin.exists()
    assert (lab.config / "opencode.json").read_bytes() == before
