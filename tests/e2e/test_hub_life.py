"""The hub is restarted, stopped or killed under a client at work: nothing dangerous slips through in between."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from assent.harnesses.claude_code.reply import STOPPED, WAYS_OUT
from tests.e2e.conftest import LabFactory
from tests.e2e.lab.client import BYPASS
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import Block, bash, call, say
from tests.e2e.lab.waiting import HANG

ALWAYS = '[asks]\nunattended = "always"\n'
PUSH = [[bash("git push --force origin main")], [say("Done.")]]
ALLOWED = {"permissions": {"allow": ["Bash(git push:*)"]}}
NO_MARKERS = '[[rule]]\nmatch = "Bash(touch marker-*)"\ndecision = "deny"\nreason = "Markers are forbidden."\n'
RESTARTS = 20
MOST_CALLS = 2_000


def git(*arguments: str, lab: Lab) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=lab.project, env={"HOME": str(lab.home), "PATH": "/usr/bin:/bin"}, capture_output=True
    )
    return done.stdout.decode()


@contextmanager
def held(lab: Lab) -> Iterator["subprocess.Popen[str]"]:
    """``claude -p`` with a push that its own rules allow, and that waits for a person all the same."""
    git("init", "-q", "--bare", str(lab.folder / "remote.git"), lab=lab)
    git("remote", "add", "origin", str(lab.folder / "remote.git"), lab=lab)
    lab.hub.configure(ALWAYS)
    lab.guard()
    lab.take_slot()
    with lab.client.popen("go") as run:
        try:
            assert lab.hub.wait_for_ask()["risk"]["level"] == "danger"
            yield run
            run.communicate(timeout=HANG)
        finally:
            run.kill()


def is_pushed(lab: Lab) -> bool:
    return git("ls-remote", "origin", "main", lab=lab) != ""


def test_lab_can_push(lab: LabFactory) -> None:
    """What the tests below look for does happen once a person says yes."""
    here = lab(PUSH, settings=ALLOWED)
    with held(here):
        ask = here.hub.wait_for_ask()
        here.hub.answer(ask, "allow", match=ask["risk"]["match"])
    assert is_pushed(here)


def test_held_danger_waits_on_over_a_restart(lab: LabFactory) -> None:
    """Under an allow rule the client would run it on a silent hook; the new hub asks the same, and a no counts."""
    here = lab(PUSH, settings=ALLOWED)
    with held(here):
        before = here.hub.wait_for_ask()
        here.hub.assent("restart")
        after = here.hub.wait_for_ask()
        assert (after["id"], after["rev"], after["hash"]) == (before["id"], before["rev"], before["hash"])
        assert not is_pushed(here)
        here.hub.answer(after, "deny", message="Not today.")
        [news] = here.model.wait_for(2).news()
    assert news.endswith("Not today.")
    assert not is_pushed(here)


def test_held_danger_does_not_run_after_down(lab: LabFactory) -> None:
    """The stopping hub answers with the prompt it had promised, which `-p` takes for a no."""
    here = lab(PUSH, settings=ALLOWED)
    with held(here):
        here.hub.assent("down")
        [news] = here.model.wait_for(2).news()
    assert news.startswith("[error]")
    assert not is_pushed(here)


def test_held_danger_does_not_run_where_the_new_hub_does_not_start(lab: LabFactory) -> None:
    """Killed, and nothing to come back to: a call that waited for a person ends in a prompt, never in silence."""
    here = lab(PUSH, settings=ALLOWED)
    with held(here):
        (here.hub.paths.shim / "start-hub").write_text("#!/bin/sh\nexit 1\n")
        here.hub.kill()
        [news] = here.model.wait_for(2).news()
    assert news.startswith("[error]")
    assert not is_pushed(here)


def test_bypass_is_gated_during_twenty_restarts(lab: LabFactory) -> None:
    """Call after call that a rule denies while the hub is replaced again and again: none of them runs."""
    over = threading.Event()

    def next_call(number: int) -> Any:
        def step(_: Any) -> list[Block]:
            return [say("Done.")] if over.is_set() else [bash(f"touch marker-{number}")]

        return step

    here = lab([next_call(number) for number in range(MOST_CALLS)])
    here.hub.configure(rules=NO_MARKERS)
    here.guard()
    here.take_slot()
    with here.client.popen("go", mode=BYPASS) as run:
        try:
            here.model.wait_for(2)
            pids = {here.hub.pid()}
            for _ in range(RESTARTS):
                here.hub.assent("restart")
                pids.add(here.hub.pid())
            over.set()
            run.communicate(timeout=HANG)
        finally:
            over.set()
            run.kill()
    assert len(pids) == RESTARTS + 1
    assert list(here.project.glob("marker-*")) == []
    told = [line for news in here.model.news() for line in news if line.startswith(("[error]", "[result]"))]
    assert len(told) > RESTARTS
    assert [line for line in told if "Markers are forbidden." not in line] == []


def test_settings_are_not_written_right_after_the_hub_was_killed(lab: LabFactory) -> None:
    """SIGKILL and at once a write that would switch the hooks off: the call waits for the next hub, which refuses."""

    def kill(_: Any) -> list[Block]:
        here.hub.kill()
        return [
            call("Write", file_path=str(here.project_settings()), content='{"disableAllHooks": true}'),
        ]

    here = lab([[bash("echo before")], kill, [say("Done.")]])
    here.guard()
    run = here.headless(mode=BYPASS)
    assert run.result["result"] == "Done."
    assert not here.project_settings().exists()
    assert here.model.news()[2][0].startswith("[error]")


def test_settings_are_not_written_while_the_hub_is_frozen(lab: LabFactory) -> None:
    """SIGSTOP and then the same write: a hub that says nothing is given up, and the call is denied."""
    frozen: list[int] = []

    def freeze(_: Any) -> list[Block]:
        pid = here.hub.pid()
        assert pid is not None
        frozen.append(pid)
        os.kill(pid, signal.SIGSTOP)
        return [call("Write", file_path=str(here.project_settings()), content='{"disableAllHooks": true}')]

    here = lab([[bash("echo before")], freeze, [say("Done.")]])
    here.guard()
    try:
        here.headless(mode=BYPASS)
    finally:
        for pid in frozen:
            os.kill(pid, signal.SIGCONT)
    assert not here.project_settings().exists()
    assert WAYS_OUT in here.model.news()[2][0]


def test_forged_stop_mark_does_not_open_bypass(lab: LabFactory) -> None:
    """`touch stopped` and a killed hub: the next call starts a hub, and what a rule denies stays denied."""

    def forge(_: Any) -> list[Block]:
        here.hub.paths.stopped_mark.touch()
        here.hub.kill()
        return [bash("touch marker-1")]

    here = lab([[bash("echo before")], forge, [say("Done.")]])
    here.hub.configure(rules=NO_MARKERS)
    here.guard()
    here.headless(mode=BYPASS)
    assert "Markers are forbidden." in here.model.news()[2][0]
    assert list(here.project.glob("marker-*")) == []


def test_stop_is_said_in_the_terminal_once(lab: LabFactory) -> None:
    """The person who stopped the hub reads in their session that nothing is judged, and the client asks as always."""
    here = lab([[bash("touch one.txt")], [say("Done.")]])
    here.guard()
    here.hub.assent("down")
    terminal = here.terminal()
    said = terminal.wait_for("until assent up")
    terminal.submit("go")
    terminal.wait_for_dialog()
    terminal.press("1")
    here.model.wait_for(2)
    screen = terminal.wait_for("Done.")
    words = STOPPED.rpartition(" until")[0].split()[-3:]
    assert " ".join(words) in " ".join(said.split())
    assert " ".join(screen.split()).count("until assent up") == 1
