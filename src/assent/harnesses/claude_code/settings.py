"""Where the settings files of Claude Code are, which hooks in them are ours, and whether they would run."""

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from assent.harnesses.base import Place, RuleTexts, SettingsError
from assent.harnesses.claude_code import settings_schema
from assent.harnesses.claude_code.facts import NAME
from assent.harnesses.hook_table import EntryPath, Handler, handlers
from assent.harnesses.site import SCOPES, Scope, SettingsScope, Site

_ROOT = Path("/")
MANAGED_FOLDER = "Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "etc/claude-code"
URL_PATH = f"/hook/{NAME}"

# "local" and "shared" are shell lines, the first with paths of this machine; "exec" is the local form of 0.1.0.
Form = Literal["local", "shared", "http", "exec"]

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
# How shell lines of ours begin: this version's, and those of earlier ones in shared files.
_STARTS = (
    re.compile(rf"if \[ -x ({_PATH}) \] && \[ -r ({_PATH}) \]; then exec \1 -I -S \2 {_PATH} {_WORDS}; fi(?:;|$)"),
    re.compile(
        re.escape('s="${ASSENT_HOME:+${ASSENT_HOME-}/state}"; s="${s:-${XDG_STATE_HOME:-$HOME/.local/state}/assent}"; ')
        + re.escape('if [ -x "${s-}/shim/python" ] && [ -r "${s-}/shim/hook.py" ] && [ -x "${s-}/shim/run" ]; ')
        + rf'then exec "\$\{{s-\}}/shim/run" {_WORDS}; fi(?:;|$)'
    ),
    re.compile(
        _STATE
        + re.escape('"; if [ -x "$s/shim/python" ] && [ -r "$s/shim/hook.py" ] && [ -x "$s/shim/run" ]; ')
        + rf'then exec "\$s/shim/run" {_WORDS}; fi(?:;|$)'
    ),
    re.compile(_STATE + re.escape('/shim/run"; [ -x "$s" ] || exit 0; exec "$s" ') + rf"{_WORDS}$"),
)
# Without one of these, calls pass unjudged, or the next change of the settings does.
_GATES = ("PreToolUse", "PermissionRequest", "ConfigChange")


def settings_file(
    scope: Literal["user", "project", "local"], *, home: Path, project: Path, config_dir: Path | None
) -> Path:
    """Where the client reads its settings; ``config_dir`` is CLAUDE_CONFIG_DIR, which moves only the user's own."""
    if scope == "user":
        return (config_dir or home / ".claude") / "settings.json"
    return project / ".claude" / ("settings.json" if scope == "project" else "settings.local.json")


def settings_files(
    *, home: Path, project: Path, config_dir: Path | None, root: Path = _ROOT
) -> list[tuple[SettingsScope, Path]]:
    """Every file whose permission rules the client obeys, the strongest first."""
    scopes: tuple[Literal["user", "project", "local"], ...] = ("local", "project", "user")
    own = [(scope, settings_file(scope, home=home, project=project, config_dir=config_dir)) for scope in scopes]
    return [*(("managed", path) for path in managed_files(root)), *own]


def rule_files(site: Site) -> list[tuple[SettingsScope, Path]]:
    """The files whose permission rules the client obeys, the strongest first."""
    moved = _moved(site.environ)
    return settings_files(home=site.home, project=site.project, config_dir=moved, root=site.root)


def grant_files(site: Site) -> dict[str, Path]:
    """Where the client keeps what is granted for a project and for a user."""
    files = dict(rule_files(site))
    return {"project": files["local"], "user": files["user"]}


def settings_here(project: Path) -> list[tuple[SettingsScope, Path]]:
    """The same for a session of the user this process runs for."""
    home = Path(os.environ.get("HOME") or Path.home())
    return settings_files(home=home, project=project, config_dir=_moved(os.environ))


def own_file(site: Site, scope: Scope) -> Path:
    """The settings file of one scope as seen from a site."""
    return settings_file(scope, home=site.home, project=site.project, config_dir=_moved(site.environ))


def places(site: Site) -> list[Place]:
    """Every settings file the client reads."""
    own = [Place(scope, own_file(site, scope)) for scope in SCOPES]
    return [*own, *(Place("managed", path) for path in managed_files(site.root))]


def rules(content: bytes) -> RuleTexts:
    """The permission rules of one file, as far as they have the right shape."""
    try:
        value = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise SettingsError("These settings of the agent are not JSON.") from None
    settings = value if isinstance(value, dict) else {}
    permissions, sandbox = settings.get("permissions"), settings.get("sandbox")
    lists = permissions if isinstance(permissions, dict) else {}
    enabled = sandbox.get("enabled") if isinstance(sandbox, dict) else None
    return RuleTexts(
        deny=_texts(lists.get("deny")),
        ask=_texts(lists.get("ask")),
        allow=_texts(lists.get("allow")),
        directories=_texts(lists.get("additionalDirectories")),
        managed_only=settings.get("allowManagedPermissionRulesOnly") is True,
        sandbox=enabled if isinstance(enabled, bool) else None,
    )


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list) else ()


def read_leniently(path: Path) -> Any:
    """A settings file's value, or None where there is nothing to be read."""
    try:
        return lenient(path.read_bytes())
    except OSError:
        return None


def lenient(data: bytes | None) -> Any:
    try:
        return json.loads((data or b"").decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def _moved(environ: Mapping[str, str]) -> Path | None:
    folder = environ.get("CLAUDE_CONFIG_DIR")
    return Path(folder).absolute() if folder else None


def managed_files(root: Path = _ROOT) -> list[Path]:
    """What an administrator set for this machine, as far as it lies in files."""
    folder = root / MANAGED_FOLDER
    return [folder / "managed-settings.json", *sorted((folder / "managed-settings.d").glob("*.json"))]


def form_of(handler: object) -> Form | None:
    """Which of our forms this entry has, by any version of ours; None for another program's."""
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


def ours(settings: Any) -> Iterator[tuple[EntryPath, Handler]]:
    for at, handler in handlers(settings):
        if form_of(handler):
            yield at, handler


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
        if not_run := settings_schema.voided(settings).intersection(_GATES):
            wrong = next(f for f in settings_schema.faults(settings) if f.voids is None or f.voids in not_run)
            return f"is not what the client accepts, so hooks of Assent do not run: {wrong.place} {wrong.text}"
        gated = {at[1] for at, handler in ours(settings) if _matches_all(settings, at) and _gates(handler)}
        if missing := [event for event in _GATES if event not in gated]:
            some = "all" if len(missing) == len(_GATES) else ", ".join(missing)
            return f"lacks hooks of Assent ({some})"
    return None


def _matches_all(settings: Any, at: EntryPath) -> bool:
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
