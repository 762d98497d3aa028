"""What a person says in the real client's dialog, learnt from the record, and a rule of it obeyed."""

import json

import pytest

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import bash, say
from tests.e2e.lab.waiting import until

ONE, TWO = "touch one.txt", "touch two.txt"


def yes_and_no(here: Lab) -> None:
    """A session in which the person says yes to one call and no to another."""
    terminal = here.terminal()
    terminal.submit("go")
    terminal.wait_for_dialog()
    terminal.press("1")
    here.model.wait_for(2)
    terminal.wait_for("Done.")
    terminal.submit("and now the other")
    terminal.wait_for_dialog()
    terminal.press("Escape")
    until(lambda: not terminal.has_dialog(), "the dialog closed")
    terminal.leave()
    until(lambda: "SessionEnd" in here.hub.events(), "the end of the session on record")


@pytest.mark.parametrize("to", ["assent", "agent"])
def test_approval_in_the_terminal_becomes_a_rule_that_holds(lab: LabFactory, to: str) -> None:
    """The yes is offered, the no is not and is named by a replay, and the accepted rule spares the next question."""
    here = lab([[bash(ONE)], [say("Done.")], [bash(TWO)], [bash(ONE)], [say("Done.")]])
    here.guard()
    yes_and_no(here)
    output = json.loads(here.hub.assent("review", "--min", "1", "--json"))
    assert [(offer["text"], offer["saved"]) for offer in output["offers"]] == [(f"Bash({ONE})", 1)]
    assert (output["asks"], output["approvals"]) == (2, 1)

    rules = here.folder / "touch.toml"
    rules.write_text('[[rule]]\nmatch = "Bash(touch *)"\ndecision = "allow"\n')
    replayed = json.loads(here.hub.assent("replay", str(rules), "--check", "--json", code=1))
    assert [example["what"] for example in replayed["refused"]["examples"]] == [TWO]

    here.hub.assent("review", "--min", "1", "--accept", f"Bash({ONE})", "--to", to, "--yes")
    if to == "assent":
        # The hub looks at the file once a second.
        until(lambda: here.hub.entries("rules"), "the rule on record, and so in force")
    (here.project / "one.txt").unlink()
    here.headless()
    assert (here.project / "one.txt").exists()
    assert not (here.project / "two.txt").exists()
    assert here.hub.events().count("PermissionRequest") == 2
