"""Rules that an "always" becomes where the agent's client cannot be told to remember."""

from pathlib import Path

import pytest

from assent.learn import trusting
from assent.policy.call import Call, Scene
from assent.policy.rules import kept, pattern
from assent.policy.rules.coverage import Cover
from tests.unit.policy.calls import PROJECT, rules

SCENE = Scene(PROJECT, harness="copilot")
TOUCH = [pattern.parse("Bash(touch made)")]


def call(command: str = "touch made", cwd: str = str(PROJECT)) -> Call:
    return Call("Bash", {"command": command}, cwd, "default", "main")


@pytest.mark.parametrize(
    ("cwd", "harness", "holds"),
    [
        (str(PROJECT), "copilot", True),
        (f"{PROJECT}/src", "copilot", True),
        (f"{PROJECT}-other", "copilot", False),
        ("/", "copilot", False),
        (str(PROJECT), "claude-code", False),
        (str(PROJECT), None, False),
    ],
)
def test_rule_of_a_project_holds_there_and_for_one_client(cwd: str, harness: str | None, holds: bool) -> None:
    rule = kept.rule(TOUCH, "copilot", kept.folder_of(str(PROJECT)))
    assert (rule.covers(call(cwd=cwd), Scene(PROJECT, harness=harness)) is not Cover.NO) == holds


def test_rule_never_covers_danger() -> None:
    """Named exactly, too: what it names may be more than it was when a person agreed."""
    rule = kept.rule([pattern.parse("Bash(git push --force origin main)")], "copilot")
    assert rule.covers(call("git push --force origin main"), SCENE) is Cover.NO


@pytest.mark.parametrize("project", ["/", "relative", "", "/srv/a*b", "/srv/a[b]", "/srv/../etc"])
def test_some_folders_cannot_be_named_as_a_project(project: str) -> None:
    assert kept.folder_of(project) == ""


def test_home_is_no_project(home: Path) -> None:
    assert kept.folder_of(str(home)) == ""


@pytest.mark.parametrize("folder", ["", "//srv/my shop/**"])
def test_rule_is_read_as_it_was_written(folder: str) -> None:
    """And listed with its project and its client in their own places."""
    matches = ["Bash(touch made)", "Edit(//srv/a.py)"]
    text = trusting.with_kept_rule(Path("rules.toml"), None, matches, "copilot", folder)
    (read,) = rules(text.decode())
    made = kept.rule([*map(pattern.parse, matches)], "copilot", folder)
    assert read.in_words() == made.in_words()
    project, harness, others = kept.scope_of(read.when)
    assert (project, harness, others.in_words()) == ("/srv/my shop" if folder else "", "copilot", "")


def test_other_conditions_stay_words() -> None:
    (rule,) = rules(
        '[[rule]]\nmatch = "Bash"\ndecision = "allow"\nharness = "c*"\nwhen = { risk = "<danger", cwd = "src" }\n'
    )
    assert kept.scope_of(rule.when) == ("", "", rule.when)
