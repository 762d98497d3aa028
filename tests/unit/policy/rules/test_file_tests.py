"""Tests that stand in a rules file."""

from assent.policy.rules.file import run_tests
from tests.unit.policy.calls import PROJECT, rules

TEXT = """
[[rule]]
match = "Bash(git push *)"
decision = "ask"
reason = "Pushes are reviewed."
when = { branch = ["main"], risk = ">=care", time = "03:00-03:01" }
[[rule.test]]
command = "git push origin main"
expect = "ask"
[[rule.test]]
command = "git status"
expect = "none"
[[rule.test]]
command = "git status"
expect = "allow"

[[rule]]
match = "Bash(git *)"
decision = "deny"
reason = "x"
when = { effect = "delete" }
[[rule.test]]
tool = "Read"
input = { file_path = "a" }
expect = "deny"
"""


def test_tests_tell_what_was_said_and_by_whom() -> None:
    """A test that fails names the rule that spoke, or none; conditions on the moment count as met."""
    outcomes = [(o.rule.number, o.said, o.by, o.is_good) for o in run_tests(rules(TEXT), PROJECT)]
    assert outcomes == [
        (1, "ask", "rule:user#1", True),
        (1, "none", None, True),
        (1, "none", None, False),
        (2, "none", None, False),
    ]


def test_tests_are_tried_with_all_rules_of_the_file() -> None:
    """A later deny beats what the tested rule says."""
    text = (
        '[[rule]]\nmatch = "Bash(ls *)"\ndecision = "allow"\n[[rule.test]]\ncommand = "ls"\nexpect = "allow"\n'
        '[[rule]]\nmatch = "Bash"\ndecision = "deny"\nreason = "x"\n'
    )
    (outcome,) = run_tests(rules(text), PROJECT)
    assert (outcome.said, outcome.by, outcome.is_good) == ("deny", "rule:user#2", False)
