"""``assent jump``: from a terminal to that of a session."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.component.cli.conftest import Terminal
from tests.component.hub_process import HubProcess, bash, running_hub, until
from tests.tmux import HAS_TMUX, running_tmux


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubProcess]:
    with running_hub(tmp_path) as found:
        yield found


@pytest.fixture
def desk(hub: HubProcess, tmp_path: Path) -> Terminal:
    found = Terminal.__new__(Terminal)
    found.environ, found.paths, found.user = hub.environ | {"LANG": "C.UTF-8"}, hub.paths, tmp_path
    return found


def begin(hub: HubProcess, env: dict[str, str]) -> None:
    hub.send(bash("ls", cwd="/src/shop") | {"hook_event_name": "SessionStart"}, env=env)
    until(lambda: hub.api("GET", "/api/sessions/s1")[0] == 200, "the session")


@pytest.mark.skipif(not HAS_TMUX, reason="tmux is not installed")
def test_terminal_in_which_it_is_typed_is_switched(hub: HubProcess, desk: Terminal) -> None:
    """Though another person used theirs later."""
    with running_tmux() as tmux:
        mine, theirs, pane = tmux.pane("one"), tmux.pane("two"), tmux.pane("agents")
        me, other = tmux.attach("one"), tmux.attach("two")
        begin(hub, tmux.env(pane))
        desk.environ = desk.environ | tmux.env(mine)
        assert desk.ok("jump", "shop") == "Your terminal shows it now.\n"
        assert tmux.clients() == {me: pane, other: theirs}


def test_link_of_an_editor_is_printed(hub: HubProcess, desk: Terminal) -> None:
    """Nothing is opened by itself."""
    begin(hub, {"TERM_PROGRAM": "vscode"})
    assert "vscode://file/src/shop/" in desk.ok("jump", "s1")
    assert json.loads(desk.ok("jump", "s1", "--json")) == {"moved": False, "link": "vscode://file/src/shop/"}


def test_link_of_iterm_is_printed(hub: HubProcess, desk: Terminal) -> None:
    """It names the session that iTerm2 is to show."""
    name = "w0t1p0:8A9D1E2F-0B3C-4D5E-9F60-718293A4B5C6"
    begin(hub, {"TERM_PROGRAM": "iTerm.app", "ITERM_SESSION_ID": name})
    assert f"iterm2:reveal?sessionid={name}" in desk.ok("jump", "s1")


def test_unknown_way_and_unknown_session_are_said_so(hub: HubProcess, desk: Terminal) -> None:
    """With an exit code a script can read."""
    begin(hub, {})
    done = desk.run("jump", "s1")
    assert (done.returncode, "No way to the terminal" in done.stderr) == (1, True)
    assert desk.run("jump", "nothing").returncode == 1
