"""Doctor's checks of Claude Code: what its settings say about our hooks and about others'. And its version."""

import fnmatch
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assent import files, keys
from assent.files import RefusedError
from assent.harnesses import hook_table, shell_entry
from assent.harnesses.base import Version
from assent.harnesses.claude_code import hooks as entries
from assent.harnesses.claude_code import settings_schema
from assent.harnesses.claude_code import telemetry as variables
from assent.harnesses.claude_code.facts import KNOWN, NO_HTTP, subscribed
from assent.harnesses.claude_code.settings import Form, form_of, ours, own_file, places
from assent.harnesses.claude_code.settings_schema import Fault
from assent.harnesses.hook_table import EntryPath, Handler, handlers
from assent.harnesses.json_edit import Document
from assent.harnesses.json_text import JsonTextError
from assent.harnesses.site import Check, Finding, Level, Site, Situation, program_version

REPAIR = "run `assent install` again"
OLD = "entries of an older version: where the shim or its interpreter is gone, calls in bypassPermissions run unjudged"
LONGEST_NAME = 60
MOST_PLUGINS = 500
WITHOUT = "answers given in the terminal are noticed a little later, and what sessions cost is not known"
# What it means that another program's hook answers the same event.
MEANING: dict[str, tuple[Level, str]] = {
    "PreToolUse": ("note", "may deny, or ask about, what Assent allows"),
    "PermissionRequest": ("warning", "may answer before a person does: the first answer wins, also an allow"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    scope: str
    path: Path
    # None if there is no such file or it cannot be read.
    value: Any
    trouble: str | None = None

    def get(self, *keys: str) -> Any:
        value = self.value
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    @property
    def ours(self) -> list[tuple[EntryPath, Handler]]:
        return list(ours(self.value))


def all_settings(site: Site) -> list[Settings]:
    """Every settings file the client would read, read once and without judging."""
    every = [read(place.scope, place.path) for place in places(site)]
    # In the home folder the project's file is the user's.
    unique = {settings.path: settings for settings in reversed(every)}
    return [*reversed(unique.values())]


def read(scope: str, path: Path) -> Settings:
    try:
        data = files.read(path)
        doc = Document.read(data) if data and data.strip() else None
        if doc:
            hook_table.check_shape(doc)
        return Settings(scope, path, doc.root.value if doc else None)
    except JsonTextError as e:
        return Settings(scope, path, None, f"{path}:{e}")
    except RefusedError as e:
        return Settings(scope, path, None, e.message.removesuffix(" Nothing was changed."))


def version(program: str, path: str) -> Version | None:
    return program_version(program, path, {"DISABLE_AUTOUPDATER": "1"})


def hooks(situation: Situation) -> Iterator[Finding]:
    files = all_settings(situation.site)
    for settings in files:
        if settings.trouble:
            text = f"{settings.trouble}: the client cannot read these settings either."
            yield Finding("settings-broken", "problem", text, "repair the file.")
    with_ours = [settings for settings in files if settings.ours]
    if not with_ours:
        yield _none(files)
    for settings in with_ours:
        findings = list(_hooks_of(situation, settings))
        text = f"{settings.path} has {len(settings.ours)} entries of Assent ({settings.scope} scope)."
        yield from findings or [Finding("hooks", "ok", text)]
    if len(with_ours) > 1:
        names = " and ".join(str(settings.path) for settings in with_ours)
        text = f"{names} both have entries of Assent: every event is handled twice."
        yield Finding("hooks-twice", "warning", text, "run `assent uninstall` and install in one scope.")


def _none(files: list[Settings]) -> Finding:
    for settings in files:
        plugins = settings.get("enabledPlugins")
        if isinstance(plugins, dict) and any(name.startswith("assent@") and on for name, on in plugins.items()):
            return Finding("hooks-plugin", "ok", f"The assent plugin is enabled in {settings.path}.")
    text = "No settings file of the client here has entries of Assent: nothing is judged."
    return Finding("hooks-missing", "problem", text, "run `assent install`.")


def _hooks_of(situation: Situation, settings: Settings) -> Iterator[Finding]:
    repair = (
        f"{REPAIR} --scope {settings.scope}." if settings.scope != "managed" else "ask whoever manages this machine."
    )
    events = {at[1] for at, _ in settings.ours}
    wanted = subscribed(batches=situation.config.hub.tool_batches)
    if missing := [event for event in wanted if event not in events]:
        gates = any(wanted[event].transport == "shim" for event in missing)
        text = f"{settings.path} lacks entries for {', '.join(missing)}."
        yield Finding("hooks-incomplete", "problem" if gates else "warning", text, repair)
    for at, _ in settings.ours:
        group = _group(settings.value, at)
        if group.get("matcher") not in (None, "", "*"):
            text = (
                f"{settings.path}: the {at[1]} entry stands under the matcher {group['matcher']!r} and misses the rest."
            )
            yield Finding("hooks-narrow", "problem", text, repair)
    yield from _forms(situation, settings, repair)


def _forms(situation: Situation, settings: Settings, repair: str) -> Iterator[Finding]:
    """One sentence for each kind of mistake, however many entries have it."""
    wrong: dict[tuple[str, Level, str], list[str]] = {}
    for at, handler in settings.ours:
        if at[1] in KNOWN and (mistake := _mistake(situation, settings.scope, at, handler)):
            wrong.setdefault(mistake, []).append(at[1])
    for (code, level, text), events in wrong.items():
        yield Finding(code, level, f"{settings.path}: {text} ({', '.join(events)}).", repair)


def _mistake(situation: Situation, scope: str, at: EntryPath, handler: Handler) -> tuple[str, Level, str] | None:
    form = form_of(handler)
    if scope != "project" and form == "exec" and handler["command"] == str(situation.paths.shim / "python"):
        return "hooks-old", "warning", OLD
    if wrong := _wrong(situation, scope, at, handler, form):
        return "hooks-wrong", "problem", wrong
    if scope != "project" and (differs := _unlike_config(situation, at, handler, form)):
        return "hooks-unreachable", "warning", differs
    return None


def _wrong(situation: Situation, scope: str, at: EntryPath, handler: Handler, form: Form | None) -> str | None:
    subscription = KNOWN[at[1]]
    if form == "http":
        if scope == "project":
            return "a token stands in a file shared with others"
        if at[1] in NO_HTTP:
            return "the client never sends this event over HTTP"
        token = keys.existing_post_token(situation.paths)
        if token is None or handler.get("headers") != {"Authorization": f"Bearer {token}"}:
            return "the token is not the hub's, so the hub turns the events away"
        expected = entries.http_entry(subscription, situation.port, token)
        return None if handler["url"] == expected["url"] else f"the hub listens on port {situation.port}, not there"
    if form != "shared" and scope == "project":
        return "a path of this machine stands in a file shared with others"
    is_known = (
        handler.get("command") == entries.shared_entry(entries.as_written(handler, subscription))["command"]
        if form == "shared"
        else entries.written_for(handler, subscription, situation.paths) is not None
    )
    return None if is_known else "the command is not the one this version writes"


def _unlike_config(situation: Situation, at: EntryPath, handler: Handler, form: Form | None) -> str | None:
    """Of the gate: what the entry does without a hub, and what the configuration says."""
    if at[1] != entries.GATE or form == "shared":
        return None
    wanted, blocks = situation.config.hub.unreachable, handler.get("onFailure") == "block"
    if blocks != (wanted == "deny"):
        has = "has" if blocks else "lacks"
        return f'unreachable = "{wanted}" in {situation.paths.config}, but the entry {has} "onFailure": "block"'
    written = wanted if form == "http" else entries.written_for(handler, KNOWN[at[1]], situation.paths)
    if written == wanted:
        return None
    return f'unreachable = "{wanted}" in {situation.paths.config}, but the entry was written for "{written}"'


def _group(value: Any, at: EntryPath) -> dict[str, Any]:
    group: dict[str, Any] = value["hooks"][at[1]][at[2]]
    return group


def schema(situation: Situation) -> Iterator[Finding]:
    fine = True
    for settings in (*all_settings(situation.site), *_plugins(situation)):
        for fault in settings_schema.faults(settings.value) if settings.value is not None else ():
            fine = False
            yield _schema_fault(settings, fault)
    if fine:
        yield Finding("schema", "ok", "Every hook entry is as the client wants it.")


def _schema_fault(settings: Settings, fault: Fault) -> Finding:
    ours = {at[1] for at, _ in settings.ours}
    lost = ours if fault.voids is None else ours & {fault.voids}
    if fault.voids is None:
        effect = "the client ignores the whole file"
    elif fault.voids == "":
        effect = "these hooks never run"
    else:
        effect = f"the client runs no {fault.voids} hook of this file"
    also = ", Assent's neither" if lost else ""
    text = f"{settings.path}: {fault.place} {fault.text}: {effect}{also}, and an unattended run does not say so."
    return Finding("schema", "problem" if lost else "warning", text, "correct it in the file.")


def _plugins(situation: Situation) -> Iterator[Settings]:
    """The hooks of plugins, wherever below the client's folder they were put."""
    folder: Path = own_file(situation.site, "user").parent / "plugins"
    files = folder.glob("**/hooks/hooks.json") if folder.is_dir() else iter(())
    for _, path in zip(range(MOST_PLUGINS), files, strict=False):
        settings = read("plugin", path)
        if isinstance(settings.value, dict) and "hooks" in settings.value:
            # Beside its hooks such a file holds a description, no settings.
            yield Settings("plugin", path, {"hooks": settings.value["hooks"]})


def disabled(situation: Situation) -> Iterator[Finding]:
    files = all_settings(situation.site)
    findings = [finding for settings in files for finding in _disabling(settings, files)]
    yield from findings or [Finding("disabled", "ok", "No settings file disables hooks.")]


def _disabling(settings: Settings, files: list[Settings]) -> Iterator[Finding]:
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


def timeouts(situation: Situation) -> Iterator[Finding]:
    fine = True
    seen = False
    for settings in all_settings(situation.site):
        for at, handler in settings.ours:
            subscription = KNOWN.get(at[1])
            if subscription is None:
                continue
            seen = True
            timeout, wanted = handler.get("timeout"), shell_entry.fitting(subscription, situation.site.wait).timeout
            # One that was written for a longer wait does no harm.
            if timeout == wanted or (subscription.may_hold and isinstance(timeout, int) and timeout > wanted):
                continue
            fine = False
            why = f", which an asks.wait of {situation.site.wait} needs" if subscription.may_hold else ""
            text = f"{settings.path}: {at[1]} has the timeout {timeout}, not {wanted} seconds{why}."
            yield Finding("timeouts", "warning", text, f"run `assent install --scope {settings.scope}` again.")
    if seen and fine:
        yield Finding("timeouts", "ok", "The client waits longer for each hook than the hook takes.")


def others(situation: Situation) -> Iterator[Finding]:
    is_any = False
    for settings in all_settings(situation.site):
        for at, handler in handlers(settings.value):
            if at[1] in MEANING and not form_of(handler):
                is_any = True
                level, meaning = MEANING[at[1]]
                text = f"Another {at[1]} hook in {settings.path} {meaning}: {_name(handler)}"
                yield Finding(f"others-{at[1]}", level, text)
    if not is_any:
        yield Finding("others", "ok", "No other hook decides about tool calls.")


def _name(handler: Any) -> str:
    program = (
        handler.get("command") or handler.get("url") or handler.get("type") if isinstance(handler, dict) else handler
    )
    text = "".join(c if c.isprintable() else "·" for c in str(program))
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


def telemetry(situation: Situation) -> Iterator[Finding]:
    where = variables.elsewhere(situation.site)
    files = [settings for settings in all_settings(situation.site) if variables.ours(settings.value)]
    if where and files:
        text = f"Telemetry is set up twice ({where}, and {files[0].path} for Assent): one of them gets nothing."
        yield Finding("telemetry-twice", "warning", text, "run `assent install` again, which then leaves it alone.")
    elif where:
        text = f"The client's telemetry is set up for something else ({where}): {WITHOUT}."
        yield Finding("telemetry-elsewhere", "note", text)
    elif not files:
        text = f"The client sends no telemetry: {WITHOUT}."
        yield Finding("telemetry-off", "note", text, "`assent install` offers it.")
    elif variables.ours(files[0].value) != variables.variables(
        situation.port, keys.existing_post_token(situation.paths) or ""
    ):
        text = f"The telemetry variables in {files[0].path} are not the ones this hub needs: {WITHOUT}."
        yield Finding("telemetry-wrong", "warning", text, "run `assent install` again.")
    else:
        yield from _telemetry_heard(situation)


def _telemetry_heard(situation: Situation) -> Iterator[Finding]:
    state = (situation.hub or {}).get("telemetry") or {}
    if count := state.get("rejected"):
        text = f"{count} pieces of telemetry could not be read. A newer client may speak differently."
        yield Finding("telemetry-unread", "warning", text)
    if last := state.get("last_at"):
        ago = max(0.0, situation.now - last / 1000)
        how_long = f"{ago:.0f} s" if ago < 120 else f"{ago / 60:.0f} min" if ago < 7200 else f"{ago / 3600:.0f} h"
        yield Finding("telemetry", "ok", f"The client's telemetry reaches the hub, the last {how_long} ago.")
    else:
        yield Finding("telemetry", "ok", "The client's telemetry goes to the hub; none came yet since it started.")


def managed_hooks(site: Site) -> Path | None:
    """The file by which an administrator holds our hooks in place."""
    managed = (settings for settings in all_settings(site) if settings.scope == "managed")
    return next((s.path for s in managed if any(at[1] == "PreToolUse" for at, _ in s.ours)), None)


def sandbox(site: Site) -> Path | None:
    """The file that turns the client's sandbox on."""
    return next((s.path for s in all_settings(site) if s.get("sandbox", "enabled") is True), None)


CHECKS: Mapping[str, tuple[Check, ...]] = {
    "hooks": (hooks, schema, disabled, timeouts, others),
    "record": (telemetry,),
}
