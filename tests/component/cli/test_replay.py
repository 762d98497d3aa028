"""A rules file over the record that a real hub left."""

import json
from pathlib import Path

from msgspec.structs import replace

from assent import demo
from assent.cli.common import wait_for_ask
from assent.client import Client
from tests.component.cli.conftest import Terminal
from tests.component.hub_process import until


def after_a_session(terminal: Terminal) -> None:
    """The demo's events under another name: practice is not replayed."""
    terminal.up()
    client = Client(terminal.paths)
    with demo.Sender(terminal.paths.hook_socket) as sender:
        for step in demo.steps():
            renamed = replace(step, payload=step.payload | {"session_id": "work"})
            # What follows an ask is sent once it is on record, as a person takes a moment to answer.
            sender.send(renamed, lambda: until_asked(client), waits=False)
    until(lambda: not client.sessions()[0].is_live, "the end of the session")


def until_asked(client: Client) -> None:
    """As far as it is asked: the hub also says that it lives where a step takes it long."""
    wait_for_ask(client, "work")


def rules(tmp_path: Path, text: str) -> str:
    (tmp_path / "new.toml").write_text(text)
    return str(tmp_path / "new.toml")


def test_replay_tells_what_would_differ_with_the_hub_up_and_down(terminal: Terminal, tmp_path: Path) -> None:
    """The record is read, not the hub asked."""
    after_a_session(terminal)
    new = rules(tmp_path, '[[rule]]\nmatch = "Read"\ndecision = "deny"\nreason = "x"\n')
    shown = terminal.ok("replay", new)
    assert "judged with the 1 rule of new.toml" in shown
    assert "allowed → denied" in shown
    assert "by rule 1 of new.toml: Read" in shown
    terminal.ok("down")
    assert terminal.ok("replay", new) == shown


def test_replay_with_the_rules_in_force_changes_nothing(terminal: Terminal, tmp_path: Path) -> None:
    """What a hub decided, the same rules decide again."""
    after_a_session(terminal)
    output = json.loads(terminal.ok("replay", rules(tmp_path, ""), "--json"))
    assert output["calls"] == output["same"] > 10
    assert output["changed"] == output["already"] == []


def test_replay_finds_only_the_project_that_is_asked_for(terminal: Terminal, tmp_path: Path) -> None:
    """By the name of its folder, as in a filter."""
    after_a_session(terminal)
    new = rules(tmp_path, "")
    assert json.loads(terminal.ok("replay", new, "--json", "--project", "webshop"))["calls"] > 10
    assert terminal.ok("replay", new, "--project", "elsewhere") == "There are no tool calls on record for this time.\n"


def test_replay_of_a_broken_file_shows_the_line(terminal: Terminal, tmp_path: Path) -> None:
    """The same error as the hub's, before anything is read."""
    done = terminal.run("replay", rules(tmp_path, '[[rule]]\nmatch = "Bash(x"\ndecision = "allow"\n'))
    assert done.returncode == 2
    assert "new.toml:2: " in done.stderr
    assert "^" in done.stderr


def test_replay_refuses_what_is_not_there(terminal: Terminal, tmp_path: Path) -> None:
    """Neither a file nor a journal is made up."""
    done = terminal.run("replay", str(tmp_path / "none.toml"))
    assert (done.returncode, "there is no file" in done.stderr) == (2, True)
    done = terminal.run("replay", rules(tmp_path, ""))
    assert (done.returncode, "there is no journal" in done.stderr) == (1, True)
    done = terminal.run("replay", rules(tmp_path, ""), "--since", "soon")
    assert (done.returncode, "no moment" in done.stderr) == (2, True)
