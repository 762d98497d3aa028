"""Uninstall everywhere we know of, and say exactly what went and what stayed."""

import contextlib
import shutil
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assent import files
from assent.files import RefusedError
from assent.harnesses import registry
from assent.harnesses.base import Harness
from assent.harnesses.site import Scope, Site
from assent.install import manifest
from assent.install.apply import Applied, apply
from assent.install.plan import Plan, plan_uninstall
from assent.paths import Paths

# A hook that runs at this very moment may write once more into what is being removed.
TRIES = 3


@dataclass(frozen=True, slots=True)
class Survey:
    """What uninstall would do, and the files it could not deal with."""

    plans: tuple[Plan, ...]
    refused: tuple[RefusedError, ...]


@dataclass(frozen=True, slots=True)
class Report:
    done: tuple[Applied, ...]
    refused: tuple[RefusedError, ...] = ()
    # By --purge: what was removed, and what was left because we do not know it.
    purged: tuple[Path, ...] = ()
    left: tuple[Path, ...] = ()

    def lines(self) -> list[str]:
        sentences = [_sentence(applied.plan) for applied in self.done if not applied.plan.is_noop]
        if self.purged:
            folders = " and ".join(dict.fromkeys(str(path.parent) for path in self.purged))
            sentences.append(f"{len(self.purged)} files and folders of Assent were removed from {folders}.")
        sentences += [f"{path}: left alone, it is not Assent's." for path in self.left]
        sentences += [error.message for error in self.refused]
        return sentences or ["Nothing of Assent's was found."]


def survey(site: Site, scopes: Sequence[Scope] | None = None, harnesses: Sequence[Harness] | None = None) -> Survey:
    """The files of these scopes; by default all we remember, and this user's own in case we remember nothing.

    A project's shared file is other people's too, so it is touched only if we wrote it or it was named.
    """
    harnesses = harnesses or tuple(registry.HARNESSES.values())
    wanted = scopes or ("user", "local")
    targets = {
        place.path: (place.scope, harness)
        for harness in harnesses
        for place in harness.places(site)
        if place.scope in wanted
    }
    if scopes is None:
        names = {harness.NAME: harness for harness in harnesses}
        installs = [install for install in manifest.load(site.paths).installs if install.harness in names]
        targets = {Path(each.file): (each.scope, names[each.harness]) for each in installs} | targets
    plans, refused = [], []
    for path, (scope, harness) in targets.items():
        try:
            plans.append(plan_uninstall(site.paths, path, scope, harness))
        except RefusedError as e:
            refused.append(e)
    return Survey(tuple(plans), tuple(refused))


def uninstall(
    site: Site,
    scopes: Sequence[Scope] | None = None,
    *,
    purge: bool = False,
    harnesses: Sequence[Harness] | None = None,
) -> Report:
    """Take our entries out; with ``purge`` also everything Assent keeps, unless a file still needs its backup."""
    if purge:
        _check_stopped(site.paths)
    surveyed = survey(site, scopes, harnesses)
    done, refused = [], list(surveyed.refused)
    for plan in surveyed.plans:
        try:
            done.append(apply(plan, site.paths))
        except RefusedError as e:
            refused.append(e)
    if not purge or refused:
        return Report(tuple(done), tuple(refused))
    removed, left = _purge(site.paths)
    return Report(tuple(done), (), removed, left)


def others(paths: Paths, harness: str | None) -> bool:
    """Whether hooks of other harnesses are left when this one's are taken out; without one, all are."""
    installs = manifest.load(paths).installs
    return harness is not None and any(install.harness != harness for install in installs)


def intended(plan: Plan) -> str:
    """What would be done to a file, as a person is asked about it."""
    if plan.after is None:
        return f"{_going(plan)}, and the file with it: there was none before."
    if plan.restored:
        return f"{_going(plan)}; the file is then byte for byte what it was before."
    return f"{_going(plan)}; changes made since stay."


def _going(plan: Plan) -> str:
    return f"{_entries(plan)} of Assent {'goes' if len(plan.events) == 1 else 'go'}"


def _entries(plan: Plan) -> str:
    return "1 entry" if len(plan.events) == 1 else f"{len(plan.events)} entries"


def _sentence(plan: Plan) -> str:
    entries = _entries(plan)
    if plan.after is None:
        return f"{plan.path}: removed, there was no such file before Assent."
    if plan.restored:
        return f"{plan.path}: {entries} removed; the file is byte for byte what it was before Assent."
    return f"{plan.path}: {entries} removed; changes made since stay, every other byte is as it was."


def _check_stopped(paths: Paths) -> None:
    with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
        probe.connect(str(paths.desk_socket))
        raise RefusedError("The hub is running. Nothing was removed.", hint="run `assent down` first.")


def purgeable(paths: Paths) -> list[Path]:
    """What a purge would remove: only what has a name of ours."""
    names = [paths.config, paths.rules, paths.lock, paths.keys, paths.shim, paths.spool, paths.backup, paths.run]
    names += [manifest.location(paths), paths.hub_id, paths.statistics, paths.in_force, paths.client_settings]
    names += [paths.presence, paths.outreach, paths.notices, paths.queues, paths.trust, paths.last_rules]
    names += [paths.permissions, paths.permissions_used, paths.team, paths.provider_keys, paths.exported]
    names += [*_family(paths.journal), *_family(paths.log)]
    names += sorted(paths.state.glob("crash-*.txt"))
    names += [sock for sock in (paths.hook_socket, paths.desk_socket) if paths.run not in sock.parents]
    return [path for path in names if path.exists() or path.is_symlink()]


def _purge(paths: Paths) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Remove it; a folder goes when nothing else is in it."""
    doomed = purgeable(paths)
    for path in doomed:
        _remove(path)
    left = [path for folder in (paths.config_dir, paths.state) if folder.is_dir() for path in sorted(folder.iterdir())]
    folders = [paths.config_dir, paths.state, paths.hook_socket.parent]
    if paths.config_dir.parent == paths.state.parent:
        folders.append(paths.state.parent)
    files.remove_empty(folders)
    return tuple(doomed), tuple(left)


def _family(path: Path) -> list[Path]:
    """A file and its companions: ``journal.db-wal``, ``hub.log.1``."""
    return sorted(path.parent.glob(f"{path.name}*"))


def _remove(path: Path) -> None:
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
        return
    for left in range(TRIES, 0, -1):
        try:
            shutil.rmtree(path)
            return
        except FileNotFoundError:
            return
        except OSError as e:
            if left == 1:
                raise RefusedError(f"Cannot delete {path}: {e.strerror}.", hint="delete the rest by hand.") from e
