"""Our entries in the client's settings: all of them, in the form we would write today."""

from collections.abc import Iterator
from typing import Any

from assent.harness.claude_code import NO_HTTP, SUBSCRIPTIONS
from assent.install import entries, merge, tokens
from assent.install.doctor.check import Finding, Level, Situation
from assent.install.doctor.settings import Settings, all_settings
from assent.install.entries import Handler

REPAIR = "run `assent install` again"
OLD = "entries of an older version: where the shim or its interpreter is gone, calls in bypassPermissions run unjudged"


def check(situation: Situation) -> Iterator[Finding]:
    files = all_settings(situation)
    for settings in files:
        if settings.trouble:
            text = f"{settings.trouble}: the client cannot read these settings either."
            yield Finding("settings-broken", "problem", text, "repair the file.")
    with_ours = [settings for settings in files if settings.ours]
    if not with_ours:
        yield _none(files)
    for settings in with_ours:
        found = list(_file(situation, settings))
        text = f"{settings.path} has {len(settings.ours)} entries of Assent ({settings.scope} scope)."
        yield from found or [Finding("hooks", "ok", text)]
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


def _file(situation: Situation, settings: Settings) -> Iterator[Finding]:
    repair = (
        f"{REPAIR} --scope {settings.scope}." if settings.scope != "managed" else "ask whoever manages this machine."
    )
    found = {at[1] for at, _ in settings.ours}
    if missing := [event for event in SUBSCRIPTIONS if event not in found]:
        gates = any(SUBSCRIPTIONS[event].transport == "shim" for event in missing)
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
        if at[1] in SUBSCRIPTIONS and (mistake := _mistake(situation, settings.scope, at, handler)):
            wrong.setdefault(mistake, []).append(at[1])
    for (code, level, text), events in wrong.items():
        yield Finding(code, level, f"{settings.path}: {text} ({', '.join(events)}).", repair)


def _mistake(situation: Situation, scope: str, at: merge.Place, handler: Handler) -> tuple[str, Level, str] | None:
    form = entries.form_of(handler)
    if scope != "project" and form == "exec" and handler["command"] == str(situation.paths.shim / "python"):
        return "hooks-old", "warning", OLD
    if wrong := _wrong(situation, scope, at, handler, form):
        return "hooks-wrong", "problem", wrong
    if scope != "project" and (differs := _unlike_config(situation, at, handler, form)):
        return "hooks-unreachable", "warning", differs
    return None


def _wrong(
    situation: Situation, scope: str, at: merge.Place, handler: Handler, form: entries.Form | None
) -> str | None:
    subscription = SUBSCRIPTIONS[at[1]]
    if form == "http":
        if scope == "project":
            return "a token stands in a file shared with others"
        if at[1] in NO_HTTP:
            return "the client never sends this event over HTTP"
        token = tokens.existing(situation.paths)
        if token is None or handler.get("headers") != {"Authorization": f"Bearer {token}"}:
            return "the token is not the hub's, so the hub turns the events away"
        expected = entries.http_entry(subscription, situation.port, token)
        return None if handler["url"] == expected["url"] else f"the hub listens on port {situation.port}, not there"
    if form != "shared" and scope == "project":
        return "a path of this machine stands in a file shared with others"
    is_known = (
        handler.get("command") == entries.shared_entry(subscription)["command"]
        if form == "shared"
        else entries.written_for(handler, subscription, situation.paths) is not None
    )
    return None if is_known else "the command is not the one this version writes"


def _unlike_config(situation: Situation, at: merge.Place, handler: Handler, form: entries.Form | None) -> str | None:
    """Of the gate: what the entry does without a hub, and what the configuration says."""
    if at[1] != entries.GATE or form == "shared":
        return None
    wanted, blocks = situation.config.hub.unreachable, handler.get("onFailure") == "block"
    if blocks != (wanted == "deny"):
        has = "has" if blocks else "lacks"
        return f'unreachable = "{wanted}" in {situation.paths.config}, but the entry {has} "onFailure": "block"'
    written = wanted if form == "http" else entries.written_for(handler, SUBSCRIPTIONS[at[1]], situation.paths)
    if written == wanted:
        return None
    return f'unreachable = "{wanted}" in {situation.paths.config}, but the entry was written for "{written}"'


def _group(value: Any, at: merge.Place) -> dict[str, Any]:
    group: dict[str, Any] = value["hooks"][at[1]][at[2]]
    return group
