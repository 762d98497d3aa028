"""Secrets of surfaces: in the system's keyring where there is one, else in files that nobody else can read.

A keyring may ask its owner for a password and wait for hours. Whoever waits for it here waits a while and no longer."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from assent import keyring
from assent.keyring import KeyringError, Ring
from assent.paths import Paths

# Long enough to type a password at the desk.
PATIENCE = 15.0
_SUFFIX = ".keyring"
OPENING = "The system's keyring is not open yet: it may ask you for its password."


@dataclass(slots=True)
class Vault:
    paths: Paths
    # The keyring of this system, and how many seconds it may take for anything; None for as long as it likes.
    ring: Callable[[float | None], Ring | None] = keyring.of_system
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
            found = {account: ring.get(account) for account in self._missing()} if ring is not None else {}
        except KeyringError as error:
            self.trouble = f"The system's keyring could not be opened ({error}). `assent restart` tries it again."
            return
        self._read |= {account: secret for account, secret in found.items() if secret}
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
            return f"“{account}” of “{keyring.SERVICE}” is left in the system's keyring ({error}): delete it there."
        self._mark(account).unlink(missing_ok=True)
        return ""

    def _missing(self) -> list[str]:
        return [known for known in self.in_keyring() if known not in self._read and not self._file(known).exists()]

    def _file(self, account: str) -> Path:
        return self.paths.keys / account

    def _mark(self, account: str) -> Path:
        """Says that a secret may be in the keyring, so that nobody asks one that was never used."""
        return self.paths.keys / f"{account}{_SUFFIX}"


def _account(surface: str, name: str) -> str:
    return f"{surface}.{name}"


def _write(path: Path, text: str) -> None:
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w") as file:
        file.write(text)
    new.replace(path)
