"""Settings that keep our hooks from running although they are there."""

import fnmatch
from collections.abc import Iterator

from assent.install.doctor.check import Finding, Situation
from assent.install.doctor.settings import Settings, all_settings
from assent.install.entries import form_of


def check(situation: Situation) -> Iterator[Finding]:
    files = all_settings(situation)
    found = [finding for settings in files for finding in _file(settings, files)]
    yield from found or [Finding("disabled", "ok", "No settings file disables hooks.")]


def _file(settings: Settings, files: list[Settings]) -> Iterator[Finding]:
    if settings.get("disableAllHooks") is True:
        text = f'"disableAllHooks" is set in {settings.path}: no hook runs, ours neither.'
        yield Finding("disabled-all", "problem", text, "take it out of the file.")
    in_charge = settings.scope == "managed" and settings.get("allowManagedHooksOnly") is True
    if in_charge and not any(other.scope == "managed" and other.ours for other in files):
        text = f'{settings.path} says "allowManagedHooksOnly": hooks of users, ours included, do not run.'
        yield Finding("disabled-unmanaged", "problem", text, "ask whoever manages this machine.")
    allowed = settings.get("allowedHttpHookUrls")
    if isinstance(allowed, list):
        urls = {h["url"] for other in files for _, h in other.ours if form_of(h) == "http"}
        # Lists of several files add up, so one file alone proves nothing: say what to look at.
        if missed := sorted(url for url in urls if not any(fnmatch.fnmatchcase(url, str(p)) for p in allowed)):
            text = f'"allowedHttpHookUrls" in {settings.path} does not list {", ".join(missed)}.'
            yield Finding("disabled-http", "warning", text, "add it, or run `assent install --transport shim`.")
