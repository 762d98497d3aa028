"""The real Copilot CLI with our hooks: what runs, what is stopped, and answers from elsewhere."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.lab import fetched
from tests.e2e.lab.chat_model import Turn
from tests.e2e.lab.copilot import CopilotLab
from tests.e2e.lab.waiting import HANG, until

CopilotFactory = Callable[..., CopilotLab]
LS = ("bash", {"command": "ls", "description": "List"})
TOUCH = ("bash", {"command": "touch made", "description": "Make a file"})
PUSH = ("bash", {"command": "git push --force origin main", "description": "Push"})


def ungated(lab: CopilotLab) -> list[str]:
    said: list[str] = json.loads(lab.hub.assent("status", "--json"))["ungated"]
    return said


@pytest.fixture
def copilot(tmp_path: Path) -> Iterator[CopilotFactory]:
    binary = fetched.program("copilot")
    labs: list[CopilotLab] = []

    def make(*turns: Turn, installed: bool = True) -> CopilotLab:
        lab = CopilotLab(tmp_path / str(len(labs)), binary, turns)
        labs.append(lab)
        if installed:
            lab.hub.assent("install", "--harness", "copilot", "--yes")
        return lab

    yield make
    for lab in labs:
        lab.close()


@pytest.mark.clients
def test_look_runs_unasked_and_danger_is_stopped_with_a_reason(copilot: CopilotFactory) -> None:
    """In a run without a person: the model reads why, and everything is recorded under its own name."""
    lab = copilot([LS], [PUSH])
    lab.hub.start()
    assert lab.headless().code == 0
    listed, pushed = lab.model.results()
    assert "README.md" in listed
    assert "It overwrites commits on the remote" in pushed
    calls = lab.records("PreToolUse")
    assert [call.body["harness"] for call in calls] == ["copilot", "copilot"]
    assert len({call.session for call in calls}) == 1


def test_answer_from_elsewhere_reaches_it(copilot: CopilotFactory) -> None:
    """What it would ask about is asked on other screens first; a yes runs it, a no tells the model what was written."""
    lab = copilot([TOUCH], [("bash", {"command": "touch other", "description": "Make another"})])
    lab.hub.start()
    lab.hub.leave_desk()
    with lab.running() as client:
        ask = lab.hub.wait_for_ask()
        assert ask["view"]["line"] == "touch made"
        assert "allow_edited" not in [choice["choice"] for choice in ask["choices"]]
        lab.hub.answer(ask, "allow")
        lab.model.wait_for_result(1)
        lab.hub.answer(lab.hub.wait_for_ask(2), "deny", message="One is enough.")
        client.communicate(timeout=HANG)
        assert client.returncode == 0
    assert (lab.project / "made").exists()
    assert not (lab.project / "other").exists()
    assert "One is enough." in lab.model.results()[1]


def test_finished_turn_is_kept_going_from_elsewhere(copilot: CopilotFactory) -> None:
    """What is said there is the next prompt that its model reads."""
    lab = copilot("First.", [TOUCH])
    lab.hub.configure(
        '[asks]\nhold_stops = "always"\n', rules='[[rule]]\nmatch = "Bash(touch *)"\ndecision = "allow"\n'
    )
    lab.hub.start()
    lab.hub.leave_desk()
    with lab.running() as client:
        lab.hub.answer(lab.hub.wait_for_ask(), "keep_going", message="Make the file.")
        lab.hub.answer(lab.hub.wait_for_ask(2), "let_stop")
        client.communicate(timeout=HANG)
        assert client.returncode == 0
    assert (lab.project / "made").exists()
    assert "Your user says: Make the file." in json.dumps(lab.model.requests[1])


@pytest.mark.clients
def test_rules_speak_about_what_a_call_is(copilot: CopilotFactory) -> None:
    """Not about what this client calls its tool."""
    lab = copilot([LS], [TOUCH])
    rules = '[[rule]]\nmatch = "Bash(ls)"\ndecision = "deny"\nreason = "Not here."\n\n'
    lab.hub.configure(rules=f'{rules}[[rule]]\nmatch = "Bash(touch *)"\ndecision = "allow"\n')
    lab.hub.start()
    assert lab.headless().code == 0
    assert "Not here." in lab.model.results()[0]
    assert (lab.project / "made").exists()


def test_always_for_the_project_makes_the_second_call_silent(copilot: CopilotFactory) -> None:
    """It cannot be told to remember, so Assent does: in its rules, for this client in this project."""
    lab = copilot([TOUCH], [("bash", {"command": "ls", "description": "List"})], [TOUCH])
    lab.hub.start()
    lab.hub.leave_desk()
    with lab.running() as client:
        ask = lab.hub.wait_for_ask()
        (offer,) = lab.hub.offers(ask)
        assert offer["keeper"] == "assent"
        lab.hub.answer(ask, "allow_project", grant=offer["grant"])
        client.communicate(timeout=HANG)
        assert client.returncode == 0
    assert len(lab.hub.asks()) == 1
    assert (lab.project / "made").exists()
    rule = '[[rule]]\nmatch = "Bash(touch made)"\ndecision = "allow"\nharness = "copilot"\n'
    assert lab.hub.paths.rules.read_text().startswith(rule)
    last = lab.hub.entries("decision", "PreToolUse")[-1]
    assert (last.decision, last.by) == ("allow", "rule:user#1")


@pytest.mark.clients
def test_new_file_is_asked_about_with_its_text(copilot: CopilotFactory) -> None:
    """Its permission request has another tool name and a diff; the ask is about the same call."""
    lab = copilot([])
    path = str(lab.project / "note.txt")
    lab.model.turns = [[("create", {"path": path, "file_text": "hello\n"})]]
    lab.hub.start()
    lab.hub.leave_desk()
    with lab.running() as client:
        ask = lab.hub.wait_for_ask()
        assert ask["view"]["verb"] == "Create note.txt"
        lab.hub.answer(ask, "allow")
        client.communicate(timeout=HANG)
        assert client.returncode == 0
    assert Path(path).read_text() == "hello\n"
    created, asked = lab.records("PreToolUse")[0], lab.records("PermissionRequest")[0]
    assert created.session == asked.session


def test_call_is_denied_where_the_shim_is_gone(copilot: CopilotFactory) -> None:
    """The entry answers by itself: nothing runs unjudged because a file was removed, with every tool allowed, too."""
    lab = copilot([TOUCH])
    shutil.rmtree(lab.hub.paths.shim)
    assert lab.headless("--allow-all-tools").code == 0
    assert not (lab.project / "made").exists()
    assert "Assent could not be reached" in lab.model.results()[0]


def test_repository_that_switches_hooks_off_is_seen(copilot: CopilotFactory) -> None:
    """The call runs unjudged: the session stands in the alarm by its transcript, and doctor names the file."""
    lab = copilot([TOUCH], "Wait.")
    switch = lab.project / ".github/copilot/settings.json"
    switch.parent.mkdir(parents=True)
    switch.write_text('{"disableAllHooks": true}')
    (lab.home / ".copilot/config.json").write_text(json.dumps({"trustedFolders": [str(lab.project)]}))
    lab.hub.start()
    lab.headless("--allow-all-tools")
    assert (lab.project / "made").exists()
    [session] = [path.parent.name for path in lab.home.glob(".copilot/session-state/*/events.jsonl")]
    alarm = f"The session {session} is at work, but none of its events arrive"
    until(lambda: any(said.startswith(alarm) for said in ungated(lab)), "the alarm")
    assert f'"disableAllHooks" is set in {switch.relative_to(lab.project)}' in lab.hub.assent("doctor", code=1)


def test_one_run_is_gated_without_an_install(copilot: CopilotFactory) -> None:
    """By a plugin for this run: a look runs, a danger is denied, and no file of the user's is made."""
    lab = copilot([LS], [PUSH], installed=False)
    lab.hub.start()
    done = lab.through_exec("--fail-on", "denied")
    assert done.code == 121, done
    listed, pushed = lab.model.results()
    assert "README.md" in listed
    assert "It overwrites commits on the remote" in pushed
    assert not lab.entries.exists()
    assert list(lab.hub.paths.run.glob("run-*")) == []


def test_uninstall_leaves_no_file(copilot: CopilotFactory) -> None:
    """The file is ours alone; without it the client runs as before."""
    lab = copilot([LS])
    assert lab.entries.exists()
    lab.hub.assent("uninstall", "--yes")
    assert not lab.entries.exists()
    lab.headless("--allow-all-tools")
    assert "README.md" in lab.model.results()[0]


@pytest.mark.clients
def test_patch_is_judged_by_the_files_it_changes(copilot: CopilotFactory) -> None:
    """As models of OpenAI's make them: also where everything is allowed, none reaches the client's own settings."""
    harmless = "*** Begin Patch\n*** Add File: note.txt\n+x\n*** End Patch"
    patches = (harmless, harmless.replace("note.txt", ".github/copilot/settings.json"))
    lab = copilot(*([("apply_patch", {"input": patch})] for patch in patches))
    lab.variables = {"COPILOT_MODEL": "gpt-5.1-codex"}
    lab.hub.start()
    assert lab.headless("--allow-all-tools").code == 0
    assert (lab.project / "note.txt").read_text() == "x\n"
    assert not (lab.project / ".github").exists()
    assert "what they are allowed" in lab.model.results()[1]
