"""Every action has one name, one key and one set of words, wherever people work."""

import re
from pathlib import Path
from typing import get_args

import click
import pytest

import assent
from assent.actions import ACTIONS, Action, is_harmless
from assent.cli.main import cli
from assent.protocol.bodies import Choice

PAGE = Path(assent.__file__).parent / "web" / "wording_more.js"
KEYS = PAGE.with_name("keys.js")
DOCUMENT = Path(__file__).parents[2] / "docs" / "terminal.md"
_TOLD = re.compile(r"^\| (?:`([^`]+)`)? \| ([^|]+) \| `(\w+\.\w+)` \| (?:`assent ([^`]+)`)? \|$", re.MULTILINE)
_ROW = re.compile(r'^  \["([^"]+)", "([^"]*)", "([^"]*)"\],$', re.MULTILINE)
_PLACEHOLDER = re.compile(r"[A-Z]+$")


def test_the_page_has_the_same_table() -> None:
    """Name, key and words, in the same order."""
    page = _ROW.findall(PAGE.read_text(encoding="utf-8"))
    assert page == [(action.name, action.key, action.words) for action in ACTIONS]


def test_the_page_takes_the_same_for_harmless() -> None:
    """What only moves or looks needs no moment to be read before it, on neither."""
    match = re.search("^const HARMLESS = /(.+)/;$", KEYS.read_text(encoding="utf-8"), re.MULTILINE)
    assert match is not None
    assert [a.name for a in ACTIONS if re.search(match[1], a.name)] == [a.name for a in ACTIONS if is_harmless(a.name)]


def test_the_documentation_has_the_same_table() -> None:
    """With the commands that do the same."""
    told = _TOLD.findall(DOCUMENT.read_text(encoding="utf-8"))
    assert told == [(action.key, action.words, action.name, action.shell) for action in ACTIONS]


def test_no_name_and_no_key_stands_for_two_things() -> None:
    """Otherwise a key would do something else than shown."""
    assert len({action.name for action in ACTIONS}) == len(ACTIONS)
    pressed = [action.key for action in ACTIONS if action.key]
    assert len(set(pressed)) == len(pressed)


@pytest.mark.parametrize("action", [a for a in ACTIONS if a.shell], ids=lambda action: action.name)
def test_the_shell_knows_the_command(action: Action) -> None:
    """The verb, its sub-command, the answer it names and its options exist."""
    # A command keeps the options for help it was first asked for: as the program names them.
    context = click.Context(cli, **cli.context_settings)
    command: click.Command = cli
    first = action.shell.split()[0]
    assert first.startswith("--") or cli.get_command(context, first) is not None
    for word in action.shell.split():
        if _PLACEHOLDER.match(word):
            continue
        if word.startswith("--"):
            assert any(word in option.opts for option in command.get_params(context)), word
        elif isinstance(command, click.Group) and (found := command.get_command(context, word)) is not None:
            command = found
        else:
            assert word in get_args(Choice), word


def test_what_only_moves_around_is_not_in_the_shell() -> None:
    """Everything else is: it can be scripted, or at least done without a screen."""
    without = {action.name for action in ACTIONS if not action.shell}
    assert without == {
        "list.next",
        "list.previous",
        "ask.alike",
        "ask.undo",
        "ask.copy",
        "ask.test",
        "ask.end",
        "view.diff",
        "view.previous",
        "view.next",
        "view.peek",
        "page.palette",
        "page.back",
        "feed.lanes",
    }
