"""The text of a record: what people look for by its words.

Commands, prompts, paths, reasons, messages and errors. Not ids, hashes and what every record of a session repeats, for
then every search would find everything; a filter's keys look at those."""

from collections.abc import Iterator, Mapping
from typing import Any

from assent.protocol.record import Record

_NOTHING: frozenset[str] = frozenset()

# Fields that are no text, by the part of a body they stand in. "" is the body itself.
_NOT_TEXT: Mapping[str, frozenset[str]] = {
    "": frozenset(["event", "harness", "transport", "project", "env", "shown", "hash", "digest"]),
    "payload": frozenset(
        {
            "session_id",
            "transcript_path",
            "agent_transcript_path",
            "cwd",
            "prompt_id",
            "permission_mode",
            "effort",
            "agent_id",
            "hook_event_name",
            "tool_use_id",
            "turn_id",
            "message_id",
            "elicitation_id",
            # A batch repeats its calls.
            "tool_calls",
        }
    ),
    "decision": frozenset({"decision"}),
    "trace": frozenset({"by", "says"}),
}
# What stands in place of contents: its fingerprint is no text.
_WITHHELD = {"size", "fingerprint"}


def searchable(record: Record) -> str:
    """All of it, folded, a string a line. Searching for words is looking for their folded characters in here."""
    return folded("\n".join(_strings(record.body)))


def folded(text: str) -> str:
    """Upper and lower case alike. Part by part as the whole, so that a part is found in the whole."""
    # No database but SQLite stores a zero character.
    return text.casefold().replace("\0", "\ufffd")


def _strings(body: dict[str, Any]) -> Iterator[str]:
    # Not by calling itself: how deeply a body is nested is up to its author.
    waiting: list[tuple[Any, frozenset[str]]] = []
    for name, value in body.items():
        if name not in _NOT_TEXT[""]:
            waiting.append((value, _NOT_TEXT.get(name, _NOTHING)))
    waiting.reverse()
    while waiting:
        value, without = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict) and value.keys() != _WITHHELD:
            waiting += [(item, _NOTHING) for name, item in reversed(value.items()) if name not in without]
        elif isinstance(value, list):
            # The lines of a trace are what its fields say, too.
            waiting += [(item, without) for item in reversed(value)]
