"""What an agent is told, and how that came about."""

from typing import Any, Literal

from msgspec import Struct

from assent.protocol.permission import Grant

Cause = Literal[
    "no_rule",
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


class _Decision(Struct, frozen=True, tag_field="decision", tag=_tag, omit_defaults=True):
    @property
    def word(self) -> str:
        return str(self.__struct_config__.tag)


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


class Prompt(_Decision, frozen=True):
    """The harness shows its own dialog (``ask`` on the wire)."""

    reason: str


class Defer(_Decision, frozen=True):
    """End the unattended run here and leave the call for later."""


class Block(_Decision, frozen=True):
    """Not a tool call: refuse a prompt, keep a turn going, stop a compaction."""

    reason: str


class Proceed(_Decision, frozen=True):
    """Go on, and tell the model this."""

    context: str


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
