"""The stop mark: how shims learn that the person ran `assent down`, and why no other file passes for it.

A hub that starts makes a secret, keeps it in memory and leaves only its digest on disk. While it stops on the person's
order it reveals the secret in run/stopped. So an empty file is no mark, nor is an old one (the next hub left another
digest), and after a crash none can be made without replacing the digest. A process that may write to the state folder
can do that: this tells the person's word from a stray file, it is no wall against programs of the same user.
"""

import hashlib
import hmac
import os
import secrets
import shutil
from pathlib import Path

from assent.paths import Paths

LONGEST = 256


def arm(paths: Paths) -> str:
    """A new secret; from now on every earlier mark is stale. Only with the hub's lock held."""
    secret = secrets.token_hex(32)
    paths.keys.mkdir(parents=True, exist_ok=True, mode=0o700)
    _write(paths.stop_digest, hashlib.sha256(secret.encode()).hexdigest())
    paths.stopped_mark.unlink(missing_ok=True)
    shutil.rmtree(paths.told_of_stop, ignore_errors=True)
    return secret


def leave(paths: Paths, secret: str) -> None:
    """From now on shims start no hub and stay silent."""
    paths.run.mkdir(parents=True, exist_ok=True, mode=0o700)
    _write(paths.stopped_mark, secret)


def is_left(paths: Paths) -> bool:
    """Whether there is a mark, and it is the one of the last hub."""
    secret, digest = _read(paths.stopped_mark), _read(paths.stop_digest)
    return bool(secret) and hmac.compare_digest(hashlib.sha256(secret).hexdigest().encode(), digest)


def _read(path: Path) -> bytes:
    """Of a regular file; nothing else is waited for or followed."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(fd, LONGEST)
    except OSError:
        return b""
    finally:
        os.close(fd)


def _write(path: Path, text: str) -> None:
    """In one step, and there after a power cut."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(fd, text.encode())
        os.fsync(fd)
    finally:
        os.close(fd)
    temporary.replace(path)
