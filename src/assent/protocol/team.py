"""Messages of a team: what hubs say to each other through a relay, and what is claimed in them about people.

A relay carries these and decides nothing. What counts is signed: an ask, its end and what became of an answer by the
hub that holds the ask, an answer by the hub of the person who gave it. Each signature is over ``text``, the JSON of the
inner message exactly as it was written."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from assent.protocol.bodies import Choice, Ending
from assent.protocol.card import Card
from assent.protocol.surfaces import Screen

# Version of the messages below; a relay and a hub that speak different ones say so instead of guessing.
VERSION = 1
# "owner", "person:ada@example.org" or "group:sre-oncall".
Whom = str
# Base64url of the SHA-256 of a hub's public key (SPKI): what a hub is called in a team.
KeyId = Annotated[str, Meta(min_length=43, max_length=43, pattern="^[A-Za-z0-9_-]+$")]
Role = Literal["member", "approver", "auditor", "admin"]

# How old what an identity provider said of a person may be where it counts for an answer.
LONGEST_PROOF_MS = 12 * 3_600_000
# How far from now an answer may have been given: its revision and its nonce decide, the time only bounds its age.
LONGEST_ANSWER_MS = 10 * 60_000
# For so long after a key was bound to a person it may only deny, and its machine is announced to that person's others.
NEW_MACHINE_MS = 10 * 60_000
LARGEST_ASK = 256 << 10
LARGEST_ANSWER = 1 << 20


class _Message(Struct, frozen=True, omit_defaults=True):
    pass


class Identity(_Message, frozen=True):
    """A person, as their identity provider names them."""

    issuer: str
    subject: str
    mail: str = ""
    name: str = ""
    groups: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.issuer}|{self.subject}"

    @property
    def label(self) -> str:
        """People choose their names themselves: one that could be taken for an address is left out."""
        return self.mail or ("" if "@" in self.name else self.name) or self.subject


class Proof(_Message, frozen=True):
    """That a key belongs to a person: an ID token whose nonce is the hash of key and salt.

    ``fresh`` is a newer ID token of the same person, got without them: it has no nonce, and shows that their account
    still is one, and their groups now."""

    key: str
    salt: str
    token: str
    fresh: str = ""


class TeamInfo(_Message, frozen=True):
    """What a relay says of its team before anyone signs in."""

    version: int
    name: str
    issuer: str
    client_id: str
    scopes: tuple[str, ...] = ("openid", "email", "profile", "groups", "offline_access")
    groups_claim: str = "groups"
    # Workloads (CI, clusters) that may join without a person: "https://issuer subject", * in the subject for anything.
    workloads: tuple[str, ...] = ()
    # Of providers that give one to programs on people's machines, too; all in the team can read it.
    client_secret: str = ""


class JoinRequest(_Message, frozen=True, forbid_unknown_fields=True):
    """A hub wants in: its owner's proof, or a workload's token. Signed by the key, which is in ``key``."""

    key: str
    # What people call the machine.
    machine: str
    version: str
    proof: Proof | None = None
    workload: str = ""


class Joined(_Message, frozen=True):
    hub: KeyId
    # As people read it.
    owner: str
    # Who answers what a workload's hub asks; an owner's hub asks its owner.
    answerers: tuple[Whom, ...] = ()
    roles: tuple[Role, ...] = ()


class SharedAsk(_Message, frozen=True):
    """An ask as the hub that holds it shows it to others; ``text`` of a ``TeamAsk``."""

    hub: KeyId
    ask: str
    rev: int
    # Of what is shown at the hub that holds it.
    hash: str
    at: int
    opened_at: int
    deadline: int
    machine: str
    harness: str
    event: str
    session: str
    card: Card
    # Who may say yes; the owner where nothing else is said.
    whom: tuple[Whom, ...] = ("owner",)
    # Who said yes so far, where several have to, as people read them; and how many more are needed.
    agreed: tuple[str, ...] = ()
    missing: int = 0


class TeamAsk(_Message, frozen=True):
    hub: KeyId
    ask: str
    rev: int
    # Counts up with each change that is sent: a relay keeps the highest.
    change: int
    deadline: int
    # Who is to see it by now: a ladder adds to it.
    audience: tuple[Whom, ...]
    text: str
    signature: str
    # The owner's; None where a workload owns the hub. Then ``key`` is the hub's, whose hash is its name.
    proof: Proof | None = None
    key: str = ""
    # What the relay knows of the workload that joined; the relay's word alone.
    workload: str = ""
    # Set by the relay for those who see it by their role: they may read it, and their answer would not be carried.
    read_only: bool = False


class AskEnd(_Message, frozen=True):
    """How an ask ended, as the hub that held it signed it; ``text`` of a ``Gone``."""

    hub: KeyId
    ask: str
    ending: Ending | None = None
    # Who answered, where and how, as far as that is known.
    by: str = ""
    choice: Choice | None = None
    why: str = ""


class Gone(_Message, frozen=True):
    """An ask of another hub is over. Without a text it is the relay that says so, and it knows no more."""

    hub: KeyId
    ask: str
    text: str = ""
    signature: str = ""
    # The hub's, whose hash is its name.
    key: str = ""


class SharedAnswer(_Message, frozen=True):
    """An answer as its author's hub signed it; ``text`` of a ``TeamAnswer``."""

    # The hub that holds the ask.
    hub: KeyId
    ask: str
    rev: int
    # SHA-256 of the ``text`` of the ``TeamAsk`` that was shown, hexadecimal.
    shown: str
    choice: Choice
    at: int
    nonce: Annotated[str, Meta(min_length=16, max_length=64)]
    # The screen it was given on, and what its author's hub calls surface and device.
    screen: Screen
    surface: str
    device: str = ""
    # What people call the machine of its author's hub.
    machine: str = ""
    message: str = ""
    match: str = ""
    edited: dict[str, Any] | None = None
    answers: dict[str, str] = {}
    content: dict[str, Any] | None = None
    mode: str = "default"


