"""``assent try --batch``: a line in, a line out, in the same order, however odd the line is."""

import sys
from collections.abc import Iterator
from typing import BinaryIO

import msgspec
from msgspec import structs

from assent.cli import output
from assent.learn.trial import Trials
from assent.protocol.trial import Question, Trial

REFUSED = 1
LONGEST_LINE = 8 * 1024 * 1024


class _Wanted(msgspec.Struct):
    """Fields beyond these are passed over, so that files with labels can be read as they are."""

    command: str
    cwd: str | None = None
    mode: str | None = None


def run(trials: Trials, default: Question) -> int:
    """The exit code. Flushed line by line, for whoever waits for an answer before asking again."""
    code = 0
    reader = msgspec.json.Decoder(_Wanted)
    # The stream is None if it was closed at the start.
    for line in _lines(sys.stdin.buffer) if sys.stdin else ():
        answer = _answer(trials, default, reader, line)
        if isinstance(answer, dict):
            code = REFUSED
        output.say_json(answer)
    return code


def _answer(
    trials: Trials, default: Question, reader: "msgspec.json.Decoder[_Wanted]", line: bytes | None
) -> Trial | dict[str, str]:
    if line is None:
        return {"error": f"This line is longer than {LONGEST_LINE >> 20} MiB."}
    try:
        wanted = reader.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        return {"error": f"This line is no question: {error}."}
    question = structs.replace(
        default, command=wanted.command, cwd=wanted.cwd or default.cwd, mode=wanted.mode or default.mode
    )
    # The tree tells the same again, and in bulk nobody looks at it.
    return structs.replace(trials.hold(question), steps=(), evidence="", safer="", told="")


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Each without its end; None for one that is too long to be held."""
    while line := stream.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE)
        yield None
