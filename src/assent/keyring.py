"""The keyring of this system, by the package of that name: an extra, and used only if a real one is there.

It is found without the environment. A hub may be started by an agent's hook, and an agent could name a bus of its own,
to be given the secrets that are looked for there."""

import importlib
import os
import stat
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

SERVICE = "Assent"
# Those of the system itself, and never one that keeps plain text in a file of its own.
BACKENDS: dict[str, tuple[str, ...]] = {
    "darwin": ("keyring.backends.macOS",),
    "linux": ("keyring.backends.SecretService",),
}


class KeyringError(Exception):
    """It could not be done, in a few words without secrets."""


class Ring(Protocol):
    """All of it raises KeyringError."""

    def get(self, account: str) -> str | None: ...

    def put(self, account: str, secret: str) -> None: ...

    def forget(self, account: str) -> None: ...


def of_system(patience: float | None) -> Ring | None:
    """None where there is none. Raises KeyringError where it does not answer."""
    if os.environ.get("ASSENT_HOME"):
        # Everything is in that folder then, and goes with it.
        return None
    if sys.platform.startswith("linux") and not _has_bus():
        return None
    backend = within(patience, _backend)
    return None if backend is None else SystemRing(backend, patience)


@dataclass(frozen=True, slots=True)
class SystemRing:
    backend: Any
    # Seconds; None for as long as it takes.
    patience: float | None = None

    def get(self, account: str) -> str | None:
        found = within(self.patience, lambda: self.backend.get_password(SERVICE, account))
        return found if isinstance(found, str) else None

    def put(self, account: str, secret: str) -> None:
        within(self.patience, lambda: self.backend.set_password(SERVICE, account, secret))
        if self.get(account) != secret:
            raise KeyringError("it did not keep what it was given")

    def forget(self, account: str) -> None:
        if self.get(account) is not None:
            within(self.patience, lambda: self.backend.delete_password(SERVICE, account))


def within(seconds: float | None, call: Callable[[], T]) -> T:
    """Raises KeyringError where it fails or takes longer. Then its thread is left alone: nothing waits for it."""
    done: Future[T] = Future()

    def work() -> None:
        try:
            done.set_result(call())
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=work, name="keyring", daemon=True).start()
    try:
        return done.result(seconds)
    except TimeoutError:
        raise KeyringError("it took too long") from None
    except Exception as error:
        # Its own words may hold what it was given.
        name = type(error).__name__
        raise KeyringError("it is locked" if name == "KeyringLocked" else name) from None


def _backend() -> Any:
    for module in BACKENDS.get("linux" if sys.platform.startswith("linux") else sys.platform, ()):
        try:
            kind = importlib.import_module(module).Keyring
        except ImportError:
            continue
        if kind.viable:
            return kind()
    return None


def _has_bus() -> bool:
    """The session's bus, where the system itself puts it; nobody else can write there."""
    bus = Path(f"/run/user/{os.getuid()}/bus")
    try:
        seen = bus.lstat()
    except OSError:
        return False
    if not stat.S_ISSOCK(seen.st_mode) or seen.st_uid != os.getuid():
        return False
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={bus}"
    return True
