"""What the settings of Claude Code let others decide or run: hooks that answer, variables that load, helper commands.

Each power has a fingerprint, by which it is known again, and words that fit behind "adds"."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from assent.policy import variables
from assent.policy.effects import Effect

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


def powers(settings: Any, is_ours: IsOurs = lambda _: False) -> dict[str, str]:
    """By fingerprint, in words. What has another shape than the client takes gives no power."""
    return dict(_powers(settings, is_ours)) if isinstance(settings, dict) else {}


def _powers(settings: dict[str, Any], is_ours: IsOurs) -> Iterator[tuple[str, str]]:
    yield from _hooks(settings.get("hooks"), is_ours)
    env = settings.get("env")
    for name, value in env.items() if isinstance(env, dict) else ():
        if _loads(str(name), str(value)):
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


def _loads(name: str, value: str) -> bool:
    if _SERVERS.fullmatch(name):
        return True
    return not _HARMLESS.fullmatch(name) and bool(_effects(name, value))


def _effects(name: str, value: str) -> list[Effect]:
    return [effect for effect in variables.assigned(name, [value]) if effect.kind != "write"]


def _modes(settings: dict[str, Any]) -> Iterator[tuple[str, str]]:
    permissions, sandbox = settings.get("permissions"), settings.get("sandbox")
    if isinstance(permissions, dict) and (mode := permissions.get("defaultMode")) in _MODES:
        yield f"mode {mode}", f"the mode {mode}, in which the client asks nobody"
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
