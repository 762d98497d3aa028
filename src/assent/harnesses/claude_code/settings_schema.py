"""Schema of Claude Code's settings files, as far as it decides whether hooks run. Measured on client 2.1.325.

One hook entry that is not as it should be voids every hook of its event in that file, and one setting of a wrong type
voids the whole file; in an unattended run neither is told. Fields and events it does not know are passed over."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from assent.protocol.events import EVENTS

Test = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing the client does not accept, by its place in the file."""

    place: str
    text: str
    # The event whose hooks in this file do not run; None for all of them, "" for none but this entry's.
    voids: str | None


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_positive(value: Any) -> bool:
    return _is_number(value) and value > 0


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_named_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


def _is_address(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(urlsplit(value).scheme)
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class _Field:
    test: Test
    wanted: str
    required: bool = False


def _one_of(*words: str) -> _Field:
    return _Field(lambda value: value in words, " or ".join(f'"{word}"' for word in words))


_TEXT, _FLAG = _Field(_is_text, "text"), _Field(_is_flag, "true or false")
_NEEDED = _Field(_is_text, "text", required=True)
_EVERY = {"if": _TEXT, "timeout": _Field(_is_positive, "a positive number of seconds"), "statusMessage": _TEXT}
_EVERY |= {"once": _FLAG}
_FAILS = {"onFailure": _one_of("block", "continue")}
# The fields of each type of hook entry.
TYPES: Mapping[str, Mapping[str, _Field]] = {
    "command": {
        **_EVERY,
        **_FAILS,
        "command": _NEEDED,
        "args": _Field(_are_texts, "a list of texts"),
        "shell": _one_of("bash", "powershell"),
        "async": _FLAG,
        "asyncRewake": _FLAG,
        "rewakeMessage": _TEXT,
        "rewakeSummary": _TEXT,
    },
    "http": {
        **_EVERY,
        **_FAILS,
        "url": _Field(_is_address, "an address", required=True),
        "headers": _Field(_are_named_texts, "an object of texts"),
        "allowedEnvVars": _Field(_are_texts, "a list of texts"),
    },
    "prompt": {**_EVERY, "prompt": _NEEDED, "model": _TEXT, "continueOnBlock": _FLAG},
    "agent": {**_EVERY, "prompt": _NEEDED, "model": _TEXT},
    "mcp_tool": {**_EVERY, "server": _NEEDED, "tool": _NEEDED, "input": _Field(_is_table, "an object")},
}

_MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions", "manual")
_RULES = _Field(_is_list, "a list")
_PERMISSIONS = {
    "allow": _RULES,
    "deny": _RULES,
    "ask": _RULES,
    "additionalDirectories": _RULES,
    "defaultMode": _one_of(*_MODES),
}


def _settings() -> dict[str, _Field]:
    named: tuple[tuple[Test, str, str], ...] = (
        (
            _is_flag,
            "true or false",
            "disableAllHooks allowManagedHooksOnly allowManagedPermissionRulesOnly allowManagedMcpServersOnly "
            "includeCoAuthoredBy includeGitInstructions respectGitignore enableAllProjectMcpServers "
            "alwaysThinkingEnabled spinnerTipsEnabled skipWebFetchPreflight skipDangerousModePermissionPrompt "
            "verbose fastMode autoMemoryEnabled autoCompactEnabled prefersReducedMotion disableSkillShellExecution",
        ),
        (
            _is_text,
            "text",
            "$schema model apiKeyHelper awsCredentialExport awsAuthRefresh gcpAuthRefresh otelHeadersHelper "
            "outputStyle language advisorModel agent minimumVersion plansDirectory autoMemoryDirectory claudeMd",
        ),
        (
            _are_texts,
            "a list of texts",
            "allowedHttpHookUrls httpHookAllowedEnvVars enabledMcpjsonServers disabledMcpjsonServers availableModels "
            "companyAnnouncements claudeMdExcludes",
        ),
        (_is_table, "an object", "hooks permissions env statusLine enabledPlugins sandbox worktree"),
        (_is_positive, "a positive number", "cleanupPeriodDays"),
    )
    return {name: _Field(test, wanted) for test, wanted, names in named for name in names.split()}


SETTINGS: Mapping[str, _Field] = _settings()


def faults(settings: Any) -> Iterator[Fault]:
    """Everything in these settings that keeps hooks from running, in the order of the file."""
    if not isinstance(settings, dict):
        yield Fault("the file", "must be an object of settings", None)
        return
    yield from _misfits("", settings, SETTINGS, None)
    permissions, hooks = settings.get("permissions"), settings.get("hooks")
    if isinstance(permissions, dict):
        yield from _misfits("permissions.", permissions, _PERMISSIONS, None)
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        if event not in EVENTS:
            yield Fault(f"hooks.{event}", "is no event the client knows", event)
        elif not isinstance(groups, list):
            yield Fault(f"hooks.{event}", "must be a list", event)
        else:
            for number, group in enumerate(groups):
                yield from _group(f"hooks.{event}[{number}]", group, event)


def voided(settings: Any) -> frozenset[str]:
    """The events whose hooks in these settings the client drops."""
    events = {fault.voids for fault in faults(settings)}
    return frozenset(EVENTS) if None in events else frozenset(event for event in events if event)


def _group(place: str, group: Any, event: str) -> Iterator[Fault]:
    if not isinstance(group, dict):
        yield Fault(place, "must be an object", event)
        return
    matcher, entries = group.get("matcher", ""), group.get("hooks")
    if not isinstance(matcher, str):
        yield Fault(f"{place}.matcher", "must be text", event)
    elif not _compiles(matcher):
        yield Fault(f"{place}.matcher", "is no regular expression, so it matches nothing", "")
    if not isinstance(entries, list):
        yield Fault(f"{place}.hooks", "must be a list" if "hooks" in group else "is missing", event)
        return
    for number, entry in enumerate(entries):
        yield from _entry(f"{place}.hooks[{number}]", entry, event)


def _entry(place: str, entry: Any, event: str) -> Iterator[Fault]:
    if not isinstance(entry, dict):
        yield Fault(place, "must be an object", event)
        return
    kind = entry.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        yield Fault(f"{place}.type", "must be one of " + ", ".join(f'"{name}"' for name in TYPES), event)
        return
    yield from _misfits(f"{place}.", entry, TYPES[kind], event)


def _misfits(place: str, values: Mapping[str, Any], fields: Mapping[str, _Field], voids: str | None) -> Iterator[Fault]:
    for name, field in fields.items():
        if name in values and not field.test(values[name]):
            yield Fault(f"{place}{name}", f"must be {field.wanted}", voids)
        elif field.required and name not in values:
            yield Fault(f"{place}{name}", "is missing", voids)


def _compiles(matcher: str) -> bool:
    """A star alone stands for everything; groups with a name are spelled otherwise in Python."""
    if matcher == "*":
        return True
    try:
        re.compile(matcher.replace("(?<", "(?P<") if re.search(r"\(\?<[A-Za-z_]", matcher) else matcher)
    except re.error:
        return False
    return True
