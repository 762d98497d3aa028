"""How full a session's context is, from the end of its transcript: each answer of the model stands there with what it
read and wrote. Any program may have written the file: whatever is not as expected is passed over."""

import re

import msgspec

from assent.harnesses.base import ReadEnds
from assent.protocol.context import Context

# The last answer stands before the results of its calls, which can be long.
END = 256 << 10
_LONGEST_NAME = 120

# As client 2.1.325 reckons them (``/context``). It gives names that it does not know a million, which is its guess.
_SMALL = re.compile(r"claude-(?:3-[57]-sonnet|sonnet-4(?:-[56])?|haiku-4-5|opus-4-[56])(?:-\d{8})?", re.ASCII)
_LARGE = re.compile(r"claude-(?:opus-4-7|sonnet-5|opus-5(?:-5)?)(?:-\d{8})?", re.ASCII)
_WIDENED = "[1m]"


class _Usage(msgspec.Struct):
    input_tokens: int
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0


class _Message(msgspec.Struct):
    usage: _Usage
    model: str = ""


class _Line(msgspec.Struct, rename="camel"):
    type: str
    message: _Message
    is_sidechain: bool = False


def context(transcript: str, model: str, read: ReadEnds) -> Context | None:
    """``model`` is the one that the session's events name, "" where they named none. Blocks: for a thread."""
    if not transcript.startswith("/") or not transcript.endswith(".jsonl"):
        return None
    for line in reversed((read(transcript, END, True) or b"").split(b"\n")):
        if b'"compact_boundary"' in line:
            # What was counted before it is no longer there.
            return None
        if b'"usage"' in line and (found := _of(line, model)) is not None:
            return found
    return None


def _of(line: bytes, model: str) -> Context | None:
    try:
        said = msgspec.json.decode(line, type=_Line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return None
    used, name = said.message.usage, said.message.model
    counts = msgspec.structs.astuple(used)
    tokens = sum(counts)
    # The client's own words, such as those about a failed request, stand there as an answer without tokens.
    if said.type != "assistant" or said.is_sidechain or min(counts) < 0 or not tokens:
        return None
    size = window(name, model)
    return Context(tokens, size if tokens <= size else 0, name[:_LONGEST_NAME])


def window(answered: str, model: str) -> int:
    """Of the model that answered; 0 where it is not known. A widened one has the same name in answers, so a small
    window is known only where the session's model is."""
    if _LARGE.fullmatch(answered):
        return 1_000_000
    if model.removesuffix(_WIDENED) != answered or not _SMALL.fullmatch(answered):
        return 0
    return 1_000_000 if model.endswith(_WIDENED) else 200_000
