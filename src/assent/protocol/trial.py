"""What would be decided about a call that nobody makes: the question, and the whole answer."""

from typing import Any, Literal

from msgspec import Struct

from assent.protocol.decision import TraceLine

Unread = Literal["", "too_long", "unclear"]


class Question(Struct, frozen=True):
    """A command, or with ``tool`` and ``input`` any other call. Fields beyond these are nobody's business."""

    command: str = ""
    # Where it would run; the first one who knows decides where none is given.
    cwd: str = ""
    mode: str = "default"
    tool: str = "Bash"
    input: dict[str, Any] | None = None


class Seen(Struct, frozen=True, omit_defaults=True):
    """One effect, in the words a person reads."""

    kind: str
    risk: str
    target: str
    why: str
    safer: str = ""


class Step(Struct, frozen=True, omit_defaults=True):
    """One command of the line, what it does, and the commands it starts."""

    command: str
    risk: str
    effects: tuple[Seen, ...] = ()
    starts: "tuple[Step, ...]" = ()


class Trial(Struct, frozen=True, omit_defaults=True):
    command: str
    # allow, ask, deny or no_opinion.
    decision: str
    # None where the judge failed.
    risk: str | None
    reason: str
    effects: tuple[Seen, ...]
    trace: tuple[TraceLine, ...]
    by: str
    # The part of the line that decided, what would be safer, and what the agent and its client make of it.
    evidence: str = ""
    safer: str = ""
    told: str = ""
    steps: tuple[Step, ...] = ()
    # Whether a part of the line was not looked at: more than is read, or not the grammar of a shell.
    unread: Unread = ""
    # Files that the line runs, and what each was when it was read: an answer holds for these and no others.
    scripts: tuple[tuple[str, str], ...] = ()
