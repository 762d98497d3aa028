"""The program that hook entries name is gone: the entry itself answers."""

import shutil

import pytest

from assent.harnesses.claude_code.hooks import MISSING
from tests.e2e.conftest import LabFactory
from tests.e2e.lab.client import BYPASS
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import bash, say

TOUCH = [[bash("touch made.txt")], [say("Done.")]]
GONE = ("python", "hook.py")


def without_the_shim(lab: Lab, gone: str, *install: str) -> Lab:
    """Installed, and then one of its files is moved away."""
    lab.install(*install)
    (lab.hub.paths.shim / gone).rename(lab.hub.paths.shim / f"{gone}.away")
    return lab


def made(lab: Lab) -> bool:
    return (lab.project / "made.txt").exists()


@pytest.mark.parametrize("gone", GONE)
def test_bypass_run_is_refused_without_the_shim(lab: LabFactory, gone: str) -> None:
    """The model reads why and what helps; the prompt came through, and the turn ends as always."""
    here = without_the_shim(lab(TOUCH), gone)
    run = here.headless(mode=BYPASS)
    assert not made(here)
    assert MISSING in here.model.news()[1][0]
    assert (run.code, run.result["result"], run.stderr) == (0, "Done.", "")
    assert here.hub.entries() == []


@pytest.mark.parametrize("gone", GONE)
def test_default_run_goes_on_as_without_a_hook(lab: LabFactory, gone: str) -> None:
    """What the user's own rules allow runs, the rest is refused by the client, and the turn ends as always."""
    script = [[bash("touch made.txt")], [bash("mkdir unasked")], [say("Done.")]]
    here = without_the_shim(lab(script, settings={"permissions": {"allow": ["Bash(touch:*)"]}}), gone)
    run = here.headless()
    assert made(here)
    assert not (here.project / "unasked").exists()
    assert MISSING not in str(here.model.news())
    assert (run.code, run.result["result"], run.stderr) == (0, "Done.", "")


def test_terminal_asks_as_always_without_the_shim(lab: LabFactory) -> None:
    """The prompt is taken, the client's own dialog opens, and the turn ends without a word of ours."""
    here = without_the_shim(lab(TOUCH), "python", "--transport", "shim")
    terminal = here.terminal()
    terminal.submit("go")
    assert "hook error" not in terminal.wait_for_dialog(10)
    terminal.press("1")
    here.model.wait_for(2, seconds=30)
    screen = terminal.wait_for("Done.")
    assert made(here)
    assert "hook error" not in screen


def test_bypass_run_is_refused_when_the_state_folder_was_moved(lab: LabFactory) -> None:
    """One plain `mv` of a parent takes shim, keys and sockets along."""
    here = lab(TOUCH)
    here.install()
    shutil.move(here.hub.paths.state, here.folder / "elsewhere")
    here.headless(mode=BYPASS)
    assert not made(here)
    assert MISSING in here.model.news()[1][0]


def test_shared_entries_are_silent_where_assent_never_was(lab: LabFactory) -> None:
    """A colleague without Assent works as before, in bypassPermissions too: their home has no folder of ours."""
    here = lab(TOUCH)
    here.install("--scope", "project")
    run = here.headless(mode=BYPASS)
    assert made(here)
    assert run.stderr == ""


@pytest.mark.parametrize("mode", ["default", BYPASS])
def test_failing_gate_refuses_where_the_user_chose_deny(lab: LabFactory, mode: str) -> None:
    """A shim that crashes is no opinion by itself; `unreachable = "deny"` makes the client refuse."""
    here = lab(TOUCH, settings={"permissions": {"allow": ["Bash(touch:*)"]}})
    config = here.hub.paths.config
    config.write_text(config.read_text() + 'unreachable = "deny"\n')
    here.install()
    program = here.hub.paths.shim / "python"
    program.unlink()
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o700)
    run = here.headless(mode=mode)
    assert not made(here)
    assert 'onFailure is "block"' in here.model.news()[1][0]
    assert run.result["result"] == "Done."
