"""The real Grok CLI with our hooks: what runs, what is stopped, and that hooks of Claude Code are not a way past it."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.lab import fetched
from tests.e2e.lab.chat_model import Turn
from tests.e2e.lab.grok import GrokLab
from tests.e2e.lab.waiting import HANG

GrokFactory = Callable[..., GrokLab]
# It runs whatever it is asked to.
ALL = "--always-approve"


def shell(command: str) -> tuple[str, dict[str, object]]:
    return "run_terminal_command", {"command": command, "description": "d"}


LS, TOUCH, PUSH = shell("ls"), shell("touch made"), shell("git push --force origin main")
ASK_ABOUT_TOUCH = '[[rule]]\nmatch = "Bash(touch *)"\ndecision = "ask"\nreason = "Look at it."\n'


@pytest.fixture
def grok(tmp_path: Path) -> Iterator[GrokFactory]:
    binary = fetched.program("grok")
    labs: list[GrokLab] = []

    def make(*turns: Turn, installed: tuple[str, ...] = ("grok",)) -> GrokLab:
        lab = GrokLab(tmp_path / str(len(labs)), binary, turns)
        labs.append(lab)
        for harness in installed:
            lab.hub.assent("install", "--harness", harness, "--yes")
        return lab

    yield make
    for lab in labs:
        lab.close()


@pytest.mark.clients
def test_look_runs_unasked_and_danger_is_stopped_with_a_reason(grok: GrokFactory) -> None:
    """In a run without a person where all is allowed: the model reads why, and all is recorded under its own name."""
    lab = grok([LS], [PUSH])
    lab.hub.start()
    assert lab.headless(ALL).code == 0
    listed, pushed = lab.model.results()
    assert "README.md" in listed
    assert "It overwrites commits on the remote" in pushed
    calls = lab.records("PreToolUse")
    assert [(call.body["harness"], call.payload["permission_mode"]) for call in calls] == [("grok", "bypass")] * 2
    assert len(lab.records("Stop")) == 1


def test_answers_from_elsewhere_reach_it(grok: GrokFactory) -> None:
    """In the mode in which it does not ask by itself: a yes runs the call, a no tells the model what was written, and a
    changed call runs changed."""
    lab = grok([TOUCH], [shell("touch other")], [shell("touch third")])
    lab.hub.configure(rules=ASK_ABOUT_TOUCH)
    lab.hub.start()
    lab.hub.leave_desk()
    with lab.running(ALL) as client:
        lab.hub.answer(lab.hub.wait_for_ask(), "allow")
        lab.hub.answer(lab.hub.wait_for_ask(2), "deny", message="One is enough.")
        edited = {"command": "touch changed", "description": "d"}
        lab.hub.answer(lab.hub.wait_for_ask(3), "allow_edited", edited=edited)
        client.communicate(timeout=HANG)
        assert client.returncode == 0
    assert sorted(file.name for file in lab.project.iterdir()) == ["README.md", "changed", "made"]
    assert "One is enough." in lab.model.results()[1]


@pytest.mark.clients
def test_where_it_asks_by_itself_a_card_offers_no_yes(grok: GrokFactory) -> None:
    """It could not be told one; a no is heard."""
    lab = grok([TOUCH])
    lab.hub.configure(rules=ASK_ABOUT_TOUCH)
    lab.hub.start()
    lab.hub.leave_desk()
    with lab.running() as client:
        ask = lab.hub.wait_for_ask()
        offered = {choice["choice"] for choice in ask["choices"]}
        assert "deny" in offered
        assert offered.isdisjoint({"allow", "allow_here", "allow_edited"})
        lab.hub.answer(ask, "deny", message="Not now.")
        client.communicate(timeout=HANG)
    assert "Not now." in lab.model.results()[0]
    assert not (lab.project / "made").exists()


def test_danger_is_stopped_where_only_claude_codes_hooks_are_installed(grok: GrokFactory) -> None:
    """It runs these by itself; they answer in words that it honours, and the record names it."""
    lab = grok([LS], [PUSH], installed=("claude-code",))
    lab.hub.start()
    assert lab.headless(ALL).code == 0
    listed, pushed = lab.model.results()
    assert "README.md" in listed
    assert "It overwrites commits on the remote" in pushed
    assert {entry.body["harness"] for entry in lab.hub.entries("event")} == {"grok"}
    assert len(lab.records("PreToolUse")) == 2


@pytest.mark.clients
def test_danger_is_stopped_by_the_hooks_that_a_trusted_repository_has_for_claude_code(grok: GrokFactory) -> None:
    """Their lines name variables that may be unset, and such a line it does not run."""
    lab = grok([PUSH], installed=())
    subprocess.run(["git", "init", "-q", str(lab.project)], check=True)
    lab.hub.assent("install", "--harness", "claude-code", "--scope", "project", "--yes")
    lab.hub.start()
    assert lab.headless(ALL, "--trust", ASSENT_HOME=lab.hub.environ["ASSENT_HOME"]).code == 0
    assert "It overwrites commits on the remote" in lab.model.results()[0]


def test_one_ask_and_one_record_where_both_are_installed(grok: GrokFactory) -> None:
    """It then runs two hooks of ours for each event."""
    lab = grok([TOUCH], installed=("claude-code", "grok"))
    lab.hub.configure(rules=ASK_ABOUT_TOUCH)
    lab.hub.start()
    lab.hub.leave_desk()
    with lab.running(ALL) as client:
        lab.hub.answer(lab.hub.wait_for_ask(), "allow")
        client.communicate(timeout=HANG)
        assert client.returncode == 0
    assert (lab.project / "made").exists()
    assert len(lab.hub.asks()) == 1
    assert [entry.body["harness"] for entry in lab.records("PreToolUse")] == ["grok"]
    assert len(lab.records("UserPromptSubmit")) == 1


@pytest.mark.clients
@pytest.mark.parametrize("harness", ["grok", "claude-code"])
def test_call_is_denied_where_the_shim_is_gone(grok: GrokFactory, harness: str) -> None:
    """The entry answers by itself in the mode in which silence would run the call, Claude Code's entry, too."""
    lab = grok([TOUCH], installed=(harness,))
    shutil.rmtree(lab.hub.paths.shim)
    assert lab.headless(ALL).code == 0
    assert not (lab.project / "made").exists()
    assert "Assent could not be reached" in lab.model.results()[0]


@pytest.mark.clients
def test_uninstall_leaves_no_file(grok: GrokFactory) -> None:
    """The file is ours alone."""
    lab = grok()
    assert lab.entries.exists()
    lab.hub.assent("uninstall", "--yes")
    assert not lab.entries.exists()
