"""Coverage of a whole line by allow rules: every command in it, and what happens beside them."""

import re
from collections.abc import Callable, Sequence
from enum import IntEnum

from assent.policy.shell.acts import Act
from assent.policy.shell.forms import quoted

# They change nothing about the command they start but how long and how well it runs.
_TRANSPARENT = frozenset({"timeout", "gtimeout", "time", "gtime", "nice", "gnice", "nohup", "stdbuf", "gstdbuf"})
_PRINTS = frozenset({"echo", "printf", "cat"})
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_WORKED_OUT = re.compile(r"[$`]|[<>]\(")


class Cover(IntEnum):
    """How well an allow accounts for a call."""

    NO = 0
    # By a wildcard, or by naming a whole tool.
    WIDE = 1
    # By naming exactly this.
    EXACT = 2


Covers = Callable[[str], Cover]


def of_line(text: str, acts: Sequence[Act], covers: Covers) -> Cover:
    """``covers`` says how well the rules name one command by its text."""
    if not acts or _CONTROL.search(text):
        return Cover.NO
    return _of_all(acts, covers)


def _of_all(acts: Sequence[Act], covers: Covers) -> Cover:
    cover = Cover.EXACT
    for act in acts:
        cover = min(cover, _of_act(act, covers))
        if cover is Cover.NO:
            break
    return cover


def _of_act(act: Act, covers: Covers) -> Cover:
    if act.unread or any(effect.kind == "dynamic" for effect in act.effects) or not _is_quiet(act):
        return Cover.NO
    worked_out = [child for child in act.children[: act.inside] if not _only_prints(child)]
    started = act.children[act.inside :]
    if not act.runs and not act.sets:
        # A function is what it runs; what runs nothing is not a command of the line.
        own = _of_all(started, covers) if started else Cover.NO
    else:
        own = _by_name(act, covers)
        if own is Cover.NO and started and _is_transparent(act):
            own = _of_all(started, covers)
    return min(own, _of_all(worked_out, covers)) if worked_out else own


def _by_name(act: Act, covers: Covers) -> Cover:
    cover = Cover.EXACT
    if not act.runs:
        return Cover.NO
    for ran in act.runs:
        if any(arg.splits or not arg.known for arg in ran.args):
            return Cover.NO
        as_written = act.written if not _WORKED_OUT.search(act.written) else ""
        # Variables set before a command are part of what has to be named.
        comes_to = "" if act.sets else quoted(ran.args)
        cover = min(cover, max([covers(form) for form in (as_written, comes_to) if form], default=Cover.NO))
    return cover


def _is_quiet(act: Act) -> bool:
    """Nothing is kept in a file, and nothing is fed in."""
    return all(target.text == "/dev/null" for _, target in act.redirects)


def _is_transparent(act: Act) -> bool:
    return all(ran.args[0].text.rpartition("/")[2] in _TRANSPARENT and len(ran.args) > 1 for ran in act.runs) and all(
        effect.kind in ("nothing", "process") for effect in act.effects
    )


def _only_prints(act: Act) -> bool:
    """Text by another spelling. What it prints stands in the command, which is looked at."""
    return (
        not act.children
        and all(ran.args[0].text in _PRINTS for ran in act.runs)
        and all(effect.kind == "nothing" for effect in act.effects)
    )
