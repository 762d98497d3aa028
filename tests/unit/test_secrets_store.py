"""Secrets are in the keyring if it takes them, else in a file; and they can be forgotten wherever they are."""

import threading
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from assent import secrets_store
from assent.paths import Paths
from assent.secrets_store import KeyringError, Ring, SystemRing, Vault, within


@dataclass
class FakeRing:
    kept: dict[str, str] = field(default_factory=dict)
    is_locked: bool = False

    def get(self, account: str) -> str | None:
        self._must_be_open()
        return self.kept.get(account)

    def put(self, account: str, secret: str) -> None:
        self._must_be_open()
        self.kept[account] = secret

    def forget(self, account: str) -> None:
        self._must_be_open()
        self.kept.pop(account, None)

    def _must_be_open(self) -> None:
        if self.is_locked:
            raise KeyringError("it is locked")


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "config", tmp_path / "state")


@pytest.fixture
def ring() -> FakeRing:
    return FakeRing()


def vault(paths: Paths, ring: Ring | None) -> Vault:
    return Vault(paths, lambda _: ring)


def names(paths: Paths) -> list[str]:
    return sorted(path.name for path in paths.keys.iterdir())


def test_without_a_keyring_a_secret_is_in_a_private_file(paths: Paths) -> None:
    """Only its owner can read it, and there is nothing else."""
    where = vault(paths, None).put("telegram", "token", "one")
    file = paths.keys / "telegram.token"
    assert where == f"in {paths.keys}, where only you can read them"
    assert (file.stat().st_mode & 0o777, file.read_text()) == (0o600, "one")
    assert names(paths) == ["telegram.token"]
    assert vault(paths, None).get("telegram", "token") == "one"


def test_with_a_keyring_no_file_holds_the_secret(paths: Paths, ring: FakeRing) -> None:
    """A file from before goes as well; what is left says only where to ask."""
    vault(paths, None).put("telegram", "token", "old")
    assert vault(paths, ring).put("telegram", "token", "one") == "in the system's keyring"
    assert ring.kept == {"telegram.token": "one"}
    assert [path.read_text() for path in paths.keys.iterdir()] == [""]


def test_secret_in_a_keyring_is_known_once_it_was_loaded(paths: Paths, ring: FakeRing) -> None:
    """Reading one does not wait for a keyring."""
    vault(paths, ring).put("telegram", "token", "one")
    later = vault(paths, ring)
    assert (later.is_closed(), later.get("telegram", "token")) == (True, None)
    later.load()
    assert (later.is_closed(), later.get("telegram", "token"), later.trouble) == (False, "one", "")


def test_locked_keyring_is_a_trouble_in_words(paths: Paths, ring: FakeRing) -> None:
    """People are told that it is the keyring, and not that a token is unknown."""
    vault(paths, ring).put("telegram", "token", "one")
    ring.is_locked = True
    later = vault(paths, ring)
    later.load()
    assert later.get("telegram", "token") is None
    assert later.trouble.startswith("The system's keyring could not be opened (it is locked).")


def test_keyring_that_takes_nothing_is_no_hindrance(paths: Paths, ring: FakeRing) -> None:
    """Then a file has it, which counts more than what the keyring had before."""
    vault(paths, ring).put("telegram", "token", "old")
    ring.is_locked = True
    assert "where only you can read" in vault(paths, ring).put("telegram", "token", "new")
    ring.is_locked = False
    later = vault(paths, ring)
    later.load()
    assert later.get("telegram", "token") == "new"


def test_forgotten_secret_is_nowhere(paths: Paths, ring: FakeRing) -> None:
    """Neither in the keyring nor in a file, and others of the same surface go with it where all are meant."""
    kept = vault(paths, ring)
    kept.put("slack", "app_token", "one")
    kept.put("ntfy", "topic", "three")
    vault(paths, None).put("slack", "bot_token", "two")
    assert kept.forget_all("slack") == ""
    assert ring.kept == {"ntfy.topic": "three"}
    assert names(paths) == ["ntfy.topic.keyring"]
    assert kept.get("slack", "app_token") is None
    assert kept.empty_keyring() == ""
    assert (ring.kept, names(paths)) == ({}, [])


def test_what_a_locked_keyring_still_holds_is_named(paths: Paths, ring: FakeRing) -> None:
    """It cannot be forgotten now, so it is remembered that it is there."""
    kept = vault(paths, ring)
    kept.put("telegram", "token", "one")
    ring.is_locked = True
    assert kept.forget("telegram", "token") == (
        "“telegram.token” of “Assent” is left in the system's keyring (it is locked): delete it there."
    )
    ring.is_locked = False
    assert kept.forget("telegram", "token") == ""
    assert ring.kept == {}


class Backend:
    """As the package has them: any of its errors may quote what it was given."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.forgets_at_once = False

    def get_password(self, service: str, name: str) -> str | None:
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, secret: str) -> None:
        if secret == "bad":
            raise ValueError(f"cannot keep {secret}")
        if not self.forgets_at_once:
            self.kept[service, name] = secret

    def delete_password(self, service: str, name: str) -> None:
        del self.kept[service, name]


def test_system_ring_keeps_reads_and_forgets() -> None:
    """What is not there can be forgotten, too."""
    backend = Backend()
    ring = SystemRing(backend)
    ring.put("telegram.token", "one")
    assert backend.kept == {(secrets_store.SERVICE, "telegram.token"): "one"}
    assert ring.get("telegram.token") == "one"
    ring.forget("telegram.token")
    ring.forget("telegram.token")
    assert ring.get("telegram.token") is None


def test_keyring_that_keeps_nothing_is_none() -> None:
    """One that takes a secret and has none afterwards would lose it."""
    backend = Backend()
    backend.forgets_at_once = True
    with pytest.raises(KeyringError, match="did not keep"):
        SystemRing(backend).put("telegram.token", "one")


def test_errors_of_a_keyring_are_not_quoted() -> None:
    """Only what kind they are."""
    with pytest.raises(KeyringError, match=r"^ValueError$"):
        SystemRing(Backend()).put("telegram.token", "bad")


def test_keyring_that_hangs_is_left_alone() -> None:
    """The caller goes on, and so does the program when it ends."""
    forever = threading.Event()
    with pytest.raises(KeyringError, match="took too long"):
        within(0.01, forever.wait)
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == "keyring")
    forever.set()


def test_everything_in_one_folder_includes_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASSENT_HOME moves all of it there, so that nothing is left when it goes."""
    monkeypatch.setenv("ASSENT_HOME", "/elsewhere")
    assert secrets_store.of_system(1.0) is None
