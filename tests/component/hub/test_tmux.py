"""Which sockets of tmux are used, and which of a person's terminals is switched."""

import asyncio
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.hub import tmux
from assent.protocol.terminal import Terminal
from tests.tmux import HAS_TMUX, Tmux, running_tmux

pytestmark = pytest.mark.skipif(not HAS_TMUX, reason="tmux is not installed")


@pytest.fixture
def server() -> Iterator[Tmux]:
    with running_tmux() as found:
        yield found


def jump(server: Tmux, pane: str, origin: str = "") -> bool:
    return asyncio.run(tmux.jump(Terminal("tmux", str(server.socket), pane), origin))


def test_socket_of_ones_own_in_a_folder_of_ones_own_is_used(server: Tmux) -> None:
    """As tmux makes it."""
    server.pane("one")
    tmux.check(str(server.socket))


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o1777])
def test_folder_that_others_can_write_to_is_refused(server: Tmux, mode: int) -> None:
    """Though the sticky bit keeps others from removing what is there, they can be first."""
    server.pane("one")
    server.socket.parent.chmod(mode)
    with pytest.raises(tmux.TmuxError, match="others can write"):
        tmux.check(str(server.socket))
    server.socket.parent.chmod(0o700)


def test_link_and_file_are_no_socket(server: Tmux) -> None:
    """A link could lead anywhere by the time it is used."""
    server.pane("one")
    link, file = server.socket.with_name("link"), server.socket.with_name("file")
    link.symlink_to(server.socket)
    file.touch()
    for path in (link, file):
        with pytest.raises(tmux.TmuxError, match="no socket of yours"):
            tmux.check(str(path))
    with pytest.raises(tmux.TmuxError, match="is gone"):
        tmux.check(str(server.socket.with_name("none")))


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_socket_of_another_user_is_refused(server: Tmux) -> None:
    """Whatever listens there is theirs."""
    server.pane("one")
    os.chown(server.socket, 12345, -1)
    with pytest.raises(tmux.TmuxError, match="no socket of yours"):
        tmux.check(str(server.socket))
    os.chown(server.socket, 0, -1)


def test_server_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who pressed a key is told so."""
    monkeypatch.setattr(tmux, "PATIENCE", 0.2)
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as silent:
        silent.bind(f"{folder}/default")
        silent.listen()
        with pytest.raises(tmux.TmuxError, match="did not answer"):
            jump(Tmux(Path(folder) / "default"), "%1")


def test_pane_of_a_split_window_is_selected(server: Tmux) -> None:
    """Not only its window."""
    shown, first = server.pane("mine"), server.pane("agents")
    second = server.run("split-window", "-d", "-P", "-F", "#{pane_id}", "-t", "agents", "cat")
    person = server.attach("mine")
    assert server.clients() == {person: shown}
    assert jump(server, second)
    assert server.clients() == {person: second}
    assert jump(server, first, origin=second)
    assert server.clients() == {person: first}
