"""What the hub watches of Claude Code: whether its settings disarm our hooks, what they let others decide or run (hooks
that answer, variables that load, helper commands), and where its transcripts are."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import Any

import msgspec

from assent import keys
from assent.harnesses.base import Loads, Transcripts
from assent.harnesses.claude_code import hooks, settings, telemetry
from assent.harnesses.claude_code.settings import managed_files
from assent.paths import Paths

_NAMES = ("settings.json", "settings.local.json")
_SESSION = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]")
MANAGED: Path | None = managed_files()[0]

# Hooks of these answer in a person's place, change what runs, or set variables for every command that follows.
_DECIDING = {
    "PreToolUse": "a hook that can answer and change calls (PreToolUse)",
    "PermissionRequest": "a hook that can answer in your place (PermissionRequest)",
    "Elicitation": "a hook that can fill in forms in your place (Elicitation)",
    "SessionStart": "a hook that can set variables for every command (SessionStart)",
    "Setup": "a hook that can set variables for every command (Setup)",
    "CwdChanged": "a hook that can set variables for every command (CwdChanged)",
    "FileChanged": "a hook that can set variables for every command (FileChanged)",
}
# Whatever is written here is run by the client, unasked.
_HELPERS = (
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "proxyAuthHelper",
    "fileSuggestion",
    "statusLine",
    "subagentStatusLine",
)
# Models and keys come from there.
_SERVERS = re.compile(
    r"ANTHROPIC_(?:\w+_)?BASE_URL|CLAUDE_CODE_API\w*|NODE_TLS_REJECT_UNAUTHORIZED|NODE_EXTRA_CA_CERTS"
)
# Switches of the client that change nothing about what is judged.
_HARMLESS = re.compile(r"CLAUDE_CODE_DISABLE_(?!\w*(?:HOOK|SANDBOX|PERMISSION))\w+|HIST\w+|SKIP|EDITOR|VISUAL|\w*PAGER")
_MODES = frozenset({"bypassPermissions"})

IsOurs = Callable[[object], bool]


def watched(folder: str) -> list[str]:
    """The settings files that count in a project's folder, or in the user's home."""
    return [f"{folder}/.claude/{name}" for name in _NAMES]


def reads(file: str) -> bool:
    """Whether a file of this name may be one of the client's settings."""
    return file.endswith(_NAMES)


def disarmed(text: str | None, *, installed: bool, managed: bool) -> str | None:
    """How this file keeps our hooks from running, in words that fit behind its name."""
    value = _value(text)
    if not managed:
        return settings.disarmed(value, installed=installed)
    only = isinstance(value, dict) and value.get("allowManagedHooksOnly") is True
    is_ours = next(settings.ours(value), None) is not None
    return "lets no hooks of users run (allowManagedHooksOnly)" if only and not is_ours else None


def powers(text: str | None, paths: Paths, loads: Loads) -> dict[str, str] | None:
    """What the file lets others decide, by fingerprint, in words that fit behind "adds"; None if it is no settings.
    What has another shape than the client takes gives no power."""
    value = _value(text)
    if not isinstance(value, dict):
        return None
    held = dict(_powers(value, lambda handler: hooks.is_ours(handler, paths), loads))
    if telemetry.reports_to(value, keys.read(keys.post_token_file(paths))):
        # `assent install` wrote it.
        held.pop(f"env {telemetry.ENDPOINT}={value['env'][telemetry.ENDPOINT]}", None)
    return held


def transcripts(file: str, scope: str) -> Transcripts:
    """Where sessions that the hooks in this settings file should hear of keep their transcripts."""
    if scope == "user":
        return Transcripts(Path(file).parent / "projects", depth=1)
    project = str(Path(file).parent.parent)
    return Transcripts(Path.home() / ".claude/projects" / _NOT_IN_NAMES.sub("-", project))


def session_of(file: str) -> str | None:
    """The session whose transcript this file is."""
    session, _, kind = PurePath(file).name.rpartition(".")
    return session if kind == "jsonl" and _SESSION.fullmatch(session) else None


def _value(text: str | None) -> Any:
    try:
        return None if text is None else msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def _powers(settings: dict[str, Any], is_ours: IsOurs, loads: Loads) -> Iterator[tuple[str, str]]:
    yield from _hooks(settings.get("hooks"), is_ours)
    env = settings.get("env")
    for name, value in env.items() if isinstance(env, dict) else ():
        if _decides(str(name), str(value), loads):
            yield f"env {name}={value}", f"the variable {name}, which decides what programs load or whom they trust"
    for name in _HELPERS:
        given = settings.get(name)
        command = given.get("command") if isinstance(given, dict) else given
        if isinstance(command, str) and not re.match(r"\S*\bassent statusline\b", command):
            yield f"{name} {command}", f"a command that the client runs by itself ({name})"
    yield from _modes(settings)


def _hooks(hooks: Any, is_ours: IsOurs) -> Iterator[tuple[str, str]]:
    for event, words in _DECIDING.items():
        groups = hooks.get(event) if isinstance(hooks, dict) else None
        for group in groups if isinstance(groups, list) else ():
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for handler in handlers if isinstance(handlers, list) else ():
                if not is_ours(handler):
                    yield f"hook {event} {group.get('matcher')} {_text(handler)}", words


def _decides(name: str, value: str, loads: Loads) -> bool:
    if _SERVERS.fullmatch(name):
        return True
    return not _HARMLESS.fullmatch(name) and loads(name, value)


def _modes(settings: dict[str, Any]) -> Iterator[tuple[str, str]]:
    permissions, sandbox = settings.get("permissions"), settings.get("sandbox")
    if isinstance(permissions, dict) and (mode := permissions.get("defaultMode")) in _MODES:
        yield f"mode {mode}", f"the mode {mode}, in which the client never asks"
    if isinstance(sandbox, dict):
        if sandbox.get("enabled") is False:
            yield "sandbox off", "that commands run outside the client's sandbox"
        for name in ("allowUnsandboxedCommands", "excludedCommands"):
            if sandbox.get(name):
                yield (
                    f"sandbox {name} {_text(sandbox[name])}",
                    f"commands that run outside the client's sandbox ({name})",
                )
    if settings.get("enableAllProjectMcpServers") is True:
        yield "servers", "that every server of the project is started (enableAllProjectMcpServers)"
    if isinstance(settings.get("allowedHttpHookUrls"), list):
        yield f"urls {_text(settings['allowedHttpHookUrls'])}", "which hooks over HTTP may run (allowedHttpHookUrls)"


def _text(value: Any) -> str:
    try:
        return msgspec.json.encode(value, order="sorted").decode()
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return repr(type(value))
