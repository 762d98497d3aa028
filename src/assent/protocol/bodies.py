"""Bodies of records, for the kinds whose body we write ourselves.

Events and decisions carry a harness's own words as well, so theirs are made where they are known. All of it is redacted
before it is recorded, and read back leniently: an older journal has fewer fields, a newer one more.
"""

from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from assent.protocol.record import Record

AskKind = Literal["permission", "question", "plan", "form", "stop"]
Choice = Literal[
    "allow",
    "allow_edited",
    "allow_session",
    "allow_project",
    "allow_user",
    "allow_here",
    "allow_for",
    "deny",
    "deny_here",
    "deny_and_stop",
    "hand_back",
    "answer",
    "approve",
    "revise",
    "submit",
    "decline",
    "keep_going",
    "let_stop",
    "cancel",
]
# By these nothing happens that would not have happened by itself: they never wait for anything, and a program may say
# them. All else is for a person.
SAFE: frozenset[Choice] = frozenset(
    {"deny", "deny_here", "deny_and_stop", "hand_back", "decline", "cancel", "let_stop", "revise", "keep_going"}
)
Ending = Literal["ran", "failed", "denied", "terminal", "expired", "handed_back", "withdrawn", "unknown"]
Certainty = Literal["certain", "reported", "probable"]


class AskBody(Struct, frozen=True, omit_defaults=True):
    """Something waits for a person. The event it is about has the same request and call."""

    what: AskKind
    event: str
    harness: str
    project: str = ""
    tool: str = ""
    # One line that says what it is about.
    line: str = ""
    # Counts up when what is shown changes; answers are bound to it and to the hash of what was shown.
    rev: int = 1
    shown: str = ""
    deadline: int | None = None
    # What was shown, cut at a readable length.
    card: dict[str, Any] = {}


class AnswerBody(Struct, frozen=True, omit_defaults=True):
    """What a person said. Who, in the record's ``by``; here on which screen."""

    choice: Choice
    surface: str
    device: str = ""
    rev: int = 1
    shown: str = ""
    waited_ms: int | None = None
    message: str = ""
    # Lasting permissions that went with it, in words.
    grants: tuple[str, ...] = ()
    # How many alike ones were answered with it at once; 0 where it was answered alone.
    together: int = 0
    # Where an approval was needed: the rules, everybody who agreed, and who gave this answer.
    approval: str = ""
    approved_by: tuple[str, ...] = ()


class ApprovedBody(Struct, frozen=True, omit_defaults=True):
    """A yes where several have to agree, and more are missing. The last one is an answer."""

    surface: str
    device: str = ""
    rev: int = 1
    shown: str = ""
    waited_ms: int | None = None
    message: str = ""
    # The approval rules, who that is for the team, and how many were missing after it.
    approval: str = ""
    identity: dict[str, Any] = {}
    missing: int = 0
    # Whether they owned the hub then: it may leave its team before the rest have said it.
    is_owner: bool = False
    # Of theirs, that signed it; a yes of one that is shut out of the team is none any more.
    hub: str = ""


class RefusedBody(Struct, frozen=True, omit_defaults=True):
    """An answer that came too late, was bound to something else, or was not theirs to give."""

    choice: str
    why: str
    surface: str = ""
    device: str = ""


class ToldBody(Struct, frozen=True, omit_defaults=True):
    """Whether a decision reached the agent. Recorded for asks, and for any decision that did not."""

    delivered: bool
    event: str = ""
    harness: str = ""
    project: str = ""
    tool: str = ""
    why: str = ""


class OutcomeBody(Struct, frozen=True, omit_defaults=True):
    """How an ask ended, and how sure that is."""

    ending: Ending
    certainty: Certainty = "certain"
    took_ms: int | None = None
    why: str = ""


class PushBody(Struct, frozen=True, omit_defaults=True):
    """A message to a surface that was sent, or was not, and why."""

    surface: str
    sent: bool
    why: str = ""
    attempt: int = 1
    # How a turn ended, where the message was about that and not about an ask.
    about: str = ""


class RulesBody(Struct, frozen=True, omit_defaults=True):
    """A rules file changed, or broke and left the rules before it in force."""

    file: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    trouble: str = ""


class ConfigBody(Struct, frozen=True, omit_defaults=True):
    """Settings changed: each with its value before and after, as written in TOML."""

    file: str
    changed: dict[str, tuple[str, str]] = {}
    trouble: str = ""


class CheckpointBody(Struct, frozen=True, omit_defaults=True):
    """Records were removed on purpose. The chain goes on from here: this record stands in it and vouches for the rest.

    Of the records up to ``through`` only ``kept`` are left, whose numbers and hashes together hash to ``digest``;
    the record after ``through`` follows ``hash``."""

    through: int
    hash: str
    kept: int
    digest: str
    removed: int
    why: str = ""
    # When the newest record that was removed had happened.
    until: int | None = None


Body = TypeVar(
    "Body",
    AskBody,
    AnswerBody,
    ApprovedBody,
    RefusedBody,
    ToldBody,
    OutcomeBody,
    PushBody,
    RulesBody,
    ConfigBody,
    CheckpointBody,
)


def body(of: Struct) -> dict[str, Any]:
    """As a draft takes it."""
    built: dict[str, Any] = msgspec.to_builtins(of)
    return built


def read(record: Record, kind: type[Body]) -> Body | None:
    """The body as it was written; None if it has another form."""
    try:
        return msgspec.convert(record.body, kind)
    except msgspec.ValidationError:
        return None
