"""Secrets of this user's hub, in files nobody else can read."""

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from assent.paths import Paths


def post_token(paths: Paths) -> str:
    """What HTTP hooks carry. It may post events and nothing else, because it stands in a settings file."""
    return load_or_create(paths.keys / "post.token")


def digest_key(paths: Paths) -> bytes:
    """Keys the fingerprints of withheld contents; kept outside the journal and its copies."""
    return load_or_create(paths.keys / "digest.key").encode()


def cookie_key(paths: Paths) -> bytes:
    return load_or_create(paths.keys / "cookie.key").encode()


def load_or_create(path: Path) -> str:
    """A random URL-safe text, the same at every call."""
    try:
        return _read(path)
    except FileNotFoundError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        # Another process was faster; its secret is as good.
        return _read(path)
    with os.fdopen(fd, "w") as file:
        file.write(secrets.token_urlsafe(32))
    return _read(path)


def _read(path: Path) -> str:
    found = path.read_text(encoding="ascii").strip()
    if len(found) < 32:
        # A file cut off in mid-write would be a guessable secret.
        path.unlink()
        raise FileNotFoundError(path)
    return found


def fingerprint(key: bytes, text: bytes) -> str:
    """Equal texts can be recognised, but not guessed by whoever lacks the key."""
    return hmac.new(key, text, hashlib.sha256).hexdigest()[:16]
