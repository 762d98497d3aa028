"""One record as one line of text, the same on the page and in the terminal."""

from typing import Any

from assent.harnesses import names
from assent.protocol.record import Record
from assent.text import wording
from assent.text.safe import plain_line
from assent.text.who import decider
from assent.views.sentences import sentence

# Which field of a payload says most about an event, best first.
_TELLING = {
    "UserPromptSubmit": ("prompt",),
    "UserPromptExpansion": ("command_name",),
    "SessionStart": ("source",),
    "SessionEnd": ("reason",),
    "Notification": ("message", "title"),
    "SubagentStart": ("agent_type",),
    "SubagentStop": ("agent_type",),
    "StopFailure": ("error",),
    "PostToolUseFailure": ("error",),
    "CwdChanged": ("new_cwd",),
    "ConfigChange": ("file_path",),
    "InstructionsLoaded": ("file_path",),
    "DirectoryAdded": ("directory",),
    "TaskCreated": ("task_subject",),
    "TaskCompleted": ("task_subject",),
    "PreModelSwitch": ("to_model",),
    "PostModelSwitch": ("to_model",),
    "Elicitation": ("message",),
    "Stop": ("last_assistant_message",),
}
_INPUT = ("command", "file_path", "notebook_path", "url", "query", "pattern", "description", "plan")


def describe(record: Record) -> str:
    """What happened, in a line that no control character can break out of."""
    return plain_line(_text(record))


def tool_words(tool: str, body: dict[str, Any]) -> str:
    """A tool as people read it."""
    return names.tool(tool, str(body.get("harness") or names.DEFAULT))


def telling(name: str, payload: dict[str, Any]) -> str:
    """What says most about an event that is no tool call."""
    text = next((str(payload[field]) for field in _TELLING.get(name, ()) if payload.get(field)), "")
    return _short(titled(text, payload) if name == "Notification" else text, payload)


def titled(message: str, payload: dict[str, Any]) -> str:
    """A notice below its title, where it has one that says more."""
    heading = str(payload.get("title") or "")
    return f"{heading}: {message}" if heading and message and heading not in message else message or heading


def what_of(payload: dict[str, Any]) -> str:
    """What a tool call is about: its command, its file; files inside the working folder without it."""
    given = payload.get("tool_input")
    if not isinstance(given, dict):
        return ""
    text = next((given[field] for field in _INPUT if given.get(field)), None)
    if text is None:
        text = next((value for value in given.values() if isinstance(value, str) and value), "") or _asked(given)
    elif text is given.get("plan"):
        text = title(str(text))
    return _short(str(text), payload)


def _asked(given: dict[str, Any]) -> str:
    """The first of the questions a call has for people."""
    questions = given.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else None
    return str(first.get("question") or "") if isinstance(first, dict) else ""


def title(markdown: str) -> str:
    """The first heading of a text, or its first line."""
    lines = [line.strip() for line in markdown.splitlines() if line.strip()]
    return (
        next((line for line in lines if line.startswith("#")), lines[0] if lines else "").lstrip("#*_> ").rstrip("#*_ ")
    )


def _short(text: str, payload: dict[str, Any]) -> str:
    folder = payload.get("cwd")
    return text.removeprefix(f"{folder}/") if folder else text


def _text(record: Record) -> str:
    match record.kind:
        case "event":
            return _event(record.body)
        case "decision":
            return _decision(record)
        case _:
            return sentence(record)


def _event(body: dict[str, Any]) -> str:
    name = str(body.get("event", "?"))
    payload: dict[str, Any] = body.get("payload", {})
    parts = [wording.event(name) if body.get("known", True) else f"{wording.event(name)} (unknown event)"]
    if tool := payload.get("tool_name"):
        parts.append(tool_words(str(tool), body))
    if text := telling(name, payload) or what_of(payload):
        parts.append(text)
    if why := body.get("trouble"):
        parts.append(f"({why})")
    return " ".join(parts)


def _decision(record: Record) -> str:
    decision: dict[str, Any] = record.body.get("decision", {})
    cause = str(decision.get("cause") or "")
    why = decision.get("reason") or wording.CAUSES.get(cause, cause) or decision.get("context") or ""
    about = wording.event(str(record.body.get("event", "")))
    tool = record.body.get("tool")
    subject = f"{about} {tool_words(str(tool), record.body)}" if tool else about
    word = str(record.decision or "?").replace("_", " ")
    by = record.by or ""
    # The judge itself has no opinion: it only says that no other voice had one.
    who = "" if by.partition(":")[0] == "judge" else f" by {decider(by)}"
    return f"→ {word}{who} ({subject})" + (f": {why}" if why else "")
