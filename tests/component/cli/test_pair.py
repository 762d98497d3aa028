"""`assent pair` where no phone can reach the hub, and how it gets an address."""

from collections.abc import Callable, Iterator

import pytest

from assent.client import Client
from tests.component.cli.conftest import Person, Terminal


@pytest.fixture
def at_terminal(terminal: Terminal) -> Iterator[Callable[..., Person]]:
    people: list[Person] = []

    def sit(*argv: str) -> Person:
        people.append(Person(terminal, *argv))
        return people[-1]

    yield sit
    for person in people:
        person.close()


def test_pair_names_three_ways_instead_of_a_code_that_no_phone_can_open(
    terminal: Terminal, at_terminal: Callable[..., Person]
) -> None:
    """Each with what to type; nothing is paired."""
    terminal.up()
    person = at_terminal("pair")
    assert person.leaves() == 1
    for title in ("Tailscale", "This network", "A chat"):
        assert title in person.screen
    assert "assent connect telegram" in person.screen
    assert "localhost" not in person.screen
    assert "█" not in person.screen


def test_pair_over_an_address_opens_the_door_after_a_yes(
    terminal: Terminal, at_terminal: Callable[..., Person]
) -> None:
    """The setting is written, the hub restarted, and the code is one of that address."""
    terminal.configure("[hub]\nport = 0\n[remote]\nport = 0\n")
    terminal.up()
    person = at_terminal("pair", "--over", "127.0.0.1")
    person.reads("Write this? [y/N] ").types("y")
    person.reads("https://127.0.0.1:").reads("Waiting for it")
    assert 'bind = "127.0.0.1"' in terminal.paths.config.read_text()
    assert str(Client(terminal.paths).status()["remote"]).startswith("https://127.0.0.1:")


def test_pair_over_a_name_expects_a_tunnel(terminal: Terminal, at_terminal: Callable[..., Person]) -> None:
    """Nothing more is opened on this machine."""
    terminal.up()
    person = at_terminal("pair", "--over", "desk.example.ts.net")
    person.reads("Write this? [y/N] ").types("y")
    person.reads("https://desk.example.ts.net/pair#")


def test_pair_over_changes_nothing_after_a_no(terminal: Terminal, at_terminal: Callable[..., Person]) -> None:
    """No door without a yes."""
    terminal.up()
    before = terminal.paths.config.read_text()
    person = at_terminal("pair", "--over", "127.0.0.1")
    person.reads("Write this? [y/N] ").types("n")
    assert person.leaves() == 1
    assert terminal.paths.config.read_text() == before
