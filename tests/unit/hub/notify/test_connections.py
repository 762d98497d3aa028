"""A hub that starts does not wait for a typed password."""

import asyncio
import threading
from pathlib import Path

import pytest

from assent.hub.notify.connections import unlock
from assent.paths import Paths
from assent.secrets_store import Ring, Vault
from tests.waiting import HANG


class SlowRing:
    """Answers once it is opened."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.kept: dict[str, str] = {}

    def get(self, account: str) -> str | None:
        self.opened.wait(10)
        return self.kept.get(account)

    def put(self, account: str, secret: str) -> None:
        self.kept[account] = secret

    def forget(self, account: str) -> None:
        del self.kept[account]


@pytest.fixture
def ring() -> SlowRing:
    return SlowRing()


@pytest.fixture
def vault(tmp_path: Path, ring: SlowRing) -> Vault:
    paths = Paths(tmp_path / "config", tmp_path / "state")

    def of_system(_: float | None) -> Ring:
        return ring

    Vault(paths, of_system).put("telegram", "token", "one")
    return Vault(paths, of_system)


class Refreshed:
    """Stands in for the connections; without an event they must not be told."""

    def __init__(self, known: asyncio.Event | None = None) -> None:
        self._known = known

    def refresh(self) -> None:
        assert self._known is not None
        self._known.set()


@pytest.mark.anyio
async def test_open_keyring_is_read_at_once(vault: Vault, ring: SlowRing) -> None:
    """Then no change is announced later."""
    ring.opened.set()
    await unlock(vault, Refreshed(), patience=10)
    assert vault.get("telegram", "token") == "one"


@pytest.mark.anyio
async def test_locked_keyring_is_read_when_it_is_open(vault: Vault, ring: SlowRing) -> None:
    """The start goes on, and why something is not connected is known in words meanwhile."""
    known = asyncio.Event()
    await unlock(vault, Refreshed(known), patience=0.01)
    assert vault.get("telegram", "token") is None
    assert vault.trouble == "The system's keyring is not open yet: it may ask you for its password."
    ring.opened.set()
    await asyncio.wait_for(known.wait(), HANG)
    assert (vault.get("telegram", "token"), vault.trouble) == ("one", "")


@pytest.mark.anyio
async def test_keyring_that_was_never_used_is_not_asked(tmp_path: Path) -> None:
    """Most people have none, and a start costs them nothing."""
    empty = Vault(Paths(tmp_path / "config", tmp_path / "state"), lambda _: pytest.fail("it was asked"))
    await unlock(empty, Refreshed())
