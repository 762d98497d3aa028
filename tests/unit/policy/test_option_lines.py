"""Options that start programs, write or send are seen in every spelling, and never allowed."""

import shlex
from collections.abc import Iterable, Iterator

import pytest

from accuracy import corpus
from accuracy.judging import judge
from assent.policy import commands
from assent.policy.commands import git
from assent.policy.commands.spec import Invocation, Spec
from assent.policy.shell.words import Arg
from tests.unit.policy.option_lines import STARTING, Known, Option, every, options, spellings
from tests.unit.policy.setting import SETTING

FAMILIES = sorted({known.family for known in every()})
# Uses by which an option does more than look, and a value with which it does.
ACTING = {
    **dict.fromkeys(STARTING, "./x"),
    **dict.fromkeys(("write", "delete", "deleteall", "mode"), "/etc/hosts"),
    **dict.fromkeys(("send", "host", "fetch", "project", "config", "care", "danger", "file"), "x"),
}


def allowed(lines: Iterable[str]) -> list[str]:
    judged = judge(corpus.Line(command=line, category="", origin="ours") for line in dict.fromkeys(lines))
    return [each.line.command for each in judged if each.word == "allow"]


@pytest.mark.parametrize("family", FAMILIES)
def test_option_that_starts_a_program_is_never_allowed(family: str) -> None:
    """Attached, separate, with an equals sign, abbreviated, bundled: what is started is never harmless."""
    lines = (
        f"{known.line} {spelled} TODO"
        for known in every()
        if known.family == family
        for option in options(known, STARTING)
        for program in ("rm", "sh", "./x")
        for spelled in spellings(known, option, program)
    )
    assert allowed(lines) == []


def _taken_apart(line: str) -> tuple[list[str], int, Spec] | None:
    """The words of a plain line, where options of its command may stand, and what is known about it."""
    if set(line) & set("|&;<>$`(){}\n\\*?[]~#!"):
        return None
    words = shlex.split(line)
    spec = git.GIT if words and words[0] == "git" else commands.find(words[0]) if words else None
    at = 1
    while spec is not None and (spec is git.GIT or spec.verbs is not None):
        it = Invocation(words[0], tuple(map(Arg, words[at:])), spec, SETTING, SETTING.cwd)
        if not it.operands:
            return None
        at = len(words) - len(it.operands) + 1
        verbs = git.VERBS if spec is git.GIT else spec.verbs or {}
        spec = verbs.get(it.operands[0].text, verbs.get("*"))
    return None if spec is None else (words, at, spec)


def _spliced(line: str) -> Iterator[str]:
    if (found := _taken_apart(line)) is None:
        return
    words, at, spec = found
    known = Known(" ".join(words[:at]), spec, "")
    for option in options(known, frozenset(ACTING)):
        for spelled in _plainly(known, option):
            yield f"{shlex.join(words[:at])} {spelled} {shlex.join(words[at:])}"


def _plainly(known: Known, option: Option) -> list[str]:
    made = list(spellings(known, option, ACTING[option.use if option.use in ACTING else "run"]))
    # All of them are looked at above; here the lines are many.
    return [*made[:3], *made[-1:]]


def test_allowed_line_with_an_option_that_acts_is_not_allowed() -> None:
    """What is harmless without an option is not with it, where the option runs, writes or sends."""
    harmless = allowed(line.command for line in corpus.load())
    assert len(harmless) > 500
    lines = [made for line in harmless for made in _spliced(line)]
    assert len(lines) > 1000
    assert allowed(lines) == []
