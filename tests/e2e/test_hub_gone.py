"""The hub dies, or cannot be started at all."""

import json
from pathlib import Path
from typing import Any

from assent.harnesses.claude_code.reply import WAYS_OUT
from tests.e2e.conftest import LabFactory
from tests.e2e.lab.client import BYPASS
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import Block, bash, call, say

TOUCH = [[bash("touch made.txt")], [say("Done.")]]
# Without this the client asks once, in a terminal, whether bypassPermissions is really meant.
BYPASS_ACCEPTED = {"skipDangerousModePermissionPrompt": True}
UNREACHABLE = "Assent could not be reached"


def without_a_hub(lab: Lab) -> Lab:
    """Installed, but what a shim would start does not start."""
    lab.guard()
    lab.hub.kill()
    (lab.hub.paths.shim / "start-hub").write_text("#!/bin/sh\nexit 1\n")
    return lab


def made(lab: Lab) -> bool:
    return (lab.project / "made.txt").exists()


def test_killed_hub_is_revived_in_the_middle_of_a_run(lab: LabFactory) -> None:
    """SIGKILL between two calls: a shim starts the next hub, the rules hold there too, and the run completes."""

    def kill(_: Any) -> list[Block]:
        killed.append(here.hub.pid())
        here.hub.kill()
        return [bash("touch made.txt")]

    killed: list[int | None] = []
    here = lab([[bash("echo before")], kill, [bash("echo after")], [say("Done.")]])
    here.hub.configure(rules='[[rule]]\nmatch = "Bash(touch *)"\ndecision = "deny"\nreason = "Still guarded."\n')
    here.guard()

    run = here.headless()

    assert run.result["result"] == "Done."
    assert not made(here)
    assert "Still guarded." in here.model.news()[2][0]
    assert here.hub.pid() not in (None, *killed)
    commands = [entry.payload["tool_input"]["command"] for entry in here.hub.entries("event", "PreToolUse")]
    assert commands == ["echo before", "touch made.txt", "echo after"]
    starts = [e for e in here.hub.entries("hub") if str(e.body["what"]).startswith("started")]
    assert len(starts) == 2


def test_terminal_asks_as_always_when_no_hub_can_be_started(lab: LabFactory) -> None:
    """The client's own dialog opens, and the shim says nothing that a person would see."""
    here = without_a_hub(lab(TOUCH))
    terminal = here.terminal()
    terminal.submit("go")
    screen = terminal.wait_for_dialog(10)
    assert UNREACHABLE not in screen
    assert "hook error" not in screen
    terminal.press("1")
    here.model.wait_for(2)
    assert made(here)


def test_unattended_run_ends_cleanly_when_no_hub_can_be_started(lab: LabFactory) -> None:
    """The call is refused as without a hook, nothing but the client's JSON is printed, and the gaps are spooled."""
    here = without_a_hub(lab(TOUCH))
    run = here.headless()
    assert json.loads(run.stdout)["result"] == "Done."
    assert run.stderr == ""
    assert not made(here)
    assert spooled(here.hub.paths.spool)


def test_bypass_run_is_refused_when_no_hub_can_be_started(lab: LabFactory) -> None:
    """In bypassPermissions silence would run the call, so it is denied, and the model reads the ways out."""
    here = without_a_hub(lab(TOUCH))
    here.headless(mode=BYPASS)
    assert not made(here)
    news = here.model.news()[1][0]
    assert UNREACHABLE in news
    assert WAYS_OUT in news


def test_bypass_terminal_is_denied_when_no_hub_can_be_started(lab: LabFactory) -> None:
    """No dialog, which the client would drop for files it guards itself: the person reads why at the call."""
    here = without_a_hub(lab(TOUCH, settings=BYPASS_ACCEPTED))
    terminal = here.terminal(mode=BYPASS)
    terminal.submit("go")
    here.model.wait_for(2)
    assert UNREACHABLE in here.model.news()[1][0]
    assert not made(here)


def test_settings_are_not_written_in_bypass_when_no_hub_can_be_started(lab: LabFactory) -> None:
    """A prompt about a file that the client guards itself would be dropped, and the file written."""

    def write(_: Any) -> list[Block]:
        return [call("Write", file_path=str(here.project_settings()), content="{}")]

    here: Lab = lab([write, [say("Done.")]])
    without_a_hub(here)
    here.headless(mode=BYPASS)
    assert UNREACHABLE in here.model.news()[1][0]
    assert not here.project_settings().exists()


def test_bypass_terminal_shows_a_dialog_where_that_is_wanted(lab: LabFactory) -> None:
    """With `unreachable = "prompt_in_bypass"` the person is asked after all, and told why."""
    here = lab(TOUCH, settings=BYPASS_ACCEPTED)
    with here.hub.paths.config.open("a") as config:
        config.write('unreachable = "prompt_in_bypass"\n')
    without_a_hub(here)
    terminal = here.terminal(mode=BYPASS)
    terminal.submit("go")
    assert UNREACHABLE in terminal.wait_for_dialog(10)
    assert not made(here)


def spooled(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.stat().st_size]
