"""Rules of our own for what is asked about: as exact as the client's language can say it, and one that is wider."""

import posixpath
import re
from urllib.parse import urlsplit

from assent.protocol import tools
from assent.protocol.card import Card
from assent.protocol.events import PermissionRequest
from assent.protocol.permission import PermissionRule

Rules = tuple[PermissionRule, ...]

LONGEST = 500
MOST_COMMANDS = 5
# The client's language has no star that is only a star, and no rule lets a redirection into a file pass; what the shell
# puts in is known only when it runs.
_UNSAYABLE = re.compile(r"[*$`\n\r<>]")
# The client does not mind these, and leaves them out when it compares.
_QUIET = re.compile(r"\s+(?:2>&1|[12&]?>\s?/dev/null)(?=\s|$)")
_JOINING = re.compile(r"\s*(?:&&|\|\||;|\|)\s*")
_WILD_PATH = re.compile(r"[*?\[\]{}!\\]")
_PLAIN = re.compile(r"[a-z][a-z0-9:._-]*", re.ASCII)
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?", re.ASCII)

# Commands whose further words only say which part, or how much, of the same.
_MAY_GO_ON: dict[str, frozenset[str]] = {
    program: frozenset(verbs.split())
    for programs, verbs in (
        ("npm pnpm yarn bun", "test lint build typecheck format check"),
        ("cargo", "test build check clippy fmt doc bench"),
        ("go", "test build vet fmt"),
        ("git", "add commit status switch blame describe rev-parse ls-files shortlog merge cherry-pick revert"),
        ("dotnet", "test build"),
        ("mix", "test format"),
        ("ruff", "check format"),
    )
    for program in programs.split()
}
_ALONE = frozenset({"pytest", "mypy", "pyright", "eslint", "prettier", "tsc", "jest", "vitest", "shellcheck", "black"})
_NAMES_SCRIPT = frozenset({"run", "run-script"})


def exact(event: PermissionRequest, card: Card) -> Rules:
    """Rules for this and nothing else; none where that cannot be said."""
    is_danger = card.risk.level == "danger"
    match event.tool:
        case tools.Bash() as call:
            if call.dangerously_disable_sandbox or "hidden_characters" in card.flags:
                return ()
            return tuple(PermissionRule("Bash", text) for text in _commands(call.command, card))
        case tools.Read():
            return _of_file("Read", event)
        case tools.Write() | tools.Edit() | tools.MultiEdit() | tools.NotebookEdit():
            return _of_file("Edit", event)
        # These rules hold for whatever is sent along, too.
        case tools.WebFetch() as fetch if not is_danger:
            host = _host(fetch.url)
            return (PermissionRule("WebFetch", f"domain:{host}"),) if host else ()
        case tools.McpTool() | tools.WebSearch() if not is_danger:
            return (PermissionRule(event.tool_name),)
    return ()


def wider(event: PermissionRequest, card: Card) -> Rules:
    """For a single command whose like is harmless alike."""
    commands = [rule.rule_content or "" for rule in exact(event, card) if rule.tool_name == "Bash"]
    if len(commands) != 1:
        return ()
    words = commands[0].split()
    program, verb, script = (*words, "", "", "")[:3]
    if program in _ALONE:
        return (PermissionRule("Bash", f"{program} *"),)
    if program in _MAY_GO_ON and verb in _MAY_GO_ON[program]:
        return (PermissionRule("Bash", f"{program} {verb} *"),)
    if program in ("npm", "pnpm", "yarn", "bun") and verb in _NAMES_SCRIPT and _PLAIN.fullmatch(script):
        return (PermissionRule("Bash", f"{program} {verb} {script} *"),)
    return ()


def _commands(command: str, card: Card) -> list[str]:
    """The commands of a line that need a person. The client looks at each by itself."""
    line = _QUIET.sub("", command.strip())
    if not line or len(line) > LONGEST or _UNSAYABLE.search(line) or not line.isprintable():
        return []
    segments = card.view.segments
    if len(segments) == 1:
        return [line]
    between = [segment for segment in segments if not segment.risk]
    if not all(_JOINING.fullmatch(segment.text) or not segment.text.strip() for segment in between):
        return []
    parts = [segment for segment in segments if segment.risk]
    # Parts that touch are one command inside another, which no rule names.
    if len(parts) != len(between) + 1:
        return []
    wanted = list(dict.fromkeys(_QUIET.sub("", part.text.strip()) for part in parts if part.needs_you))
    return wanted if len(wanted) <= MOST_COMMANDS else []


def _of_file(tool: str, event: PermissionRequest) -> Rules:
    named = event.tool_input.get("notebook_path" if event.tool_name == "NotebookEdit" else "file_path")
    if not isinstance(named, str) or not named or _WILD_PATH.search(named) or not named.isprintable():
        return ()
    if named.startswith("~/"):
        return (PermissionRule(tool, named),)
    path = posixpath.normpath(posixpath.join(event.cwd or "/", named))
    # Two slashes in front: a path from the root, not from the settings file.
    return (PermissionRule(tool, f"/{path}"),)


def _host(url: str) -> str:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host if _HOST.fullmatch(host) and "@" not in url and "\\" not in url else ""
