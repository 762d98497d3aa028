"""`assent exec` with the real client: one run behind the gate, whatever the settings say."""

import json
import signal
import subprocess
import sys
from collections import Counter
from typing import Any

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.lab import Lab, write
from tests.e2e.lab.model import bash, say
from tests.e2e.lab.waiting import HANG, until

PUSH = "git push --force origin main"
NO_HOOKS = {"disableAllHooks": True, "env": {"CLAUDE_CODE_SIMPLE": "1", "CLAUDE_CODE_SAFE_MODE": "1"}}


def start(lab: Lab, *options: str, extra: tuple[str, ...] = ()) -> "subprocess.Popen[str]":
    """``assent exec … -- claude -p go`` in the project."""
    lab.take_slot()
    agent = lab.client.argv("default", "-p", "go", "--output-format", "json", *extra)
    return subprocess.Popen(
        [sys.executable, "-I", "-m", "assent", "exec", *options, "--", *agent],
        cwd=lab.project,
        env={**lab.client.environ("default"), "ASSENT_HOME": str(lab.hub.paths.state.parent)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: "subprocess.Popen[str]") -> tuple[int, dict[str, Any], list[dict[str, Any]]]:
    """The exit code, what the client printed, and the events."""
    with process:
        stdout, stderr = process.communicate(timeout=HANG)
    return process.returncode, json.loads(stdout), [json.loads(line) for line in stderr.splitlines()]


def test_run_is_gated_without_touching_settings(lab: LabFactory) -> None:
    """Looking runs, Danger is denied and the model is told why; settings of theirs for the run count as well."""
    here = lab([[bash("ls")], [bash(PUSH)], [bash("touch one.txt")], [say("Done.")]])
    write(here.project_settings(), '{ "model": "opus" }\n')
    settings = (here.user_settings(), here.project_settings(), here.local_settings())
    before = [path.read_bytes() if path.exists() else None for path in settings]
    theirs = ("--settings", json.dumps({"permissions": {"allow": ["Bash(touch:*)"]}}))
    code, result, events = finished(start(here, "--json", "--fail-on", "denied", extra=theirs))
    assert (code, result["result"]) == (121, "Done.")
    assert "nobody who could be asked" in here.model.news()[2][0]
    assert (here.project / "one.txt").exists()
    assert [path.read_bytes() if path.exists() else None for path in settings] == before
    told = [line["event"] for line in events if line["kind"] == "event"]
    assert sorted(told) == sorted(here.hub.events())
    summary = events[-1]
    assert (summary["session"], summary["calls"], summary["allowed"]) == (result["session_id"], 3, 1)
    assert (summary["denied"], summary["asked"], summary["unjudged"]) == (1, 1, 0)


def test_hooks_switched_off_do_not_let_a_run_pass(lab: LabFactory) -> None:
    """Every file switches hooks off, one names modes without hooks, and Assent is installed as well: each call is
    judged, and once."""
    here = lab([[bash("ls")], [bash(PUSH)], [say("Done.")]], settings=NO_HOOKS)
    here.install()
    for path in (here.project_settings(), here.local_settings()):
        write(path, json.dumps({"disableAllHooks": True}))
    code, _, events = finished(start(here, "--json"))
    assert (code, events[-1]["allowed"], events[-1]["denied"]) == (0, 1, 1)
    counted = Counter(here.hub.events())
    assert (counted["PreToolUse"], counted["PostToolUse"], counted["SessionStart"]) == (2, 1, 1)


def test_what_only_the_client_asks_about_is_handed_back(lab: LabFactory) -> None:
    """Its own rules decide, which without a person means no; Danger is refused all the same."""
    here = lab([[bash("touch one.txt")], [bash(PUSH)], [say("Done.")]])
    code, _, events = finished(start(here, "--json", "--on-ask", "hand-back", "--fail-on", "asked"))
    assert code == 122
    assert not (here.project / "one.txt").exists()
    assert "needs approval" in here.model.news()[1][0]
    assert "overwrites commits" in here.model.news()[2][0]
    assert (events[-1]["denied"], events[-1]["asked"], events[-1]["unanswered"]) == (0, 2, 2)


def test_interrupted_run_leaves_no_agent_behind(lab: LabFactory) -> None:
    """Ctrl-C ends the client and what it had started."""
    here = lab([[bash("python3 -c \"open('at-work', 'w').close(); __import__('signal').pause()\"")], [say("Done.")]])
    process = start(here, "--json", extra=("--allowedTools", "Bash"))
    until((here.project / "at-work").exists, "the command is at work")
    process.send_signal(signal.SIGINT)
    with process:
        _, stderr = process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert json.loads(stderr.splitlines()[-1])["exit"] == 130
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(here.folder / "debug.txt") not in running
    assert "at-work" not in running
