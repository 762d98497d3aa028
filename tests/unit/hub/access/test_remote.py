"""The door for other machines: its address, and when its certificate is read again."""

import errno
import os
import socket
from pathlib import Path
from typing import Any, cast

import pytest

from assent.config import Remote
from assent.hub.access.remote import DEFAULT_PORT, DoorError, RemoteDoor, open_door


class Socket:
    """Stands in for a socket: what it was bound to, and whether it is closed."""

    def __init__(self, family: int, kind: int, protocol: int) -> None:
        self.made = (family, kind, protocol)
        self.options: list[tuple[int, int, int]] = []
        self.address = ("", 0)
        self.closed = False
        made.append(self)

    def setsockopt(self, *option: int) -> None:
        self.options.append(cast("Any", option))

    def bind(self, address: tuple[str, int]) -> None:
        if address[0] == "192.0.2.1":
            raise OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
        self.address = address

    def getsockname(self) -> tuple[str, int]:
        return self.address[0], self.address[1] or 4321

    def close(self) -> None:
        self.closed = True


made: list[Socket] = []


@pytest.fixture(autouse=True)
def sockets(monkeypatch: pytest.MonkeyPatch) -> list[Socket]:
    made.clear()
    monkeypatch.setattr("assent.hub.access.remote.socket.socket", Socket)
    return made


class Tls:
    def __init__(self) -> None:
        self.loaded: list[tuple[Path, ...]] = []

    def load_cert_chain(self, *files: Path) -> None:
        self.loaded.append(files)


class Issuer:
    renewed = 0

    def renew(self, _: object) -> None:
        self.renewed += 1


def settings_of(**fields: Any) -> Remote:
    return Remote(**fields)


def door(**more: Any) -> RemoteDoor:
    return RemoteDoor(cast("Any", None), more.pop("tls", None), "hub.example", more.pop("port", 8718), **more)


@pytest.mark.parametrize(
    ("tls", "port", "url"),
    [
        (None, 8718, "http://hub.example:8718"),
        (None, 80, "http://hub.example"),
        (Tls(), 8718, "https://hub.example:8718"),
        (Tls(), 443, "https://hub.example"),
    ],
)
def test_address_is_that_of_a_browser(tls: object, port: int, url: str) -> None:
    """With its scheme, without a standard port."""
    assert door(tls=tls, port=port).url == url


def test_certificate_is_read_again_only_where_a_file_changed(tmp_path: Path) -> None:
    """Either of the two."""
    files = (tmp_path / "cert", tmp_path / "key")
    for path in files:
        path.touch()
    tls = Tls()
    made = door(tls=tls, files=files)
    made.refresh()
    made.refresh()
    assert tls.loaded == [files]
    for number, path in enumerate(files):
        os.utime(path, ns=(number + 1, number + 1))
        made.refresh()
    assert len(tls.loaded) == 3


def test_own_certificate_is_renewed_first(tmp_path: Path) -> None:
    """By the authority, where it is of our own."""
    issuer = Issuer()
    path = tmp_path / "cert"
    path.touch()
    door(tls=Tls(), files=(path, path), authority=issuer).refresh()
    assert issuer.renewed == 1


@pytest.mark.parametrize("more", [{"tls": None, "files": (Path("/x"), Path("/x"))}, {"tls": Tls()}])
def test_door_without_tls_has_nothing_to_refresh(more: dict[str, Any]) -> None:
    """Nor has one without files."""
    issuer = Issuer()
    door(authority=issuer, **more).refresh()
    assert issuer.renewed == 0


def test_no_door_without_an_address(tmp_path: Path, sockets: list[Socket]) -> None:
    """Off by default."""
    assert open_door(Remote(), tmp_path) is None
    assert sockets == []


@pytest.mark.parametrize(
    ("settings", "address", "name"),
    [
        (settings_of(bind="127.0.0.1", port=0, tls=False), ("127.0.0.1", 0), "127.0.0.1"),
        (settings_of(bind="127.0.0.1", tls=False, name="a"), ("127.0.0.1", DEFAULT_PORT), "a"),
        (settings_of(bind="::1", port=5, tls=False), ("::1", 5), "::1"),
    ],
)
def test_door_is_where_the_settings_say(
    tmp_path: Path, sockets: list[Socket], settings: Remote, address: tuple[str, int], name: str
) -> None:
    """At the default port unless another is named, 0 included; the port it got is known."""
    found = open_door(settings, tmp_path)
    assert found is not None
    assert (sockets[0].address, found.name, found.port) == (address, name, address[1] or 4321)
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    assert sockets[0].made == (family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    assert sockets[0].options == [(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)]
    assert found.tls is None
    assert not sockets[0].closed


def test_address_of_another_machine_keeps_it_shut(tmp_path: Path, sockets: list[Socket]) -> None:
    """With the reason, and no socket left open."""
    with pytest.raises(DoorError, match=rf"Port {DEFAULT_PORT} on 192.0.2.1 cannot be used"):
        open_door(settings_of(bind="192.0.2.1", tls=False), tmp_path)
    assert [each.closed for each in sockets] == [True]


def test_certificate_that_is_missing_keeps_it_shut(tmp_path: Path, sockets: list[Socket]) -> None:
    """It does not go on without TLS."""
    settings = settings_of(bind="127.0.0.1", port=0, certificate=str(tmp_path / "c"), key=str(tmp_path / "k"))
    with pytest.raises(DoorError, match=r"TLS with .*/c does not work \(No such file"):
        open_door(settings, tmp_path)
    assert [each.closed for each in sockets] == [True]
