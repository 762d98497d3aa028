"""Rules of our own for what is asked about: as exact as the client's language can say it, and one that is wider."""

import itertools
import posixpath
import re
from urllib.parse import urlsplit

from assent.harnesses import registry
from assent.protocol.card import Card
from assent.protocol.events import ToolEvent
from assent.protocol.operations import Edit, Fetch, Mcp, Patch, Read, Shell, Write
from assent.protocol.permission import PermissionRule
from assent.protocol.rule_words import EDIT, FETCH, MCP, READ, SHELL, WEB_SEARCH

Rules = tuple[PermissionRule, ...]

LONGEST = 500
MOST_COMMANDS = 5
MOST_FILES = 5
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


def exact(event: ToolEvent, card: Card, *, every_part: bool = False) -> Rules:
    """Rules for this and nothing else; none where that cannot be said. ``every_part``: also for the parts of a line
    that need no person."""
    is_danger = card.risk.level == "danger"
    match registry.operation(event):
        case Shell(command=str(command), unsandboxed=unsandboxed, may_follow=False):
            if unsandboxed or "hidden_characters" in card.flags:
                return ()
            return tuple(PermissionRule(SHELL, text) for text in _commands(command, card, every_part=every_part))
        case Read(path=path, is_notebook=False):
            return _of_file(READ, path, event.cwd)
        case Write(path=path) | Edit(path=path):
            return _of_file(EDIT, path, event.cwd)
        case Patch(files=files):
            rules = [_of_file(EDIT, path, event.cwd) for path in dict.fromkeys(file.path for file in files)]
            return tuple(rule for each in rules for rule in each) if all(rules) and len(rules) <= MOST_FILES else ()
    # These rules hold for whatever is sent along, too.
    return () if is_danger else of_tool(event)


def of_tool(event: ToolEvent) -> Rules:
    """The rule for pages of one host, or for one tool; none for other tools."""
    match registry.operation(event):
        case Fetch(query=None, url=url):
            host = _host(url or "")
            return (PermissionRule(FETCH, f"domain:{host}"),) if host else ()
        case Fetch():
            return (PermissionRule(WEB_SEARCH),)
        case Mcp(server=server, tool=tool) if server and tool:
            return (PermissionRule(event.tool_name),)
    return ()


def denials(event: ToolEvent, card: Card) -> list[PermissionRule]:
    """Rules that would deny this from now on, the narrowest first."""
    match registry.operation(event):
        case Shell(command=str(command)):
            parts = [part.text for part in card.view.segments if part.needs_you] or [command]
            return _denied_commands(_QUIET.sub("", parts[0].strip()))
        case Mcp(server=server, tool=tool) if server and tool:
            return [PermissionRule(event.tool_name), PermissionRule(f"{MCP}{server}")]
        case Read(path=path, is_notebook=False):
            return list(_of_file(READ, path, event.cwd))
        case Write(path=path) | Edit(path=path):
            return list(_of_file(EDIT, path, event.cwd))
        case Patch(files=files):
            return [rule for file in files[:MOST_FILES] for rule in _of_file(EDIT, file.path, event.cwd)]
    return list(of_tool(event))


def _denied_commands(line: str) -> list[PermissionRule]:
    """As it stands; with the options that follow the verb; the program and its verb."""
    words = line.split()
    if not words or not re.fullmatch(r"[\w./+-]+", words[0]):
        return []
    verb = words[1:2] if len(words) > 1 and _PLAIN.fullmatch(words[1]) else []
    options = list(itertools.takewhile(lambda word: word.startswith("-"), words[1 + len(verb) :]))
    is_sayable = len(line) <= LONGEST and line.isprintable() and not _UNSAYABLE.search(line)
    texts = [line] if is_sayable else []
    texts += [" ".join([words[0], *verb, *options, "*"])] if options and not _UNSAYABLE.search("".join(options)) else []
    texts.append(" ".join([words[0], *verb, "*"]))
    return [PermissionRule(SHELL, text) for text in dict.fromkeys(texts)]


def wider(event: ToolEvent, card: Card) -> Rules:
    """For a single command whose like is harmless alike; all tools of an MCP server."""
    match registry.operation(event):
        case Mcp(server=server, tool=tool) if server and tool:
            return (PermissionRule(f"{MCP}{server}"),)
    commands = [rule.rule_content or "" for rule in exact(event, card) if rule.tool_name == SHELL]
    if len(commands) != 1:
        return ()
    words = commands[0].split()
    program, verb, script = (*words, "", "", "")[:3]
    if program in _ALONE:
        return (PermissionRule(SHELL, f"{program} *"),)
    if program in _MAY_GO_ON and verb in _MAY_GO_ON[program]:
        return (PermissionRule(SHELL, f"{program} {verb} *"),)
    if program in ("npm", "pnpm", "yarn", "bun") and verb in _NAMES_SCRIPT and _PLAIN.fullmatch(script):
        return (PermissionRule(SHELL, f"{program} {verb} {script} *"),)
    return ()


def _commands(command: str, card: Card, *, every_part: bool = False) -> list[str]:
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
    wanted = list(dict.fromkeys(_QUIET.sub("", part.text.strip()) for part in parts if part.needs_you or every_part))
    return wanted if len(wanted) <= MOST_COMMANDS else []


def _of_file(tool: str, named: str | None, cwd: str) -> Rules:
    if not named or _WILD_PATH.search(named) or not named.isprintable():
        return ()
    if named.startswith("~/"):
        return (PermissionRule(tool, named),)
    path = posixpath.normpath(posixpath.join(cwd or "/", named))
    # Two slashes in front: a path from the root, not from the settings file.
    return (PermissionRule(tool, f"/{path}"),)


def _host(url: str) -> str:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host if _HOST.fullmatch(host) and "@" not in url and "\\" not in url else ""
