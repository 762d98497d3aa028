"""New secrets in place of the old ones, also in the settings files that hold the old token."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assent import files, keys
from assent.files import RefusedError
from assent.harnesses import registry
from assent.harnesses.names import MARKERS
from assent.harnesses.site import Site
from assent.install import manifest
from assent.keys import Kind
from assent.paths import Paths


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
    old = keys.existing_post_token(site.paths)
    for kind in kinds:
        keys.rotate(site.paths, kind)
    new = keys.existing_post_token(site.paths)
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
    own = [
        place.path
        for harness in registry.HARNESSES.values()
        for place in harness.places(site)
        if place.scope != "managed"
    ]
    recorded = [Path(install.file) for install in manifest.load(site.paths).installs]
    paths = []
    for path in dict.fromkeys([*recorded, *own]):
        try:
            if token.encode() in (files.read(path) or b""):
                paths.append(path)
        except RefusedError:
            continue
    return paths


def _replace(site: Site, path: Path, old: str, new: str) -> None:
    """Nothing but the token: it is random, so it stands nowhere by chance."""
    before = files.read(path)
    assert before is not None
    after = before.replace(old.encode(), new.encode())
    record = manifest.load(site.paths).get(path)
    files.replace(path, before, after, mask=0o7700)
    if record is not None and record.after == manifest.digest(before):
        manifest.put(site.paths, msgspec.structs.replace(record, after=manifest.digest(after)))


# Stands before a token in entries and in telemetry's variables.
MARK = b"Bearer "
_BEARER = re.compile(r"(Bearer )[A-Za-z0-9_\-.~+/=]{8,}")


def keep(paths: Paths, token: str) -> None:
    """Make this the hub's token, unless it has one already."""
    paths.state.mkdir(parents=True, exist_ok=True, mode=0o700)
    if keys.keep(keys.post_token_file(paths), token) != token:
        raise RefusedError("The hub made itself a token meanwhile. Nothing was changed.", hint="run the command again.")


def masked(text: str) -> str:
    """For the eyes of people: terminals are recorded and shared."""
    return _BEARER.sub(r"\1••••••••", text)
