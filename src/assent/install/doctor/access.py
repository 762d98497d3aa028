"""Checks of file permissions against other users, and of the containment of agents."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from assent.harnesses import registry
from assent.harnesses.site import Finding, Situation
from assent.install import rotation
from assent.install.doctor import checked

MARKS = (".dockerenv", "run/.containerenv")
_PASSWORD = re.compile(r"://[^/@]*:[^@]+@|[?&](?:ssl)?password=")


def permissions(situation: Situation) -> Iterator[Finding]:
    paths = situation.paths
    if not paths.state.exists():
        return
    findings = [f for path in _private(paths.state, paths.keys) for f in _look(path)]
    findings += [f for path in (paths.config_dir, paths.config, paths.rules) if path.exists() for f in _written(path)]
    findings += _password(situation)
    findings += [f for path in _settings_files(situation) if path.exists() for f in _settings(path)]
    yield from findings or [Finding("permissions", "ok", f"Only you can look into {paths.state}.")]


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
    """Configuration is no secret, but must be writable by the user only."""
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
    if mode & 0o077 and rotation.MARK in path.read_bytes():
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


def _settings_files(situation: Situation) -> list[Path]:
    places = (place for harness in registry.HARNESSES.values() for place in harness.places(situation.site))
    return list(dict.fromkeys(place.path for place in places))


def containment(situation: Situation) -> Iterator[Finding]:
    """Open, contained or managed."""
    if path := next(filter(None, (harness.managed_hooks(situation.site) for harness in checked(situation))), None):
        text = f"Level: managed. {path} has Assent's hooks; users and agents cannot take them out."
        yield Finding("level-managed", "ok", text)
    elif why := _contained(situation):
        text = f"Level: contained. {why}; Assent's own files are still within the agent's reach."
        yield Finding("level-contained", "ok", text)
    else:
        text = (
            "Level: open. Code that an agent may run runs as you, and can read Assent's files or stop the hub: "
            "tampering is made visible, not impossible."
        )
        yield Finding("level-open", "note", text, "use the client's sandbox, a container or managed settings.")


def _contained(situation: Situation) -> str | None:
    for mark in MARKS:
        if (situation.root / mark).exists():
            return f"This is a container (/{mark})"
    if kind := situation.environ.get("container"):
        return f"This is a container ({kind})"
    path = next(filter(None, (harness.sandbox(situation.site) for harness in checked(situation))), None)
    return f"The client's sandbox is enabled in {path}" if path else None
