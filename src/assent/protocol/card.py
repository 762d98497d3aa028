"""Cards: what a person is shown of an ask, the same on every surface, in reading order.

Everything in it that an agent wrote is untrusted text: surfaces draw it, and never interpret it."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from assent.protocol.approval import ApprovalView
from assent.protocol.bodies import AskKind, Certainty, Choice, Ending
from assent.protocol.lasting import Stay
from assent.protocol.modes import PlanMode

# "doubtful": it seems to have been answered at the terminal; an answer is still taken.
State = Literal["open", "doubtful", "answered", "told", "closed"]
# What a press needs before it counts: nothing more, a second press elsewhere, or the match word.
Needs = Literal["press", "confirm", "match"]
GrantScope = Literal["session", "project", "user"]
# What lasts, and where.
GRANTS: dict[Choice, GrantScope] = {"allow_session": "session", "allow_project": "project", "allow_user": "user"}
Flag = Literal[
    "hidden_characters",  # drawn as marks; the risk is Care at least
    "long",  # longer than a screen shows at once
    "redacted",  # secrets in it are shown as marks
    "outside_project",
    "sub_agent",
    "unattended",  # no person at the terminal
    "bypass",
    "other_machine",
    "limited_host",  # this host does not report what was refused
    "unread",  # a part of it was not looked at by the judge: only once, or not at all
    "burst",  # one of many within seconds
    "appeal",  # the client's own check refused it; a yes lets the same call run once
    "guarded",  # the client refuses it whatever is said here
    "no_yes",  # the client takes no yes from here
    "shortened",  # of another machine, and too long to be sent: only a no can be given
    "read_only",  # of another machine, and for others to answer
    "new_machine",  # of another machine, and this one joined the team a moment ago: only a no can be given
    "asks_itself",  # after a yes the client's own dialog may still open
]


class _Part(Struct, frozen=True, omit_defaults=True):
    pass


class Segment(_Part, frozen=True):
    """A stretch of a command line. Together they are the whole text, nothing left out and nothing added."""

    text: str
    # Of the command it belongs to; "" for what stands between commands.
    risk: str = ""
    needs_you: bool = False
    # What it would do, or who lets it pass.
    why: str = ""


class StepView(_Part, frozen=True):
    """One thing a command line would do, in plain words."""

    risk: str
    words: str
    # Machines it is done on, or files, where the words name only some of them.
    where: tuple[str, ...] = ()
    why: str = ""
    # The command that does it, as far as it can be found in the text.
    command: str = ""


class Hunk(_Part, frozen=True):
    """Lines of a diff, each with its sign in front: a space, ``+`` or ``-``."""

    old_start: int
    new_start: int
    lines: tuple[str, ...]


class FileDiff(_Part, frozen=True):
    path: str
    added: int
    removed: int
    hunks: tuple[Hunk, ...] = ()
    is_new: bool = False
    # Why there are no hunks, or not all: the file cannot be read, the old text is not in it …
    note: str = ""


class OptionView(_Part, frozen=True):
    label: str
    description: str = ""
    preview: str = ""


class QuestionView(_Part, frozen=True):
    question: str
    header: str = ""
    options: tuple[OptionView, ...] = ()
    multi: bool = False


class FieldView(_Part, frozen=True):
    """One input of a form, from a property of its JSON Schema."""

    name: str
    kind: Literal["text", "number", "integer", "boolean", "choice", "choices"]
    title: str = ""
    description: str = ""
    required: bool = False
    # Values and what they are called.
    options: tuple[tuple[str, str], ...] = ()
    default: Any = None
    # email, uri, date, date-time
    format: str = ""
    minimum: float | None = None
    maximum: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str = ""
    # Shown as dots while it is typed.
    secret: bool = False


class FormView(_Part, frozen=True):
    server: str
    message: str = ""
    mode: Literal["form", "url"] = "form"
    fields: tuple[FieldView, ...] = ()
    url: str = ""
    host: str = ""
    # A part of the schema that cannot be shown as inputs: then only declining is offered.
    trouble: str = ""


class StopView(_Part, frozen=True):
    """A finished turn: the last message, and how often it was kept going already."""

    message: str = ""
    used: int = 0
    most: int = 8
    # What still runs in the background.
    background: tuple[str, ...] = ()


class Subject(_Part, frozen=True):
    """Who wants it, and where."""

    harness: str
    session: str = ""
    title: str = ""
    # The sub-agent's id, its type, and the task it was given.
    agent: str = ""
    agent_type: str = ""
    task: str = ""
    project: str = ""
    folder: str = ""
    branch: str = ""
    mode: str = ""
    machine: str = ""
    # Whose agent it is, where that is another person of the team.
    owner: str = ""


class View(_Part, frozen=True):
    """The thing itself: for each kind of ask other parts are set."""

    # In plain words: "Delete untracked files", "Edit auth.py".
    verb: str
    # The tool's name, where there is one.
    tool: str = ""
    # The thing itself in one line, for lists: the command, the file, the choices of a question.
    line: str = ""
    # What a command would do, the worst first.
    steps: tuple[StepView, ...] = ()
    # A command or another text in full.
    segments: tuple[Segment, ...] = ()
    diffs: tuple[FileDiff, ...] = ()
    # A plan.
    markdown: str = ""
    questions: tuple[QuestionView, ...] = ()
    form: FormView | None = None
    stop: StopView | None = None
    # Name and value of the remaining input, for tools without a drawing of their own.
    facts: tuple[tuple[str, str], ...] = ()
    # Which of them are Markdown.
    prose: tuple[str, ...] = ()
    # The input as it came, redacted.
    raw: dict[str, Any] = {}


class Peril(_Part, frozen=True):
    """How dangerous it is, why, what would be safer, and the word that shows it was read to the end."""

    level: str
    reason: str = ""
    safer: str = ""
    # A whole command that can take this one's place; "" where ``safer`` is advice only.
    instead: str = ""
    match: str = ""


class Card(_Part, frozen=True):
    kind: AskKind
    view: View
    subject: Subject
    risk: Peril
    # The agent's own description: quoted, never trusted.
    says: str = ""
    flags: tuple[Flag, ...] = ()
    # Answers that stay: what Assent can be told to stop asking about.
    stays: tuple[Stay, ...] = ()
    # What can be allowed for some minutes.
    timed: tuple[Stay, ...] = ()
    # Answers that the agent's client cannot be told.
    untold: tuple[Choice, ...] = ()
    # The agent's last words before the call, as little trusted, and what the person had asked it for.
    words: str = ""
    asked: str = ""
    approval: ApprovalView | None = None


class Way(_Part, frozen=True):
    """One way to answer that the one who asked for it may take."""

    choice: Choice
    needs: Needs = "press"


class Said(_Part, frozen=True):
    """The answer that won."""

    at: int
    by: str
    choice: Choice
    surface: str = ""
    device: str = ""
    message: str = ""
    grants: tuple[str, ...] = ()
    # How many alike ones were answered with it at once; 0 where it was answered alone.
    together: int = 0


class Result(_Part, frozen=True):
    ending: Ending
    certainty: Certainty = "certain"
    at: int | None = None
    why: str = ""


class PlanRound(_Part, frozen=True):
    """What changed in a plan since the one before it, which was sent back. The whole plan is what is answered."""

    # When the one before was proposed.
    since: int
    diff: FileDiff
    # What was sent back with it.
    wrote: str = ""


class ShownAsk(_Part, frozen=True):
    """One ask as every surface gets it."""

    id: str
    rev: int
    hash: str
    kind: AskKind
    state: State
    opened_at: int
    view: View
    subject: Subject
    risk: Peril
    says: str = ""
    flags: tuple[Flag, ...] = ()
    expires_at: int | None = None
    # Answers that stay, with what each would cover, and those for some minutes.
    stays: tuple[Stay, ...] = ()
    timed: tuple[Stay, ...] = ()
    # What the one who asked may answer here and now.
    choices: tuple[Way, ...] = ()
    answer: Said | None = None
    # Set when it is over; on a doubtful ask it is what seems to have happened.
    result: Result | None = None
    # Why the agent could not be told.
    undelivered: str = ""
    # The record that changed it last.
    changed: int = 0
    call: str = ""
    # What led to it: the agent's last words, and the person's.
    words: str = ""
    asked: str = ""
    round: PlanRound | None = None
    # The queued instruction that the agent was told together with the result of this call.
    told_with: str = ""
    # Who has to say yes, and who has said it so far, where one yes is not enough.
    approval: ApprovalView | None = None
    approved_by: tuple[str, ...] = ()
    # The same in words: whose yes it needs, who said it, and why nobody can be asked, where that is so.
    needs: str = ""
    agreed: str = ""
    unreachable: str = ""


class Offer(_Part, frozen=True):
    """A lasting permission that can go with an allow, with what it means."""

    # ``rule:Bash(npm test *)``, ``mode:accept_edits`` or ``directory:/srv/data``: what an answer names.
    grant: str
    words: str
    scopes: tuple[GrantScope, ...]
    # Which file changes, by scope; a session has none.
    files: dict[GrantScope, str] = {}
    # Whether the agent itself suggested it.
    suggested: bool = False
    # Earlier calls it would have covered, and one that it would not.
    covers: tuple[str, ...] = ()
    leaves: str = ""
    # Who remembers it: the agent's client, or Assent where that cannot be told to. Assent keeps what is offered, and
    # no rule in other words.
    keeper: Literal["client", "assent"] = "client"


class Denial(_Part, frozen=True):
    """A rule that denies this from now on, with what it means."""

    grant: str
    words: str


class AnswerRequest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An answer, bound to what its author saw."""

    rev: int
    hash: str
    choice: Choice
    # Deny and tell, allow with a note, what to do next, notes on a plan.
    message: str = ""
    # allow_edited: the tool's whole input.
    edited: dict[str, Any] | None = None
    # allow_session, allow_project, allow_user: what is granted, as an offer names it; the rule may be an edited one.
    # allow_here, allow_for: the kind of one of the answers that stay. deny_here: the rule, as for the others.
    grant: str = ""
    # allow_here: for so many hours; None until it is taken back.
    hours: Annotated[int, Meta(ge=1, le=720)] | None = None
    # allow_for: for so many minutes.
    minutes: Annotated[int, Meta(ge=1, le=1_440)] | None = None
    # Danger: the word that stands after the content.
    match: str = ""
    # answer: question to answer, several choices joined by ", ".
    answers: dict[str, str] = {}
    # submit: the form's values. Never recorded.
    content: dict[str, Any] | None = None
    # approve: the mode the agent goes on in.
    mode: PlanMode = "default"


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    """One of several asks that are answered at once, as its author saw it."""

    id: str
    rev: int
    hash: str


class AnswersRequest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The same answer to several asks that are alike: each is bound to what was shown of it."""

    choice: Literal["allow", "deny"]
    asks: Annotated[tuple[Member, ...], Meta(min_length=2, max_length=20)]


class Taken(_Part, frozen=True):
    """What became of the answer to one of them: "" in ``code`` where it was taken, or else why it was not."""

    id: str
    code: str = ""
    message: str = ""


class TakenAnswers(Struct, frozen=True):
    results: tuple[Taken, ...]


class AlikeAsks(Struct, frozen=True):
    """An ask and those like it, as they are shown; nothing where there is no other one."""

    asks: tuple[ShownAsk, ...]
