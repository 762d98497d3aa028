"""rules.toml."""

from pathlib import Path

import pytest

from assent.policy.rules.file import load_project, load_user
from assent.policy.rules.rule import RuleTest
from assent.toml.document import ConfigError
from tests.unit.policy.calls import rules

WHOLE = """\
version = 1
[[rule]]
match = "Bash(git push *)"
decision = "ask"
reason = "Pushes are reviewed."
when = { branch = ["main"], risk = ">=care", mode = "auto" }
[[rule.test]]
command = "git push origin main"
expect = "ask"
[[rule.test]]
tool = "Edit"
input = { file_path = "a" }
expect = "none"

[[rule]]
match = ["Read(.env)", "Edit(.env)"]
decision = "deny"
reason = "Secrets."
"""


def test_rules_are_read_whole() -> None:
    """Numbers count from 1; tests are kept to be run."""
    first, second = rules(WHOLE)
    assert (first.by, second.by) == ("rule:user#1", "rule:user#2")
    assert (first.says, first.reason) == ("ask", "Pushes are reviewed.")
    assert first.when.branch == ("main",)
    assert first.when.mode == ("auto",)
    assert first.when.risk is not None
    assert first.tests == (
        RuleTest("Bash", {"command": "git push origin main"}, "ask"),
        RuleTest("Edit", {"file_path": "a"}, "none"),
    )
    assert [pattern.text for pattern in second.patterns] == ["Read(.env)", "Edit(.env)"]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('[[rule]]\nmatch = "Bash"\ndecison = "ask"', 3, 'Did you mean "decision"?'),
        ('[[rule]]\nmatch = "Bash"', 1, '"decision" is missing in [rule].'),
        (
            '[[rule]]\nmatch = "Bash"\ndecision = "allow"\nharness = "copilott"',
            4,
            '"harness" cannot be read: a harness is one of ',
        ),
        (
            '[[rule]]\nmatch = "Bash"\ndecision = "allow"\nwhen = { harness = ["copilot", "coder"] }',
            4,
            "a harness is one of ",
        ),
        (
            '[[rule]]\nmatch = "Bash"\ndecision = "allow"\nharness = "copilot"\nwhen = { harness = "copilot" }',
            4,
            "This rule names its harness twice.",
        ),
        ('[[rule]]\nmatch = "Bash"\ndecision = "alow"', 3, 'must be "allow" | "ask" | "deny", not "alow"'),
        (
            '[[rule]]\ndecision = "ask"\nmatch = "Bash("',
            3,
            '"match" cannot be read: a pattern is written like',
        ),
        ('[[rule]]\ndecision = "ask"\nmatch = [\n "Bash",\n "Web*"]', 5, "is not the name of a tool"),
        ('[[rule]]\ndecision = "ask"\nmatch = []', 3, "names nothing"),
        ('[[rule]]\ndecision = "allow"\nmatch = "*"', 3, "allows tools that are not named"),
        ('[[rule]]\ndecision = "allow"\nmatch = ["Bash",\n"mcp__*"]', 4, "allows tools that are not named"),
        (
            '[[rule]]\nmatch = "Bash"\ndecision = "ask"\nwhen = { risk = "high" }',
            4,
            'a risk is written like ">=care"',
        ),
        (
            '[[rule]]\nmatch = "Bash"\ndecision = "ask"\nwhen = { mode = "yolo" }',
            4,
            '"mode" must be "default" |',
        ),
        (
            '[[rule]]\nmatch = "Bash"\ndecision = "ask"\nwhen = { brnch = "x" }',
            4,
            'Did you mean "branch"?',
        ),
        (
            '[[rule]]\nmatch = "Bash"\ndecision = "ask"\nreason = "x"\n[[rule.test]]\nexpect = "ask"',
            5,
            "This test names no call.",
        ),
        (
            '[[rule]]\nmatch = "Bash"\ndecision = "ask"\n[[rule.test]]\ncommand = "x"',
            4,
            '"expect" is missing',
        ),
        ('[[rule]]\nmatch = "Bash"\ndecision = "ask"', 3, 'This rule says "ask" and not why.'),
        ('[[rule]]\nmatch = "Bash"\ndecision = "deny"\nreason = " "', 3, 'Add a line: reason = "…".'),
        ('[[rule]]\nmatch = "Bash"\ndecision = "ask"\nwhen = { time = "late" }', 4, 'written like "22:00-07:00"'),
        ('[[rule]]\nmatch = "Bash"\ndecision = "ask"\nwhen = { path = "../x" }', 4, 'cannot go up with ".."'),
        ('[[rule]]\nmatch = "Bash"\ndecision = "ask"\nwhen = { effect = "erase" }', 4, '"effect" must be'),
        ('[[rules]]\nmatch = "Bash"', 1, 'Did you mean "rule"?'),
        ("rule = 3", 1, "must be a list"),
    ],
)
def test_rules_error_points_at_the_line(text: str, line: int, says: str) -> None:
    """A rule that would not do what its author thinks is refused."""
    with pytest.raises(ConfigError) as raised:
        rules(text)
    assert raised.value.line == line
    assert says in str(raised.value)


def test_rule_names_one_harness_or_several() -> None:
    """Beside ``match``, or as a condition among others; a wildcard has to fit one that is known."""
    text = '[[rule]]\nmatch = "Bash"\ndecision = "allow"\n'
    one, several, as_condition, wild = rules(
        f'{text}harness = "copilot"\n{text}harness = ["copilot", "claude-code"]\n'
        f'{text}when = {{ harness = "copilot" }}\n{text}harness = "claude-*"\n'
    )
    assert one.when.harness == as_condition.when.harness == ("copilot",)
    assert several.when.harness == ("copilot", "claude-code")
    assert wild.when.harness == ("claude-*",)
    assert one.in_words() == "allow Bash when harness copilot"


def test_user_rules_may_be_absent(tmp_path: Path) -> None:
    """No file, no rules."""
    assert load_user(tmp_path / "rules.toml").rules == ()


def test_project_rules_may_only_tighten(tmp_path: Path) -> None:
    """What they would allow is kept aside, with the reason, under its own number."""
    path = tmp_path / ".assent" / "rules.toml"
    path.parent.mkdir()
    path.write_text(
        '[[rule]]\nmatch = "Bash"\ndecision = "allow"\n'
        '[[rule]]\nmatch = "Bash(rm *)"\ndecision = "deny"\nreason = "x"\n'
        '[[rule]]\nmatch = "Bash(git *)"\ndecision = "ask"\nreason = "x"\n'
    )
    file = load_project(path)
    assert [rule.by for rule in file.rules] == ["rule:project#2", "rule:project#3"]
    assert [(ignored.rule.by, ignored.why) for ignored in file.ignored] == [
        ("rule:project#1", "A project's rules may only tighten (ask, deny) until you trust them.")
    ]
    assert {rule.base for rule in file.rules} == {str(tmp_path)}


def test_project_rules_are_not_read_through_a_link(tmp_path: Path) -> None:
    """The link comes with the repository."""
    (tmp_path / "elsewhere.toml").write_text("")
    (tmp_path / "rules.toml").symlink_to(tmp_path / "elsewhere.toml")
    with pytest.raises(ConfigError, match="could not be read"):
        load_project(tmp_path / "rules.toml")
