"""Inputs of Claude Code's tools: typed for those people are asked about most, and an open fallback.

Input that does not fit its type does not make its event unreadable: it becomes ``OtherTool``, which must not be
taken for something understood.
"""

from typing import Any, ClassVar

import msgspec
from msgspec import Struct, field


class ToolInput(Struct, frozen=True, omit_defaults=True):
    """What one call asks for. The tool's name is the event's, not the input's."""


class Bash(ToolInput, frozen=True, kw_only=True):
    command: str
    description: str | None = None
    timeout: float | None = None
    run_in_background: bool | None = None
    dangerously_disable_sandbox: bool | None = field(default=None, name="dangerouslyDisableSandbox")


class Write(ToolInput, frozen=True, kw_only=True):
    file_path: str
    content: str


class Edit(ToolInput, frozen=True, kw_only=True):
    file_path: str
    old_string: str
    new_string: str
    replace_all: bool | None = None


class Replacement(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One of the edits of a MultiEdit."""

    old_string: str
    new_string: str
    replace_all: bool | None = None


class MultiEdit(ToolInput, frozen=True, kw_only=True):
    file_path: str
    edits: tuple[Replacement, ...]


class Read(ToolInput, frozen=True, kw_only=True):
    file_path: str
    offset: int | None = None
    limit: int | None = None
    pages: str | None = None


class Glob(ToolInput, frozen=True, kw_only=True):
    pattern: str
    path: str | None = None


class Grep(ToolInput, frozen=True, kw_only=True):
    pattern: str
    path: str | None = None
    glob: str | None = None
    type: str | None = None
    output_mode: str | None = None
    head_limit: int | None = None
    offset: int | None = None
    multiline: bool | None = None
    ignore_case: bool | None = field(default=None, name="-i")
    line_numbers: bool | None = field(default=None, name="-n")
    after: int | None = field(default=None, name="-A")
    before: int | None = field(default=None, name="-B")
    around: int | None = field(default=None, name="-C")
    context: int | None = None


class WebFetch(ToolInput, frozen=True, kw_only=True):
    url: str
    prompt: str | None = None


class WebSearch(ToolInput, frozen=True, kw_only=True):
    query: str
    allowed_domains: tuple[str, ...] | None = None
    blocked_domains: tuple[str, ...] | None = None


class Agent(ToolInput, frozen=True, kw_only=True):
    """Start a sub-agent. Older clients call the tool Task."""

    prompt: str
    description: str | None = None
    subagent_type: str | None = None
    name: str | None = None
    model: str | None = None
    mode: str | None = None
    team_name: str | None = None
    isolation: str | None = None
    run_in_background: bool | None = None


class NotebookEdit(ToolInput, frozen=True, kw_only=True):
    notebook_path: str
    new_source: str
    cell_id: str | None = None
    cell_type: str | None = None
    edit_mode: str | None = None


class Option(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One choice a question offers; ``preview`` is shown beside it."""

    label: str
    description: str | None = None
    preview: str | None = None


class Question(Struct, frozen=True, kw_only=True, omit_defaults=True):
    question: str
    header: str | None = None
    options: tuple[Option, ...] = ()
    multi_select: bool | None = field(default=None, name="multiSelect")


class AskUserQuestion(ToolInput, frozen=True, kw_only=True):
    questions: tuple[Question, ...]
    # Present once answered: question text to answer text, several choices joined by ", ".
    answers: dict[str, str] | None = None
    annotations: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None


class ExitPlanMode(ToolInput, frozen=True, kw_only=True):
    plan: str | None = None
    plan_file_path: str | None = field(default=None, name="planFilePath")
    allowed_prompts: tuple[dict[str, Any], ...] | None = field(default=None, name="allowedPrompts")


class McpTool(ToolInput, frozen=True, kw_only=True):
    """A tool of an MCP server; ``mcp__github__create_issue`` is server github, tool create_issue."""

    PREFIX: ClassVar[str] = "mcp__"

    server: str
    tool: str
    arguments: dict[str, Any]


class OtherTool(ToolInput, frozen=True, kw_only=True):
    """A tool we have no type for, or an input that does not fit its type."""

    name: str
    input: dict[str, Any]


TOOLS: dict[str, type[ToolInput]] = {
    "Bash": Bash,
    "Write": Write,
    "Edit": Edit,
    "MultiEdit": MultiEdit,
    "Read": Read,
    "Glob": Glob,
    "Grep": Grep,
    "WebFetch": WebFetch,
    "WebSearch": WebSearch,
    "Agent": Agent,
    "Task": Agent,
    "NotebookEdit": NotebookEdit,
    "AskUserQuestion": AskUserQuestion,
    "ExitPlanMode": ExitPlanMode,
}


def parse(tool_name: str, tool_input: dict[str, Any]) -> ToolInput:
    """The typed input. Never raises."""
    kind = TOOLS.get(tool_name)
    if kind is not None:
        try:
            return msgspec.convert(tool_input, kind)
        except (msgspec.ValidationError, RecursionError):
            return OtherTool(name=tool_name, input=tool_input)
    if tool_name.startswith(McpTool.PREFIX):
        server, separator, tool = tool_name.removeprefix(McpTool.PREFIX).partition("__")
        if server and separator and tool:
            return McpTool(server=server, tool=tool, arguments=tool_input)
    return OtherTool(name=tool_name, input=tool_input)