class TeamAnswer(_Message, frozen=True):
    # The hub that holds the ask, and the one the answer comes from.
    hub: KeyId
    ask: str
    sender: KeyId
    nonce: str
    text: str
    signature: str
    proof: Proof


class AnswerVerdict(_Message, frozen=True):
    """What the hub that holds the ask made of an answer, as it signed it; ``text`` of an ``AnswerResult``."""

    hub: KeyId
    # The hub whose person gave it.
    sender: KeyId
    ask: str
    nonce: str
    is_taken: bool
    code: str = ""
    message: str = ""
    # How many more are needed, where one yes is not enough.
    missing: int = 0


class AnswerResult(_Message, frozen=True):
    # The hub whose person gave the answer.
    sender: KeyId
    ask: str
    nonce: str
    text: str = ""
    signature: str = ""
    # Of the hub that holds the ask, whose hash is its name.
    key: str = ""


class Hello(_Message, frozen=True):
    """The first event of a stream: who the relay is, and whom it no longer lets in."""

    relay: str
    at: int
    roles: tuple[Role, ...] = ()
    revoked: tuple[KeyId, ...] = ()


class Snapshot(_Message, frozen=True):
    """All asks of other hubs that are for this one's owner."""

    asks: tuple[TeamAsk, ...]


class Revoked(_Message, frozen=True):
    hubs: tuple[KeyId, ...]


class NewMachine(_Message, frozen=True):
    """A machine joined in the name of this hub's owner. The relay's word alone."""

    hub: KeyId
    machine: str
    joined_at: int


class Member(_Message, frozen=True):
    """A hub of the team, for those who may see it."""

    hub: KeyId
    machine: str
    owner: str
    version: str
    joined_at: int
    seen_at: int | None = None
    is_connected: bool = False
    revoked_at: int | None = None


class Members(_Message, frozen=True):
    hubs: tuple[Member, ...]


# Server-sent events of ``GET /team/stream``, by name.
STREAM: dict[str, type[_Message]] = {
    "hello": Hello,
    "snapshot": Snapshot,
    "ask": TeamAsk,
    "gone": Gone,
    "answer": TeamAnswer,
    "result": AnswerResult,
    "revoked": Revoked,
    "machine": NewMachine,
}
