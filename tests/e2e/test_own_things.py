"""The guard's own things stay where they are: lines that once took it away, with the real client."""

import os
from pathlib import Path

import assent
from tests.e2e.conftest import LabFactory
from tests.e2e.lab.model import bash, say

FLOOR = Path(assent.__file__).parent / "policy/judges/floor.py"


def test_no_plain_call_takes_the_guard_away_in_bypass(lab: LabFactory) -> None:
    """Each was one call of several that left the client without a guard."""
    here = lab([])
    here.guard()
    pid = here.hub.pid()
    home, state = here.hub.paths.state.parent, here.hub.paths.state
    lines = [
        f"mv {home} {home}2",
        f"chmod 000 {home}",
        f"ln -s {home} cfg && touch cfg/state/run/stopped",
        f"kill -STOP {pid}",
        f"kill -9 {pid}",
        f"cd {home}/st*/run && touch stopped",
        f"sed -i s/x/x/ {FLOOR}",
        f"for each in {home}/*; do mv $each /tmp; done",
        f"tar -C {home} -xf x.tar",
    ]
    here.model.script = {"main": [*([bash(line)] for line in lines), [say("Done.")]]}
    here.headless(mode="bypassPermissions")
    decisions = [entry.decision for entry in here.hub.entries("decision", "PreToolUse")]
    assert decisions == ["deny"] * len(lines)
    assert not {"PostToolUse", "PostToolUseFailure"} & set(here.hub.events())
    assert here.hub.pid() == pid
    assert state.is_dir()
    assert os.access(home, os.R_OK | os.W_OK | os.X_OK)
    assert not (state / "run/stopped").exists()


def test_no_allow_of_ours_shows_the_guards_keys(lab: LabFactory) -> None:
    """Whole folders and patterns are read like the files in them."""
    here = lab([])
    here.guard()
    home = here.hub.paths.state.parent
    lines = [
        f"tail -n +1 {home}/*/keys/*",
        f"grep -r . {home}",
        f"tar cf - {home} | base64",
        f"find {home} -type f -exec cat {{}} +",
        f"strings {home}/*/journal.db",
        f"cp -r {home} copy",
    ]
    here.model.script = {"main": [*([bash(line)] for line in lines), [say("Done.")]]}
    here.headless(mode="default")
    decisions = [entry.decision for entry in here.hub.entries("decision", "PreToolUse")]
    assert len(decisions) == len(lines)
    assert "allow" not in decisions
    assert not {"PostToolUse", "PostToolUseFailure"} & set(here.hub.events())
    assert not (here.project / "copy").exists()
