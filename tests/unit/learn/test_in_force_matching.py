"""Why a rule speaks about a call, or does not."""

from pathlib import Path

import pytest

from assent.learn import in_force
from assent.learn.in_force import RuleMatch
from assent.policy.call import Call, Scene
from assent.policy.rules import pattern
from assent.policy.rules.rule import Rule, Says, When

SCENE = Scene(project=Path("/home/me/shop"))


def matched(says: Says, patterns: str, command: str, when: When | None = None) -> RuleMatch:
    named = tuple(pattern.parse(text) for text in patterns.split("; "))
    rule = Rule("user", 1, named, says, when=when or When())
    return in_force.match(rule, Call("Bash", {"command": command}, str(SCENE.project), "default"), SCENE)


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
    assert matched("deny", "Bash(git push *)", command) == RuleMatch("speaks", fits)


def test_rule_about_something_else_says_so() -> None:
    """Neither a resemblance nor a part."""
    assert matched("ask", "Bash(git push *)", "git pull") == RuleMatch("no")
    assert matched("allow", "Bash(git push *)", "git pull") == RuleMatch("no")
    assert matched("deny", "Read(src/**)", "git pull") == RuleMatch("no")


def test_allowing_rule_tells_what_it_leaves_uncovered() -> None:
    """Every command of the line counts."""
    found = matched("allow", "Bash(git status); Bash(ls *)", "git status && ls -l && make > out")
    assert found == RuleMatch("partly", ("git status", "ls -l"), ("make > out",))


def test_allowing_rule_that_covers_all_speaks() -> None:
    """Nothing is left."""
    assert matched("allow", "Bash(git status); Bash(ls *)", "git status | ls") == RuleMatch(
        "speaks", ("git status", "ls")
    )


@pytest.mark.parametrize("says", ["allow", "deny"])
def test_rule_whose_conditions_do_not_hold_says_so(says: Says) -> None:
    """It names the command, but not now."""
    assert matched(says, "Bash(ls *)", "ls", When(mode=("auto",))) == RuleMatch("not_now", ("ls",))


def test_rule_about_a_file_has_no_parts() -> None:
    """There is only the one file."""
    rule = Rule("user", 1, (pattern.parse("Edit(docs/**)"),), "allow")
    edit = Call("Edit", {"file_path": "docs/a.md"}, str(SCENE.project))
    assert in_force.match(rule, edit, SCENE) == RuleMatch("speaks")
    late = Rule("user", 1, rule.patterns, "allow", when=When(mode=("auto",)))
    assert in_force.match(late, edit, SCENE) == RuleMatch("not_now")
    assert in_force.match(rule, Call("Edit", {"file_path": "src/a.py"}, str(SCENE.project)), SCENE) == RuleMatch("no")
