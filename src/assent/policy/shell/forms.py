"""The ways in which a command can be written, for rules that name it."""

import re
import shlex
from collections.abc import Iterable

from assent.policy import commands
from assent.policy.commands.spec import Invocation
from assent.policy.shell.acts import Act, Ran
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import HOLE, Arg

_NOWHERE = Setting(project="", home="", cwd="")
_NEEDS_NO_QUOTES = re.compile(r"[\w./:=@%+,~^-]+")
_PLAIN_LINE = re.compile(r"[\w./:=@%+,~^ -]+")


def of_line(text: str, every: Iterable[Act]) -> tuple[str, ...]:
    """The line itself, and each of all the commands in it: as it stands, and as what it comes to."""
    forms: dict[str, None] = {text.strip(): None}
    for act in every:
        forms[act.text] = None
        forms[act.written] = None
        for ran in act.runs:
            for form in _of_words(ran):
                forms[form] = None
    forms.pop("", None)
    return tuple(forms)


def _of_words(ran: Ran) -> list[str]:
    words = _known_words(ran)
    if not words:
        return []
    first, line = words[0], " ".join(words)
    found = [line]
    # As many blanks as stand between words are in none of them.
    is_plain = _PLAIN_LINE.fullmatch(line) and line.count(" ") == len(words) - 1 and "" not in words
    if not is_plain:
        found.append(quoted(ran.args))
    name = first.rpartition("/")[2]
    if name != first:
        found.append(name + line[len(first) :])
    if len(words) > 1 and words[1][:1] == "-":
        spec = commands.find(name)
        if spec is not None and (spec.wraps or spec.verbs is not None):
            # ``git -C x push``: what a rule names is the sub-command.
            it = Invocation(name, ran.args[1:], spec, _NOWHERE, None)
            found.append(" ".join((name, *(arg.text.replace(HOLE, "") for arg in it.operands))))
    return found


def _known_words(ran: Ran) -> list[str]:
    """As if all that is not known were empty: the oldest way to make a command look like another."""
    words = [arg.text for arg in ran.args]
    if HOLE in "".join(words):
        return [known for word in words if (known := word.replace(HOLE, ""))]
    return words


def quoted(args: Iterable[Arg]) -> str:
    """Quoted for typing: one word stays one word."""
    return " ".join(
        [arg.text if arg.glob or _NEEDS_NO_QUOTES.fullmatch(arg.text) else shlex.quote(arg.text) for arg in args]
    )
