"""A rule of the client's in the words of a person: what it lets pass, and what it does not."""

from collections.abc import Sequence

from assent.asks import names
from assent.protocol.permission import PermissionRule

_READS = frozenset({"Read", "Grep", "Glob", "LS", "NotebookRead"})
_EDITS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})


def words(rule: PermissionRule, folder: str = "") -> str:
    tool, content = rule.tool_name, rule.rule_content
    if content is None:
        return _whole_tool(tool)
    if tool == "Bash":
        return _command(content)
    if tool in _READS or tool in _EDITS:
        return f"{'Reading' if tool in _READS else 'Edits of'} {_place(content, folder)}."
    if tool == "WebFetch" and content.startswith("domain:"):
        return f"Fetching pages from {content.removeprefix('domain:')}."
    if tool == "Skill":
        return f"The skill {content.removesuffix(':*')}{', with any words' if content.endswith(':*') else ''}."
    return f"Uses of {tool} that fit {content}."


def leaves(rules: Sequence[PermissionRule]) -> str:
    """What is still asked about."""
    rule = rules[0]
    tool, content = rule.tool_name, rule.rule_content
    if content is None:
        server = tool.split("__")[1] if tool.startswith("mcp__") and tool.count("__") > 1 else ""
        return f"Other tools of {server}." if server else "Other tools."
    if tool == "Bash" and (beginning := _beginning(content)) is not None:
        other = f"{beginning.split()[0]} with other words" if " " in beginning else "Other programs"
        return f"{other}, and whatever else stands on the same line."
    if tool == "Bash":
        return "The same command with anything added or changed."
    if tool == "WebFetch":
        return "Any other host."
    if tool in _READS | _EDITS:
        return "Anything elsewhere." if content.endswith("*") else "Any other file."
    return "Anything else."


def _whole_tool(tool: str) -> str:
    if tool.startswith("mcp__"):
        server, _, name = tool.removeprefix("mcp__").partition("__")
        return f"Every use of {name} of the server {server}." if name else f"Every tool of the server {server}."
    return "Every search of the web." if tool == "WebSearch" else f"Every use of {tool}, whatever it does."


def _command(content: str) -> str:
    beginning = _beginning(content)
    if beginning is not None:
        return f"Every command that begins with “{beginning}”." if beginning else "Every command."
    if "*" in content:
        return f"Every command that fits “{content}”, where * is any text."
    return f"The command “{content}”, exactly as it stands."


def _beginning(content: str) -> str | None:
    for ending in (" *", ":*"):
        if content.endswith(ending) and "*" not in content[: -len(ending)]:
            return content[: -len(ending)]
    return None if content.strip() != "*" else ""


def _place(content: str, folder: str) -> str:
    path = content.removesuffix("/**")
    if path.startswith("//"):
        path = path[1:]
    shown = path.removeprefix(f"{folder}/") if folder and names.is_below(path, folder) else path
    return f"anything in {shown or '/'}" if content.endswith("/**") else shown
