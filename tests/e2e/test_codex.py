"""The real Codex with our hooks: what runs, what is stopped, patches, and answers from elsewhere."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.lab import fetched
from tests.e2e.lab.chat_model import Call, Turn
from tests.e2e.lab.codex import CodexLab
from tests.e2e.lab.terminal import AFTER_PAINT
from tests.e2e.lab.waiting import HANG, let_pass, until

CodexFactory = Callable[..., CodexLab]
# Also where no screen is open.
ALWAYS_ASK = '[asks]\nunattended = "always"'
ASK_TOUCH = '[[rule]]\nmatch = "Bash(touch *)"\ndecision = "ask"\nreason = "Files are reviewed."\n'


def shell(command: str) -> Call:
    return "exec_command", {"cmd": command}


# It asks to run outside of its sandbox.
LEAVES = {"sandbox_permissions": "require_escalated", "justification": "I need a file."}
LS, TOUCH, PUSH = shell("ls"), shell("touch made"), shell("git push --force origin main")
PATCH = """*** Begin Patch
*** Update File: README.md
@@
-A project.
+A changed project.
*** Add File: note.txt
+hello
*** End Patch
"""


@pytest.fixture
def codex(tmp_path: Path) -> Iterator[CodexFactory]:
    binary = fetched.program("codex")
    labs: list[CodexLab] = []

    def make(*turns: Turn, installed: bool = True, approval: str = "never") -> CodexLab:
        lab = CodexLab(tmp_path / str(len(labs)), binary, turns, approval)
        labs.append(lab)
        if installed:
            lab.install()
        return lab

    yield make
    for lab in labs:
        lab.close()


@pytest.mark.clients
def test_look_runs_unasked_and_danger_is_stopped_with_a_reason(codex: CodexFactory) -> None:
    """In `codex exec`, which asks nothing: the model reads why, and all of it is recorded under its own name."""
    lab = codex([LS], [PUSH])
    lab.hub.start()
    assert lab.headless().code == 0
    listed, pushed = lab.model.results()
    assert "README.md" in listed
    assert "It overwrites commits on the remote" in pushed
    calls = lab.records("PreToolUse")
    assert [call.body["harness"] for call in calls] == ["codex", "codex"]
    assert {"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"} <= set(lab.hub.events())


def test_answer_from_elsewhere_reaches_it(codex: CodexFactory) -> None:
    """It cannot be made to ask, so other screens are asked before the call: a yes runs it, a changed one as changed,
    and a no tells the model what was written."""
    lab = codex([TOUCH], [shell("touch second")], [shell("touch third")])
    lab.hub.configure(ALWAYS_ASK, rules=ASK_TOUCH)
    lab.hub.start()
    with lab.running() as client:
        ask = lab.hub.wait_for_ask()
        assert ask["view"]["line"] == "touch made"
        choices = [choice["choice"] for choice in ask["choices"]]
        assert "allow_edited" in choices
        assert "hand_back" not in choices
        lab.hub.answer(ask, "allow")
        lab.hub.answer(lab.hub.wait_for_ask(2), "allow_edited", edited={"command": "touch changed"})
        lab.hub.answer(lab.hub.wait_for_ask(3), "deny", message="Two are enough.")
        client.communicate(timeout=HANG)
        assert client.returncode == 0
    assert {"made", "changed"} <= {file.name for file in lab.project.iterdir()}
    assert not {"second", "third"} & {file.name for file in lab.project.iterdir()}
    assert "Two are enough." in lab.model.results()[2]


def test_patch_is_asked_about_with_every_file(codex: CodexFactory) -> None:
    """One ask with both diffs; a rule about one of the files is enough."""
    lab = codex([("apply_patch", {"raw": PATCH})])
    lab.hub.configure(ALWAYS_ASK, rules='[[rule]]\nmatch = "Edit(note.txt)"\ndecision = "ask"\nreason = "Reviewed."\n')
    lab.hub.start()
    with lab.running() as client:
        ask = lab.hub.wait_for_ask()
        assert ask["view"]["verb"] == "Change README.md and note.txt"
        first, second = ask["view"]["diffs"]
        assert [line for hunk in first["hunks"] for line in hunk["lines"]] == ["-A project.", "+A changed project."]
        assert (second["path"], second["is_new"], second["added"]) == ("note.txt", True, 1)
        assert not ask["view"].get("facts")
        lab.hub.answer(ask, "allow")
        client.communicate(timeout=HANG)
    assert (lab.project / "README.md").read_text() == "A changed project.\n"
    assert (lab.project / "note.txt").read_text() == "hello\n"


@pytest.mark.clients
def test_patch_of_the_agents_own_settings_is_stopped(codex: CodexFactory) -> None:
    """Every file of a patch is judged, also behind a harmless one, and in a shell line that only hands it over, in
    the folder that it names."""
    patch = "*** Begin Patch\n*** Add File: note.txt\n+x\n*** Add File: .codex/config.toml\n+[features]\n*** End Patch"
    below = patch.replace(".codex/", "")
    lab = codex(
        [("apply_patch", {"raw": patch})],
        [shell(f"apply_patch <<'EOF'\n{patch}\nEOF")],
        [shell(f"cd .codex && apply_patch <<EOF\n{below}\nEOF")],
    )
    lab.hub.start()
    lab.headless()
    assert [entry.decision for entry in lab.hub.entries("decision", "PreToolUse")] == ["deny", "deny", "deny"]
    assert not (lab.project / "note.txt").exists()


@pytest.mark.clients
def test_rules_speak_about_what_a_call_is(codex: CodexFactory) -> None:
    """And not about what this client calls its tool."""
    lab = codex([LS])
    lab.hub.configure(rules='[[rule]]\nmatch = "Bash(ls)"\ndecision = "deny"\nreason = "Not here."\n')
    lab.hub.start()
    lab.headless()
    assert "Not here." in lab.model.results()[0]


@pytest.mark.parametrize("lost", ["shim", "hub"])
def test_call_is_denied_where_nothing_judges_it(codex: CodexFactory, lost: str) -> None:
    """It would run unasked: the entry answers by itself, and so does the shim where no hub can be started."""
    lab = codex([TOUCH])
    if lost == "shim":
        shutil.rmtree(lab.hub.paths.shim)
    else:
        (lab.hub.paths.shim / "start-hub").write_text("#!/bin/sh\nexit 1\n")
    assert lab.headless().code == 0
    assert not (lab.project / "made").exists()
    assert "Assent could not be reached" in lab.model.results()[0]


@pytest.mark.clients
def test_hooks_without_trust_are_named_by_doctor(codex: CodexFactory) -> None:
    """The client leaves them out and says nothing."""
    lab = codex([TOUCH], installed=False)
    said = lab.hub.assent("install", "--harness", "codex", "--yes")
    assert "only after you have trusted them" in said
    lab.hub.start()
    lab.headless()
    assert (lab.project / "made").exists()
    assert lab.hub.events() == []
    assert "You have not trusted these hooks" in lab.hub.assent("doctor", "--harness", "codex", code=1)


@pytest.mark.clients
def test_repository_that_switches_hooks_off_is_named_by_doctor(codex: CodexFactory) -> None:
    """In a trusted folder one line is enough; a run of `assent exec` is gated all the same."""
    lab = codex([TOUCH], [PUSH])
    (lab.project / ".codex").mkdir()
    (lab.project / ".codex/config.toml").write_text("[features]\nhooks = false\n")
    lab.hub.start()
    lab.model.turns = [[TOUCH]]
    lab.headless()
    assert lab.hub.events() == []
    assert "no hook of yours runs here" in lab.hub.assent("doctor", "--harness", "codex", code=1)
    lab.model.turns = [[TOUCH], "done", [PUSH]]
    lab.exec()
    assert "It overwrites commits on the remote" in lab.model.results()[-1]
    assert len(lab.records("PreToolUse")) == 1


def test_install_and_uninstall_leave_the_file_as_it_was(codex: CodexFactory) -> None:
    """Entries of others stay, in their bytes and in their places."""
    lab = codex([LS], installed=False)
    before = b'{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}'
    lab.entries.write_bytes(before)
    lab.install()
    assert lab.entries.read_bytes() != before
    lab.hub.assent("uninstall", "--yes")
    assert lab.entries.read_bytes() == before


READY = "Ask Codex to do anything"
ESCAPED: Call = ("exec_command", {"cmd": "touch made", **LEAVES})


@pytest.mark.clients
def test_permission_request_is_answered_elsewhere(codex: CodexFactory) -> None:
    """In a terminal, where it asks about what leaves its sandbox. It is about the call before it, and shows what the
    agent says it needs that for."""
    other: Call = ("exec_command", {"cmd": "touch other", **LEAVES})
    lab = codex([ESCAPED], [other], approval="on-request")
    lab.hub.start()
    lab.hub.leave_desk()
    terminal = lab.terminal()
    terminal.wait_for(READY)
    terminal.submit("go")
    ask = lab.hub.wait_for_ask()
    assert ask["view"]["line"] == "touch made"
    assert "allow_edited" not in [choice["choice"] for choice in ask["choices"]]
    lab.hub.answer(ask, "allow")
    lab.hub.answer(lab.hub.wait_for_ask(2), "deny", message="One is enough.")
    lab.model.wait_for_result(2)
    assert (lab.project / "made").exists()
    assert not (lab.project / "other").exists()
    assert "One is enough." in lab.model.results()[1]
    called, asked = lab.records("PreToolUse")[0], lab.records("PermissionRequest")[0]
    assert called.call == asked.call is not None


@pytest.mark.clients
def test_call_that_a_rule_allows_opens_no_dialog(codex: CodexFactory) -> None:
    """It is judged again where the client asks about it."""
    lab = codex([ESCAPED], approval="on-request")
    lab.hub.configure(rules='[[rule]]\nmatch = "Bash(touch *)"\ndecision = "allow"\n')
    lab.hub.start()
    terminal = lab.terminal()
    terminal.wait_for(READY)
    terminal.submit("go")
    lab.model.wait_for_result(1)
    assert (lab.project / "made").exists()
    assert [entry.decision for entry in lab.hub.entries("decision", "PermissionRequest")] == ["allow"]


@pytest.mark.clients
def test_escape_withdraws_the_ask(codex: CodexFactory) -> None:
    """The client ends the hook that waits."""
    lab = codex([ESCAPED], approval="on-request")
    lab.hub.start()
    lab.hub.leave_desk()
    terminal = lab.terminal()
    terminal.wait_for(READY)
    terminal.submit("go")
    lab.hub.wait_for_ask()
    terminal.press("Escape")
    until(lambda: lab.hub.asks()[0]["state"] != "open", "the ask is closed")
    assert not (lab.project / "made").exists()


@pytest.mark.clients
def test_person_trusts_the_hooks_in_the_client(codex: CodexFactory) -> None:
    """What it writes down is what doctor looks for."""
    lab = codex([LS], installed=False)
    lab.hub.assent("install", "--harness", "codex", "--yes")
    terminal = lab.terminal()
    terminal.wait_for("Hooks need review")
    let_pass(AFTER_PAINT)
    terminal.press("Down")
    terminal.press("Enter")
    terminal.wait_for(READY)
    lab.hub.start()
    assert "you have trusted them" in lab.hub.assent("doctor", "--harness", "codex")


@pytest.mark.clients
def test_interpreter_that_would_be_typed_into_is_stopped(codex: CodexFactory) -> None:
    """What is typed into it comes with no event, so its start is the last that can be judged."""
    lab = codex([("exec_command", {"cmd": "sh", "tty": True, "yield_time_ms": 500})])
    lab.hub.start()
    lab.headless()
    assert "What is typed into it later is not judged" in lab.model.results()[0]
