"""What the hub and doctor look after in Codex's files: whether our hooks stand there, are trusted and not switched off,
and what else may decide or run."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assent.harnesses import hook_table
from assent.harnesses.base import Loads, Version
from assent.harnesses.codex.facts import SUBSCRIPTIONS
from assent.harnesses.codex.install import (
    CONFIG,
    FILE,
    TRUST,
    config,
    folder,
    is_ours,
    places,
    read,
    switched_off,
    trust,
)
from assent.harnesses.site import Check, Finding, Site, Situation, program_version
from assent.paths import Paths

MANAGED: Path | None = Path("/etc/codex/requirements.toml")
_NAMES = (FILE, CONFIG)
_OFF = "switches all hooks off ([features] hooks = false)"
_ONLY_MANAGED = "lets no hooks of users run (allow_managed_hooks_only)"
_REPAIR = "assent install --harness codex"


def requirements(site: Site) -> Path:
    return site.root / "etc/codex/requirements.toml"


def managed_hooks(site: Site) -> Path | None:
    """Only this file's word about the feature outranks a project's, and its hooks need no trust."""
    settings = config(read(requirements(site)))
    features = settings.get("features")
    is_pinned = isinstance(features, dict) and features.get("hooks") is True
    return requirements(site) if is_pinned and _has_gate(settings) else None


def pinned(site: Site) -> bool:
    """Whether an administrator keeps a repository from switching hooks off."""
    features = config(read(requirements(site))).get("features")
    return isinstance(features, dict) and features.get("hooks") is True


def forbidden(site: Site) -> str | None:
    """How the administrator's file keeps hooks of users from running, in words that fit behind its name."""
    return _by_administrator(read(requirements(site)))


def _by_administrator(text: str | None) -> str | None:
    settings = config(text)
    if switched_off(text):
        return _OFF
    return _ONLY_MANAGED if settings.get("allow_managed_hooks_only") is True and not _has_gate(settings) else None


def _has_gate(settings: Any) -> bool:
    return any(at[1] == "PreToolUse" and is_ours(handler) for at, handler in hook_table.handlers(settings))


def watched(folder: str) -> list[str]:
    """In a home and in a project."""
    return [str(Path(folder, ".codex", name)) for name in _NAMES]


def reads(file: str) -> bool:
    return file.endswith(tuple(f"/.codex/{name}" for name in _NAMES))


def disarmed(text: str | None, *, installed: bool, managed: bool) -> str | None:
    if managed:
        return _by_administrator(text)
    if installed:
        return None if _has_gate(_json(text)) else "holds no hook of Assent's any more"
    return _OFF if switched_off(text) else None


def _json(text: str | None) -> Any:
    try:
        return json.loads(text or "null")
    except (ValueError, RecursionError):
        return None


def powers(text: str | None, paths: Paths, loads: Loads) -> dict[str, str] | None:  # noqa: ARG001
    """Hooks of others, which answer and run as the user; programs that the client starts by itself; and that it never
    asks, or leaves its sandbox."""
    settings = _json(text) if (text or "").lstrip().startswith("{") else config(text)
    if not isinstance(settings, dict) or (text and text.strip() and not settings):
        return None
    found = {
        f"hook:{at[1]}:{json.dumps(handler, sort_keys=True, default=str)}": f"a hook that runs on {at[1]}"
        for at, handler in hook_table.handlers(settings)
        if not is_ours(handler)
    }
    if notify := settings.get("notify"):
        found[f"notify:{notify}"] = "a program that runs after every turn (notify)"
    if settings.get("approval_policy") == "never":
        found["never"] = "that the client never asks (approval_policy)"
    if settings.get("sandbox_mode") == "danger-full-access":
        found["unsandboxed"] = "that commands run outside the client's sandbox (sandbox_mode)"
    return found


def version(program: str, path: str) -> Version | None:
    return program_version(program, path, {})


def _hooks(situation: Situation) -> Iterator[Finding]:
    site = situation.site
    armed = [place.path for place in places(site) if _has_gate(_json(read(place.path)))]
    if not armed:
        own = places(site)[0].path
        text = f"Codex has no hooks of Assent's in {own}: its calls are not judged."
        yield Finding("codex-hooks", "warning", text, _REPAIR)
        return
    for path in armed:
        yield from _entries(site, path)
    yield from _switches(site)


def _entries(site: Site, path: Path) -> Iterator[Finding]:
    settings = _json(read(path))
    found = trust(site, path, settings)
    if missing := sorted(SUBSCRIPTIONS.keys() - {each.event for each in found}):
        yield Finding("codex-hooks", "problem", f"{path} lacks hooks for {', '.join(missing)}.", _REPAIR)
    if unknown := sorted(settings.keys() - {"description", "hooks"}):
        text = f'{path} has the key "{unknown[0][:60]}", for which Codex passes over the whole file: no hook runs.'
        yield Finding("codex-hooks", "problem", text, "take the key out.")
    if off := sorted(each.event for each in found if each.state == "off"):
        text = f"In Codex, hooks of Assent's are switched off ({', '.join(off)})."
        yield Finding("codex-trust", "problem", text, "start `codex` and switch them on with /hooks.")
    if unseen := sorted(each.event for each in found if each.state in ("untrusted", "changed")):
        text = (
            f"You have not trusted these hooks of Assent's in Codex yet: {', '.join(unseen)}. It does not run them, "
            "and `codex exec` says nothing about it."
        )
        yield Finding("codex-trust", "problem", text, TRUST)
    if not missing and not unknown and all(each.state == "trusted" for each in found):
        yield Finding("codex-hooks", "ok", f"Codex's hooks stand in {path}, and you have trusted them.")


def _switches(site: Site) -> Iterator[Finding]:
    if how := forbidden(site):
        text = f"{requirements(site)} {how}: none of your own hooks runs."
        yield Finding("codex-disabled", "problem", text, "ask your administrator to add Assent's hooks there.")
    if switched_off(read(folder(site) / CONFIG)):
        text = f"[features] hooks = false is set in {folder(site) / CONFIG}: no hook runs."
        yield Finding("codex-disabled", "problem", text, "take it out.")
    if pinned(site):
        yield Finding("codex-policy", "ok", f"{requirements(site)} keeps repositories from switching hooks off.")
        return
    if switched_off(read(site.project / ".codex" / CONFIG)):
        text = "[features] hooks = false is set in .codex/config.toml of this project: no hook of yours runs here."
        remedy = f"take it out, or have an administrator set [features] hooks = true in {requirements(site)}."
        yield Finding("codex-disabled", "problem", text, remedy)


CHECKS: Mapping[str, tuple[Check, ...]] = {"hooks": (_hooks,)}
