"""The hub dies while an ask is open."""

import pytest

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.hub import Ask
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import bash, say
from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.waiting import until


def asked(lab: Lab) -> tuple[Terminal, Ask]:
    lab.install()
    lab.hub.start()
    terminal = lab.terminal()
    terminal.submit("go")
    ask = lab.hub.wait_for_ask()
    terminal.wait_for_dialog()
    return terminal, ask


def made(lab: Lab) -> list[str]:
    return sorted(path.name for path in lab.project.glob("*.txt"))


@pytest.mark.parametrize("how", ["kill -9", "assent restart"])
def test_open_ask_is_the_same_one_after_a_restart(lab: LabFactory, how: str) -> None:
    """The shim waits on for the next hub: the ask keeps its id, and an answer to it reaches the client."""
    here = lab([[bash("touch one.txt")], [say("Done.")]])
    _, before = asked(here)
    if how == "assent restart":
        here.hub.assent("restart")
    else:
        here.hub.kill()
    until(here.hub.is_reachable, "the shim has started the hub again")
    after = here.hub.wait_for_ask()
    assert (after["id"], after["rev"], after["hash"]) == (before["id"], before["rev"], before["hash"])
    here.hub.answer(before, "allow")
    here.model.wait_for(2)
    assert made(here) == ["one.txt"]
    assert len(here.hub.asks()) == 1


def test_terminal_works_while_the_hub_is_down(lab: LabFactory) -> None:
    """Stopped on purpose with an ask open: the dialog stays, without an error, and the person there decides."""
    here = lab([[bash("touch one.txt")], [say("Done.")]])
    terminal, _ = asked(here)
    here.hub.assent("down")
    until(lambda: not here.hub.is_reachable(), "the hub is gone")
    screen = terminal.wait_for_dialog()
    assert "error" not in screen
    terminal.press("Enter")
    here.model.wait_for(2)
    assert made(here) == ["one.txt"]
