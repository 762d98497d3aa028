"""What an install writes for Gemini CLI: entries beside others in a settings file with comments."""

import re
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from assent.harnesses import hook_table, shell_entry, system_lines
from assent.harnesses.base import Change, Loads, Place, SettingsError, Unreachable, Version
from assent.harnesses.gemini.encode import replies
from assent.harnesses.gemini.facts import NAME, PID_VARIABLE, SUBSCRIPTIONS
from assent.harnesses.hook_table import Handler
from assent.harnesses.json_edit import Document
from assent.harnesses.json_text import JsonTextError
from assent.harnesses.site import Check, Finding, Scope, Site, Situation, Transport, program_version
from assent.paths import Paths

OWN = ".gemini/settings.json"
MANAGED: Path | None = Path("/", system_lines.LINES[NAME].file)
ACP = "With --acp, as editors start it, Gemini CLI runs no hooks at all: assent acp -- gemini --acp is the gate there."
_OURS = re.compile(r"assent(-[0-9a-f]{1,32})?")
_INSTALL = "assent install --harness gemini"


def places(site: Site) -> list[Place]:
    return [
        Place("user", Path(site.environ.get("GEMINI_CLI_HOME") or site.home) / OWN),
        Place("project", site.project / OWN),
        Place("managed", site.root / system_lines.LINES[NAME].file),
    ]


def plan(
    site: Site,
    scope: Scope,
    before: bytes | None,
    *,
    transport: Transport,
    token: str,  # noqa: ARG001 - nothing goes over HTTP here
    with_telemetry: bool,  # noqa: ARG001 - it names no calls, and takes no header with a token
) -> Change:
    if transport == "http":
        raise SettingsError(" Gemini CLI runs commands only as hooks; use the shim")
    doc = _open(before)
    wanted = _entries(site, _name(doc.root.value) or f"assent-{secrets.token_hex(4)}")
    after = hook_table.put_in(doc, wanted, is_ours).write()
    return Change(after, tuple(SUBSCRIPTIONS), tuple(_notes(site, scope, doc.root.value)))


def _entries(site: Site, name: str) -> dict[str, Handler]:
    """Under a name that no repository can know: names in "hooksConfig.disabled" of its settings count, too."""
    fallback = replies(cast("Unreachable", site.unreachable))
    entries = {}
    for event, subscription in SUBSCRIPTIONS.items():
        fitted = shell_entry.fitting(subscription, site.wait)
        line = shell_entry.line(site.paths, NAME, fitted, fallback.get(event, {}).get("unreachable", b""))
        command = f"export {PID_VARIABLE}=$PPID; {line}"
        entries[event] = {"type": "command", "name": name, "command": command, "timeout": fitted.timeout * 1_000}
    return entries


def _name(settings: Any) -> str | None:
    """What our entries are called already."""
    named = (entry.get("name") for _, entry in hook_table.handlers(settings) if is_ours(entry))
    return next((name for name in named if isinstance(name, str) and _OURS.fullmatch(name)), None)


def _notes(site: Site, scope: Scope, settings: Any) -> Iterator[str]:
    if scope == "project":
        yield "Gemini CLI reads settings of a repository only where its folder is trusted."
    if why := switched_off(settings):
        yield f"This file {why}: no hook of Assent's runs until that is taken out."
    if scope != "project" and (why := switched_off(_settings(_read(site.project / OWN)))):
        yield f"{OWN} of this project {why}: no hook of yours runs here."
    yield ACP


def remove(before: bytes, original: bytes | None) -> Change:
    doc = _open(before)
    events = tuple(dict.fromkeys(at[1] for at, entry in hook_table.handlers(doc.root.value) if is_ours(entry)))
    bare = hook_table.take_out(doc, is_ours, _settings((original or b"").decode(errors="replace")))
    is_empty = bare.root.value == {} and bare.text == bare.bare
    return Change(before if bare is doc else bare.write(), events, is_empty=is_empty)


def is_ours(entry: Any) -> bool:
    return isinstance(entry, dict) and shell_entry.is_ours(entry.get("command"), NAME)


def _open(data: bytes | None) -> Document:
    doc = Document.read(data if data and data.strip() else b"{}\n", lenient=True)
    hook_table.check_shape(doc)
    return doc


