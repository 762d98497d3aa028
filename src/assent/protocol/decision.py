"""Risks, decisions and the trace that led to them, and the trial of a hypothetical call."""

from enum import IntEnum
from functools import cache
from typing import Any, Literal

from msgspec import Struct

from assent.protocol.approval import ApprovalView
from assent.protocol.permission import Grant
from assent.protocol.rule_words import SHELL

Cause = Literal[
    "no_rule",
    "asked",
    "timed_out",
    "handed_back",
    "answered_elsewhere",
    "hub_unreachable",
    "unknown_event",
    "paused",
    "bad_input",
    "too_large",
    "no_journal",
]


def _tag(name: str) -> str:
    """NoOpinion becomes no_opinion: the word journals and filters use."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


@cache
def _word(kind: type[Struct]) -> str:
    return str(kind.__struct_config__.tag)


class _Decision(Struct, frozen=True, tag_field="decision", tag=_tag, omit_defaults=True):
    @property
    def word(self) -> str:
        return _word(type(self))


class NoOpinion(_Decision, frozen=True):
    """Silence on the wire. Never an approval, and always with its cause."""

    cause: Cause


class Allow(_Decision, frozen=True):
    """The call may run, perhaps with changed input, lasting grants, or a note for the model."""

    updated_input: dict[str, Any] | None = None
    grants: tuple[Grant, ...] = ()
    context: str | None = None


class Deny(_Decision, frozen=True):
    """The call must not run; the reason goes to the model."""

    reason: str
    interrupt: bool = False
    # A note for the model, beside the reason.
    context: str | None = None


class Prompt(_Decision, frozen=True):
    """The harness shows its own dialog (``ask`` on the wire)."""

    reason: str
    context: str | None = None


class Defer(_Decision, frozen=True):
    """End the unattended run here and leave the call for later."""


class Block(_Decision, frozen=True):
    """Not a tool call: refuse a prompt, keep a turn going, stop a compaction."""

    reason: str
    context: str | None = None


class Proceed(_Decision, frozen=True):
    """Go on as without us: with a note for the model, with changed input, or with another result of the call."""

    context: str = ""
    updated_input: dict[str, Any] | None = None
    # In place of what the tool gave; None leaves that as it is.
    updated_result: Any = None


class Answered(_Decision, frozen=True):
    """A question was answered: question text to answer text."""

    answers: dict[str, str]


class Filled(_Decision, frozen=True):
    """An MCP form was answered."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | None = None


class Halt(_Decision, frozen=True):
    """End the turn."""

    reason: str


Decision = NoOpinion | Allow | Deny | Prompt | Defer | Block | Proceed | Answered | Filled | Halt


class TraceLine(Struct, frozen=True, omit_defaults=True):
    """One voice that spoke: what people see under *Why*."""

    by: str
    says: str
    why: str
    evidence: str | None = None


class Verdict(Struct, frozen=True, omit_defaults=True):
    """A decision, who made it, and everything that was said on the way."""

    decision: Decision
    by: str
    risk: str | None = None
    trace: tuple[TraceLine, ...] = ()


class Risk(IntEnum):
    """Ordered, so that ``max`` of several risks is the risk of all of them together."""

    LOOK = 0
    CHANGE = 1
    CARE = 2
    DANGER = 3

    @property
    def word(self) -> str:
        """The word people see, and the one journals and filters use."""
        return _RISKS[self]

    @classmethod
    def parse(cls, word: str) -> "Risk":
        return cls[word.upper()]


# For those who ask many times a verdict: before Python 3.12 to read ``Risk.LOOK`` takes as long as a call.
LOOK, CHANGE, CARE, DANGER = Risk
_RISKS = tuple(risk.name.lower() for risk in Risk)


Unread = Literal["", "too_long", "unclear"]


# Of effects that cost the same, the first of these is told: what is lost or leaves before what merely runs.
_TELLING = (
    ("device", "delete", "secret", "remote", "publish", "tamper", "persist", "history", "process"),
    ("send", "write", "mode", "install", "agent", "typing"),
    ("privilege", "run", "fetch", "query"),
    ("dynamic", "unknown"),
    ("project", "read", "nothing"),
)
_ORDER = {kind: place for place, kinds in enumerate(_TELLING) for kind in kinds}


def telling(kind: str) -> int:
    """How much a kind of effect tells a person: the greater, the more."""
    return -_ORDER.get(kind, len(_TELLING))


class TrialQuestion(Struct, frozen=True):
    """A command, or with ``tool`` and ``input`` any other call. Fields beyond these are ignored."""

    command: str = ""
    # Where it would run; the first one who knows decides where none is given.
    cwd: str = ""
    mode: str = "default"
    tool: str = SHELL
    input: dict[str, Any] | None = None
    # Whose call it would be; "" is the default one.
    harness: str = ""


class HostedTrial(Struct, frozen=True):
    """A call to be judged as the one who asks would judge it: for programs at the desk of this machine."""

    # The command, or the tool's file, address or whole input.
    text: str
    # The folder that the other one is named from.
    here: str
    cwd: str
    mode: str
    tool: str
    harness: str
    # The one who asks: its PATH and, by ``surroundings``, the rest.
    search_path: str
    surroundings: dict[str, str]


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
    # Whose yes it needs, whatever else allows it.
    approval: ApprovalView | None = None


class Tried(Struct, frozen=True):
    """What a trial came to."""

    trial: Trial
    # What is wrong with rules and settings that were therefore not heard.
    troubles: tuple[str, ...] = ()
