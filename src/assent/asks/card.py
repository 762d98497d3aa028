"""What a person is shown of an ask: made once from the event and what the judge saw, for every surface.

Pure, and the same every time: answers are bound to the hash of what comes out of here. Nothing is redacted yet."""

import msgspec

from assent import hidden
from assent.asks import names, segments, talk, tool_call
from assent.asks.drawing import Drawing
from assent.asks.drawing import Seen as Seen
from assent.protocol import tools
from assent.protocol.card import Card, Flag, Subject
from assent.protocol.events import Elicitation, Event, PermissionRequest, PreToolUse, Stop, SubagentStop, ToolEvent
from assent.protocol.risk import Risk

HIDDEN = "It holds characters that cannot be seen, or that look like others."
# More than a screen shows at once.
LONG_LINES = 30
LONG_TEXT = 2_000
LONGEST_SAYING = 300


class NoAskError(ValueError):
    """Nobody can be asked about this event."""


def draw(event: Event, seen: Seen) -> Card:
    """Raises NoAskError for an event that is no ask."""
    drawing = _drawing(event, seen)
    is_hidden = _is_hidden(drawing)
    peril = drawing.peril
    if is_hidden:
        level = max(segments.parsed(peril.level), Risk.CARE).word
        peril = msgspec.structs.replace(peril, level=level, reason=f"{peril.reason} {HIDDEN}".strip())
    found: dict[Flag, bool] = {
        "hidden_characters": is_hidden,
        "long": _is_long(drawing),
        "outside_project": drawing.is_outside,
        "sub_agent": event.agent_id is not None,
        "unattended": seen.attended is False,
        "bypass": event.permission_mode == "bypassPermissions",
        "other_machine": seen.is_elsewhere,
        "limited_host": seen.limited,
        "unread": seen.trial is not None and seen.trial.unread != "",
    }
    return Card(
        kind=drawing.kind,
        view=drawing.view,
        subject=_subject(event, seen),
        risk=peril,
        says=_says(event),
        flags=tuple(flag for flag, is_set in found.items() if is_set),
    )


def _drawing(event: Event, seen: Seen) -> Drawing:
    match event:
        case PermissionRequest() | PreToolUse():
            match event.tool:
                case tools.AskUserQuestion() as asked if asked.questions:
                    return talk.question(event, asked)
                case tools.ExitPlanMode() as planned:
                    return talk.plan(event, planned, seen)
            return tool_call.permission(event, seen)
        case Elicitation():
            return talk.form(event)
        case Stop() | SubagentStop():
            return talk.stop(event, seen)
    raise NoAskError(f"Nobody can be asked about {event.name}.")


def _subject(event: Event, seen: Seen) -> Subject:
    return Subject(
        harness=seen.harness,
        session=event.session_id,
        title=seen.title,
        agent=event.agent_id or "",
        agent_type=event.agent_type or "",
        task=seen.task,
        project=seen.project,
        folder=event.cwd,
        branch=seen.branch,
        mode=event.permission_mode or "",
        machine=seen.machine,
    )


def _says(event: Event) -> str:
    said = event.tool_input.get("description") if isinstance(event, ToolEvent) else None
    return names.cut(said, LONGEST_SAYING) if isinstance(said, str) else ""


def _is_hidden(drawing: Drawing) -> bool:
    if any(map(hidden.has_hidden, drawing.exact)):
        return True
    return any(hidden.has_hidden(text, is_command=False) for text in drawing.texts)


def _is_long(drawing: Drawing) -> bool:
    if drawing.view.diffs:
        return sum(len(hunk.lines) for diff in drawing.view.diffs for hunk in diff.hunks) > LONG_LINES
    return sum(map(len, drawing.texts)) > LONG_TEXT or sum(text.count("\n") for text in drawing.texts) > LONG_LINES