def _settings(text: str | None) -> Any:
    """The value of a settings file; None where it is none."""
    try:
        return Document.read((text or "").encode(), lenient=True).root.value
    except JsonTextError:
        return None


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


# --- looking after it


def _config(settings: Any) -> Mapping[str, Any]:
    config = settings.get("hooksConfig") if isinstance(settings, dict) else None
    return config if isinstance(config, dict) else {}


def switched_off(settings: Any) -> str | None:
    """How these settings keep our hooks from running, in words that fit behind the file's name."""
    config = _config(settings)
    if config.get("enabled") is False:
        return 'switches all hooks off ("hooksConfig.enabled")'
    disabled = config.get("disabled")
    named = (name for name in (disabled if isinstance(disabled, list) else ()) if isinstance(name, str))
    if any(_OURS.fullmatch(name) or shell_entry.is_ours(name, NAME) for name in named):
        return 'switches Assent\'s hooks off by their name ("hooksConfig.disabled")'
    return None


def managed_hooks(site: Site) -> Path | None:
    """What stands there outranks a repository: hooks that are switched on there stay on."""
    return places(site)[-1].path if system_lines.stands(NAME, site) else None


def watched(folder: str) -> list[str]:
    return [str(Path(folder, OWN))]


def reads(file: str) -> bool:
    return file.endswith(f"/{OWN}")


def disarmed(text: str | None, *, installed: bool, managed: bool) -> str | None:  # noqa: ARG001
    settings = _settings(text)
    if why := switched_off(settings):
        return why
    if installed and not any(is_ours(entry) for _, entry in hook_table.handlers(settings)):
        return "holds no hook of Assent's any more"
    return None


def powers(text: str | None, paths: Paths, loads: Loads) -> dict[str, str] | None:  # noqa: ARG001
    """Commands that run as the user: hooks that are not ours, servers of tools, and what finds tools."""
    settings = _settings(text or "{}")
    if not isinstance(settings, dict):
        return None
    found = {
        f"hook:{at[1]}:{entry['command']}": f"a hook that runs on {at[1]}"
        for at, entry in hook_table.handlers(settings)
        if isinstance(entry, dict) and isinstance(entry.get("command"), str) and not is_ours(entry)
    }
    servers, tools = settings.get("mcpServers"), settings.get("tools")
    for name, server in servers.items() if isinstance(servers, dict) else ():
        if isinstance(server, dict) and isinstance(command := server.get("command"), str):
            words = [command, *(str(each) for each in server.get("args") or ())]
            found[f"mcp:{name}:{' '.join(words)}"] = f"a program for the tools of {name}"
    for key in ("discoveryCommand", "callCommand"):
        if isinstance(tools, dict) and isinstance(command := tools.get(key), str):
            found[f"tools:{key}:{command}"] = "a command that brings tools"
    return found


def version(program: str, path: str) -> Version | None:
    return program_version(program, path, {"GEMINI_CLI_NO_RELAUNCH": "true"})


def _hooks(situation: Situation) -> Iterator[Finding]:
    site = situation.site
    user, project, managed = places(site)
    settings = _settings(_read(user.path))
    found = {at[1] for at, entry in hook_table.handlers(settings) if is_ours(entry)}
    missing = [event for event in SUBSCRIPTIONS if event not in found]
    if not found:
        text = f"Gemini CLI has no hooks of Assent's in {user.path}: its calls are not judged."
        yield Finding("gemini-hooks", "warning", text, _INSTALL)
        return
    if missing:
        yield Finding("gemini-hooks", "problem", f"{user.path} lacks hooks for {', '.join(missing)}.", _INSTALL)
    else:
        yield Finding("gemini-hooks", "ok", f"Gemini CLI's hooks stand in {user.path}.")
    for path in (user.path, project.path, managed.path):
        if why := switched_off(_settings(_read(path))):
            yield Finding("gemini-disabled", "problem", f"{path} {why}: none of ours runs.", "take that out.")
    yield Finding("gemini-acp", "note", ACP)


CHECKS: Mapping[str, tuple[Check, ...]] = {"hooks": (_hooks,)}
