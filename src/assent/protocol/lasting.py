"""Permissions that a person gives for longer than one call, as Assent keeps them."""

from typing import Literal

from msgspec import Struct

# "shape": one kind of command or call; "run": tests, builds and linters of a project; "change": files that git can
# bring back; "reads": a sub-command of a program Assent does not know, which only reads; "exact": one call word for
# word, for a while; "rule": what a rule names, until a session ends; "ask": what the agent's client was told to allow
# in a session, and is asked about again.
PermissionKind = Literal["shape", "run", "change", "reads", "exact", "rule", "ask"]
# What a person sees in the list of grants: a permission of Assent's, or what stands elsewhere.
GivenKind = Literal["shape", "run", "change", "reads", "exact", "rule", "directory", "mode", "deny"]
# Where it stands: Assent's permissions, Assent's rules, the agent's settings, or Assent's or the agent's memory of one
# session.
Keeper = Literal["assent", "rules", "client", "session"]

RUN_MEANS = "Code the agent writes and then tests runs as you."
CHANGE_MEANS = "Agents may change files here that git can bring back."


class Shape(Struct, frozen=True, omit_defaults=True):
    """What a command is, without its details: two commands of one shape get one answer."""

    # Program, sub-command and script: ``git push``, ``npm run build``.
    head: str
    # What it reaches, one entry for each: ``publish origin feature``, ``fetch docs.example.com``, ``write project``.
    reach: tuple[str, ...] = ()
    # Options that may stand there, for commands of which an option can make something else.
    options: tuple[str, ...] = ()
    # The folder below the project in which it runs; "" for the project's own.
    folder: str = ""
    # For people: ``git push`` of feature to origin.
    words: str = ""

    def covers(self, other: "Shape") -> bool:
        """Whether the other is the same command and reaches nothing beyond."""
        return (
            (self.head, self.folder) == (other.head, other.folder)
            and set(other.reach) <= set(self.reach)
            and set(other.options) <= set(self.options)
        )


class Permission(Struct, frozen=True, omit_defaults=True):
    """One permission. ``by`` and ``surface`` say who gave it and where."""

    id: str
    kind: PermissionKind
    # The real path of the project, and which repository that was; "" for one that holds in every project.
    project: str = ""
    repository: str = ""
    # The kind of agent it was given to.
    harness: str = ""
    shape: Shape | None = None
    # What it covers, in words.
    words: str = ""
    by: str = ""
    surface: str = ""
    at: int = 0
    # When it ends, in Unix milliseconds; None for one that is taken back by a person.
    until: int | None = None
    # The rule that the agent's own settings got as well, and the file it stands in. "rule": what passes, as an answer
    # grants it. "ask": what is asked about.
    rule: str = ""
    file: str = ""
    # "exact": the digest of the call.
    call: str = ""
    # "rule", "ask": the session it holds in.
    session: str = ""


class Stay(Struct, frozen=True, omit_defaults=True):
    """A lasting answer that can be given to an ask, with exactly what it will cover and what not."""

    # "shape", "run", "change" or "reads": what an answer names.
    kind: PermissionKind
    # What it is called on a button or a list: "git push of feature to origin".
    words: str
    # One sentence each: what passes from now on, what still asks.
    covers: str = ""
    leaves: str = ""


class Given(Struct, frozen=True, omit_defaults=True):
    """Something that was allowed, or denied, for longer than once, as people see it in a list."""

    id: str
    kind: GivenKind
    words: str
    project: str = ""
    harness: str = ""
    by: str = ""
    surface: str = ""
    # 0 where it is not on record.
    at: int = 0
    until: int | None = None
    # How many calls it let pass, and when the last one was.
    saved: int = 0
    last: int | None = None
    # Why it does not hold at the moment: another repository lies there.
    void: str = ""
    # As it stands in a file. For a permission of Assent's: the rule that the agent's settings got as well.
    rule: str = ""
    keeper: Keeper = "assent"
    # The file it stands in, or the session in which it holds.
    file: str = ""
    session: str = ""
    # Why it cannot be taken back here.
    fixed: str = ""
