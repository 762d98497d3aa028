"""Acts: the commands a line would run, each with what it does and what it starts."""

from collections.abc import Sequence

from msgspec import Struct

from assent.policy.effects import TOO_LONG, Effect, care, danger
from assent.policy.shell import limits
from assent.policy.shell.limits import UnreadableError
from assent.policy.shell.scripts import Script as Script
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk


class TooManyActsError(Exception):
    """The line runs more commands than are examined."""


class Ran(Struct, frozen=True):
    """The words a command comes to, and the folder it runs in; None where that is not known."""

    args: tuple[Arg, ...]
    cwd: str | None


class Act(Struct):
    """One command that would run, and what it does. Children are what it starts."""

    text: str
    effects: list[Effect]
    children: "list[Act]"
    # The words as they stand in the line, without redirections; empty for what another command started.
    written: str = ""
    # Variables are set before the command.
    sets: bool = False
    # What it comes to, perhaps in several ways; nothing for the call of a function, which is what that runs.
    runs: list[Ran] = []
    # Operators of redirections and where they lead; "" for text on the line.
    redirects: list[tuple[str, Arg]] = []
    # So many of the children stand first and are worked out before it: substitutions.
    inside: int = 0
    # The line, or part of it, could not be read.
    unread: bool = False
    # Files that run because of it, as they were when they were read.
    scripts: list[Script] = []
    # A program of another language stands in the line.
    inline: bool = False

    def all(self) -> "Sequence[Act]":
        """It, and all that it starts."""
        if not self.children:
            return (self,)
        acts = [self]
        for child in self.children:
            acts += child.all()
        return acts


def is_certain(effect: Effect) -> bool:
    """Danger that stands in the text, not one that follows from what cannot be told."""
    if effect.risk < Risk.DANGER or effect.kind in ("dynamic", "unknown") or "…" in effect.target:
        return False
    return effect.kind != "delete" or bool(effect.target)


def unreadable(text: str, error: UnreadableError, *, is_whole: bool) -> Act:
    """A line, or a line inside one, of which a part was not looked at.

    More than is read is Danger. A text inside a line that is no sh may be another language, so it counts as read."""
    if isinstance(error, limits.TooMuchError):
        return Act(text[:200], [danger("dynamic", TOO_LONG)], [], unread=True)
    return Act(text[:200], [care("dynamic", f"It cannot be read: {error.why}.")], [], unread=is_whole)
