"""Effects of commands, each with its risk."""

from typing import Literal

from msgspec import Struct

from assent.protocol.decision import CARE, DANGER, LOOK, Risk

Kind = Literal[
    "nothing",  # prints, counts, waits: no effect outside the session
    "read",
    "write",
    "delete",
    "mode",  # owners and permissions of files
    "query",  # reads from a service the user is logged in to
    "fetch",  # brings something in from the network
    "send",  # carries something out to the network
    "run",  # code that is not in sight
    "project",  # the project's own code: tests, builds, scripts
    "install",
    "privilege",
    "persist",  # will run or be obeyed later, unasked
    "process",  # signals, priorities, services
    "history",  # commits, branches, uncommitted work
    "publish",  # releases, packages, messages under the user's name
    "remote",  # changes in a cloud, a cluster, a database, on another machine
    "secret",  # discloses or takes a secret
    "typing",  # types into a terminal or clicks, in a person's place
    "agent",  # starts another coding agent
    "tamper",  # touches the guard or the agent's own settings
    "device",  # raw disks, partitions, firmware, the kernel
    "unknown",  # an unknown command or option
    "dynamic",  # what runs is decided only when it runs
]


# What it starts is told later what to do.
WAITS_FOR_INPUT = "that waits for input."
TOO_LONG = "It is longer, or nested more deeply, than can be read to its end."
FOREIGN_REPOSITORY = "The settings of that repository may name programs, and it is not the project's own."


class Effect(Struct, frozen=True, gc=False):
    kind: Kind
    risk: Risk
    # One sentence for a person.
    why: str
    # To what: a path, a host, a branch.
    target: str = ""
    # The safer way, where there is one.
    safer: str = ""


class Done(Struct, frozen=True, gc=False):
    """One effect of a call, which part of a line has it, and the whole path of its target, "" where it is no file."""

    effect: Effect
    part: str | None
    path: str


def nothing(why: str = "It only prints.") -> Effect:
    return Effect("nothing", LOOK, why)


def care(kind: Kind, why: str, target: str = "", safer: str = "") -> Effect:
    return Effect(kind, CARE, why, target, safer)


def danger(kind: Kind, why: str, target: str = "", safer: str = "") -> Effect:
    return Effect(kind, DANGER, why, target, safer)
