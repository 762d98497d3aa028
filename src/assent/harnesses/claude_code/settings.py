"""What a settings file of Claude Code says about hooks: which are ours, and whether they would run."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Literal
from urllib.parse import urlsplit

from assent.harness import claude_code_schema
from assent.harness.claude_code import NAME

URL_PATH = f"/hook/{NAME}"

# "local" and "shared" are shell lines, the first with paths of this machine; "exec" is the local form of 0.1.0.
Form = Literal["local", "shared", "http", "exec"]
Handler = dict[str, Any]
Place = tuple[str, str, int, str, int]

_OUR_LINES: tuple[tuple[Form, re.Pattern[str]], ...] = (
    ("local", re.compile(rf"/(?:assent|state)/shim/hook\.py\b.*\b{NAME}\b", re.DOTALL)),
    ("shared", re.compile(rf'/shim/run"?.*\b{NAME}\b', re.DOTALL)),
)
_OUR_FOLDERS = frozenset({"assent", "state"})
# Fields that make a gate an onlooker, or let it look at some calls only.
_LOOSENING = ("async", "asyncRewake", "once", "if", "shell")
_SHORTEST = 5
_PATH = r"""(?:[^\s;&|<>$`"'\\]|'[^']*'|"'")+"""
_STATE = re.escape('s="${ASSENT_HOME:+$ASSENT_HOME/state}"; s="${s:-${XDG_STATE_HOME:-$HOME/.local/state}/assent}')
_WORDS = rf"{NAME} \w+ [\d.]+ [\d.]+"
# How shell lines of ours begin, this version's and that of 0.1.0 in shared files.
_STARTS = (
    re.compile(rf"if \[ -x ({_PATH}) \] && \[ -r ({_PATH}) \]; then exec \1 -I -S \2 {_PATH} {_WORDS}; fi(?:;|$)"),
    re.compile(
        _STATE
        + re.escape('"; if [ -x "$s/shim/python" ] && [ -r "$s/shim/hook.py" ] && [ -x "$s/shim/run" ]; ')
        + rf'then exec "\$s/shim/run" {_WORDS}; fi(?:;|$)'
    ),
    re.compile(_STATE + re.escape('/shim/run"; [ -x "$s" ] || exit 0; exec "$s" ') + rf"{_WORDS}$"),
)
# Without one of these, calls pass unjudged, or the next change of the settings does.
_GATES = ("PreToolUse", "PermissionRequest", "ConfigChange")


def form_of(handler: object) -> Form | None:
    """Which of our forms this entry has, by any version of ours; None for somebody else's."""
    if not isinstance(handler, Mapping):
        return None
    url, command, args = handler.get("url"), handler.get("command"), handler.get("args")
    if isinstance(url, str):
        return "http" if _is_our_url(url) else None
    if not isinstance(command, str):
        return None
    if isinstance(args, list):
        return "exec" if NAME in args and any(_is_our_script(arg) for arg in (command, *args)) else None
    return next((form for form, line in _OUR_LINES if line.search(command)), None)


def ours(settings: Any) -> Iterator[tuple[Place, Handler]]:
    for at, handler in handlers(settings):
        if form_of(handler):
            yield at, handler


def handlers(settings: Any) -> Iterator[tuple[Place, Any]]:
    """Every hook entry of a settings value, whoever wrote it; what has another shape is passed over."""
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for g, group in enumerate(groups if isinstance(groups, list) else ()):
            entries = group.get("hooks") if isinstance(group, dict) else None
            for h, handler in enumerate(entries if isinstance(entries, list) else ()):
                yield ("hooks", event, g, "hooks", h), handler


def disarmed(settings: Any, *, installed: bool) -> str | None:
    """How these settings keep our hooks from running, in words that fit behind the name of the file."""
    if not isinstance(settings, dict):
        return "cannot be read, and Assent's hooks stood in it" if installed else None
    if settings.get("disableAllHooks"):
        return "switches off every hook, Assent's among them (disableAllHooks)"
    env = settings.get("env")
    if isinstance(env, dict) and any(str(name).startswith("ASSENT_") for name in env):
        return "sets variables by which Assent's hooks find the hub"
    if installed:
        if not_run := claude_code_schema.voided(settings).intersection(_GATES):
            wrong = next(f for f in claude_code_schema.faults(settings) if f.voids is None or f.voids in not_run)
            return f"is not what the client accepts, so hooks of Assent do not run: {wrong.place} {wrong.text}"
        found = {at[1] for at, handler in ours(settings) if _matches_all(settings, at) and _gates(handler)}
        if missing := [event for event in _GATES if event not in found]:
            some = "all" if len(missing) == len(_GATES) else ", ".join(missing)
            return f"lacks hooks of Assent ({some})"
    return None


def _matches_all(settings: Any, at: Place) -> bool:
    return settings["hooks"][at[1]][at[2]].get("matcher") in (None, "", "*")


def _gates(handler: Handler) -> bool:
    """Whether the client waits for this entry and it starts the shim: what only looks like ours is no gate."""
    if any(handler.get(name) for name in _LOOSENING) or handler.get("timeout", _SHORTEST) < _SHORTEST:
        return False
    form, command = form_of(handler), handler.get("command")
    if form == "http":
        return True
    if form == "exec":
        args = handler["args"]
        return bool(_is_our_script(command) or (args[:2] == ["-I", "-S"] and _is_our_script(args[2])))
    return any(line.match(str(command)) for line in _STARTS)


def _is_our_script(arg: object) -> bool:
    if not isinstance(arg, str):
        return False
    parts = PurePosixPath(arg).parts[-3:]
    return len(parts) == 3 and parts[0] in _OUR_FOLDERS and parts[1:] in {("shim", "hook.py"), ("shim", "run")}


def _is_our_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.path == URL_PATH and parts.hostname in {"127.0.0.1", "localhost", "::1"}
