"""What an agent said before a call, from the end of its transcript.

One JSON object a line, one line for each block of a message. The file is written by another program while it is read,
and any program may have written it: whatever is not as expected is passed over."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from assent.harnesses.base import ReadEnds, SaidBefore
from assent.protocol.events import ToolEvent

# Between the words and the call there are lines of bookkeeping, and results of tools can be long.
END = 256 << 10
BEGINNING = 64 << 10
MOST_LINES = 600
_AGENT = re.compile(r"[A-Za-z0-9_-]{1,80}")
_SUFFIX = ".jsonl"


def said_before(event: ToolEvent, use: str | None, read: ReadEnds) -> SaidBefore | None:
    """None where the call does not stand in it yet. Blocks: for a thread."""
    path = event.transcript_path
    if not path.startswith("/") or not path.endswith(_SUFFIX):
        return SaidBefore()
    task = ""
    if event.agent_id is not None:
        # Its hooks name the transcript of the main agent.
        if not _AGENT.fullmatch(event.agent_id):
            return SaidBefore()
        path = f"{path.removesuffix(_SUFFIX)}/subagents/agent-{event.agent_id}{_SUFFIX}"
        task = _task(read(path, BEGINNING, False) or b"")
    end = read(path, END, True)
    if end is None:
        # A sub-agent's file is made when it first does something.
        return SaidBefore() if event.agent_id is None else None
    words = _words(end, event, use)
    return None if words is None else SaidBefore(words, task)


def _words(end: bytes, event: ToolEvent, use: str | None) -> str | None:
    """The text of the last message before the call that has one; None where there is no such call."""
    lines = (line for line in reversed(end.split(b"\n")[-MOST_LINES:]) if line)
    is_main = event.agent_id is None
    if not any(_is_call(block, event, use) for line in lines for block in _said(line, is_main=is_main)[1]):
        return None
    texts: list[str] = []
    message = None
    for line in lines:
        if _is_prompt(line, is_main=is_main):
            break
        of, blocks = _said(line, is_main=is_main)
        found = [block["text"] for block in blocks if block.get("type") == "text" and _is_text(block.get("text"))]
        if texts and (of != message or of is None):
            break
        if found:
            message, texts = of, [*found, *texts]
    return "\n\n".join(texts).strip()


def _said(line: bytes, *, is_main: bool) -> tuple[str | None, list[Mapping[str, Any]]]:
    """The id of the agent's message, and its blocks; nothing for all other lines."""
    value = _value(line) if b'"assistant"' in line else None
    message = value.get("message") if value is not None and value.get("type") == "assistant" else None
    if value is None or not isinstance(message, dict) or (is_main and value.get("isSidechain") is True):
        return None, []
    content, name = message.get("content"), message.get("id")
    blocks: list[Mapping[str, Any]] = (
        [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    )
    return name if isinstance(name, str) else None, blocks


def _is_call(block: Mapping[str, Any], event: ToolEvent, use: str | None) -> bool:
    if block.get("type") != "tool_use":
        return False
    if use:
        return block.get("id") == use
    return block.get("name") == event.tool_name and block.get("input") == event.tool_input


def _is_prompt(line: bytes, *, is_main: bool) -> bool:
    """Whether a turn of the person, or of the agent that sent this one, begins here."""
    value = _value(line) if b'"user"' in line else None
    return value is not None and _prompt(value, is_main=is_main) is not None


def _prompt(value: Mapping[str, Any], *, is_main: bool) -> str | None:
    message = value.get("message")
    if value.get("type") != "user" or value.get("isMeta") is True or not isinstance(message, dict):
        return None
    content = message.get("content")
    if not isinstance(content, str) or (is_main and value.get("isSidechain") is True):
        return None
    return content


def _task(beginning: bytes) -> str:
    first, _, _ = beginning.partition(b"\n")
    value = _value(first)
    return (_prompt(value, is_main=False) or "").strip() if value is not None else ""


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _value(line: bytes) -> Mapping[str, Any] | None:
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return None
    return value if isinstance(value, dict) else None
