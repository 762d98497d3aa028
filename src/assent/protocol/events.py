"""Events of agents: one struct each. Each harness decodes its payloads into these.

Everything but the session is optional unless the event means nothing without it, words from a fixed list are plain
strings because the lists grow, and what we have no field for stays in ``event.raw``.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct, field

from assent.protocol.operations import Operation
from assent.protocol.permission import PermissionUpdate
from assent.protocol.record import Client
from assent.protocol.todos import TodoChange

Suggestion = PermissionUpdate | dict[str, Any]
if TYPE_CHECKING:
    Suggestions = tuple[Suggestion, ...]
else:
    # A tagged union refuses the whole list over one unknown tag, so the entries are read one by one afterwards.
    Suggestions = Annotated[Any, Meta(extra_json_schema={"type": "array", "items": {"type": "object"}})]


class _Part(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An object inside an event."""


class Effort(_Part, frozen=True, kw_only=True):
    level: str | None = None


class McpServer(_Part, frozen=True, kw_only=True):
    """Whose tool it is; ``source`` says where that server was configured."""

    name: str | None = None
    source: str | None = None


class BackgroundTask(_Part, frozen=True, kw_only=True):
    """A shell, sub-agent or teammate still running when a turn ends."""

    id: str | None = None
    type: str | None = None
    status: str | None = None
    description: str | None = None
    command: str | None = None
    agent_type: str | None = None


class SessionCron(_Part, frozen=True, kw_only=True):
    """A prompt the session will give itself later."""

    id: str | None = None
    schedule: str | None = None
    recurring: bool | None = None
    prompt: str | None = None


class ToolCall(_Part, frozen=True, kw_only=True):
    """One settled call of a batch; the response is the text the model reads."""

    tool_name: str
    tool_input: dict[str, Any]
    tool_use_id: str | None = None
    tool_response: Any = None


class AnsweredThere(_Part, frozen=True, kw_only=True):
    """A person answered the client's own dialog about a call: the client's id of the call, and what became of it."""

    call: str
    words: str


