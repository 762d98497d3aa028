"""What an invocation of a command comes to: effects, and what it starts, runs, sends or obeys."""

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from assent.policy.effects import Effect
from assent.policy.words import HOLE, Arg


class Run(Struct, frozen=True):
    """A command that this command starts: given as words, or as a line for a shell."""

    args: tuple[Arg, ...] = ()
    line: Arg | None = None
    # The words are completed by what comes in (xargs) or by names that are found (find).
    open_ended: bool = False
    # Where in the words what comes in is put ("" at their end), and whether something else than blanks parts it.
    placeholder: str = ""
    separated: bool = False
    # What a line gets as $0, $1, $2 …
    arguments: tuple[Arg, ...] = ()
    # As another user, on another machine, in a container: its files are not these files.
    privileged: bool = False
    elsewhere: str = ""
    cwd: Arg | None = None
    # What flows into it is made by the command that starts it, not by the pipe before it.
    fed: bool = False


# Programs that only show what they are given, with options that change nothing about that.
_SHOWS = re.compile(r"(?:less|more|most)(?: -[FRXSKiNMmeEqsr]+)*|(?:cat|head|bat|batcat)(?: -p)?")


def starts(program: Arg) -> Iterator[Run]:
    """A program started with unknown operands or input, perhaps through a shell.

    Without them ``rm`` would delete nothing and ``sh`` would run nothing."""
    if _SHOWS.fullmatch(program.text):
        yield Run(line=Arg(f"{program.text} **"), fed=True)
    else:
        yield Run(line=Arg(f"{program.text} {HOLE}"), fed=True)
        yield Run(line=program, fed=True)


class Code(Struct, frozen=True):
    """A program text that is run: by which interpreter, and the text where it is known."""

    language: str
    text: Arg


class RunsFile(Struct, frozen=True):
    """A file that is run as a program or script."""

    path: Arg
    language: str = ""


class RunsInput(Struct, frozen=True):
    """What comes in is run."""

    language: str = "sh"


class SendsInput(Struct, frozen=True):
    """What comes in goes out to the network."""

    to: str
    # To a server on this machine.
    trusted: bool = False
    # What it does when it gets this text: a program that takes commands.
    obeys: "Callable[[str], Iterator[Finding]] | None" = None


class Takes(Struct, frozen=True):
    """What comes in are orders, in a language of its own: statements for a database, a manifest for a cluster."""

    obeys: "Callable[[str], Iterator[Finding]]"
    # What it means that a file comes in.
    file: "Callable[[Arg], Iterator[Finding]] | None" = None
    # Nothing is said about what is known only when it runs.
    only_known: bool = False


class Flows(Struct, frozen=True):
    """What flows out of it is of this origin, and what that costs depends on where it goes."""

    origin: str


class Decides(Struct, frozen=True):
    """A file was read that decides what runs: an answer holds for it as it is."""

    path: str


Finding = Effect | Run | Code | RunsFile | RunsInput | SendsInput | Takes | Flows | Decides
