"""What an install merges into Qwen Code's settings, what an uninstall takes out, and what may switch it off."""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any, cast

from assent.harnesses import hook_table, json_text, shell_entry
from assent.harnesses.base import Change, Loads, Place, Subscription, Transcripts, Unreachable, Version
from assent.harnesses.hook_table import Handler, handlers
from assent.harnesses.json_edit import Document
from assent.harnesses.qwen.encode import replies
from assent.harnesses.qwen.facts import BYPASS, NAME, NO_HOOK_VARIABLES, SUBSCRIPTIONS
from assent.harnesses.site import Check, Finding, Scope, Site, Situation, Transport, program_version
from assent.paths import Paths

FILE = ".qwen/settings.json"
# Of a project and of a home; the last two hold variables that it sets for itself.
WATCHED = (FILE, ".qwen/.env", ".env")
SYSTEM_VARIABLE = "QWEN_CODE_SYSTEM_SETTINGS_PATH"
SYSTEM = Path(
    "/Library/Application Support/QwenCode/settings.json"
    if sys.platform == "darwin"
    else "/etc/qwen-code/settings.json"
)
# A timeout from here on is read as milliseconds.
_MILLISECONDS_FROM = 1000
_SWITCH = "disableAllHooks"
_IS_SET = re.compile(
    rf"""^\s*(?:export\s+)?({"|".join(NO_HOOK_VARIABLES)})\s*[=:]\s*['"`]?\s*(?:1|true|yes|on)\s*(?:['"`#]|$)""",
    re.IGNORECASE | re.MULTILINE,
)
_MEANS_YES = ("1", "true", "yes", "on")
_SESSION = re.compile(r"[0-9a-f-]{36}")
_GATES = ("PermissionRequest", "PreToolUse")


def system_file(site: Site) -> Path:
    """Which outranks every other."""
    moved = site.environ.get(SYSTEM_VARIABLE)
    return Path(moved) if moved else site.root / SYSTEM.relative_to("/")


def places(site: Site) -> list[Place]:
    folder = Path(site.environ.get("QWEN_HOME") or site.home / ".qwen")
    return [
        Place("user", folder / "settings.json"),
        Place("project", site.project / FILE),
        Place("managed", system_file(site)),
    ]


def entries(site: Site) -> dict[str, Handler]:
    """The entry of each event we listen to."""
    fallback = replies(cast("Unreachable", site.unreachable))
    return {
        event: {
            "type": "command",
            "command": shell_entry.line(
                site.paths,
                NAME,
                fitted,
                fallback.get(event, {}).get("unreachable", b""),
                in_bypass=(BYPASS[1], fallback.get(event, {}).get("unreachable_bypass", b"")),
                in_a_run=fallback.get(event, {}).get("run", b""),
            ),
            "timeout": written_timeout(fitted),
        }
        for event, subscription in SUBSCRIPTIONS.items()
        for fitted in [shell_entry.fitting(subscription, site.wait)]
    }


def written_timeout(subscription: Subscription) -> int:
    """As the client reads it: few seconds, or many milliseconds."""
    seconds = subscription.timeout
    return seconds if seconds < _MILLISECONDS_FROM else seconds * 1000


def plan(
    site: Site,
    scope: Scope,
    before: bytes | None,
    *,
    transport: Transport,  # noqa: ARG001 - the shim does everything HTTP could, and starts the hub
    token: str,  # noqa: ARG001 - nothing goes over HTTP
    with_telemetry: bool,  # noqa: ARG001 - its dialog never stands beside an ask, so it would tell nothing new
) -> Change:
    doc = _open(before)
    written = hook_table.put_in(doc, entries(site), is_ours)
    return Change(written.write(), tuple(SUBSCRIPTIONS), tuple(_notes(site, scope, doc.root.value)))


def _notes(site: Site, scope: Scope, settings: Mapping[str, Any]) -> Iterator[str]:
    if settings.get(_SWITCH) is True:
        yield f'"{_SWITCH}" is set in this file: no hook runs until it is taken out.'
    if scope == "user":
        for path, how in switches(site, [site.project / name for name in WATCHED]):
            yield f"{path.relative_to(site.project)} of this project {how}: no hook of yours runs here."


def remove(before: bytes, original: bytes | None) -> Change:
    doc = _open(before)
    events = tuple(dict.fromkeys(at[1] for at, handler in handlers(doc.root.value) if is_ours(handler)))
    bare = hook_table.take_out(doc, is_ours, _lenient(None if original is None else original.decode(errors="replace")))
    return Change(before if bare is doc else bare.write(), events, is_empty=bare.root.value == {})


def is_ours(handler: Any) -> bool:
    return isinstance(handler, dict) and shell_entry.is_ours(handler.get("command"), NAME)