# dict=True gives each event room for ``raw``, operation and client beside its fields, outside equality and JSON.
class Event(Struct, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """What every event carries."""

    session_id: str
    transcript_path: str = ""
    cwd: str = ""
    prompt_id: str | None = None
    permission_mode: str | None = None
    effort: Effort | None = None
    # Only inside a sub-agent or teammate: this, not agent_type, tells them from the main thread.
    agent_id: str | None = None
    agent_type: str | None = None
    mcp_server: McpServer | None = None

    @property
    def hook_event_name(self) -> str:
        return str(self.__struct_config__.tag)

    @property
    def name(self) -> str:
        return self.hook_event_name

    @cached_property
    def raw(self) -> dict[str, Any]:
        """The payload in the names of these structs, with whatever else came; this is what is recorded."""
        payload: dict[str, Any] = msgspec.to_builtins(self)
        return payload

    @cached_property
    def client(self) -> Client:
        """Set at decode."""
        return _NO_CLIENT

    @property
    def todos(self) -> TodoChange | None:
        """What it changes in the agent's to-do list. Set at decode."""
        return self.__dict__.get("todos")

    @property
    def answered_there(self) -> AnsweredThere | None:
        """The answer that a person gave to the client's own dialog, where the event tells of one. Set at decode."""
        return self.__dict__.get("answered_there")


_NO_CLIENT = Client()
EventType = TypeVar("EventType", bound=Event)


def with_raw(event: EventType, raw: dict[str, Any]) -> EventType:
    """The same event, remembering the payload it was read from."""
    event.__dict__["raw"] = raw
    return event


def with_client(event: EventType, client: Client) -> EventType:
    """The same event, with what is known of the program it came from."""
    event.__dict__["client"] = client
    return event


def with_todos(event: Event, change: TodoChange) -> None:
    """Remember what it changes in the agent's to-do list."""
    event.__dict__["todos"] = change


def with_answer(event: Event, answer: AnsweredThere) -> None:
    """Remember that it tells how a person answered the client's own dialog."""
    event.__dict__["answered_there"] = answer


def with_operation(event: "ToolEvent", operation: Operation, *, changed_by_person: bool = False) -> "ToolEvent":
    """The same event, with what its call is, and whether the client says that a person changed it."""
    event.__dict__["operation"] = operation
    if changed_by_person:
        event.__dict__["changed_by_person"] = True
    return event


class UnknownEvent(Event, frozen=True, kw_only=True):
    """An event this version has no struct for. It survives whole in ``raw``."""

    hook_event_name: str


class KnownEvent(Event, frozen=True, kw_only=True, tag_field="hook_event_name", tag=True):
    """An event whose class name is its name on the wire."""


class SessionStart(KnownEvent, frozen=True, kw_only=True):
    source: str | None = None
    model: str | None = None
    session_title: str | None = None
    seconds_since_last_response: float | None = None
    context_tokens: int | None = None
    prompt_cache_likely_expired: bool | None = None
    estimated_cache_write_usd: float | None = None


class Setup(KnownEvent, frozen=True, kw_only=True):
    trigger: str | None = None


class SessionEnd(KnownEvent, frozen=True, kw_only=True):
    reason: str | None = None


class InstructionsLoaded(KnownEvent, frozen=True, kw_only=True):
    file_path: str | None = None
    memory_type: str | None = None
    load_reason: str | None = None
    parent_file_path: str | None = None
    trigger_file_path: str | None = None
    globs: tuple[str, ...] | None = None


class UserPromptSubmit(KnownEvent, frozen=True, kw_only=True):
    """Also fires for turns no person typed, such as a finished background task."""

    prompt: str | None = None
    source: str | None = None
    session_title: str | None = None


class UserPromptExpansion(KnownEvent, frozen=True, kw_only=True):
    prompt: str | None = None
    expansion_type: str | None = None
    command_name: str | None = None
    command_args: str | None = None
    command_source: str | None = None


class MessageDisplay(KnownEvent, frozen=True, kw_only=True):
    turn_id: str | None = None
    message_id: str | None = None
    index: int | None = None
    final: bool | None = None
    delta: str | None = None


class ToolEvent(KnownEvent, frozen=True, kw_only=True):
    """An event about one tool call."""

    tool_name: str
    tool_input: dict[str, Any]
    tool_use_id: str | None = None

    @property
    def decoded_operation(self) -> Operation | None:
        """What the call is; None for an event that no harness decoded."""
        return self.__dict__.get("operation")

    @property
    def changed_by_person(self) -> bool:
        """Whether the client says that a person changed an edit before it was made; set at decode."""
        return bool(self.__dict__.get("changed_by_person"))


class PreToolUse(ToolEvent, frozen=True, kw_only=True):
    pass


class PermissionRequest(ToolEvent, frozen=True, kw_only=True):
    """The client is about to ask, or would refuse because it cannot ask. Comes without a tool_use_id."""

    permission_suggestions: Suggestions = ()

    def __post_init__(self) -> None:
        entries: object = self.permission_suggestions
        read = tuple(_suggestion(entry) for entry in entries) if isinstance(entries, (list, tuple)) else ()
        msgspec.structs.force_setattr(self, "permission_suggestions", read)


def _suggestion(entry: Any) -> Suggestion:
    try:
        update: PermissionUpdate = msgspec.convert(entry, PermissionUpdate)
    except msgspec.ValidationError:
        return entry if isinstance(entry, dict) else {}
    return update


class PermissionDenied(ToolEvent, frozen=True, kw_only=True):
    """Auto mode refused a call."""

    reason: str | None = None


class PostToolUse(ToolEvent, frozen=True, kw_only=True):
    # The tool's own structure: an object for most, a list of content blocks for MCP.
    tool_response: Any = None
    duration_ms: float | None = None


class PostToolUseFailure(ToolEvent, frozen=True, kw_only=True):
    error: str | None = None
    is_interrupt: bool | None = None
    duration_ms: float | None = None


class PostToolBatch(KnownEvent, frozen=True, kw_only=True):
    tool_calls: tuple[ToolCall, ...] = ()


class Notification(KnownEvent, frozen=True, kw_only=True):
    message: str | None = None
    notification_type: str | None = None
    title: str | None = None


class SubagentStart(KnownEvent, frozen=True, kw_only=True):
    pass


class TurnEnd(KnownEvent, frozen=True, kw_only=True):
    """What Stop and SubagentStop share."""

    stop_hook_active: bool | None = None
    last_assistant_message: str | None = None
    background_tasks: tuple[BackgroundTask, ...] = ()
    session_crons: tuple[SessionCron, ...] = ()


class Stop(TurnEnd, frozen=True, kw_only=True):
    pass


class SubagentStop(TurnEnd, frozen=True, kw_only=True):
    """Also fires twice per compaction for internal agents, with an empty agent_type."""

    agent_transcript_path: str | None = None


class StopFailure(KnownEvent, frozen=True, kw_only=True):
    error: str | None = None
    error_details: str | None = None
    last_assistant_message: str | None = None


class _TaskEvent(KnownEvent, frozen=True, kw_only=True):
    task_id: str | None = None
    task_subject: str | None = None
    task_description: str | None = None
    teammate_name: str | None = None
    team_name: str | None = None


class TaskCreated(_TaskEvent, frozen=True, kw_only=True):
    pass


class TaskCompleted(_TaskEvent, frozen=True, kw_only=True):
    pass


class TeammateIdle(KnownEvent, frozen=True, kw_only=True):
    teammate_name: str | None = None
    team_name: str | None = None


class PreCompact(KnownEvent, frozen=True, kw_only=True):
    trigger: str | None = None
    custom_instructions: str | None = None


class PostCompact(KnownEvent, frozen=True, kw_only=True):
    trigger: str | None = None
    compact_summary: str | None = None


class _ModelSwitch(KnownEvent, frozen=True, kw_only=True):
    from_model: str | None = None
    to_model: str | None = None
    requested_model: str | None = None
    source: str | None = None
    context_tokens: int | None = None
    prompt_cache_warm: bool | None = None
    cache_ttl: str | None = None
    estimated_cache_write_usd: float | None = None
    pricing: str | None = None


class PreModelSwitch(_ModelSwitch, frozen=True, kw_only=True):
    pass


class PostModelSwitch(_ModelSwitch, frozen=True, kw_only=True):
    pass


class ConfigChange(KnownEvent, frozen=True, kw_only=True):
    source: str | None = None
    file_path: str | None = None


class CwdChanged(KnownEvent, frozen=True, kw_only=True):
    old_cwd: str | None = None
    new_cwd: str | None = None


class DirectoryAdded(KnownEvent, frozen=True, kw_only=True):
    directory: str | None = None
    source: str | None = None


class FileChanged(KnownEvent, frozen=True, kw_only=True):
    file_path: str | None = None
    event: str | None = None


class WorktreeCreate(KnownEvent, frozen=True, kw_only=True):
    worktree_name: str | None = field(default=None, name="name")


class WorktreeRemove(KnownEvent, frozen=True, kw_only=True):
    worktree_path: str | None = None


class Elicitation(KnownEvent, frozen=True, kw_only=True):
    """An MCP server asks for input: a form, or a visit to a page."""

    mcp_server_name: str | None = None
    message: str | None = None
    mode: str | None = None
    requested_schema: dict[str, Any] | None = None
    url: str | None = None
    elicitation_id: str | None = None


class ElicitationResult(KnownEvent, frozen=True, kw_only=True):
    mcp_server_name: str | None = None
    mode: str | None = None
    action: str | None = None
    content: dict[str, Any] | None = None
    elicitation_id: str | None = None


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        SessionStart,
        Setup,
        SessionEnd,
        InstructionsLoaded,
        UserPromptSubmit,
        UserPromptExpansion,
        MessageDisplay,
        PreToolUse,
        PermissionRequest,
        PermissionDenied,
        PostToolUse,
        PostToolUseFailure,
        PostToolBatch,
        Notification,
        SubagentStart,
        SubagentStop,
        TaskCreated,
        TaskCompleted,
        TeammateIdle,
        Stop,
        StopFailure,
        PreCompact,
        PostCompact,
        PreModelSwitch,
        PostModelSwitch,
        ConfigChange,
        CwdChanged,
        DirectoryAdded,
        FileChanged,
        WorktreeCreate,
        WorktreeRemove,
        Elicitation,
        ElicitationResult,
    )
}
