"""Decode what Claude Code sends into Assent's events."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from assent.harnesses import payload as payloads
from assent.harnesses.claude_code import todos, tools
from assent.harnesses.claude_code.facts import NAME
from assent.protocol import modes
from assent.protocol.events import Event, PostToolUse, ToolEvent, with_client, with_operation, with_todos
from assent.protocol.operations import (
    Asked,
    Cell,
    Choice,
    Edit,
    Fetch,
    Mcp,
    Operation,
    Other,
    Plan,
    Question,
    Read,
    Replacement,
    Search,
    Shell,
    Subagent,
    Write,
)
from assent.protocol.record import Client

Given = dict[str, Any]

MCP = "mcp__"
MOST_REPLACEMENTS = 1_000


def operation(tool: str, given: Given) -> Operation:
    """Never raises: input that does not fit leaves fields open."""
    make = _MAKERS.get(tool)
    if make is not None:
        return make(given)
    if tool.startswith(MCP):
        server, _, name = tool[len(MCP) :].partition("__")
        return Mcp(server=server, tool=name)
    skill = given.get("skill")
    return Other(words=f"Use the skill {skill}") if isinstance(skill, str) else _OTHERS.get(tool, _UNKNOWN)


def main_field(tool: str) -> str | None:
    """The field of the input that holds the one text such a call is about; None where there is none."""
    return _MAIN_FIELDS.get(tool)


def _text(given: Given, name: str) -> str | None:
    value = given.get(name)
    return value if isinstance(value, str) else None


def _shell(given: Given) -> Operation:
    return Shell(command=_text(given, "command"), unsandboxed=bool(given.get("dangerouslyDisableSandbox")))


def _monitor(given: Given) -> Operation:
    unsandboxed = bool(given.get("dangerouslyDisableSandbox"))
    return Shell(command=_text(given, "command"), unsandboxed=unsandboxed, may_follow=True)


def _edit(given: Given) -> Operation:
    return Edit(path=_text(given, "file_path"), replacements=_replacement(given))


def _multi_edit(given: Given) -> Operation:
    edits = given.get("edits")
    parsed = [_replacement(each) for each in edits[:MOST_REPLACEMENTS]] if isinstance(edits, list) else []
    # One that cannot be read leaves the edit as a whole unknown, but what the others write is judged.
    unread = () if all(parsed) else (Replacement(old=None, new=""),)
    replacements = (*(each for one in parsed for each in one), *unread)
    return Edit(path=_text(given, "file_path"), replacements=replacements)


def _replacement(given: Any) -> tuple[Replacement, ...]:
    new = given.get("new_string") if isinstance(given, dict) else None
    if not isinstance(new, str):
        return ()
    return (Replacement(old=_text(given, "old_string"), new=new, everywhere=given.get("replace_all") is True),)


def _notebook_edit(given: Given) -> Operation:
    source, mode = _text(given, "new_source"), given.get("edit_mode")
    path = _text(given, "notebook_path")
    if source is None:
        return Edit(path=path)
    change: Literal["replace", "insert", "delete"] = mode if mode in ("insert", "delete") else "replace"
    return Edit(path=path, cell=Cell(id=_text(given, "cell_id"), source=source, change=change))


def _search(kind: Literal["content", "names", "list"]) -> Callable[[Given], Operation]:
    def make(given: Given) -> Operation:
        path = given.get("path")
        return Search(
            kind=kind,
            path=path if path is None or isinstance(path, str) else "",
            pattern=_text(given, "pattern") or "",
            files=_text(given, "glob") or "",
        )

    return make


def _agent(given: Given) -> Operation:
    mode = _text(given, "mode")
    return Subagent(
        prompt=_text(given, "prompt") or "",
        kind=_text(given, "subagent_type") or "",
        description=_text(given, "description") or "",
        mode=None if mode is None else modes.canonical(mode),
    )


def _question(given: Given) -> Operation:
    read = tools.parse("AskUserQuestion", given)
    if not isinstance(read, tools.AskUserQuestion):
        return Question()
    return Question(
        questions=tuple(
            Asked(
                question=each.question,
                header=each.header or "",
                choices=tuple(
                    Choice(label=option.label, description=option.description or "", preview=option.preview or "")
                    for option in each.options
                ),
                takes_several=bool(each.multi_select),
            )
            for each in read.questions
        )
    )


def _plan(given: Given) -> Operation:
    allowed = given.get("allowedPrompts")
    entries = [each for each in allowed if isinstance(each, dict)] if isinstance(allowed, list) else []
    words = (": ".join(str(each[key]) for key in ("tool", "prompt") if each.get(key)) for each in entries)
    return Plan(text=_text(given, "plan"), file=_text(given, "planFilePath"), allows=tuple(words))


def _skill(given: Given) -> Operation:
    skill = _text(given, "skill")
    names = tuple(name for field in ("skill", "command") if (name := _text(given, field)) is not None)
    return Other(is_described=True, names=names, words=f"Use the skill {skill}" if skill is not None else "")


_MAKERS: dict[str, Callable[[Given], Operation]] = {
    "Bash": _shell,
    "Monitor": _monitor,
    "Write": lambda given: Write(path=_text(given, "file_path"), content=_text(given, "content")),
    "Edit": _edit,
    "MultiEdit": _multi_edit,
    "NotebookEdit": _notebook_edit,
    "Read": lambda given: Read(path=_text(given, "file_path")),
    "NotebookRead": lambda given: Read(path=_text(given, "notebook_path"), is_notebook=True),
    "Grep": _search("content"),
    "Glob": _search("names"),
    "LS": _search("list"),
    "WebFetch": lambda given: Fetch(url=_text(given, "url")),
    "WebSearch": lambda given: Fetch(query=_text(given, "query") or ""),
    "Agent": _agent,
    # Of older clients.
    "Task": _agent,
    "AskUserQuestion": _question,
    "ExitPlanMode": _plan,
    "Skill": _skill,
}
_UNKNOWN = Other()
_BOOKS = Other(does="bookkeeping")
_OTHERS: dict[str, Other] = {
    **dict.fromkeys(("TodoRead", "ToolSearch", "StructuredOutput", "TaskCreate", "TaskGet", "TaskList"), _BOOKS),
    **dict.fromkeys(("TaskUpdate", "TaskOutput", "AgentOutput", "ListMcpResourcesTool"), _BOOKS),
    "TodoWrite": Other(does="bookkeeping", words="Update the to-do list"),
    "EnterPlanMode": Other(does="bookkeeping", words="Start planning"),
    "BashOutput": Other(does="bookkeeping", is_described=True),
    "KillShell": Other(does="ends", is_described=True, words="End a background command"),
    "KillBash": Other(does="ends", is_described=True, words="End a background command"),
    "TaskStop": Other(does="ends", words="End a background task"),
    "ReadMcpResourceTool": Other(does="resource", words="Read from a server"),
    "CronCreate": Other(does="later", words="Schedule a prompt for later"),
    "ScheduleWakeup": Other(does="later", words="Wake up later"),
    "SlashCommand": Other(is_described=True),
}
_MAIN_FIELDS = {
    **dict.fromkeys(("Bash", "Monitor", "PowerShell"), "command"),
    **dict.fromkeys(("Read", "Edit", "Write", "MultiEdit"), "file_path"),
    **dict.fromkeys(("Grep", "Glob"), "path"),
    "NotebookEdit": "notebook_path",
    "WebFetch": "url",
    "WebSearch": "query",
}


_NOTHING: Mapping[str, str] = {}
_UNKNOWN_CLIENT = Client(harness=NAME)


def decode(payload: bytes, *, event_name: str, env: Mapping[str, str] = _NOTHING) -> Event:
    """The event these bytes are. ``event_name`` is what the sender claims; empty trusts the payload."""
    raw = payloads.read_object(payload)
    name = payloads.event_name(raw, "hook_event_name", event_name)
    mode = raw.get("permission_mode")
    if isinstance(mode, str):
        raw["permission_mode"] = modes.canonical(mode)
    event = payloads.event(name, raw)
    if isinstance(event, ToolEvent):
        response = raw.get("tool_response")
        by_person = isinstance(response, dict) and bool(response.get("userModified"))
        with_operation(event, operation(event.tool_name, event.tool_input), changed_by_person=by_person)
        is_main = event.agent_id is None
        if isinstance(event, PostToolUse) and (
            change := todos.change(event.tool_name, event.tool_input, response, is_main=is_main)
        ):
            with_todos(event, change)
    return with_client(event, _client(env) if env else _UNKNOWN_CLIENT)


def may_drop_prompts(payload: bytes) -> bool:
    """Whether a payload that could not be read may be of a session that drops prompts."""
    return b"bypassPermissions" in payload


def _client(env: Mapping[str, str]) -> Client:
    attended = env.get("CLAUDE_CODE_SESSION_ATTENDED")
    pid = env.get("CLAUDE_PID", "")[:10]
    return Client(
        harness=NAME,
        project=env.get("CLAUDE_PROJECT_DIR", ""),
        attended=None if attended is None else attended != "0",
        entrypoint=env.get("CLAUDE_CODE_ENTRYPOINT", ""),
        pid=int(pid) if pid.isdigit() else None,
        remote=env.get("CLAUDE_CODE_REMOTE") == "true",
    )
