"""The real Gemini CLI with our hooks: what runs, what is stopped, and answers from elsewhere."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.lab import fetched
from tests.e2e.lab.chat_model import Call, Turn
from tests.e2e.lab.gemini import SETTINGS, GeminiLab
from tests.e2e.lab.waiting import HANG, until

GeminiFactory = Callable[..., GeminiLab]
YOLO = "--yolo"
ASKS = '[[rule]]\nmatch = "Bash(touch *)"\ndecision = "ask"\nreason = "Look first."\n'


def shell(command: str) -> Call:
    return "run_shell_command", {"command": command, "description": "d"}


LS, TOUCH, PUSH = shell("ls"), shell("touch made"), shell("git push --force origin main")


@pytest.fixture
def gemini(tmp_path: Path) -> Iterator[GeminiFactory]:
    binary = fetched.program("gemini")
    labs: list[GeminiLab] = []

    def make(*turns: Turn, installed: bool = True) -> GeminiLab:
        lab = GeminiLab(tmp_path / str(len(labs)), binary, turns)
        labs.append(lab)
        if installed:
            lab.hub.assent("install", "--harness", "gemini", "--yes")
        return lab

    yield make
    for lab in labs:
        lab.close()


@pytest.mark.clients
def test_look_runs_and_danger_is_stopped_with_a_reason(gemini: GeminiFactory) -> None:
    """In a run that allows everything and has no person: the model reads why."""
    lab = gemini([LS], [PUSH], [TOUCH])
    lab.hub.start()
    assert lab.headless(YOLO).code == 0
    listed, pushed, _ = lab.model.results()
    assert "README.md" in listed
    assert "It overwrites commits on the remote" in pushed
    assert (lab.project / "made").exists()
    calls = lab.records("PreToolUse")
    assert [call.body["harness"] for call in calls] == ["gemini"] * 3
    assert {call.body["attended"] for call in calls} == {False}
    assert len(lab.records("PostToolUse")) == 2
    assert len(lab.records("SessionEnd")) == 1


def test_answer_from_elsewhere_reaches_a_run_that_allows_everything(gemini: GeminiFactory) -> None:
    """There Assent is the only gate: a yes runs the call, a changed one runs changed, a no tells what was written."""
    lab = gemini([TOUCH], [shell("touch other")], [shell("touch third")])
    lab.hub.configure('[asks]\nunattended = "always"', rules=ASKS)
    lab.hub.start()
    with lab.running(YOLO) as client:
        ask = lab.hub.wait_for_ask()
        assert ask["view"]["line"] == "touch made"
        assert "asks_itself" not in ask.get("flags", ())
        lab.hub.answer(ask, "allow")
        lab.model.wait_for_result(1)
        changed = {"command": "touch changed", "description": "d"}
        lab.hub.answer(lab.hub.wait_for_ask(2), "allow_edited", edited=changed)
        lab.model.wait_for_result(2)
        lab.hub.answer(lab.hub.wait_for_ask(3), "deny", message="Two are enough.")
        client.communicate(timeout=HANG)
        assert client.returncode == 0
    assert sorted(file.name for file in lab.project.iterdir()) == ["README.md", "changed", "made"]
    assert "Two are enough." in lab.model.results()[2]


@pytest.mark.clients
def test_rules_speak_about_what_a_call_is(gemini: GeminiFactory) -> None:
    """Not about what this client calls its tool; and where none can be asked, a prompt is a refusal."""
    lab = gemini([LS], [TOUCH])
    rules = '[[rule]]\nmatch = "Bash(ls)"\ndecision = "deny"\nreason = "Not here."\n\n'
    lab.hub.configure(rules=rules + ASKS)
    lab.hub.start()
    assert lab.headless(YOLO).code == 0
    listed, touched = lab.model.results()
    assert "Not here." in listed
    assert "Look first. A person would have to decide this" in touched
    assert not (lab.project / "made").exists()


def test_call_is_denied_where_the_shim_is_gone(gemini: GeminiFactory) -> None:
    """The entry answers by itself: nothing runs unjudged because a file was removed."""
    lab = gemini([TOUCH])
    shutil.rmtree(lab.hub.paths.shim)
    assert lab.headless(YOLO).code == 0
    assert not (lab.project / "made").exists()
    assert "Assent could not be reached" in lab.model.results()[0]


@pytest.mark.clients
def test_uninstall_gives_the_settings_back(gemini: GeminiFactory) -> None:
    """Comments and all; without ours the client runs as before."""
    lab = gemini([TOUCH])
    assert "/shim/hook.py" in lab.settings.read_text()
    assert "// No sign-in, no reports." in lab.settings.read_text()
    lab.hub.assent("uninstall", "--yes")
    assert lab.settings.read_text() == SETTINGS
    lab.headless(YOLO)
    assert (lab.project / "made").exists()


@pytest.mark.clients
def test_repository_that_switches_hooks_off_is_named(gemini: GeminiFactory) -> None:
    """Then nothing is judged, and doctor says which file does it; by a name it cannot be done, for none knows ours."""
    lab = gemini([TOUCH])
    lab.hub.start()
    lab.in_project({"hooksConfig": {"disabled": ["assent"]}})
    lab.headless(YOLO)
    assert len(lab.records("PreToolUse")) == 1
    (lab.project / ".gemini/settings.json").write_text(json.dumps({"hooksConfig": {"enabled": False}}))
    lab.headless(YOLO)
    assert len(lab.records("PreToolUse")) == 1
    assert 'switches all hooks off ("hooksConfig.enabled")' in lab.hub.assent("doctor", "--harness", "gemini", code=1)


@pytest.mark.clients
def test_prompt_opens_its_dialog_where_a_person_sits(gemini: GeminiFactory) -> None:
    """In a terminal, also in the mode that asks nothing. Its end is recorded once, though it is sent three times."""
    lab = gemini([TOUCH])
    lab.hub.configure(rules=ASKS)
    lab.hub.start()
    with lab.terminal(YOLO) as terminal:
        lab.ask(terminal, "do it")
        assert "Look first." in terminal.wait_for("Allow once")
        assert lab.records("PreToolUse")[0].body["attended"] is True
        terminal.press("Enter")
        until((lab.project / "made").exists, "the command ran")
        # While the turn goes on it does not obey.
        until(lambda: lab.records("Stop"), "the turn is over")
        lab.ask(terminal, "/quit")
        until(terminal.has_ended, "the client ended")
    assert len(lab.records("SessionEnd")) == 1


@pytest.mark.clients
def test_yes_from_elsewhere_leads_to_its_own_dialog(gemini: GeminiFactory) -> None:
    """In a mode that asks by itself no hook can approve: the card says so before, and the dialog opens after."""
    lab = gemini([TOUCH])
    lab.hub.configure(rules=ASKS)
    lab.hub.start()
    lab.hub.leave_desk()
    with lab.terminal() as terminal:
        lab.ask(terminal, "do it")
        ask = lab.hub.wait_for_ask()
        assert "asks_itself" in ask["flags"]
        assert not terminal.shows("Allow once")
        lab.hub.answer(ask, "allow")
        terminal.wait_for("Allow once")
        assert not (lab.project / "made").exists()
        lab.hub.wait_for("Notification")
        terminal.press("Enter")
        until((lab.project / "made").exists, "the command ran")


@pytest.mark.clients
def test_ask_handed_back_opens_its_dialog(gemini: GeminiFactory) -> None:
    """Also in the mode that asks nothing."""
    lab = gemini([TOUCH])
    lab.hub.configure(rules=ASKS)
    lab.hub.start()
    lab.hub.leave_desk()
    with lab.terminal(YOLO) as terminal:
        lab.ask(terminal, "do it")
        lab.hub.answer(lab.hub.wait_for_ask(), "hand_back")
        assert "Look first." in terminal.wait_for("Allow once")
        assert not (lab.project / "made").exists()


@pytest.mark.clients
def test_yes_after_escape_runs_nothing(gemini: GeminiFactory) -> None:
    """The hook is not told of Escape and waits on, and so does the next prompt; an answer lets that one through."""
    lab = gemini([TOUCH], "Something else.")
    lab.hub.configure(rules=ASKS)
    lab.hub.start()
    lab.hub.leave_desk()
    with lab.terminal(YOLO) as terminal:
        lab.ask(terminal, "do it")
        ask = lab.hub.wait_for_ask()
        terminal.press("Escape")
        terminal.wait_for("Request cancelled")
        lab.ask(terminal, "another thing")
        lab.hub.answer(ask, "allow")
        terminal.wait_for("Something else.")
    assert not (lab.project / "made").exists()


@pytest.mark.clients
def test_queued_words_keep_the_turn_going(gemini: GeminiFactory) -> None:
    """They come back to us as a prompt, which no person typed: it is not counted as one."""
    lab = gemini([TOUCH], "Done.", [shell("touch other")])
    lab.hub.configure('[asks]\nunattended = "always"', rules=ASKS)
    lab.hub.start()
    with lab.running(YOLO) as client:
        ask = lab.hub.wait_for_ask()
        lab.hub.assent("queue", ask["subject"]["session"], "add", "Make the other one, too.")
        lab.hub.answer(ask, "allow")
        lab.hub.answer(lab.hub.wait_for_ask(2), "allow")
        client.communicate(timeout=HANG)
    assert (lab.project / "other").exists()
    assert any("Make the other one, too." in prompt for prompt in lab.model.prompts())
    assert len(lab.records("UserPromptSubmit")) == 1


@pytest.mark.clients
def test_no_that_stops_ends_the_run(gemini: GeminiFactory) -> None:
    """The model is not asked again."""
    lab = gemini([TOUCH], [shell("touch other")])
    lab.hub.configure('[asks]\nunattended = "always"', rules=ASKS)
    lab.hub.start()
    with lab.running(YOLO) as client:
        lab.hub.answer(lab.hub.wait_for_ask(), "deny_and_stop")
        client.communicate(timeout=HANG)
    assert len(lab.model.requests) == 1
    assert sorted(file.name for file in lab.project.iterdir()) == ["README.md"]


@pytest.mark.clients
def test_call_is_denied_where_no_hub_starts(gemini: GeminiFactory) -> None:
    """In the mode that asks nothing silence would run it."""
    lab = gemini([TOUCH])
    (lab.hub.paths.shim / "start-hub").write_text("#!/bin/sh\nexit 1\n")
    assert lab.headless(YOLO).code == 0
    assert not (lab.project / "made").exists()
    assert "Assent could not be reached" in lab.model.results()[0]


@pytest.mark.clients
def test_ask_outlives_a_hub_that_is_killed(gemini: GeminiFactory) -> None:
    """The shim starts another one, and the answer given there counts."""
    lab = gemini([TOUCH])
    lab.hub.configure('[asks]\nunattended = "always"', rules=ASKS)
    lab.hub.start()
    with lab.running(YOLO) as client:
        lab.hub.wait_for_ask()
        lab.hub.kill()
        until(lab.hub.is_reachable, "another hub")
        lab.hub.answer(lab.hub.wait_for_ask(), "allow")
        client.communicate(timeout=HANG)
    assert (lab.project / "made").exists()
