"""The record is pruned, copied and restored, by the real program."""

import json
import shutil

from assent.client import Client
from tests.component.cli.conftest import Terminal
from tests.component.hub_process import until


def test_backup_is_restored_as_the_documentation_says(terminal: Terminal) -> None:
    """Stop, put the copy in the journal's place, start: the chain goes on from the copy's head."""
    terminal.up()
    terminal.ok("demo", "--speed", "0")
    until(lambda: not Client(terminal.paths).sessions()[0].is_live, "the end of the session")
    copied = json.loads(terminal.ok("log", "backup", "--json"))
    head = copied["checked"]["head"]
    terminal.ok("demo", "--speed", "0")
    terminal.ok("down")
    terminal.paths.journal.rename(terminal.paths.state / "journal.db.old")
    shutil.copy(copied["file"], terminal.paths.journal)
    terminal.up()
    output = terminal.ok("log", "verify", "--against", f"{head['hub']}:{head['seq']}:{head['hash']}")
    assert "The head that was kept is among them" in output
    (now,) = Client(terminal.paths).heads()
    assert now["seq"] > head["seq"]


def test_prune_shows_does_and_leaves_a_chain_that_holds(terminal: Terminal) -> None:
    """What would go is what goes; a head from before is no longer claimed to hold."""
    terminal.up()
    terminal.ok("demo", "--speed", "0")
    until(lambda: not Client(terminal.paths).sessions()[0].is_live, "the end of the session")
    early = Client(terminal.paths).search("", limit=10, before=12)[0][0]
    planned = json.loads(terminal.ok("log", "prune", "--keep", "0s", "--dry-run", "--json"))
    output = terminal.ok("log", "prune", "--keep", "0s", "--yes")
    assert f"Removed {planned['removed']} records" in output
    assert "were removed on purpose" in terminal.ok("log", "verify")
    checked = terminal.run("log", "verify", "--against", f"{early['hub']}:{early['seq']}:{early['hash']}")
    assert (checked.returncode, "cannot be checked" in checked.stdout) == (1, True)
    assert terminal.ok("log", "-n", "1").endswith("the chain goes on from here\n")
    terminal.ok("restart")
    assert "were removed on purpose" in terminal.ok("log", "verify")
