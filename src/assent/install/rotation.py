"""New secrets in place of the old ones, also in the settings files that hold the old token."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assent import keys
from assent.harness.markers import MARKERS
from assent.install import files, manifest, tokens
from assent.install.files import RefusedError
from assent.install.site import SCOPES, Site
from assent.keys import Kind


@dataclass(frozen=True, slots=True)
class Rotated:
    """What was renewed, the settings files that have the new token, and those that could not be changed."""

    kinds: tuple[Kind, ...]
    settings: tuple[Path, ...] = ()
    refused: tuple[RefusedError, ...] = ()


def agent_around(environ: Mapping[str, str]) -> str | None:
    """The agent that left its mark in this environment, for the time when no hub can say who asks."""
    return next((agent for name, agent in MARKERS.items() if name in environ), None)


def rotate(site: Site, kinds: Sequence[Kind]) -> Rotated:
    """Only while no hub runs."""
    old = tokens.existing(site.paths)
    for kind in kinds:
        keys.rotate(site.paths, kind)
    new = tokens.existing(site.paths)
    if keys.POST not in kinds or old is None or new is None:
        return Rotated(tuple(kinds))
    done, refused = [], []
    for path in holders(site, old):
        try:
            _replace(site, path, old, new)
            done.append(path)
        except RefusedError as e:
            refused.append(e)
    return Rotated(tuple(kinds), tuple(done), tuple(refused))


def holders(site: Site, token: str) -> list[Path]:
    """The settings files with this token: those we wrote to, and those of this user and folder."""
    known = [Path(install.file) for install in manifest.load(site.paths).installs]
    found = []
    for path in dict.fromkeys([*known, *(site.settings(scope) for scope in SCOPES)]):
        try:
            if token.encode() in (files.read(path) or b""):
                found.append(path)
        except RefusedError:
            continue
    return found


def _replace(site: Site, path: Path, old: str, new: str) -> None:
    """Nothing but the token: it is random, so it stands nowhere by chance."""
    before = files.read(path)
    assert before is not None
    after = before.replace(old.encode(), new.encode())
    record = manifest.load(site.paths).get(path)
    files.replace(path, before, after, mask=0o7700)
    if record is not None and record.after == manifest.digest(before):
        manifest.put(site.paths, msgspec.structs.replace(record, after=manifest.digest(after)))
