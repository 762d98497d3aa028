"""`assent setup`: one way from nothing to an ask that was answered, with and without a terminal."""

from collections.abc import Iterator

import pytest

from assent.client import Client
from assent.protocol.card import AnswerRequest
from tests.component.cli.conftest import Person, Terminal
from tests.component.hub_process import until


@pytest.fixture
def person(terminal: Terminal) -> Iterator[Person]:
    (terminal.user / ".claude").mkdir(exist_ok=True)
    person = Person(terminal, "setup")
    yield person
    person.close()


def test_setup_leads_from_nothing_to_an_answered_ask(terminal: Terminal, person: Person) -> None:
    """Hooks are written after a yes, the stance stays, the test ask waits for its answer."""
    person.reads("Write this? [y/N/d] ").types("y")
    person.reads("Enter keeps balanced: ").types("")
    person.reads("Send yourself a test ask?").types("y")
    person.reads("Answer it here: http://localhost:")
    client = Client(terminal.paths)
    (ask,) = until(lambda: client.snapshot().asks, "the test ask")
    client.answer(ask.id, AnswerRequest(rev=ask.rev, hash=ask.hash, choice="deny"))
    person.reads("That is how it works.")
    assert person.leaves() == 0
    assert client.setup()["installed"]


def test_setup_may_leave_every_step_out(terminal: Terminal, person: Person) -> None:
    """A no changes nothing, and the next step follows."""
    person.reads("Write this? [y/N/d] ").types("n")
    person.reads("Enter keeps balanced: ").types("strict")
    person.reads("The stance is strict now.")
    person.reads("Send yourself a test ask?").types("n")
    assert person.leaves() == 0
    assert "`assent install` does it later." in person.screen
    assert not (terminal.user / ".claude" / "settings.json").exists()


def test_setup_without_a_terminal_says_what_is_left(terminal: Terminal) -> None:
    """Exit code 1 as long as hooks or hub are missing; nothing is changed."""
    run = terminal.run("setup")
    assert run.returncode == 1
    assert "left   hooks: assent install --yes\n" in run.stdout
    assert "left   hub: assent up --detach\n" in run.stdout
    assert not terminal.paths.state.exists()
    terminal.ok("install", "--yes")
    terminal.ok("up", "--detach")
    assert "done   hooks\ndone   hub\nleft   second screen (optional): " in terminal.ok("setup")
