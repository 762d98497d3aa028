"""Files that lose all they hold: cut to nothing, or written over unread. That costs what deleting them costs."""

from assent.policy import world
from assent.policy.effects import Effect, care, danger
from assent.policy.paths import is_made_again, locate
from assent.policy.shell.spelling import Setting
from assent.policy.shell.streams import Stream
from assent.policy.shell.words import HOLE, Arg

MANY = "It empties many files."
_SAFER = "git stash first, or name the files"
# Only here does writing say less about the loss than deleting does.
_PLACES = frozenset({"project", "home", "whole", "unknown"})


def is_many(arg: Arg) -> bool:
    """Whether it stands for any number of files. In the variable of a loop a pattern is still a pattern."""
    return arg.glob or arg.splits or "*" in arg.text


def emptied(arg: Arg, setting: Setting, cwd: str | None, *, if_there: bool = False) -> Effect | None:
    """What it costs that this file holds nothing any more; None where writing it says enough.

    ``if_there``: the same words make a new file where there is none, and then nothing is lost."""
    is_pattern = is_many(arg)
    target = locate(Arg(arg.text, glob=True) if is_pattern else arg, setting, cwd)
    shown = arg.text.replace(HOLE, "…")
    around = setting.home if target.place == "home" else setting.project
    if target.place not in _PLACES or is_made_again(target.path, around):
        return None
    if is_pattern:
        return danger("delete", MANY, shown, _SAFER)
    if HOLE in arg.text:
        return danger("delete", "Which file it empties is known only when it runs.", shown)
    if if_there and target.place == "project" and world.holds_nothing(target.path):
        return None
    if target.place in ("home", "whole"):
        return danger("delete", "It empties a file outside the project.", shown)
    return care("delete", "It empties a file of the project.", shown)


def overwritten(arg: Arg, content: Stream, setting: Setting, cwd: str | None) -> Effect | None:
    """What it costs that a file holds this and nothing else; None where writing it says enough."""
    if is_nothing(content):
        return emptied(arg, setting, cwd, if_there=True)
    if is_many(arg) and _is_the_same(content):
        lost = emptied(arg, setting, cwd)
        return None if lost is None else danger("delete", "It writes the same into many files.", lost.target, _SAFER)
    return None


def is_nothing(content: Stream) -> bool:
    """Whether nothing flows: no input, an empty text, the empty device."""
    if content.path is not None and content.path.text == "/dev/null":
        return True
    if content.origin in ("text", "decoded"):
        return content.text is not None and not content.text.strip()
    return content.origin == ""


def _is_the_same(content: Stream) -> bool:
    """Whether every file gets the same: a text of the line, or one file."""
    if content.text is not None:
        return HOLE not in content.text and "*" not in content.text
    return content.origin == "file" and content.path is not None and not is_many(content.path)
