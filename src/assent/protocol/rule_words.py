"""The tool words of the rule language, ``Bash(…)``, ``Edit(…)``, ``mcp__server__tool``, and the operations they name.

They are the rule language's own: ``Bash`` is every shell of every harness. Beside them a rule may name a tool by the
name its client has for it."""

from functools import lru_cache

from assent.protocol.operations import (
    Edit,
    Fetch,
    Mcp,
    Operation,
    Other,
    Patch,
    Plan,
    Question,
    Read,
    Search,
    Shell,
    Subagent,
    Write,
)

SHELL = "Bash"
READ = "Read"
EDIT = "Edit"
FETCH = "WebFetch"
WEB_SEARCH = "WebSearch"
SKILL = "Skill"
QUESTION = "AskUserQuestion"
MCP = "mcp__"

_OF_TYPE: dict[type[Operation], tuple[str, ...]] = {
    Shell: (SHELL,),
    Edit: (EDIT,),
    Write: (EDIT, "Write"),
    Patch: (EDIT,),
    Read: (READ,),
    Subagent: ("Agent", "Task"),
    Question: (QUESTION,),
    Plan: ("ExitPlanMode",),
    Other: (),
}
_OF_SEARCH = {"content": "Grep", "names": "Glob", "list": "LS"}

# What a rule with parentheses names: a command, a file, an agent or skill.
COMMANDS = frozenset({SHELL, "Monitor"})
READS = frozenset({READ, "NotebookRead", *_OF_SEARCH.values()})
EDITS = frozenset({EDIT, "Write", "MultiEdit", "NotebookEdit"})
AGENTS = frozenset(_OF_TYPE[Subagent])
NAMES = AGENTS | {SKILL}
SPECIFIABLE = READS | EDITS | NAMES | {FETCH}
# What an agent without a name of its kind is called.
DEFAULT_AGENT = "general-purpose"
# The tools most records are about, for completion.
FREQUENT = (SHELL, EDIT, "Write", READ, FETCH, "Task", "ExitPlanMode", QUESTION)
_RESERVED = COMMANDS | SPECIFIABLE | {WEB_SEARCH, *_OF_TYPE[Question], *_OF_TYPE[Plan]}
# The words above that are one client's further names for what an operation is.
_ALSO: dict[type[Operation], frozenset[str]] = {
    Shell: frozenset({"Monitor"}),
    Edit: frozenset({"MultiEdit", "NotebookEdit"}),
    Read: frozenset({"NotebookRead"}),
    Other: frozenset({SKILL}),
}


def words_of(tool: str, operation: Operation) -> frozenset[str]:
    """Every word by which a rule may name a call of this tool."""
    kind = type(operation)
    if kind in _OF_TYPE:
        return _words(tool, kind, "")
    detail = ""
    if isinstance(operation, Search):
        detail = _OF_SEARCH[operation.kind]
    elif isinstance(operation, Fetch):
        detail = FETCH if operation.query is None else WEB_SEARCH
    elif isinstance(operation, Mcp):
        detail = f"{MCP}{operation.server}__{operation.tool}"
    return _words(tool, kind, detail)


@lru_cache(maxsize=500)
def _words(tool: str, kind: type[Operation], detail: str) -> frozenset[str]:
    words = {*_OF_TYPE.get(kind, ()), *([detail] if detail else ()), *([READ] if kind is Search else ())}
    # A word that means another operation is not this tool's, even where its client calls it so.
    is_own = tool not in _RESERVED or tool in _ALSO.get(kind, ())
    return frozenset({*words, tool} if is_own else words)
