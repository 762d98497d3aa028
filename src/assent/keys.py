"""Secrets of this user's hub, in files nobody else can read."""

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from assent.paths import Paths

# A file cut off in mid-write would be a guessable secret.
SHORTEST = 32


def post_token_file(paths: Paths) -> Path:
    return paths.keys / "post.token"


def post_token(paths: Paths) -> str:
    """What HTTP hooks carry. It may post events and nothing else, because it stands in a settings file."""
    return load_or_create(post_token_file(paths))


def digest_key(paths: Paths) -> bytes:
    """Keys the fingerprints of withheld contents; kept outside the journal and its copies."""
    return load_or_create(paths.keys / "digest.key").encode()


def cookie_key(paths: Paths) -> bytes:
    return load_or_create(paths.keys / "cookie.key").encode()


def fresh() -> str:
    return secrets.token_urlsafe(32)


def read(path: Path) -> str | None:
    """The secret in a file, or None if there is none that can be used."""
    try:
        found = path.read_text(encoding="ascii").strip()
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    return found if len(found) >= SHORTEST else None


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
    """Equal texts can be recognised, but not guessed by whoever lacks the key."""
    return hmac.new(key, text, hashlib.sha256).hexdigest()[:16]
