"""Purging beside a living hub."""

import socket
from pathlib import Path

import pytest

from assent.files import RefusedError
from assent.harnesses.claude_code.settings import own_file
from assent.harnesses.site import find
from assent.install.apply import apply
from assent.install.plan import plan_install
from assent.install.undo import uninstall


def test_purge_is_refused_while_a_hub_listens(home: Path, tmp_path: Path) -> None:
    """A hub whose folder is taken away would go on without a journal; nothing is touched, not even the settings."""
    site = find({"HOME": str(home)}, tmp_path)
    apply(plan_install(site), site.paths)
    before = own_file(site, "user").read_bytes()
    desk = site.paths.desk_socket
    desk.parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(desk))
        listener.listen()
        with pytest.raises(RefusedError, match="hub is running") as caught:
            uninstall(site, purge=True)
    assert caught.value.hint == "run `assent down` first."
    assert own_file(site, "user").read_bytes() == before


def test_purge_works_beside_a_dead_socket(home: Path, tmp_path: Path) -> None:
    """A socket without a listener is what a killed hub leaves behind."""
    site = find({"HOME": str(home)}, tmp_path)
    apply(plan_install(site), site.paths)
    desk = site.paths.desk_socket
    desk.parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(desk))
    uninstall(site, purge=True)
    assert not site.paths.state.exists()
    assert not desk.exists()
