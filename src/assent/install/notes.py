"""What a person should know before they say yes to an install."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assent.harness import claude_code
from assent.install import merge
from assent.install.site import SCOPES, Scope, Site, Transport


def collect(
    site: Site, scope: Scope, transport: Transport, settings: Mapping[str, Any], *, uses_token: bool
) -> tuple[str, ...]:
    path = site.settings(scope)
    notes = []
    if transport == "http":
        kept = " and ".join(sorted(claude_code.NO_HTTP))
        notes += [
            f"{kept} cannot come over HTTP in this client and keep using the shim.",
            "While the hub is down, hooks over HTTP decide nothing: the client goes on as if Assent were not there.",
        ]
    if uses_token:
        notes += _about_the_token(path, scope)
    if settings.get("disableAllHooks") is True:
        notes.append(f'"disableAllHooks" is set in {path}: no hook runs until it is taken out.')
    notes += [
        f"{place} has entries of Assent too ({other} scope): every event would be handled twice."
        for other in SCOPES
        if (place := site.settings(other)) != path and any(merge.ours(read(place)))
    ]
    return tuple(notes)


def _about_the_token(path: Path, scope: Scope) -> list[str]:
    notes = []
    if scope == "local":
        notes.append(f"{path} will hold a token; keep it out of version control.")
    if path.is_symlink():
        notes.append(f"{path} is a link; the token will stand in {path.resolve()}.")
    if path.exists() and path.stat().st_mode & 0o004 and all(p.stat().st_mode & 0o001 for p in path.parents):
        notes.append(f"{path} can be read by other users of this machine; it will hold a token, so that ends.")
    return notes


def read(path: Path) -> Any:
    """A settings file's value, or None where there is nothing to be read."""
    try:
        return lenient(path.read_bytes())
    except OSError:
        return None


def lenient(data: bytes | None) -> Any:
    try:
        return json.loads((data or b"").decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
