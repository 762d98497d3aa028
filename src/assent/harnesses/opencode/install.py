"""What an install writes for opencode: a plugin file of its own, which loads the program beside the shim."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assent.harnesses.base import UNJUDGED, Change, Loads, Place, SettingsError, Version
from assent.harnesses.opencode.facts import MAIN, SUBSCRIPTIONS
from assent.harnesses.site import Check, Finding, Scope, Site, Situation, Transport, program_version
from assent.paths import Paths

OWN = "assent.js"
PLUGINS = ("plugins", "plugin")
CONFIGS = ("opencode.json", "opencode.jsonc")
MARK = b"// Assent's plugin for opencode. `assent install` wrote it, `assent uninstall` removes it.\n"
_LOADER = """\
// It loads the program that the hub keeps up to date; where that is gone, calls of tools are refused.
const PROGRAM = {program};
const UNJUDGED = {unjudged};

export const Assent = async (context) => {{
  try {{
    return await (await import(PROGRAM)).Assent(context);
  }} catch {{
    if (!UNJUDGED) return {{}};
    return {{
      "tool.execute.before": async () => {{
        throw new Error(UNJUDGED);
      }},
    }};
  }}
}};
"""


def _folder(site: Site) -> Path:
    """The user's own, which the client takes from these variables."""
    config = Path(site.environ.get("XDG_CONFIG_HOME") or site.home / ".config")
    return config / "opencode"


def places(site: Site) -> list[Place]:
    return [
        Place("user", _folder(site) / "plugins" / OWN),
        Place("project", site.project / ".opencode" / "plugins" / OWN),
    ]


def program_file(paths: Paths) -> Path:
    return paths.shim / MAIN


def loader(paths: Paths, unreachable: str) -> bytes:
    program = json.dumps(str(program_file(paths)))
    unjudged = json.dumps("" if unreachable == "no_opinion" else UNJUDGED)
    return MARK + _LOADER.format(program=program, unjudged=unjudged).encode()


def plan(
    site: Site,
    scope: Scope,
    before: bytes | None,
    *,
    transport: Transport,
    token: str,  # noqa: ARG001 - nothing goes over HTTP here
    with_telemetry: bool,  # noqa: ARG001 - its plugin tells who answered
) -> Change:
    if transport == "http":
        raise SettingsError(" opencode has no hooks over HTTP; use the shim")
    if before is not None and before.strip() and not is_ours(before):
        raise SettingsError(" this file is not Assent's, though it has its name")
    return Change(loader(site.paths, site.unreachable), tuple(SUBSCRIPTIONS), tuple(_notes(site, scope)))


def _notes(site: Site, scope: Scope) -> Iterator[str]:
    yield "Calls that change something are asked about, where your opencode.json says nothing else of them."
    if scope == "project":
        yield "The file names a path of this machine: do not share it."
    for file in _project_configs(site):
        if opened := _allowed(_read(file)):
            yield f"{file.name} of this project allows {opened}: there opencode asks nothing, and Assent only refuses."


def remove(before: bytes, original: bytes | None) -> Change:  # noqa: ARG001 - the file is ours alone
    if not is_ours(before):
        return Change(before)
    return Change(b"", tuple(SUBSCRIPTIONS), is_empty=True)


def is_ours(content: bytes) -> bool:
    return content.startswith(MARK)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


# --- rules of the client's own

_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.DOTALL)


def _settings(text: str | None) -> dict[str, Any] | None:
    """A file of settings, which may hold comments; None where it cannot be read."""
    plain = _COMMENT.sub(lambda match: match[1] or "", text or "{}")
    try:
        read = json.loads(_LAST_COMMA.sub(lambda match: match[1] or "", plain))
    except ValueError:
        return None
    return read if isinstance(read, dict) else None


def _allowed(text: str | None) -> str:
    """What a file of settings lets pass unasked, for a sentence."""
    permission = (_settings(text) or {}).get("permission")
    rules = {"*": permission} if isinstance(permission, str) else permission if isinstance(permission, dict) else {}
    names = [name for name, rule in rules.items() if rule == "allow" or _has_allow(rule)]
    return ", ".join("everything" if name == "*" else name for name in names)


def _has_allow(rule: object) -> bool:
    return isinstance(rule, dict) and "allow" in rule.values()


def _project_configs(site: Site) -> list[Path]:
    folders = (site.project, site.project / ".opencode")
    return [folder / name for folder in folders for name in CONFIGS]


# --- looking after it

MANAGED: Path | None = None


def managed_hooks(site: Site) -> Path | None:  # noqa: ARG001
    """No file of an administrator's holds a plugin in place."""
    return None


def watched(folder: str) -> list[str]:
    """In a home the plugin of ours, in a project what allows calls unasked."""
    return [
        str(Path(folder, name)) for name in (f".config/opencode/plugins/{OWN}", *CONFIGS, ".opencode/opencode.json")
    ]


def reads(file: str) -> bool:
    return file.endswith((f"/opencode/plugins/{OWN}", *(f"/{name}" for name in CONFIGS)))


def disarmed(text: str | None, *, installed: bool, managed: bool) -> str | None:  # noqa: ARG001
    """Only our own file arms, and a project cannot switch it off; its rules only keep the client from asking."""
    if installed and (text is None or not is_ours(text.encode())):
        return "holds no plugin of Assent's any more"
    return None


def powers(text: str | None, paths: Paths, loads: Loads) -> dict[str, str] | None:  # noqa: ARG001
    """Plugins and servers that the client starts, and what it no longer asks about."""
    if text is not None and is_ours(text.encode()):
        return {}
    settings = _settings(text)
    if settings is None:
        return None
    plugins, servers = settings.get("plugin"), settings.get("mcp")
    found = {f"plugin:{name}": f"the plugin {name}" for name in plugins or () if isinstance(name, str)}
    found |= {f"mcp:{name}": f"the server {name}" for name in (servers if isinstance(servers, dict) else ())}
    if opened := _allowed(text):
        found[f"permission:{opened}"] = f"a rule by which opencode does not ask about {opened}"
    return found


def version(program: str, path: str) -> Version | None:
    return program_version(program, path, {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"})


def _hooks(situation: Situation) -> Iterator[Finding]:
    site = situation.site
    file = next((place.path for place in places(site) if is_ours((_read(place.path) or "").encode())), None)
    if file is None:
        text = f"opencode has no plugin of Assent's in {_folder(site) / 'plugins'}: its calls are not judged."
        yield Finding("opencode-hooks", "warning", text, "assent install --harness opencode")
        return
    if (_read(file) or "").encode() != loader(site.paths, site.unreachable):
        text = f"{file} was written by another version, or for another setting."
        yield Finding("opencode-hooks", "problem", text, "assent install --harness opencode")
    elif not program_file(site.paths).exists():
        text = f"{program_file(site.paths)} is gone: opencode refuses every call."
        yield Finding("opencode-hooks", "problem", text, "assent up")
    else:
        yield Finding("opencode-hooks", "ok", f"opencode's plugin stands in {file}.")
    for config in (*(_folder(site) / name for name in CONFIGS), *_project_configs(site)):
        if opened := _allowed(_read(config)):
            text = f"{config} allows {opened}: opencode does not ask about that, and Assent only refuses what it must."
            yield Finding("opencode-permissions", "note", text)


CHECKS: Mapping[str, tuple[Check, ...]] = {"hooks": (_hooks,)}