def _open(data: bytes | None) -> Document:
    doc = Document.read(data if data and data.strip() else b"{}\n", lenient=True)
    hook_table.check_shape(doc)
    return doc


def _lenient(text: str | None) -> Any:
    try:
        # The client takes comments and last commas.
        return json.loads(json_text.without_last_commas(json_text.without_comments(text or "{}")))
    except (ValueError, RecursionError):
        return None


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


# --- looking after it

MANAGED: Path | None = SYSTEM


def managed_hooks(site: Site) -> Path | None:
    """The one line that no repository outranks."""
    path = system_file(site)
    settings = _lenient(_read(path))
    return path if isinstance(settings, dict) and settings.get(_SWITCH) is False else None


def _switch(text: str | None) -> str | None:
    """How settings, or a file of variables, switch every hook off; None where they do not."""
    settings = _lenient(text)
    if not isinstance(settings, dict):
        found = _IS_SET.search(text or "")
        return found and f"switches all hooks off ({found[1]})"
    if settings.get(_SWITCH) is True:
        return f'switches all hooks off ("{_SWITCH}")'
    given = settings.get("env")
    values = {name: str(given.get(name, "")) for name in NO_HOOK_VARIABLES} if isinstance(given, dict) else {}
    name = next((name for name, value in values.items() if value.strip().lower() in _MEANS_YES), None)
    return name and f"switches all hooks off ({name})"


def switches(site: Site, files: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Those of these files that switch hooks off, and how."""
    is_pinned = managed_hooks(site) is not None
    for path in files:
        how = _switch(_read(path))
        # What the administrator says outranks a setting, and no variable.
        if how is not None and not (is_pinned and _SWITCH in how):
            yield path, how


def armed_events(text: str | None) -> set[str]:
    return {at[1] for at, handler in handlers(_lenient(text)) if is_ours(handler)}


def watched(folder: str) -> list[str]:
    """Of a home, or of a project."""
    return [str(Path(folder, name)) for name in WATCHED]


def reads(file: str) -> bool:
    return file.endswith(f"/{FILE}") or file == str(SYSTEM)


def disarmed(text: str | None, *, installed: bool, managed: bool) -> str | None:  # noqa: ARG001
    if (how := _switch(text)) is not None:
        return how
    if installed and not armed_events(text).issuperset(_GATES):
        return "holds no hook of Assent's any more"
    return None


def powers(text: str | None, paths: Paths, loads: Loads) -> dict[str, str] | None:  # noqa: ARG001
    """Commands of hooks that are not ours, which run as the user and can answer; and a mode that asks for nothing."""
    settings = _lenient(text)
    if not isinstance(settings, dict):
        return None
    found = {
        f"hook:{at[1]}:{json.dumps(handler, sort_keys=True)}": f"a hook that runs on {at[1]}"
        for at, handler in handlers(settings)
        if not is_ours(handler)
    }
    tools = settings.get("tools")
    if isinstance(tools, dict) and tools.get("approvalMode") == "yolo":
        found["mode:yolo"] = "the mode yolo, in which the client never asks"
    return found


def transcripts(file: str, scope: str) -> Transcripts | None:
    """A folder for each project, and in it one for all of its sessions."""
    return Transcripts(Path(file).parent / "projects", depth=2) if scope == "user" else None


def session_of(file: str) -> str | None:
    path = PurePath(file)
    is_one = path.suffix == ".jsonl" and path.parent.name == "chats"
    return path.stem if is_one and _SESSION.fullmatch(path.stem) else None


def version(program: str, path: str) -> Version | None:
    return program_version(program, path, {})


def _hooks(situation: Situation) -> Iterator[Finding]:
    site = situation.site
    own, *_ = places(site)
    content = _read(own.path)
    armed = armed_events(content)
    missing = sorted(SUBSCRIPTIONS.keys() - armed)
    if not armed:
        text = f"Qwen Code has no hooks of Assent's in {own.path}: its calls are not judged."
        yield Finding("qwen-hooks", "warning", text, "assent install --harness qwen")
        return
    if missing:
        text = f"{own.path} lacks hooks for {', '.join(missing)}."
        yield Finding("qwen-hooks", "problem", text, "assent install --harness qwen")
    else:
        yield Finding("qwen-hooks", "ok", f"Qwen Code's hooks stand in {own.path}.")
    files = [own.path, *(folder / name for folder in (site.home, site.project) for name in WATCHED)]
    for path, how in switches(site, dict.fromkeys(files)):
        yield Finding("qwen-disabled", "problem", f"{path} {how}: no hook runs.", "take it out.")


CHECKS: Mapping[str, tuple[Check, ...]] = {"hooks": (_hooks,)}
