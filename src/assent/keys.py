"""Secrets of this user's hub, in files that only the user can read."""

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assent.paths import Paths

# A file cut off in mid-write would be a guessable secret.
SHORTEST = 32
# Bits of a file's mode by which others could have planted what is in it, or only read it.
_WRITTEN, _READ = 0o022, 0o055


@dataclass(frozen=True, slots=True)
class Kind:
    """One secret that Assent makes itself: what it does, and what a new one means."""

    name: str
    purpose: str
    renewal: str
    # Files that are worth nothing without it, so they go with it.
    companions: tuple[str, ...] = ()
    # Made by the hub when it needs one, together with its certificate.
    is_certified: bool = False


POST = Kind(
    "post.token",
    "hooks over HTTP and telemetry carry it; it may post events and nothing else",
    "Settings files that hold it are updated. Sessions that are open keep the old one: what they report over HTTP is "
    "turned away until they start again. Gates do not use it.",
)
KINDS = (
    POST,
    Kind(
        "cookie.key",
        "signs the cookies by which browsers read the page",
        "Every browser and phone signs in again: `assent status` prints a link, `assent pair` makes one for a phone.",
    ),
    Kind(
        "digest.key",
        "keys the fingerprints of secrets that are left out of the record",
        "Fingerprints in older records no longer compare with new ones: the same secret gets another mark.",
    ),
    Kind(
        "surfaces.key",
        "signs the buttons under messages in chats",
        "Buttons under messages already sent no longer work; asks that are open can be answered on the page.",
    ),
    Kind(
        "push.key",
        "signs notifications to browsers",
        "Browsers and phones have to turn on notifications again.",
        ("push.json",),
    ),
    Kind(
        "ca.key",
        "the authority that vouches for this hub on other machines",
        "Phones and computers have to install and trust the new certificate (docs/remote.md).",
        ("ca.crt", "server.key", "server.crt"),
        is_certified=True,
    ),
    Kind(
        "server.key",
        "the key of the door for other machines",
        "Nothing has to be renewed: the authority signs the new one by itself.",
        ("server.crt",),
        is_certified=True,
    ),
)
BY_NAME = {kind.name: kind for kind in KINDS}


def post_token_file(paths: Paths) -> Path:
    return paths.keys / POST.name


def post_token(paths: Paths) -> str:
    """What HTTP hooks carry. It may post events and nothing else, because it stands in a settings file."""
    return load_or_create(post_token_file(paths))


def existing_post_token(paths: Paths) -> str | None:
    """The token without making one: looking at a plan must leave no trace."""
    try:
        return read(post_token_file(paths))
    except OSError:
        return None


def digest_key(paths: Paths) -> bytes:
    """Keys the fingerprints of withheld contents; kept outside the journal and its copies."""
    return load_or_create(paths.keys / "digest.key").encode()


def cookie_key(paths: Paths) -> bytes:
    return load_or_create(paths.keys / "cookie.key").encode()


def fresh() -> str:
    return secrets.token_urlsafe(32)


def read(path: Path) -> str | None:
    """The secret in a file, or None if there is none that can be used: one that others could have planted is none."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(fd, "rb") as file:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode) or _is_foreign(status):
            return None
        try:
            secret = file.read().decode("ascii").strip()
        except UnicodeDecodeError:
            return None
    return secret if len(secret) >= SHORTEST else None


def keep(path: Path, secret: str) -> str:
    """Store a secret unless there is one already; the one that counts from now on."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if read(path) is None:
        path.unlink(missing_ok=True)
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        # Another process was faster; its secret is as good.
        return read(path) or keep(path, secret)
    with os.fdopen(fd, "w") as file:
        file.write(secret)
    return secret


def load_or_create(path: Path) -> str:
    return read(path) or keep(path, fresh())


def fingerprint(key: bytes, text: bytes) -> str:
    """Equal texts can be recognised, but not guessed without the key."""
    return hmac.new(key, text, hashlib.sha256).hexdigest()[:16]


def mend(paths: Paths) -> list[str]:
    """Make every file in ``keys/`` private, and set aside what others could have written. One sentence for each.

    Raises OSError where a file can neither be mended nor set aside.
    """
    return [sentence for path in _files(paths) for sentence in _mended(paths, path)]


def rotate(paths: Paths, kind: Kind) -> None:
    """Replace a secret by a new one. The hub must not run: it knows the old one, and may write what goes with it."""
    folder = paths.keys
    for companion in kind.companions:
        (folder / companion).unlink(missing_ok=True)
    if kind.is_certified:
        (folder / kind.name).unlink(missing_ok=True)
        return
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = folder / f".{kind.name}.{os.getpid()}"
    new.unlink(missing_ok=True)
    keep(new, fresh())
    new.replace(folder / kind.name)


def _files(paths: Paths) -> Iterator[Path]:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        yield from sorted(path for path in paths.keys.iterdir() if path.is_file())


def _mended(paths: Paths, path: Path) -> Iterator[str]:
    status = path.stat()
    mode = stat.S_IMODE(status.st_mode)
    if _is_foreign(status):
        paths.backup.mkdir(parents=True, exist_ok=True, mode=0o700)
        aside = paths.backup / f"untrusted-{path.name}"
        path.replace(aside)
        with contextlib.suppress(PermissionError):
            aside.chmod(0o600)
        yield f"{path} could be written by others (mode {mode:o}), so it is not used any more; it is {aside} now. " + (
            f"A new one is made. {BY_NAME[path.name].renewal}" if path.name in BY_NAME else _SET_UP_AGAIN
        )
    elif mode & _READ:
        path.chmod(mode & ~_READ)
        yield f"{path} could be read by others (mode {mode:o}) and is private now. `assent keys rotate` renews it."


_SET_UP_AGAIN = "What it was for has to be set up again: `assent doctor` says what is missing."


def _is_foreign(status: os.stat_result) -> bool:
    return status.st_uid != os.geteuid() or bool(status.st_mode & _WRITTEN)
