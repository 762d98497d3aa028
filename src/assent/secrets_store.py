"""Secrets of surfaces: in the system's keyring where there is one, else in files that only the user can read.

A keyring may ask its owner for a password and wait for hours. Calls here wait a limited time."""

import importlib
import os
import stat
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from assent.paths import Paths

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
        secret = within(self.patience, lambda: self.backend.get_password(SERVICE, account))
        return secret if isinstance(secret, str) else None

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
    """The session's bus, where the system itself puts it; other users cannot write there."""
    bus = Path(f"/run/user/{os.getuid()}/bus")
    try:
        seen = bus.lstat()
    except OSError:
        return False
    if not stat.S_ISSOCK(seen.st_mode) or seen.st_uid != os.getuid():
        return False
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={bus}"
    return True


# Long enough to type a password at the desk.
PATIENCE = 15.0
_SUFFIX = ".keyring"
OPENING = "The system's keyring is not open yet: it may ask you for its password."


@dataclass(slots=True)
class Vault:
    paths: Paths
    # The keyring of this system, and how many seconds it may take for anything; None for as long as it likes.
    ring: Callable[[float | None], Ring | None] = of_system
    # Why a secret that is in the keyring is not known; "" where all are.
    trouble: str = ""
    _read: dict[str, str] = field(default_factory=dict)

    def get(self, surface: str, name: str) -> str | None:
        """Returns at once: what is in the keyring is known once it was loaded."""
        account = _account(surface, name)
        try:
            return self._file(account).read_text(encoding="utf-8").strip() or None
        except (OSError, UnicodeDecodeError):
            return self._read.get(account)

    def is_closed(self) -> bool:
        """Whether there is something in the keyring that is not known here."""
        return bool(self._missing())

    def load(self, patience: float | None = None) -> None:
        """Read what is in the keyring."""
        try:
            ring = self.ring(patience)
            secrets = {account: ring.get(account) for account in self._missing()} if ring is not None else {}
        except KeyringError as error:
            self.trouble = f"The system's keyring could not be opened ({error}). `assent restart` tries it again."
            return
        self._read |= {account: secret for account, secret in secrets.items() if secret}
        self.trouble = ""

    def put(self, surface: str, name: str, secret: str) -> str:
        """Where it is now, in words. Raises OSError."""
        account = _account(surface, name)
        self.paths.keys.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            if (ring := self.ring(PATIENCE)) is not None:
                # Before it is: what is given up on may get there all the same, and is to be forgotten one day.
                _write(self._mark(account), "")
                ring.put(account, secret)
                self._read[account] = secret
                self._file(account).unlink(missing_ok=True)
                return "in the system's keyring"
        except KeyringError:
            pass
        _write(self._file(account), secret)
        return f"in {self.paths.keys}, where only you can read them"

    def forget(self, surface: str, name: str) -> str:
        """What is still there, in words; "" where nothing is."""
        return self._forget(_account(surface, name))

    def forget_all(self, surface: str) -> str:
        """The same for all secrets of a surface, whatever they are called."""
        files = [path.name for path in self.paths.keys.glob(f"{surface}.*") if path.suffix not in (_SUFFIX, ".new")]
        accounts = {*files, *(account for account in self.in_keyring() if account.startswith(f"{surface}."))}
        return " ".join(filter(None, [self._forget(account) for account in sorted(accounts)]))

    def empty_keyring(self) -> str:
        """The same for all that is in the keyring. Files go with their folder."""
        return " ".join(filter(None, [self._forget(account) for account in self.in_keyring()]))

    def in_keyring(self) -> list[str]:
        """What may be there, by name."""
        return sorted(mark.name.removesuffix(_SUFFIX) for mark in self.paths.keys.glob(f"*{_SUFFIX}"))

    def _forget(self, account: str) -> str:
        self._file(account).unlink(missing_ok=True)
        self._read.pop(account, None)
        if account not in self.in_keyring():
            return ""
        try:
            if (ring := self.ring(PATIENCE)) is not None:
                ring.forget(account)
        except KeyringError as error:
            return f"“{account}” of “{SERVICE}” is left in the system's keyring ({error}): delete it there."
        self._mark(account).unlink(missing_ok=True)
        return ""

    def _missing(self) -> list[str]:
        return [
            account for account in self.in_keyring() if account not in self._read and not self._file(account).exists()
        ]

    def _file(self, account: str) -> Path:
        return self.paths.keys / account

    def _mark(self, account: str) -> Path:
        """Says that a secret may be in the keyring, so that a keyring that was never used is not asked."""
        return self.paths.keys / f"{account}{_SUFFIX}"


def _account(surface: str, name: str) -> str:
    return f"{surface}.{name}"


def _write(path: Path, text: str) -> None:
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w") as file:
        file.write(text)
    new.replace(path)
