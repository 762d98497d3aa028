"""What an install writes for Copilot CLI: a file of its own, so nothing of anyone else's is touched."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any, cast

from assent.harnesses import shell_entry
from assent.harnesses.base import Change, Loads, Place, SettingsError, Transcripts, Unreachable, Version
from assent.harnesses.copilot.encode import replies
from assent.harnesses.copilot.facts import NAME, SUBSCRIPTIONS
from assent.harnesses.site import Check, Finding, Scope, Site, Situation, Transport, program_version
from assent.paths import Paths

OWN = "assent.json"
_SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
POLICY = Path("/etc/github-copilot/policy.d")
# One line in one of these switches off every hook of the user's, in a folder that is trusted.
SWITCHES = (".github/copilot/settings.json", ".github/copilot/settings.local.json")
FOREIGN_SWITCHES = (".claude/settings.json", ".claude/settings.local.json")


def _folder(site: Site) -> Path:
    return Path(site.environ.get("COPILOT_HOME") or site.home / ".copilot")


def places(site: Site) -> list[Place]:
    return [
        Place("user", _folder(site) / "hooks" / OWN),
        Place("project", site.project / ".github" / "hooks" / OWN),
        Place("managed", site.root / POLICY.relative_to("/") / OWN),
    ]


def plan(
    site: Site,
    scope: Scope,
    before: bytes | None,
    *,
    transport: Transport,
    token: str,  # noqa: ARG001 - nothing goes over HTTP here
    with_telemetry: bool,  # noqa: ARG001 - the client's telemetry does not tell who answered
) -> Change:
    if transport == "http":
        raise SettingsError(" Copilot takes hooks over plain HTTP only with a variable set; use the shim")
    if before is not None and before.strip() and not _is_ours(before):
        raise SettingsError(" this file is not Assent's, though it has its name")
    hooks = {"version": 1, "hooks": entries(site)}
    return Change(_written(hooks), tuple(SUBSCRIPTIONS), tuple(_notes(site, scope)))


def entries(site: Site) -> dict[str, list[dict[str, Any]]]:
    """What stands below ``hooks``, by event."""
    fallback = replies(cast("Unreachable", site.unreachable))
    return {
        event: [
            {
                "type": "command",
                "bash": shell_entry.line(site.paths, NAME, fitted, fallback.get(event, {}).get("unreachable", b"")),
                "timeoutSec": fitted.timeout,
            }
        ]
        for event, subscription in SUBSCRIPTIONS.items()
        for fitted in [shell_entry.fitting(subscription, site.wait)]
    }


def switches(site: Site) -> Iterator[Path]:
    """Files of this project that switch all hooks off."""
    files = (site.project / name for name in (*SWITCHES, *FOREIGN_SWITCHES))
    return (file for file in files if switched_off(_read(file)))


def _notes(site: Site, scope: Scope) -> Iterator[str]:
    if scope == "project":
        yield "Copilot runs hooks of a repository only where its folder is trusted."
    yield from (_off_here(site, file) for file in switches(site))


def _off_here(site: Site, file: Path) -> str:
    name = file.relative_to(site.project)
    return f'"disableAllHooks" is set in {name} of this project: no hook of yours runs here.'


def remove(before: bytes, original: bytes | None) -> Change:  # noqa: ARG001 - the file is ours alone
    settings = _parsed(before)
    events = tuple(event for event, command in _commands(settings) if shell_entry.is_ours(command, NAME))
    if not events:
        return Change(before)
    left = {
        event: kept
        for event, entries in settings["hooks"].items()
        if (kept := [each for each in entries if not shell_entry.is_ours(_command(each), NAME)])
    }
    return Change(_written({**settings, "hooks": left}), events, is_empty=not left)


def _is_ours(content: bytes) -> bool:
    return any(shell_entry.is_ours(command, NAME) for _, command in _commands(_parsed(content)))


def _commands(settings: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    hooks = settings.get("hooks")
    for event, entries in hooks.items() if isinstance(hooks, dict) else ():
        for entry in entries if isinstance(entries, list) else ():
            yield event, _command(entry)


def _command(entry: object) -> object:
    return entry.get("bash") if isinstance(entry, dict) else None


def _parsed(content: bytes) -> dict[str, Any]:
    try:
        settings = json.loads(content)
    except ValueError:
        raise SettingsError(" it is not JSON") from None
    if not isinstance(settings, dict):
        raise SettingsError(" it is not a JSON object")
    return settings


def _written(settings: dict[str, Any]) -> bytes:
    return (json.dumps(settings, indent=2) + "\n").encode()


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


# --- looking after it

MANAGED: Path | None = None


def managed_hooks(site: Site) -> Path | None:
    """Hooks of a policy run whatever a repository switches off."""
    path = places(site)[-1].path
    return path if is_installed(path) else None


def switched_off(text: str | None) -> bool:
    try:
        settings = json.loads(text or "{}")
    except ValueError:
        return False
    return isinstance(settings, dict) and settings.get("disableAllHooks") is True


def is_installed(path: Path) -> bool:
    content = _read(path)
    return content is not None and _is_armed(content)


def _is_armed(text: str) -> bool:
    try:
        return _is_ours(text.encode())
    except SettingsError:
        return False


def watched(folder: str) -> list[str]:
    """In a home the file of ours, in a project what switches hooks off."""
    return [str(Path(folder, name)) for name in (f".copilot/hooks/{OWN}", ".copilot/settings.json", *SWITCHES)]


def reads(file: str) -> bool:
    return file.endswith((f"/.copilot/hooks/{OWN}", "/.copilot/settings.json", *(f"/{name}" for name in SWITCHES)))


def disarmed(text: str | None, *, installed: bool, managed: bool) -> str | None:  # noqa: ARG001
    if switched_off(text):
        return 'switches all hooks off ("disableAllHooks")'
    if installed and (text is None or not _is_armed(text)):
        return "holds no hook of Assent's any more"
    return None


def powers(text: str | None, paths: Paths, loads: Loads) -> dict[str, str] | None:  # noqa: ARG001
    """Commands of hooks that are not ours: they run on every event, as the user."""
    try:
        settings = _parsed((text or "{}").encode())
    except SettingsError:
        return None
    return {
        f"hook:{event}:{command}": f"a hook that runs on {event}"
        for event, command in _commands(settings)
        if isinstance(command, str) and not shell_entry.is_ours(command, NAME)
    }


def transcripts(file: str, scope: str) -> Transcripts | None:
    """A folder for each session."""
    return Transcripts(Path(file).parent.parent / "session-state", depth=1) if scope == "user" else None


def session_of(file: str) -> str | None:
    path = PurePath(file)
    is_one = path.name == "events.jsonl" and path.parent.parent.name == "session-state"
    return path.parent.name if is_one and _SESSION.fullmatch(path.parent.name) else None


def version(program: str, path: str) -> Version | None:
    return program_version(program, path, {"COPILOT_OFFLINE": "true"})


def _hooks(situation: Situation) -> Iterator[Finding]:
    site = situation.site
    own, _, policy = places(site)
    content = _read(own.path)
    if content is None or not _is_armed(content):
        text = f"Copilot has no hooks of Assent's in {own.path}: its calls are not judged."
        yield Finding("copilot-hooks", "warning", text, "assent install --harness copilot")
        return
    missing = sorted(set(SUBSCRIPTIONS) - {event for event, _ in _commands(_parsed(content.encode()))})
    if missing:
        text = f"{own.path} lacks hooks for {', '.join(missing)}."
        yield Finding("copilot-hooks", "problem", text, "assent install --harness copilot")
    else:
        yield Finding("copilot-hooks", "ok", f"Copilot's hooks stand in {own.path}.")
    if switched_off(content) or switched_off(_read(_folder(site) / "settings.json")):
        text = f'"disableAllHooks" is set in {_folder(site)}: none of them runs.'
        yield Finding("copilot-disabled", "problem", text, "take it out.")
    for file in switches(site):
        remedy = "take it out, or have an administrator set a policy."
        yield Finding("copilot-disabled", "problem", _off_here(site, file), remedy)
    if managed_hooks(site) is None:
        text = f"A repository can switch Copilot's hooks off; hooks in {policy.path.parent} could not be."
        yield Finding("copilot-policy", "note", text)


CHECKS: Mapping[str, tuple[Check, ...]] = {"hooks": (_hooks,)}
