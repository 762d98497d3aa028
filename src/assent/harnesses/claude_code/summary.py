"""What a session did, counted in its transcript. Any program may have written the file: whatever is not as expected is
passed over."""

from collections import Counter
from typing import Any

import msgspec

from assent.harnesses.base import ReadEnds
from assent.protocol.summary import Summary

# A longer transcript is not counted: half of it would tell the wrong numbers.
LONGEST = 64 << 20
MOST_FILES = 50
_MOST_TOOLS = 40
_LONGEST_NAME = 120
_CHANGES = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})


class _Message(msgspec.Struct):
    id: str = ""
    content: Any = None
    usage: Any = None


class _Line(msgspec.Struct, rename="camel"):
    type: str
    message: _Message
    is_sidechain: bool = False
    is_meta: bool = False


def summary(transcript: str, read: ReadEnds) -> Summary | None:
    """None where there is no transcript, or where it is too long to be counted. Blocks: for a thread."""
    if not transcript.startswith("/") or not transcript.endswith(".jsonl"):
        return None
    content = read(transcript, LONGEST + 1, False)
    if content is None or len(content) > LONGEST:
        return None
    counted = _Counted()
    for line in content.split(b"\n"):
        if (said := _read(line)) is not None:
            counted.add(said)
    return counted.told()


def _read(line: bytes) -> _Line | None:
    try:
        return msgspec.json.decode(line, type=_Line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return None


class _Counted:
    def __init__(self) -> None:
        self.turns = 0
        self.tools: Counter[str] = Counter()
        self.files: dict[str, None] = {}
        # An answer stands there once for each of its parts, each time with its tokens: by its id it is counted once.
        self.used: dict[str, tuple[int, int, int]] = {}

    def add(self, line: _Line) -> None:
        if line.type == "user" and not line.is_meta and not line.is_sidechain and _is_prompt(line.message.content):
            self.turns += 1
        if line.type != "assistant":
            return
        for block in line.message.content if isinstance(line.message.content, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool_use":
                self._called(str(block.get("name") or "")[:_LONGEST_NAME], block.get("input"))
        if isinstance(line.message.usage, dict):
            self.used[line.message.id or f"line {len(self.used)}"] = _tokens(line.message.usage)

    def _called(self, tool: str, given: Any) -> None:
        if tool and (tool in self.tools or len(self.tools) < _MOST_TOOLS):
            self.tools[tool] += 1
        path = given.get("file_path") or given.get("notebook_path") if isinstance(given, dict) else None
        if tool in _CHANGES and isinstance(path, str):
            self.files[path] = None

    def told(self) -> Summary | None:
        if not self.turns and not self.tools and not self.used:
            return None
        read, written, cached = (sum(each[place] for each in self.used.values()) for place in range(3))
        return Summary(
            turns=self.turns,
            tools=dict(self.tools.most_common()),
            files=tuple(self.files)[:MOST_FILES],
            changed=len(self.files),
            tokens_in=read,
            tokens_out=written,
            tokens_cached=cached,
        )


def _is_prompt(content: Any) -> bool:
    """Results of tools stand there as the user's words, too."""
    if isinstance(content, str):
        return bool(content.strip())
    blocks = content if isinstance(content, list) else ()
    kinds = {block.get("type") for block in blocks if isinstance(block, dict)}
    return bool(kinds) and "tool_result" not in kinds


def _tokens(usage: dict[str, Any]) -> tuple[int, int, int]:
    def count(name: str) -> int:
        value = usage.get(name)
        return value if type(value) is int and value > 0 else 0

    read = count("input_tokens") + count("cache_creation_input_tokens")
    return read, count("output_tokens"), count("cache_read_input_tokens")
