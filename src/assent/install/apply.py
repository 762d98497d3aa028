"""Carry out a plan: backup first, then the file in one step, then the note that lets us undo it."""

import time
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assent import files, keys
from assent.files import RefusedError
from assent.harnesses import system_lines
from assent.harnesses.site import DEFAULT_UNREACHABLE
from assent.install import manifest, rotation
from assent.install.manifest import Install
from assent.install.plan import Plan
from assent.paths import Paths
from assent.shim import place

_OTHERS = 0o077


@dataclass(frozen=True, slots=True)
class Applied:
    """What was done to one file."""

    plan: Plan
    # The bytes that stood there just before; None if there were none or nothing changed.
    backup: Path | None = None
    # Keys and settings that others could read or write and now cannot, one sentence each.
    mended: tuple[str, ...] = ()


def apply(plan: Plan, paths: Paths, *, unreachable: str | None = None) -> Applied:
    """Do what the plan shows, or raise RefusedError and leave the file alone.

    An install puts the shim in place before anything points to it. ``unreachable`` is what the shim does without a hub;
    None leaves a shim alone that is in place already.
    """
    if plan.action == "uninstall" and plan.is_noop:
        manifest.drop(paths, plan.path)
        return Applied(plan)
    files.check_writable(plan.path)
    files.unchanged(plan.path, plan.before)
    try:
        mended = keys.mend(paths) if plan.action == "install" else []
        backup = _prepare(plan, paths, unreachable)
    except OSError as e:
        raise RefusedError(
            f"Cannot write to {e.filename or paths.state}: {e.strerror}. Nothing was changed.",
            hint=f"make {paths.state} writable for you, or set ASSENT_HOME to another folder.",
        ) from e
    if plan.action == "install" and is_open(plan):
        mended.append(f"{plan.path} holds a token, so only you can read it now.")
    if not plan.is_noop:
        (_install if plan.action == "install" else _uninstall)(plan, paths, backup)
    elif is_open(plan):
        _make_private(plan, paths)
    return Applied(plan, backup, tuple(mended))


def is_open(plan: Plan) -> bool:
    """Whether others may read the file, which will hold a token."""
    mode = files.mode(plan.path)
    return _is_private(plan) and mode is not None and bool(mode & _OTHERS)


def _prepare(plan: Plan, paths: Paths, unreachable: str | None) -> Path | None:
    """All that must be there before the file changes: without a backup and a manifest there is no undo."""
    # A line in a file of the system starts nothing.
    needs_shim = plan.action == "install" and plan.scope != system_lines.SCOPE
    if needs_shim and (unreachable is not None or not place.is_current(paths)):
        place.place(paths, unreachable=unreachable or DEFAULT_UNREACHABLE)
    if plan.new_token:
        rotation.keep(paths, plan.new_token)
    paths.state.mkdir(parents=True, exist_ok=True, mode=0o700)
    files.check_writable(manifest.location(paths))
    if plan.is_noop or plan.before is None:
        return None
    return manifest.back_up(paths, _name(plan), plan.before)


def _name(plan: Plan) -> str:
    return f"{plan.scope}-{plan.path.name}"


def _is_private(plan: Plan) -> bool:
    return plan.after is not None and rotation.MARK in plan.after


def _make_private(plan: Plan, paths: Paths) -> None:
    mode = files.mode(plan.path)
    assert mode is not None
    record = manifest.load(paths).get(plan.path)
    if record is not None and record.mode is None:
        manifest.put(paths, msgspec.structs.replace(record, mode=mode))
    files.set_mode(plan.path, mode & ~_OTHERS)


def _install(plan: Plan, paths: Paths, backup: Path | None) -> None:
    assert plan.after is not None
    old = manifest.load(paths).get(plan.path)
    mode = files.mode(plan.path) if is_open(plan) else None
    kept = backup
    if plan.original != plan.before:
        kept = manifest.back_up(paths, f"original-{_name(plan)}", plan.original) if plan.original is not None else None
    # A file that will hold a token is private from its first byte on.
    private = _is_private(plan)
    made = files.replace(
        plan.path,
        plan.before,
        plan.after,
        new_mode=0o600 if private else 0o666,
        mask=0o7777 & ~_OTHERS if private else 0o7777,
    )
    manifest.put(
        paths,
        Install(
            file=str(plan.path),
            scope=plan.scope,
            harness=plan.harness.NAME,
            before=manifest.digest(plan.original) if plan.original is not None else None,
            after=manifest.digest(plan.after),
            backup=str(kept) if kept else None,
            made=old.made if old else tuple(str(folder) for folder in made),
            created=old.created if old else time.time_ns() // 1_000_000,
            mode=old.mode if old and old.mode is not None else mode,
        ),
    )


def _uninstall(plan: Plan, paths: Paths, _backup: Path | None) -> None:
    assert plan.before is not None
    record = manifest.load(paths).get(plan.path)
    if plan.after is None:
        files.remove(plan.path, plan.before)
        files.remove_empty([Path(folder) for folder in reversed(record.made)] if record else [])
    else:
        files.replace(plan.path, plan.before, plan.after)
        if record and record.mode is not None and rotation.MARK not in plan.after:
            files.set_mode(plan.path, record.mode)
    manifest.drop(paths, plan.path)
