"""Why a rule speaks about a call, or does not."""

from pathlib import Path

import pytest

from assent.policy import matching, pattern
from assent.policy.call import Call
from assent.policy.matching import Match
from assent.policy.rule import Rule, Says
from assent.policy.voice import Scene
from assent.policy.when import When

SCENE = Scene(project=Path("/home/me/shop"))


def matched(says: Says, patterns: str, command: str, when: When | None = None) -> Match:
    named = tuple(pattern.parse(text) for text in patterns.split("; "))
    rule = Rule("user", 1, named, says, when=when or When())
    return matching.match(rule, Call("Bash", {"command": command}, str(SCENE.project), "default"), SCENE)


@pytest.mark.parametrize(
    ("command", "fits"),
    [
        ("git push", ("git push",)),
        ("ls && git push origin", ("git push origin",)),
        ("sudo sh -c 'git push -f'", ("git push -f",)),
    ],
)
def test_restricting_rule_tells_the_part_it_names(command: str, fits: tuple[str, ...]) -> None:
    """In the form in which it names it, wherever it stands."""
    assert matched("deny", "Bash(git push *)", command) == Match("speaks", fits)


def test_rule_about_something_else_says_so() -> None:
    """Neither a resemblance nor a part."""
    assert matched("ask", "Bash(git push *)", "git pull") == Match("no")
    assert matched("allow", "Bash(git push *)", "git pull") == Match("no")
    assert matched("deny", "Read(src/**)", "git pull") == Match("no")


def test_allowing_rule_tells_what_it_leaves_uncovered() -> None:
    """Every command of the line counts."""
    found = matched("allow", "Bash(git status); Bash(ls *)", "git status && ls -l && make > out")
    assert found == Match("partly", ("git status", "ls -l"), ("make > out",))


def test_allowing_rule_that_covers_all_speaks() -> None:
    """Nothing is left."""
    assert matched("allow", "Bash(git status); Bash(ls *)", "git status | ls") == Match("speaks", ("git status", "ls"))


@pytest.mark.parametrize("says", ["allow", "deny"])
def test_rule_whose_conditions_do_not_hold_says_so(says: Says) -> None:
    """It names the command, but not now."""
    assert matched(says, "Bash(ls *)", "ls", When(mode=("auto",))) == Match("not_now", ("ls",))


def test_rule_about_a_file_has_no_parts() -> None:
    """There is only the one file."""
    rule = Rule("user", 1, (pattern.parse("Edit(docs/**)"),), "allow")
    edit = Call("Edit", {"file_path": "docs/a.md"}, str(SCENE.project))
    assert matching.match(rule, edit, SCENE) == Match("speaks")
    late = Rule("user", 1, rule.patterns, "allow", when=When(mode=("auto",)))
    assert matching.match(late, edit, SCENE) == Match("not_now")
    assert matching.match(rule, Call("Edit", {"file_path": "src/a.py"}, str(SCENE.project)), SCENE) == Match("no")
