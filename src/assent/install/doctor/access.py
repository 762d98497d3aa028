"""What other users of this machine could read or change."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from assent.install import tokens
from assent.install.doctor.check import Finding, Situation
from assent.install.doctor.settings import all_settings

_PASSWORD = re.compile(r"://[^/@]*:[^@]+@|[?&](?:ssl)?password=")


def check(situation: Situation) -> Iterator[Finding]:
    paths = situation.paths
    if not paths.state.exists():
        return
    found = [f for path in _private(paths.state, paths.keys) for f in _look(path)]
    found += [f for path in (paths.config_dir, paths.config, paths.rules) if path.exists() for f in _written(path)]
    found += _password(situation)
    found += [f for settings in all_settings(situation) if settings.path.exists() for f in _settings(settings.path)]
    yield from found or [Finding("permissions", "ok", f"Only you can look into {paths.state}.")]


def _private(state: Path, keys: Path) -> Iterator[Path]:
    yield state
    if keys.is_dir():
        yield keys
        yield from sorted(keys.iterdir())


def _look(path: Path) -> Iterator[Finding]:
    status = path.stat()
    wanted = 0o700 if path.is_dir() else 0o600
    if status.st_uid != os.getuid():
        yield _foreign(path)
    elif stat.S_IMODE(status.st_mode) & ~wanted:
        text = f"{path} is open to others (mode {stat.S_IMODE(status.st_mode):o})."
        yield Finding("permissions-open", "problem", text, f"chmod {wanted:o} {path}")


def _written(path: Path) -> Iterator[Finding]:
    """Configuration is no secret, but whoever writes it decides."""
    status = path.stat()
    if status.st_uid not in {os.getuid(), 0}:
        yield _foreign(path)
    elif status.st_mode & 0o022:
        yield Finding("permissions-written", "problem", f"Others may write {path}.", f"chmod go-w {path}")


def _settings(path: Path) -> Iterator[Finding]:
    """The client's own files: a writer of them can switch hooks off, and ours may hold a token."""
    status = path.stat()
    mode = stat.S_IMODE(status.st_mode)
    if status.st_uid not in {os.getuid(), 0}:
        yield _foreign(path)
    elif mode & 0o002:
        text = f"Everybody on this machine may write {path}, and so switch off every hook (mode {mode:o})."
        yield Finding("permissions-written", "problem", text, f"chmod go-w {path}")
    if mode & 0o077 and tokens.MARK in path.read_bytes():
        text = f"{path} holds a token, which lets its reader post events, and others may read it (mode {mode:o})."
        yield Finding("permissions-token", "warning", text, f"chmod 600 {path}, or run `assent install` again.")


def _password(situation: Situation) -> Iterator[Finding]:
    path, url = situation.paths.config, situation.config.journal.url
    has_one = _PASSWORD.search(url) is not None
    if has_one and path.exists() and path.stat().st_mode & 0o044:
        text = f"{path} holds the password of the journal's database, and others may read it."
        yield Finding("permissions-password", "problem", text, f"chmod 600 {path}")


def _foreign(path: Path) -> Finding:
    return Finding("permissions-owner", "problem", f"{path} belongs to another user.", f"sudo chown $(id -u) {path}")
