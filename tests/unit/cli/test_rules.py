"""What `assent rules` shows."""

import json
import shutil
from os import terminal_size
from pathlib import Path

import pytest

from assent.cli.rules import page
from assent.learn.in_force import Listed
from assent.paths import Paths
from tests.unit.cli.conftest import Run

RULES = """
[[rule]]
match = "Bash(git push *)"
decision = "ask"
reason = "Pushes are reviewed."

[[rule.test]]
command = "git push origin main"
expect = "ask"

[[rule]]
match = ["Bash(git status)", "Bash(ls *)"]
decision = "allow"

[[rule.test]]
command = "ls && make"
expect = "allow"
"""


@pytest.fixture(autouse=True)
def rules(paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    paths.config_dir.mkdir(parents=True)
    paths.rules.write_text(RULES)
    return paths.rules


def test_list_shows_rules_under_their_file(assent: Run, rules: Path) -> None:
    """Number, word, what it names, and why."""
    assert assent("rules", "list").out.splitlines() == [
        f"Yours, {rules}",
        "   1  ask   Bash(git push *)",
        "            Pushes are reviewed.",
        "   2  allow Bash(git status), Bash(ls *)",
    ]


def test_list_speaks_to_programs(assent: Run) -> None:
    """One object a rule."""
    output = [json.loads(line) for line in assent("rules", "list", "--json").out.splitlines()]
    assert [(rule["number"], rule["decision"], rule["match"]) for rule in output] == [
        (1, "ask", ["Bash(git push *)"]),
        (2, "allow", ["Bash(git status)", "Bash(ls *)"]),
    ]


def test_list_of_nothing_says_who_decides(assent: Run, rules: Path) -> None:
    """An empty screen is no answer."""
    rules.unlink()
    assert assent("rules", "list").out.startswith("No rules hold here: floor and stance decide.")


def test_list_fits_and_cannot_be_steered() -> None:
    """Reasons are long, and a repository's may be hostile."""
    rule = Listed("project", "/x/\x1b[2J", 1, "deny", ("Bash(\u202ex)",), reason="why " * 40, unheard="Not trusted.")
    shown = list(page([rule], 50))
    assert all("\x1b[2J" not in line and "\u202e" not in line for line in shown)
    assert len(shown) > 4


def test_check_counts_what_is_good(assent: Run, rules: Path) -> None:
    """With nothing on the other stream."""
    result = assent("rules", "check")
    assert (result.code, result.out, result.err) == (0, f"good  {rules}: 2 rules, 2 tests\n", "")


def test_check_shows_a_mistake_with_line_and_caret(assent: Run, tmp_path: Path) -> None:
    """And goes on to the next file."""
    (tmp_path / "bad.toml").write_text('[[rule]]\nmatch = "Bash(x"\ndecision = "deny"\nreason = "x"\n')
    (tmp_path / "good.toml").write_text("")
    result = assent("rules", "check", "bad.toml", "good.toml")
    assert result.code == 1
    assert result.out == "good  good.toml: 0 rules, 0 tests\n"
    assert result.err.splitlines()[0].startswith('wrong bad.toml:2: "match" cannot be read')
    assert result.err.splitlines()[1:3] == ['    match = "Bash(x"', "            ^"]


def test_check_speaks_to_programs(assent: Run, tmp_path: Path) -> None:
    """One object a file, with the place of the mistake."""
    (tmp_path / "bad.toml").write_text("[[rule]\n")
    output = json.loads(assent("rules", "check", "bad.toml", "--json").out)
    assert (output["file"], output["line"]) == ("bad.toml", 1)
    assert "error" in output


@pytest.mark.parametrize("verb", ["check", "test"])
def test_file_that_is_not_there_is_not_found(assent: Run, verb: str) -> None:
    """Not of the rules."""
    result = assent("rules", verb, "nowhere.toml")
    assert (result.code, result.err) == (1, "assent: Nothing was checked: there is no file nowhere.toml.\n")


def test_test_shows_each_test_and_what_was_said_instead(assent: Run, rules: Path) -> None:
    """An allow that covers a part is none."""
    result = assent("rules", "test")
    assert result.code == 1
    assert result.out.splitlines() == [
        f"{rules}: 2 tests, 1 failed",
        "  good    rule 1   ask    git push origin main",
        "  failed  rule 2   none   ls && make",
        "          expected allow, got none",
    ]


def test_test_is_good_when_all_are(assent: Run, rules: Path) -> None:
    """And says so in one word."""
    rules.write_text(RULES.replace("ls && make", "ls && git status"))
    result = assent("rules", "test")
    assert result.code == 0
    assert "2 tests, all good" in result.out


def test_test_speaks_to_programs(assent: Run) -> None:
    """One object a test."""
    output = [json.loads(line) for line in assent("rules", "test", "--json").out.splitlines()]
    assert [(test["rule"], test["expect"], test["said"], test["good"]) for test in output] == [
        (1, "ask", "ask", True),
        (2, "allow", "none", False),
    ]


def test_test_without_tests_says_how_to_write_one(assent: Run, rules: Path) -> None:
    """Silence would look like success."""
    rules.write_text("")
    assert assent("rules", "test").out.startswith("No rule here has a test.")


def test_explain_shows_what_each_rule_makes_of_a_line(assent: Run) -> None:
    """Who speaks, who is silent, and what is not covered."""
    assert assent("rules", "explain", "ls && git push && make").out.splitlines() == [
        "ask   Bash(git push *)  your rule 1",
        "      It speaks about git push.",
        "allow Bash(git status), Bash(ls *)  your rule 2",
        "      It is silent: it allows only a part, ls. It does not cover git push, make.",
        "",
        "Risk      care: It sends commits to the remote: “git push”.",
        "Decision  ask, by your rule 1",
    ]


def test_explain_counts_rules_about_something_else(assent: Run, paths: Paths) -> None:
    """They are not worth a line each."""
    out = assent("rules", "explain", "rm -rf build").out
    assert out.startswith("2 rules are about something else.\n")


def test_explain_names_conditions_that_do_not_hold(assent: Run, rules: Path) -> None:
    """The rule would speak in another mode."""
    rules.write_text('[[rule]]\nmatch = "Bash(ls *)"\ndecision = "deny"\nreason = "x"\nwhen = { mode = "auto" }\n')
    assert "its conditions do not hold, though it names ls. It holds" in assent("rules", "explain", "ls").out
    assert "It speaks about ls." in assent("rules", "explain", "ls", "--mode", "auto").out


def test_explain_speaks_to_programs(assent: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules with their matches, and the whole trial."""
    monkeypatch.setattr(shutil, "get_terminal_size", lambda _: terminal_size((44, 20)))
    output = json.loads(assent("rules", "explain", "git push", "--json").out)
    assert [match["outcome"] for _, match in output["rules"]] == ["speaks", "no"]
    assert output["trial"]["decision"] == "ask"
